"""`planloom work`: claims the ready nodes of a role, and lets a program execute each of them.

The program gets one JSON object on standard input: the node with its contract and input, the schema of its output,
feedback on earlier attempts, and the text for a prompt. It prints one JSON object: a result with structuredOutput,
artifacts, notes and status.
"""

import asyncio
import contextlib
import json
import shlex
import shutil
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from os import getpid
from typing import Annotated, Any

import typer

from planloom_cli import exits
from planloom_cli.options import bundled
from planloom_cli.service import Service, ServiceError
from planloom_cli.workflow import AtWorkflows, EachWorkstream, submission_lines

#: Characters of a program's error output that are submitted.
MOST_ERROR = 2_000
#: Errors after which the node is left to others.
LEFT = frozenset({"NODE_CLAIMED", "NODE_NOT_OPEN", "EXECUTION_ENDED", "REPLAN_REQUIRED"})


@dataclass(frozen=True)
class Worker:
    """One loop over the nodes of a role."""

    service: Service
    role: str
    name: str
    words: Sequence[str]
    lease: int
    workstream: str | None
    quiet: bool

    async def run(self, once: bool, idle: float) -> int:
        """Execute nodes as they become ready; with *once* until none is. Return how many were accepted."""
        accepted = 0
        while True:
            claimed = await self.service.call(
                "claimExecutionNode",
                role=self.role,
                executor=self.name,
                leaseSeconds=self.lease,
                workstreamId=self.workstream,
            )
            if claimed["claimed"]:
                accepted += await self._node(claimed)
            elif once:
                return accepted
            else:
                await asyncio.sleep(idle)

    async def _node(self, claimed: dict[str, Any]) -> bool:
        """Execute one node until it is accepted or no attempt is left."""
        given = {"runId": claimed["runId"], "nodeId": claimed["nodeId"], "claimToken": claimed["claimToken"]}
        while True:
            try:
                result = await self._executed(claimed, given)
                found = await self.service.call("submitExecutionNodeResult", **given, executor=self.name, result=result)
                self._say("\n".join(submission_lines(found)))
                if found["accepted"] or found["nodeStatus"] != "running":
                    return bool(found["accepted"])
                # the claim is still ours: the contract comes again with feedback
                claimed = await self._renew(given)
            except ServiceError as error:
                if error.code not in LEFT:
                    raise
                self._say(f"{claimed['nodeId']}: {error}")
                return False

    async def _executed(self, claimed: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
        context = await self.service.call("getExecutionContext", runId=claimed["runId"], role=self.role)
        keys = ("runId", "nodeId", "node", "outputSchema", "objective", "otherOutputs")
        work = {name: claimed[name] for name in keys} | {"context": context["text"]}
        program = await asyncio.create_subprocess_exec(
            *self.words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        ended = asyncio.Event()
        beats = asyncio.create_task(self._heartbeats(given, ended))
        try:
            answer, errors = await program.communicate(json.dumps(work).encode())
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                program.kill()
            raise
        finally:
            # not cancelled: the connection takes one call at a time, and each must end
            ended.set()
            await beats
        return _result(program.returncode or 0, answer, errors)

    async def _heartbeats(self, given: dict[str, Any], ended: asyncio.Event) -> None:
        while not ended.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), self.lease / 3)
                return
            # a heartbeat that fails is followed by another, or by the error of the submission
            with contextlib.suppress(ServiceError):
                await self._renew(given)

    async def _renew(self, given: dict[str, Any]) -> dict[str, Any]:
        return await self.service.call("claimExecutionNode", **given, executor=self.name, leaseSeconds=self.lease)

    def _say(self, text: str) -> None:
        if not self.quiet:
            typer.echo(text)


def _result(code: int, answer: bytes, errors: bytes) -> dict[str, Any]:
    """Return what the program printed as a result; what is none is submitted as a failure that says so."""
    said = errors.decode(errors="replace").strip()[-MOST_ERROR:]
    if code:
        return {"status": "failed", "notes": f"The program ended with code {code}. {said}".strip()}
    try:
        found = json.loads(answer)
    except ValueError as error:
        return {"status": "failed", "notes": f"The program printed no JSON: {error}. {said}".strip()}
    if not isinstance(found, dict):
        return {"status": "failed", "notes": "The program printed JSON that is no object."}
    return found


@bundled
def work(
    at: AtWorkflows,
    role: Annotated[str, typer.Option(help="Role whose nodes are executed: owner.ref of the draft.")],
    command: Annotated[str, typer.Option(help="Program that executes a node: JSON on stdin, its result on stdout.")],
    name: Annotated[str, typer.Option(help="Your name among the agents of the role.")] = "",
    workstream: EachWorkstream = None,
    lease: Annotated[int, typer.Option(min=10, max=3600, help="Seconds after which a lost claim ends.")] = 60,
    once: Annotated[bool, typer.Option("--once", help="End when nothing is ready.")] = False,
    idle: Annotated[float, typer.Option(min=0.1, help="Seconds between looks while nothing is ready.")] = 3.0,
) -> None:
    """Execute the nodes of a role: claim each that is ready, run a program with its contract, submit its result."""
    words = shlex.split(command)
    if not words:
        exits.leave(exits.REFUSED, "--command names no program.")
    # before a node is claimed that could not be executed
    if shutil.which(words[0]) is None:
        exits.leave(exits.REFUSED, f"The program '{words[0]}' is not found, or cannot be executed.")

    async def loop(service: Service) -> int:
        executor = name or f"{role}@{socket.gethostname()}:{getpid()}"
        worker = Worker(service, role, executor, words, lease, workstream, at.as_json)
        return await worker.run(once, idle)

    accepted = at.reach(loop)
    at.say({"accepted": accepted}, f"{accepted} results accepted")
