"""A graph as a worker of a run executes it: guards, intents, approvals, and what earlier workers finished."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, Literal

from planloom.approvals.approval import Approval, ApprovalState
from planloom.core.expressions import parse
from planloom.core.usage import Usage
from planloom.planes.graphs.approve import approval_of, is_destructive
from planloom.planes.graphs.backend import ToolManager
from planloom.planes.graphs.document import LONGEST_CALL, Graph, Step
from planloom.planes.graphs.draft import draft, merged, what_is_left
from planloom.planes.graphs.draft_job import STEP, DraftJob, Drafts
from planloom.planes.graphs.execute import CallBlocked, CallOutcome, execute_step
from planloom.planes.graphs.execute import StepEnd as Executed
from planloom.planes.graphs.guards import Budget, Guards, call_key
from planloom.planes.graphs.validate import paths_read, step_graph
from planloom.planes.graphs.variables import resolve, variable_of
from planloom.planes.graphs.work import GraphWork
from planloom.runs.job import Job, OpenJob, ReadValue, Revision, RevisionFailed, StepCalls, StepEnd
from planloom.runs.records import Run, RunWork, StepRecord, Unit
from planloom.tools.tool import Catalog, Tool
from planloom.tools.unwrap import ToolFailed, unwrap

#: Arguments whose JSON is longer are not kept with the record of a step.
ARGUMENT_BYTES = 8_192
CODES = {
    "error": "TOOL_FAILED",
    "timeout": "CALL_TIMED_OUT",
    "connection": "CONNECTION_FAILED",
    "blocked": "CALL_BLOCKED",
}

#: Part of a failed step under which the planner's graph is kept.
REPLAN = "replan"

#: Opens sessions with the tool servers of an account.
ConnectTools = Callable[[str], AbstractAsyncContextManager[ToolManager]]
#: Requests an approval, unless that was done, and returns it as it is now.
Ask = Callable[[Approval], Approval]


def graph_jobs(
    connect: ConnectTools,
    ask: Ask,
    drafts: Drafts | None = None,
    take_call: Callable[[str, str], bool] | None = None,
) -> OpenJob:
    """Return what opens the job of a run, with tools that *connect* reaches; with *drafts* graphs are drafted too.

    *ask* is for destructive steps. *take_call* takes a call of the budget of an account and a name. Both block, and are
    called in a thread.
    """

    async def open_job(run: Run, work: RunWork, records: Mapping[Unit, StepRecord], read: ReadValue) -> Job:
        document = GraphWork.model_validate(work.document)
        if document.draft is not None:
            assert drafts is not None, "a deployment that accepts goals drafts graphs"
            record = records.get(Unit(STEP))
            drafted = await read(record) if record and record.state == "completed" else None
            return DraftJob(run, document, drafted, drafts)
        name = document.options.shared_budget
        take = None if name is None or take_call is None else partial(take_call, run.account, name)
        job = GraphJob(run, document, records, read, ask, drafts, take, work.calls_before)
        await job.open(connect(run.account))
        return job

    return open_job


class GraphJob:
    """One worker's view of a run of a graph. See planloom.runs.work.Job."""

    def __init__(
        self,
        run: Run,
        work: GraphWork,
        records: Mapping[Unit, StepRecord],
        read: ReadValue,
        ask: Ask,
        drafts: Drafts | None = None,
        take_shared: Callable[[], bool] | None = None,
        calls_before: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self.graph = step_graph(work.graph)
        self.max_concurrency = work.options.max_concurrency
        self.on_unknown: str = work.options.on_unknown
        self._steps = {step.index: step for step in work.graph.steps}
        self._catalog = Catalog(work.tools)
        self._options = work.options
        self._work = work
        self._run = run
        self._ask = ask
        self._drafts = drafts
        self._take_shared = take_shared
        self._calls_before = calls_before
        self._read = read
        self._records = records
        self._variables: dict[str, Any] = {**work.graph.variables, **work.variables}
        self._completed: list[str] = []
        self._skipped: set[str] = set()
        budget = None if work.options.budget is None else Budget(work.options.budget)
        self._guards = Guards(budget=budget, per_tool=work.options.per_tool, repeats=work.options.equal_calls)
        self._tools: ToolManager
        self._stack = AsyncExitStack()

    async def open(self, tools: AbstractAsyncContextManager[ToolManager]) -> None:
        """Take over what earlier workers finished, and make ready to call tools."""
        needed = self._needed_variables()
        for tool, calls in self._calls_before.items():
            self._guards.replay(tool, "", calls)
        for record in sorted(self._records.values(), key=lambda each: each.ended_at):
            if record.calls:
                self._guards.replay(record.detail.get("tool", ""), record.detail.get("call_key", ""), record.calls)
            step = None if record.part else self._steps.get(record.step)
            if step is not None:
                value = await self._read(record) if step.result_variable in needed else None
                self.ended(record, value)
        self._tools = await self._stack.enter_async_context(tools)

    def _needed_variables(self) -> set[str]:
        """Return the variables that steps read which have not ended, or may be compensated."""
        ended = {unit.step for unit, each in self._records.items() if not unit.part and each.state != "unknown"}
        if self._may_replan:
            # the planner sees them all
            return {step.result_variable for step in self._steps.values() if step.result_variable}
        found: set[str] = set()
        for step in self._steps.values():
            for field, paths in paths_read(step):
                if step.index not in ended or field == "on_failure/args":
                    found |= {variable_of(path) for path in paths if _is_path(path)}
        return found

    def title(self, step: str) -> str:
        """Return what the log calls the step."""
        found = self._steps[step]
        return found.title or found.tool

    def ended(self, record: StepRecord, value: Any) -> None:
        """Bind the value of a step that ended."""
        step = self._steps[record.step]
        if record.state == "completed":
            self._completed.append(step.index)
        elif record.state == "skipped":
            self._skipped.add(step.index)
        if step.result_variable and record.state in ("completed", "skipped"):
            self._variables[step.result_variable] = value

    async def execute(self, step: str, calls: StepCalls) -> StepEnd:
        """Execute one step."""
        found = self._steps[step]
        if found.depends_on and self._skipped.issuperset(found.depends_on):
            return StepEnd("skipped")
        said: dict[str, Any] | None = None
        if self._needs_approval(found):
            approval = await self._approval(found)
            if approval.state is ApprovalState.PENDING:
                return StepEnd("waiting", error=f"{found.tool} is destructive and needs an approval.")
            said = _said(approval)
            approved = approval.state is ApprovalState.APPROVED
            calls.log("step_approved" if approved else "step_rejected", **said)
            if not approved:
                return _rejected(found, said)
        items = _Items(self, found, calls) if found.for_each is not None else None
        end = await self._made(found, calls, items=items)
        # those of items are counted with their own records
        ended = self._end(found, end, 0 if items else end.attempts)
        return replace(ended, detail={**ended.detail, "approval": said}) if said else ended

    def _needs_approval(self, step: Step) -> bool:
        if self._options.allow_destructive or not is_destructive(step, self._catalog):
            return False
        return step.when is None or parse(step.when).holds(self._variables)

    async def _approval(self, step: Step) -> Approval:
        """Return the approval that *step* needs, as it is now."""
        call = {"tool": step.tool, "server": step.server, "args": resolve(step.args, self._variables).value}
        if step.for_each is not None:
            # the arguments name the item, which is bound for each call
            call["for_each"] = resolve(step.for_each, self._variables).value
        return await asyncio.to_thread(self._ask, approval_of(self._run, step, call))

    @property
    def _may_replan(self) -> bool:
        return self._options.enable_replan and not self._work.replanned and self._drafts is not None

    async def revise(self, failed: StepRecord | None, calls: StepCalls | None) -> Revision | None:
        """Ask the planner for a graph of what is left after *failed*, store it as a revision, and return it.

        The planner's graph is kept as a part of the failed step: a worker that is lost does not pay for another.
        """
        if failed is None or calls is None or not self._may_replan:
            return None
        drafts, run = self._drafts, self._run
        assert drafts is not None
        kept = calls.kept(REPLAN)
        if kept is None:
            end = await drafts.end_of(self._replanned(failed, drafts), "replan")
            kept = await calls.keep(REPLAN, end)
        if kept.state != "completed":
            raise RevisionFailed(kept.code, f"The graph was not revised: {kept.error}")
        graph = Graph.model_validate(await self._read(kept))
        note = f"Revised after step {failed.step} failed: {failed.error}"[:500]
        revision = drafts.save(run, graph, self._work.tools, note=note, first=False)
        finished = self._finished()
        kept_records = {
            unit.text: (record.number, record.attempt)
            for unit, record in self._records.items()
            if unit.step in finished and record.state in ("completed", "skipped") and unit.part != "undo"
        }
        # those of kept records are counted when these are read
        spent = Counter(self._guards.calls)
        for unit in map(Unit.of, kept_records):
            spent[self._records[unit].detail.get("tool", "")] -= self._records[unit].calls
        work = self._work.model_copy(update={"graph": graph, "replanned": True})
        return Revision(
            RunWork(document=work.model_dump(mode="json"), kept=kept_records, calls_before=dict(+spent)),
            steps=len(graph.steps),
            revision=revision,
            replanned=True,
            detail={"failed_step": failed.step, "error": failed.error[:500]},
        )

    def _finished(self) -> dict[str, str]:
        """Return the steps that need no further call, with their state."""
        done = ("completed", "skipped")
        return {unit.step: each.state for unit, each in self._records.items() if not unit.part and each.state in done}

    async def _replanned(self, failed: StepRecord, drafts: Drafts) -> tuple[Graph, Usage]:
        finished = self._finished()
        graph = self._work.graph
        planner = drafts.make_planner()
        revised = await draft(
            planner,
            what_is_left(graph, finished, failed.step, failed.error, self._variables),
            self._catalog,
            self._work.variables,
            rounds=self._options.max_replans,
            complete=lambda document: merged(graph, finished, document),
        )
        return revised, getattr(planner, "usage", Usage())

    def to_undo(self) -> list[str]:
        """Return the completed steps that have a compensating call, the last one first."""
        return [step for step in reversed(self._completed) if self._steps[step].on_failure is not None]

    async def undo(self, step: str, calls: StepCalls) -> StepEnd:
        """Make the compensating call of *step*."""
        call = self._steps[step].on_failure
        assert call is not None
        as_step = Step(index=step, tool=call.tool, args=call.args, server=call.server)
        if is_destructive(as_step, self._catalog) and not self._options.allow_destructive:
            # the run has failed: it waits for nobody
            said = f"{call.tool} is destructive and was not called: the run does not have allow_destructive."
            return StepEnd("failed", error=said, code="CALL_BLOCKED", detail={"tool": call.tool})
        end = await self._made(as_step, calls, guarded=False)
        return self._end(as_step, end, end.attempts)

    async def close(self) -> None:
        """End the sessions with tool servers."""
        await self._stack.aclose()

    async def _made(
        self, step: Step, calls: StepCalls, items: "_Items | None" = None, *, guarded: bool = True
    ) -> Executed:
        repeatable = self._repeatable(step)

        async def call(step: Step, args: dict[str, Any], item: int | None) -> Any:
            # what was done is undone even where no call is left: a budget that is used up is a usual reason
            if guarded:
                await self._admit(step.tool, args)
            if not repeatable:
                await calls.intend("" if item is None else _part(item))
            return await self._called(step, args)

        timed = step.model_copy(update={"timeout_sec": step.timeout_sec or LONGEST_CALL})
        return await execute_step(timed, self._variables, call, may_repeat=repeatable, items=items)

    async def _admit(self, tool: str, args: dict[str, Any]) -> None:
        if why := self._guards.admit(tool, args):
            raise CallBlocked(why)
        if self._take_shared and not await asyncio.to_thread(self._take_shared):
            raise CallBlocked(f"The shared budget “{self._options.shared_budget}” is used up.")

    async def _called(self, step: Step, args: dict[str, Any]) -> Any:
        tools = self._catalog.find(step.tool, step.server)
        server = step.server or (tools[0].server if len(tools) == 1 else None)
        named = {} if server is None else {"server": server}
        try:
            answer = await self._tools.execute_tool(step.tool, args, **named)
        except (ToolFailed, TimeoutError, ConnectionError):
            raise
        except Exception as error:
            # nobody knows how far the call came
            raise ConnectionError(f"{type(error).__name__}: {error}") from error
        return unwrap(answer)

    def _tool(self, step: Step) -> Tool | None:
        tools = self._catalog.find(step.tool, step.server)
        return tools[0] if len(tools) == 1 else None

    def _repeatable(self, step: Step) -> bool:
        tool = self._tool(step)
        return step.idempotent if step.idempotent is not None else tool is not None and tool.repeatable

    def _end(self, step: Step, end: Executed, calls: int) -> StepEnd:
        assert end.state != "simulated"
        detail: dict[str, Any] = {"tool": step.tool}
        if end.args is not None:
            detail |= _shown(step.tool, end.args)
        if end.unresolved:
            detail["unresolved"] = list(end.unresolved)
        return StepEnd(
            "unknown" if end.uncertain else end.state,
            value=end.value if end.state == "completed" else None,
            error=end.error,
            code="OUTCOME_UNKNOWN" if end.uncertain else CODES.get(end.failure, "STEP_FAILED") if end.error else "",
            detail=detail,
            calls=calls,
        )


class _Items:
    """The items of one step's for_each, each with a record of its own."""

    def __init__(self, job: GraphJob, step: Step, calls: StepCalls) -> None:
        self._job = job
        self._step = step
        self._calls = calls

    async def known(self, number: int) -> CallOutcome | None:
        """Return what the item came to before."""
        record = self._calls.kept(_part(number))
        return await self._outcome(record) if record else None

    async def keep(self, number: int, outcome: CallOutcome) -> CallOutcome:
        """Keep what the item came to."""
        state: Literal["completed", "failed", "unknown"] = "failed" if outcome.failed else "completed"
        end = StepEnd(
            "unknown" if outcome.uncertain else state,
            value=outcome.value,
            error=outcome.error,
            code=CODES.get(outcome.failure, "") if outcome.failed else "",
            detail={"tool": self._step.tool},
            calls=outcome.attempts,
        )
        record = await self._calls.keep(_part(number), end)
        # another worker may have kept it first
        return outcome if record.state == end.state else await self._outcome(record)

    async def _outcome(self, record: StepRecord) -> CallOutcome:
        value = await self._job._read(record)
        failed = record.state in ("failed", "unknown")
        return CallOutcome(
            value, error=record.error if failed else "", attempts=record.calls, uncertain=record.state == "unknown"
        )


def _said(approval: Approval) -> dict[str, Any]:
    """Return what the log and the record of a step say of its approval: who answered with which key."""
    said = {"approval_id": approval.approval_id, "by": "", "key": "", "comment": ""}
    # any approver decides, so that there is at most one response: none where the time was over
    for each in approval.responses:
        said |= {"by": each.by, "key": each.key_shown, "comment": each.comment}
    return said


def _rejected(step: Step, said: dict[str, Any]) -> StepEnd:
    why = f" {said['comment']}" if said["comment"] else ""
    detail = {"tool": step.tool, "approval": said}
    return StepEnd("failed", error=f"The call was rejected.{why}", code="REJECTED", detail=detail)


def _part(item: int) -> str:
    return f"items/{item}"


def _is_path(text: str) -> bool:
    try:
        variable_of(text)
    except ValueError:
        return False
    return True


def _shown(tool: str, args: Any) -> dict[str, Any]:
    """Return what the record of a step says of its arguments."""
    size = len(json.dumps(args, ensure_ascii=False, default=str).encode())
    shown = {"args": args} if size <= ARGUMENT_BYTES else {"args_bytes": size}
    return {**shown, "call_key": call_key(tool, args)}
