"""Programs as callers use them: dry runs, live runs, and the continuations ``wait`` and ``cancel``."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.planes.programs.catalog import Catalog
from planloom.planes.programs.commit import commit_id
from planloom.planes.programs.commits import check_gate, mint
from planloom.planes.programs.compile import compile_program
from planloom.planes.programs.errors import ContinuationRefused, OperationFailed
from planloom.planes.programs.evaluate import Result, evaluate
from planloom.planes.programs.job import backend_names, used_entities
from planloom.planes.programs.lines import Line
from planloom.planes.programs.node_values import NodeValue
from planloom.planes.programs.operations import Operations, Rendered, ReturnedRows, Started
from planloom.planes.programs.parse import parse
from planloom.planes.programs.plan import ProgramPlan, Verdict
from planloom.planes.programs.ports import OpenBackends, Operation, ProgramCaller, Session
from planloom.planes.programs.render import render_plan
from planloom.planes.programs.sessions import Sessions, is_id
from planloom.planes.programs.sources import Sources
from planloom.planes.programs.syntax import Program
from planloom.planes.programs.verdict import Policy
from planloom.runs.records import ENDED, Run, RunState

#: Seconds that a call waits for a program; what takes longer becomes an operation. The gateway gives up after 29.
LONGEST_WAIT = 15.0
#: Seconds that reads in progress have to end in after that.
ENDING = 3.0


class DryRun(Frozen):
    """What a program would do, and the reference with which it is accepted."""

    plan: ProgramPlan
    commit_id: str
    ref: str
    markdown: str
    meta: dict[str, Any]


class Outcome(Frozen):
    """What a live run came to: a result, or an operation that is running."""

    markdown: str
    operation: bool = False
    handle: str = ""
    results: tuple[ReturnedRows, ...] = ()
    started: tuple[Started, ...] = ()
    resource: str = ""
    meta: dict[str, Any] = Field(default_factory=dict)


@dataclass(frozen=True)
class RunRequest:
    """How a program is to be run. ``wait`` None: expensive programs are not waited for."""

    program: str
    wait: bool | None = None
    force: bool = False
    plan_commit_ref: str = ""


@dataclass(frozen=True)
class Programs:
    """The programs of all accounts; every method takes a session, which names the account."""

    sessions: Sessions
    operations: Operations
    backends: OpenBackends
    policy: Callable[[str], Policy] = lambda _: Policy()
    #: Seconds that a call waits for a program.
    limit: float = LONGEST_WAIT

    def dry_run(self, session: Session, text: str) -> DryRun:
        """Return what a program would do; nothing is read or called. Raises ProgramError, ContinuationRefused."""
        program = parse(text)
        if program.continuation is not None:
            verb = program.continuation.verb
            raise ContinuationRefused(f"{verb}(...) has no plan. Send it to plasm_run, or without mode=plan.")
        plan = self._compiled(session, program)
        ref = ""
        if plan.verdict in ("ok", "review"):
            ref = mint(self.sessions.store, session, plan, self.sessions.now()).ref
        meta: dict[str, Any] = {"dry_verdict": plan.verdict, "dry_review": list(plan.reasons)}
        if ref:
            meta["plan_commit_ref"] = ref
        return DryRun(
            plan=plan, commit_id=commit_id(plan), ref=ref, markdown=render_plan(plan, ref), meta={"plasm": meta}
        )

    def run(self, caller: ProgramCaller, session: Session, request: RunRequest) -> Outcome:
        """Run a program, or answer a continuation.

        Raises ProgramError, the errors of planloom.planes.programs.errors, TooManyRuns.
        """
        text = request.program.strip()
        program = parse(text)
        if program.continuation is not None:
            handle = self._handle(session, program.continuation.handle)
            return self.wait(session, handle) if program.continuation.verb == "wait" else self.cancel(session, handle)
        plan = self._compiled(session, program)
        verdict, ref = check_gate(
            self.sessions.store,
            session,
            plan,
            ref=request.plan_commit_ref,
            force=request.force,
            now=self.sessions.now(),
        )
        live = _LiveRun(self, caller, session, text, plan, verdict, ref)
        if request.wait is False or (request.wait is None and plan.expensive):
            return live.accepted(auto=request.wait is None)
        if plan.changes:
            # what changes something is run as an operation, so that a lost process repeats no call
            return live.waited_for()
        return live.evaluated()

    def _handle(self, session: Session, given: str) -> str:
        """Return *given*, or the handle of the run, plan or other operation whose id it is."""
        return self.operations.addressed(session, given).handle if is_id(given) else given

    def wait(self, session: Session, handle: str) -> Outcome:
        """Return the next line about an operation, or its result."""
        operation, run, line = self.operations.poll(session, handle)
        return self.outcome(session, operation, run, line)

    def cancel(self, session: Session, handle: str) -> Outcome:
        """Ask an operation to end, and return how it is then; a second call returns the same."""
        operation, run = self.operations.cancel(session, handle)
        if run.state not in ENDED:
            line = Line(handle=operation.handle, sign="x", n=operation.n, progress=operation.progress)
            return self._cancelled(session, operation, line)
        return self.outcome(session, operation, run, self.operations.line(operation, run))

    def outcome(self, session: Session, operation: Operation, run: Run, line: Line) -> Outcome:
        """Return *line* about an operation as an outcome, with its result where it has one."""
        if line.sign == "!":
            result = self.operations.result(session, operation)
            return _ended(line.with_rows(result.rows), result)
        if line.sign == "x":
            return self._cancelled(session, operation, line)
        if line.sign == "?":
            said = [line.fenced, line.message, self.operations.reached(session, operation)]
            if run.state is RunState.BLOCKED:
                said.append(f'Look, then `Run.resume("{run.run_id}", on_unknown="retry")`, or `"skip"`.')
            meta = {"plasm": {**line.meta, "code": "operation_failed"}}
            return Outcome(markdown="\n\n".join(each for each in said if each), handle=line.handle, meta=meta)
        return Outcome(markdown=line.fenced, operation=True, handle=line.handle, meta={"plasm": line.meta})

    def _cancelled(self, session: Session, operation: Operation, line: Line) -> Outcome:
        said = [line.fenced, "Cancelled.", self.operations.reached(session, operation)]
        resource = f"plasm://{session.name}/operations/{operation.handle}"
        return Outcome(
            markdown="\n\n".join(each for each in said if each),
            handle=line.handle,
            resource=resource,
            meta={"plasm": line.meta},
        )

    def _compiled(self, session: Session, program: Program) -> ProgramPlan:
        account = session.account
        return compile_program(program, self.sessions.catalog(account), self.policy(account))


@dataclass(frozen=True)
class _LiveRun:
    """One live run that the gate let through."""

    programs: Programs
    caller: ProgramCaller
    session: Session
    text: str
    plan: ProgramPlan
    verdict: Verdict
    ref: str

    def accepted(self, *, auto: bool, ended: Mapping[str, NodeValue] | None = None) -> Outcome:
        """Start an operation and return its handle."""
        operation = self._start(ended)
        line = Line(
            handle=operation.handle, sign="+", n=operation.n, commit=operation.commit, verdict=operation.verdict
        )
        steps = [
            line.fenced,
            f"`wait({operation.handle})` shows how far it is, then its result; ask every 3 to 5 seconds. "
            f"`cancel({operation.handle})` ends it.",
        ]
        return Outcome(
            markdown="\n\n".join(steps), operation=True, handle=operation.handle, meta=self._meta(line, auto=auto)
        )

    def waited_for(self) -> Outcome:
        """Start an operation and wait for it; return its result, or its handle where it takes too long."""
        operation = self._start(None)
        programs, account = self.programs, self.session.account
        run = programs.operations.runs.wait(account, operation.run_id, programs.limit)
        if run.state not in ENDED:
            line = Line(
                handle=operation.handle, sign="+", n=operation.n, commit=operation.commit, verdict=operation.verdict
            )
            said = f"It takes longer than a call may. `wait({operation.handle})` shows how far it is."
            return Outcome(
                markdown=f"{line.fenced}\n\n{said}",
                operation=True,
                handle=operation.handle,
                meta=self._meta(line, auto=True),
            )
        operation, run, line = programs.operations.poll(self.session, operation.handle)
        outcome = programs.outcome(self.session, operation, run, line)
        if line.sign == "?":
            raise OperationFailed(
                line.message, handle=operation.handle, run_id=run.run_id, next=outcome.markdown.split("\n\n")[-1]
            )
        return outcome.model_copy(update={"meta": {"plasm": {**outcome.meta["plasm"], **self._verdict()}}})

    def evaluated(self) -> Outcome:
        """Evaluate a program that only reads, here and now; it becomes an operation where it takes too long."""
        result = asyncio.run(self._evaluate())
        if result.state == "cancelled":
            return self.accepted(auto=True, ended=result.values)
        if result.state == "failed":
            raise OperationFailed(result.error, cause=result.code)
        rendered = self.programs.operations.rendered(self.session, self.plan, result.returns, self.text)
        meta = {"continuity": {"p": "succeeded"}, **self._verdict()}
        return Outcome(
            markdown=rendered.markdown,
            results=rendered.results,
            started=rendered.started,
            resource=rendered.resource,
            meta={"plasm": meta},
        )

    async def _evaluate(self) -> Result:
        programs = self.programs
        loop = asyncio.get_running_loop()
        until = loop.time() + programs.limit
        catalog = programs.sessions.catalog(self.session.account)
        pages = self._page_states()

        async def handles(handle: str) -> dict[str, Any] | None:
            return pages.get(handle)

        entities = used_entities(self.plan, catalog, pages.values())
        async with programs.backends(self.caller, backend_names(entities)) as backends:
            sources = Sources(Catalog(entities), backends, handles=handles)
            task = asyncio.create_task(
                evaluate(self.plan, sources, programs.sessions.now(), stopped=lambda: loop.time() >= until)
            )
            done, _ = await asyncio.wait({task}, timeout=programs.limit + ENDING)
            if not done:
                # a read that hangs is repeated by the operation
                task.cancel()
                await asyncio.wait({task})
                return Result(state="cancelled")
            return task.result()

    def _start(self, ended: Mapping[str, NodeValue] | None) -> Operation:
        programs, now = self.programs, self.programs.sessions.now()
        ref = self.ref or mint(programs.sessions.store, self.session, self.plan, now).ref
        return programs.operations.accept(
            self.session,
            self.caller,
            self.plan,
            self.text,
            catalog=programs.sessions.catalog(self.session.account),
            pages=self._page_states(),
            commit=ref,
            verdict=self.verdict,
            ended=ended,
        )

    def _page_states(self) -> dict[str, dict[str, Any]]:
        """Return what follows the pages that the program names. Raises InvalidHandle."""
        names = [node.args["handle"] for node in self.plan.nodes if node.op == "page"]
        found = {name: self.programs.operations.page(self.session, name) for name in names}
        return {name: state for name, state in found.items() if state is not None}

    def _verdict(self) -> dict[str, Any]:
        return {"dry_verdict": self.verdict, "dry_review": list(self.plan.reasons)}

    def _meta(self, line: Line, *, auto: bool) -> dict[str, Any]:
        return {"plasm": {**line.meta, "auto_async": auto, **self._verdict()}}


def _ended(line: Line, result: Rendered) -> Outcome:
    return Outcome(
        markdown=f"{line.fenced}\n\n{result.markdown}",
        handle=line.handle,
        results=result.results,
        started=result.started,
        resource=result.resource,
        meta={"plasm": line.meta},
    )
