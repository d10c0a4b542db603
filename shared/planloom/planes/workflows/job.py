"""The host of a workflow: a durable run that lets due things happen, calls plugins, and parks in between."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar

from planloom.core.errors import PlanloomError
from planloom.core.step_graph import StepGraph
from planloom.planes.workflows import facts
from planloom.planes.workflows.contracts import allowed_by
from planloom.planes.workflows.draft import Node
from planloom.planes.workflows.errors import ExecutionBusy, InvalidDraft, NodeClaimed
from planloom.planes.workflows.executor import LATE
from planloom.planes.workflows.facts import OUTPUT_BYTES, json_bytes
from planloom.planes.workflows.host import host_id
from planloom.planes.workflows.service import Workflows
from planloom.planes.workflows.states import Execution, NodeStatus, RunStatus
from planloom.runs.job import OpenJob, ReadValue, StepCalls, StepEnd
from planloom.runs.records import Run, RunWork, StepRecord, Unit
from planloom.tools.servers import AccountServers
from planloom.tools.tool import NotReached
from planloom.tools.unwrap import ToolFailed, unwrap

logger = logging.getLogger(__name__)
T = TypeVar("T")

#: The only step of the host's run.
STEP = "workflow"
#: Seconds that one call of a tool may take, that its claim lasts longer, and after which a host that was not woken
#: looks at a graph.
LONGEST_CALL, SLACK, LOOK = 300.0, 60, 300
#: Seconds after which a worker starts no further calls.
BUDGET = 240
#: Calls that are made at once.
PARALLEL = 8
#: Begins the ids of runs of graphs that plugin nodes started.
GRAPH_RUN = "graphRun:"
#: Begins the ids of runs that could not be started.
NO_RUN = "noRun:"


class ToolManager(Protocol):
    """What calls tools."""

    def execute_tool(self, name: str, args: dict[str, Any], /, **named: Any) -> Awaitable[Any]:
        """Call the tool *name* of ``server`` and return what it answers; raise where the call fails."""


class GraphRuns(Protocol):
    """Stored graphs, which plugin nodes may run. All raise PlanloomError."""

    def start(self, account: str, graph_id: str, variables: Mapping[str, Any], wakes: str) -> str:
        """Start a run of a stored graph and return its id; at its end the run *wakes* is woken."""

    def ended(self, account: str, run_id: str) -> tuple[str, Any, str] | None:
        """Return the state of a run that ended, its results, and why it failed; None while it runs."""

    def stop(self, account: str, run_id: str) -> None:
        """Stop a run; one that has ended stays as it is."""


#: Returns whether a result meets a criterion, and why. Raises PlanloomError.
Judge = Callable[[str, str], Awaitable[tuple[bool, str]]]


@dataclass(frozen=True)
class Plugins:
    """What hosts reach. *repeatable* says whether a tool may be called twice without harm; *judge* asks a model."""

    connect: Callable[[str], AbstractAsyncContextManager[ToolManager]]
    repeatable: Callable[[str, str, str], bool]
    graphs: GraphRuns
    judge: Judge | None = None


def repeatable(servers: AccountServers, account: str, server: str, tool: str) -> bool:
    """Return whether a call of *tool* may be repeated without harm, as a trusted server says."""
    return any(each.repeatable for each in servers.catalog(account).find(tool, server))


def workflow_jobs(workflows: Callable[[], Workflows], plugins: Callable[[], Plugins]) -> OpenJob:
    """Return what opens the host of a run."""

    async def open_job(run: Run, _: RunWork, __: Mapping[Unit, StepRecord], ___: ReadValue) -> WorkflowJob:
        return WorkflowJob(run.subject, workflows(), plugins())

    return open_job


class WorkflowJob:
    """One worker's view of a workflow's run: see planloom.runs.job.Job."""

    max_concurrency = 1
    on_unknown = "block"

    def __init__(self, run_id: str, workflows: Workflows, plugins: Plugins) -> None:
        self.graph = StepGraph.of([(STEP, ())])
        self._run_id = run_id
        self._workflows = workflows
        self._executor = workflows.executor
        self._plugins = plugins
        self._stack = AsyncExitStack()
        self._tools: ToolManager | None = None

    def title(self, step: str) -> str:
        """Return what the log calls the step."""
        return step

    def ended(self, record: StepRecord, value: Any) -> None:
        """Nothing depends on it."""

    def to_undo(self) -> list[str]:
        """Return nothing: policies of the nodes say what happens after a failure."""
        return []

    async def undo(self, _step: str, _calls: StepCalls) -> StepEnd:
        """Do nothing."""
        return StepEnd("skipped")

    async def close(self) -> None:
        """End the sessions with tool servers."""
        await self._stack.aclose()

    async def execute(self, _step: str, _calls: StepCalls) -> StepEnd:
        """Let everything happen that is due, and say until when nothing is."""
        until_then = self._executor.now() + timedelta(seconds=BUDGET)
        while True:
            run = await _io(self._executor.reconcile, self._run_id)
            if run is None or run.ended:
                await self._stop_graphs(run)
                return StepEnd("completed", value=str(run.status) if run else "deleted")
            work = await _io(self._executor.to_host, run)
            looking = await self._look_at_graphs(run)
            if self._executor.now() > until_then and work:
                # a fresh worker continues: this one's time is limited
                return StepEnd("waiting", error=str(run.status), until=self._executor.now())
            if not work and not looking:
                due = await _io(self._executor.due, run)
                soon = self._soon(run)
                return StepEnd(
                    "waiting", error=str(run.status), until=min((at for at in (due, soon) if at), default=None)
                )
            await asyncio.gather(*(self._one(run, node) for node in work[:PARALLEL]))

    async def _stop_graphs(self, run: Execution | None) -> None:
        """Stop graphs whose results the run no longer waits for."""
        for node in run.nodes.values() if run else ():
            child = node.child_run_id or ""
            if run and child.startswith(GRAPH_RUN):
                await _io(self._plugins.graphs.stop, run.account, child.removeprefix(GRAPH_RUN))

    def _soon(self, run: Execution) -> datetime | None:
        """Return when to look again at graphs that run, in case that the end of one woke nobody: later each time."""
        now = self._executor.now()
        graphs = [node for node in run.nodes.values() if (node.child_run_id or "").startswith(GRAPH_RUN)]
        pauses = [max(timedelta(seconds=LOOK), (now - (node.started_at or now)) / 4) for node in graphs]
        return now + min(pauses) if pauses else None

    async def _one(self, run: Execution, node: Node) -> None:
        try:
            if run.nodes[node.id].judging:
                await self._judge(run, node)
            elif node.type == "subworkflow":
                await self._start_child(run, node)
            elif node.owner.ref.startswith("graph/"):
                await self._start_graph(run, node)
            else:
                await self._call(run, node)
        except (*LATE, NodeClaimed, ExecutionBusy):
            # another process changed the run; the next look finds what is left
            logger.info("node moved on", extra={"run_id": run.run_id, "node_id": node.id})

    async def _judge(self, run: Execution, node: Node) -> None:
        judging = run.nodes[node.id].judging
        assert judging is not None, "a submission is to be judged"
        text = judging.result.model_dump_json(exclude_defaults=True)
        verdicts = {}
        for number, check in enumerate(node.completion_checks):
            if check.type == "model-judge":
                criterion = str(check.config.get("criterion") or "; ".join(node.success_criteria))
                verdict = await self._verdict(criterion, text)
                if verdict or check.blocking:
                    verdicts[number] = verdict or (False, "The model gave no verdict. Submit the result again.")
        judged = facts.Judged(at=self._executor.now(), node=node.id, attempt=judging.attempt, verdicts=verdicts)
        await _io(self._executor.apply_to, run.run_id, judged)

    async def _verdict(self, criterion: str, text: str) -> tuple[bool, str] | None:
        if self._plugins.judge is None:
            return None
        try:
            return await self._plugins.judge(criterion, text)
        except PlanloomError as error:
            logger.warning("judge gave no verdict", extra={"run_id": self._run_id, "code": error.code})
            return None

    async def _claimed(self, run: Execution, node: Node, repeatable: bool) -> str:
        token = self._workflows.new_id()
        claimed = facts.Claimed(
            at=self._executor.now(),
            node=node.id,
            by="planloom",
            token=token,
            seconds=int(LONGEST_CALL) + SLACK,
            repeatable=repeatable,
        )
        await _io(self._executor.apply_to, run.run_id, claimed)
        return token

    async def _call(self, run: Execution, node: Node) -> None:
        server, _, tool = node.owner.ref.partition("/")
        repeatable = await _io(self._plugins.repeatable, run.account, server, tool)
        # kept before the call: a worker that is lost during it leaves the claim, which ends as executor_lost
        token = await self._claimed(run, node, repeatable)
        found = await self._outcome(run, node, server, tool)
        ended = facts.ToolEnded(at=self._executor.now(), node=node.id, token=token, **found)
        await _io(self._executor.apply_to, run.run_id, ended)

    async def _outcome(self, run: Execution, node: Node, server: str, tool: str) -> dict[str, Any]:
        if not allowed_by(node, node.owner.ref):
            return {"error": f"The toolPolicy of the node does not allow {node.owner.ref}."}
        try:
            tools = await self._connected(run.account)
            answer = await asyncio.wait_for(
                tools.execute_tool(tool, _arguments(run, node), server=server), LONGEST_CALL
            )
            value = unwrap(answer)
            if (size := json_bytes(value)) > OUTPUT_BYTES:
                return {"error": f"The tool's result has {size:,} bytes; a node passes on at most {OUTPUT_BYTES:,}."}
            return {"value": value}
        except (ToolFailed, NotReached) as error:
            return {"error": str(error)[:9_000] or "The tool failed and said nothing."}
        except TimeoutError:
            return {"error": f"{node.owner.ref} did not answer within {LONGEST_CALL:.0f} s.", "unknown": True}
        except Exception as error:
            # it is unknown how far the call came
            logger.warning("tool call broke", exc_info=error, extra={"run_id": run.run_id, "node_id": node.id})
            return {"error": _shown(error), "unknown": True}

    async def _connected(self, account: str) -> ToolManager:
        if self._tools is None:
            self._tools = await self._stack.enter_async_context(self._plugins.connect(account))
        return self._tools

    async def _start_child(self, run: Execution, node: Node) -> None:
        try:
            await _io(self._workflows.start_child, run, node)
        except InvalidDraft as error:
            # it compiled within its parent: its input is too large, or the model for its checks was removed
            at, none = self._executor.now(), f"{NO_RUN}{self._workflows.new_id()}"
            await _io(self._executor.apply_to, run.run_id, facts.ChildStarted(at=at, node=node.id, run_id=none))
            ended = facts.ChildEnded(
                at=at, node=node.id, run_id=none, status=str(RunStatus.FAILED), reason=error.message[:1_500]
            )
            await _io(self._executor.apply_to, run.run_id, ended)

    async def _start_graph(self, run: Execution, node: Node) -> None:
        graph_id = node.owner.ref.partition("/")[2]
        # a graph may be started twice where the worker is lost in between: its own steps are not repeated
        token = await self._claimed(run, node, repeatable=False)
        at = self._executor.now()
        try:
            given, wakes = _arguments(run, node), host_id(run.run_id)
            started = await _io(self._plugins.graphs.start, run.account, graph_id, given, wakes)
        except Exception as error:
            ended = facts.ToolEnded(at=at, node=node.id, token=token, error=_shown(error))
            await _io(self._executor.apply_to, run.run_id, ended)
            return
        fact = facts.ChildStarted(at=at, node=node.id, run_id=f"{GRAPH_RUN}{started}")
        await _io(self._executor.apply_to, run.run_id, fact)

    async def _look_at_graphs(self, run: Execution) -> bool:
        """Report graphs that ended; return whether there were any."""
        reported = False
        for name, found in run.nodes.items():
            child = found.child_run_id or ""
            if found.status is not NodeStatus.RUNNING or not child.startswith(GRAPH_RUN):
                continue
            ended = await _io(self._plugins.graphs.ended, run.account, child.removeprefix(GRAPH_RUN))
            if ended is None:
                continue
            state, output, reason = ended
            if json_bytes(output) > OUTPUT_BYTES:
                output = {"runId": child.removeprefix(GRAPH_RUN), "resultsOmitted": True}
            fact = facts.ChildEnded(
                at=self._executor.now(), node=name, run_id=child, status=state, output=output, reason=reason
            )
            try:
                await _io(self._executor.apply_to, run.run_id, fact)
            except LATE:
                continue
            reported = True
        return reported


def _arguments(run: Execution, node: Node) -> dict[str, Any]:
    given = run.nodes[node.id].input
    # what other nodes produced does not replace what the author wrote
    return {**(given if isinstance(given, dict) else {}), **node.arguments}


def _shown(error: Exception) -> str:
    """Return what the caller sees: texts of other errors may name what is inside, such as roles and tables."""
    if isinstance(error, PlanloomError):
        return error.message[:9_000]
    said = f": {error}" if isinstance(error, ConnectionError) else ". The log of the service says more."
    return f"{type(error).__name__}{said}"[:9_000]


async def _io(function: Callable[..., T], *args: Any) -> T:
    return await asyncio.get_running_loop().run_in_executor(None, lambda: function(*args))
