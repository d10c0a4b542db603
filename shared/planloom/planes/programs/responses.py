"""What calls of programs return."""

from typing import Any, Literal

from pydantic import Field

from planloom.core.endpoint import ApiModel, MarkdownResponse
from planloom.planes.programs.operations import ReturnedRows
from planloom.planes.programs.ports import Session
from planloom.planes.programs.service import DryRun, Outcome


class Returned(ApiModel):
    """The rows that are shown of something that a program returns."""

    name: str = Field(description="The name that the program gave it, empty where it gave none")
    rows: list[Any] = Field(description="At most 1 MB of all results: empty where there is more, which resource has")
    total: int = Field(description="How many rows it has")
    page: str = Field(description="Handle of the rows that follow: page(s0_pg1); empty where none do")


class StartedOperation(ApiModel):
    """A run, a plan or another operation that a call started."""

    entity: str
    id: str
    handle: str = Field(description="Ask with wait(handle)")


class RunResponse(MarkdownResponse):
    """What a live run came to: a result, or an operation that is running."""

    operation: bool = Field(description="Whether it is running: ask with wait(handle)")
    handle: str = Field(description="Handle of the operation; empty where it has none")
    results: list[Returned]
    started: list[StartedOperation] = Field(description="Operations of other planes that its calls started")
    resource: str = Field(description="Resource with everything, where the Markdown leaves something out")


class PlanResponse(MarkdownResponse):
    """What a program would do."""

    operation: bool = Field(default=False, description="False: nothing runs")
    verdict: Literal["ok", "review", "deny", "needs_fix"]
    reasons: list[str]
    plan_commit_ref: str = Field(description="Accepts this plan for 10 minutes; empty where it cannot run")
    commit_id: str = Field(description="SHA-256 of what the plan means")
    reads: list[str]
    calls: list[str]
    changes: list[str] = Field(description="Calls that change or destroy something")
    expensive: bool = Field(description="Whether a live run is asynchronous unless you pass wait=true")
    problems: list[dict[str, Any]] = Field(description="Why it cannot run: message, line, column, nearest name")


class ContextResponse(MarkdownResponse):
    """A session."""

    session: str = Field(description="Pass it with every call that continues in this session")
    prompt_hash: str = Field(description="SHA-256 of the reference card")
    execute_path: str = Field(description="Path of this session over HTTP")
    card: str = Field(description="The reference card: how programs are written, and what they can read and call")


def run_response(outcome: Outcome) -> RunResponse:
    """Return an outcome as callers see it."""
    return RunResponse(
        run_markdown=outcome.markdown,
        meta=outcome.meta,
        operation=outcome.operation,
        handle=outcome.handle,
        results=[_returned(each) for each in outcome.results],
        started=[StartedOperation.model_validate(each.model_dump()) for each in outcome.started],
        resource=outcome.resource,
    )


def plan_response(found: DryRun) -> PlanResponse:
    """Return a dry run as callers see it."""
    plan = found.plan
    return PlanResponse(
        run_markdown=found.markdown,
        meta=found.meta,
        operation=False,
        verdict=plan.verdict,
        reasons=list(plan.reasons),
        plan_commit_ref=found.ref,
        commit_id=found.commit_id,
        reads=list(plan.reads),
        calls=list(plan.calls),
        changes=list(plan.changes),
        expensive=plan.expensive,
        problems=[each.model_dump(mode="json") for each in plan.problems],
    )


def context_response(session: Session, card: str) -> ContextResponse:
    """Return a session as callers see it."""
    return ContextResponse(
        run_markdown=f"Session `{session.name}`\n\n```text\n{card}```",
        meta={"plasm": {"session": session.name, "prompt_hash": session.prompt_hash}},
        session=session.name,
        prompt_hash=session.prompt_hash,
        execute_path=f"/execute/{session.prompt_hash}/{session.name}",
        card=card,
    )


def _returned(found: ReturnedRows) -> Returned:
    return Returned(name=found.name, rows=found.rows, total=found.total, page=found.page)
