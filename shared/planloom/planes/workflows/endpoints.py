"""What callers can do with workflows, over HTTP and as tools at ``/mcp/workflows``."""

import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from planloom.approvals import errors as of_approvals
from planloom.approvals.approval import Decision, Outcome, Response, people
from planloom.core.endpoint import DELETE, GET, POST, Caller, Effect, Endpoint, Text
from planloom.core.errors import InvalidArgument
from planloom.core.listing import page_of
from planloom.planes.workflows import errors, requests, responses
from planloom.planes.workflows.context import PER_TOKEN, context_text
from planloom.planes.workflows.draft import WorkflowPlanDraft
from planloom.planes.workflows.example import EXAMPLE, NOTES
from planloom.planes.workflows.facts import json_bytes
from planloom.planes.workflows.plan import (
    ExecutionRunInfo,
    NodeApproval,
    SerializableExecutionPlan,
    serialize,
    shortened,
)
from planloom.planes.workflows.ports import ExecutionView, RecordKind, Records
from planloom.planes.workflows.records import ValidationIssue
from planloom.planes.workflows.states import NODE_OPEN, Execution, NodeStatus

if TYPE_CHECKING:
    from planloom.approvals.service import Approvals
    from planloom.planes.workflows.service import Workflows

T = TypeVar("T")

ROOT = "/v1/workflows"
RUNS = f"{ROOT}/runs"
RUN = f"{RUNS}/{{runId}}"
#: Bytes of rows in one response: a Lambda returns 6 MB at most, and MCP says everything twice.
LARGEST_RESPONSE = 2_000_000
#: Records of each list that a plan shows, the newest.
MOST_LISTED = 100

TO_SUBMIT = (
    errors.ExecutionNotFound,
    errors.ExecutionEnded,
    errors.ReplanRequired,
    errors.NodeNotFound,
    errors.NodeNotOpen,
    errors.NodeClaimed,
    errors.InvalidSubmission,
    errors.ExecutionBusy,
)


def _format() -> responses.DraftFormat:
    return responses.DraftFormat(draft_schema=WorkflowPlanDraft.model_json_schema(), example=EXAMPLE, notes=list(NOTES))


def _validate(request: requests.ValidateExecutionPlan, workflows: "Workflows") -> responses.DraftValidation:
    spec, problems = workflows.validate(request.draft())
    return responses.DraftValidation(
        is_valid=spec is not None,
        issues=[ValidationIssue.of(each) for each in problems],
        node_count=len(spec.nodes) if spec else 0,
        order=[list(batch) for batch in spec.batches()] if spec else [],
    )


def _create(request: requests.CreateExecutionPlan, account: str, workflows: "Workflows") -> responses.PlanStarted:
    return _started(workflows, workflows.create(account, request.draft(), request.workstream_id))


def _replace(request: requests.ReplaceExecutionPlan, account: str, workflows: "Workflows") -> responses.PlanStarted:
    workflows.get(account, request.run_id, request.workstream_id)
    run = workflows.replace(account, request.run_id, request.reason, request.draft(), carry_over=request.carry_over)
    return _started(workflows, run)


def _started(workflows: "Workflows", run: Execution) -> responses.PlanStarted:
    issues = [ValidationIssue.of(each) for each in workflows.stored_spec(run).issues]
    return responses.started(run, workflows.spec(run), issues)


def _submit(request: requests.SubmitResult, caller: Caller, workflows: "Workflows") -> responses.SubmissionResult:
    workflows.get(caller.account, request.run_id, request.workstream_id)
    found = workflows.submit(
        caller.account,
        request.run_id,
        request.node_id,
        request.result,
        by=request.executor,
        key=caller.key,
        token=request.claim_token or "",
    )
    return responses.SubmissionResult.of(found, workflows.spec(found.run))


def _active(request: requests.ReadActive, account: str, workflows: "Workflows") -> responses.ActivePlan:
    run = workflows.active(account, request.workstream_id)
    return responses.ActivePlan(plan=shortened(_plan(workflows, run, request), LARGEST_RESPONSE) if run else None)


def _read(request: requests.ReadRun, account: str, workflows: "Workflows") -> SerializableExecutionPlan:
    return shortened(_plan(workflows, workflows.get(account, request.run_id), request), LARGEST_RESPONSE)


def _plan(workflows: "Workflows", run: Execution, asked: requests.Includes) -> SerializableExecutionPlan:
    lists: dict[str, Any] = {}
    for name, kind, wanted in (
        ("artifacts", "planArtifact", asked.include_artifacts),
        ("checkpoints", "planCheckpoint", asked.include_checkpoints),
        ("validation_issues", "planValidationIssue", asked.include_validation_issues),
        ("events", "planEvent", asked.include_events),
    ):
        if wanted:
            lists[name] = _newest(workflows, run, kind)  # type: ignore[arg-type]
    if asked.include_approvals:
        lists["approvals"] = [NodeApproval.of(each) for each in workflows.approvals_of(run, MOST_LISTED)]
    return serialize(workflows.spec(run), run, **lists)


def _newest(workflows: "Workflows", run: Execution, kind: RecordKind) -> list[Any]:
    found = workflows.newest_records(run.account, run.run_id, kind, MOST_LISTED)
    return _with_cursors(found) if kind == "planEvent" else [record for _, record in found]


def _with_cursors(found: Records) -> list[Any]:
    return [record.model_copy(update={"cursor": cursor}) for cursor, record in found]


def _resume(request: requests.ResumeExecution, account: str, workflows: "Workflows") -> responses.RunChanged:
    workflows.get(account, request.run_id, request.workstream_id)
    run = workflows.resume(account, request.run_id, request.resumed_by)
    return responses.changed(run, workflows.spec(run))


def _stop(request: requests.StopRun, account: str, workflows: "Workflows") -> responses.RunChanged:
    run = workflows.stop(account, request.run_id, request.reason)
    return responses.changed(run, workflows.spec(run))


def _claim(request: requests.ClaimNode, account: str, workflows: "Workflows") -> responses.Claimed:
    if bool(request.run_id) is not bool(request.node_id) and request.node_id:
        raise InvalidArgument("nodeId: name its runId too.", fields=["runId"])
    if request.node_id is None and request.role is None:
        raise InvalidArgument("Name a node with runId and nodeId, or a role.", fields=["nodeId", "role"])
    found = workflows.claim(
        account,
        by=request.executor,
        seconds=request.lease_seconds,
        run_id=request.run_id,
        node_id=request.node_id,
        role=request.role,
        workstream_id=request.workstream_id,
        token=request.claim_token,
    )
    return responses.Claimed.of(found, workflows.spec(found.run) if found else None)


def _nodes(request: requests.ListNodes, account: str, workflows: "Workflows") -> responses.NodeList:
    statuses = frozenset({request.status}) if request.status else frozenset(NodeStatus) if request.every else NODE_OPEN
    found = workflows.open_nodes(
        account, request.workstream_id, request.run_id, request.owner, statuses, every=request.every
    )
    shown = found[request.offset :][: request.limit]
    return responses.NodeList(nodes=[responses.NodeRow.of(each) for each in shown], total=len(found))


def respond(
    request: requests.RespondToNodeApproval, caller: Caller, workflows: "Workflows"
) -> responses.ApprovalAnswered:
    """Count the response of a person to an approval of a node."""
    account = caller.account
    who = request.approver
    if who is None:
        may = people(workflows.approvals.get(account, request.approval_id))
        if len(may) != 1:
            raise InvalidArgument(f"approver: say who responds: {', '.join(may)}.", fields=["approver"])
        who = may[0]
    response = Response(
        by=who,
        decision=Decision(request.decision),
        comment=request.comment,
        sha256=request.sha256,
        key=caller.key,
    )
    responded, run = workflows.respond(account, request.approval_id, response)
    answered: responses.ApprovalAnswered = responses.ApprovalAnswered.of(
        responded.approval,
        outcome=str(responded.outcome),
        counted=responded.outcome in (Outcome.RECORDED, Outcome.DECIDED),
        run_status=str(run.status) if run else "",
        run_reason=run.reason if run else "",
    )
    return answered


def _approvals(request: requests.ListApprovals, account: str, approvals: "Approvals") -> responses.NodeApprovalList:
    limit = request.limit
    while True:
        found, after = approvals.newest(
            account, pending=request.pending, person=request.approver, limit=limit, before=request.before
        )
        shown = [NodeApproval.of(each) for each in found]
        if limit == 1 or json_bytes([each.model_dump(mode="json") for each in shown]) <= LARGEST_RESPONSE:
            return responses.NodeApprovalList(approvals=shown, next=after)
        # what is approved can be long: then a page has fewer
        limit //= 2


def _workstreams(account: str, workflows: "Workflows") -> responses.WorkstreamList:
    found = workflows.workstreams(account)
    return responses.WorkstreamList(workstreams=[responses.WorkstreamRow.of(each) for each in found])


def _forget(request: requests.OneWorkstream, account: str, workflows: "Workflows") -> responses.Deleted:
    workflows.forget_workstream(account, request.workstream_id)
    return responses.Deleted(deleted=request.workstream_id)


def _runs(request: requests.ListRuns, account: str, workflows: "Workflows") -> responses.ExecutionRunList:
    def wanted(run: ExecutionView) -> bool:
        return request.status in (None, run.status)

    def too_old(run: ExecutionView) -> bool:
        return request.since is not None and run.created_at < request.since

    found, after = page_of(partial(workflows.runs, account), request.limit, request.before, wanted, too_old)
    return responses.ExecutionRunList(runs=[ExecutionRunInfo.of(run) for run in found], next=after)


def _events(request: requests.ReadEvents, account: str, workflows: "Workflows") -> responses.ExecutionEventList:
    events = workflows.events_after(account, request.run_id, request.after, request.limit, request.timeout_sec)
    found = _fitting(events, lambda event: event.model_dump_json())
    return responses.ExecutionEventList(
        events=_with_cursors(found),
        next=found[-1][0] if found else request.after,
        run_status=str(workflows.get(account, request.run_id).status),
    )


def _records(request: requests.ReadRecords, account: str, workflows: "Workflows") -> responses.RecordList:
    found = workflows.records_as_json(account, request.run_id, request.kind, request.after, request.limit)
    fitting = _fitting(found, partial(json.dumps, ensure_ascii=False))
    more = len(fitting) < len(found) or len(found) == request.limit
    return responses.RecordList(
        kind=request.kind,
        records=[record for _, record in fitting],
        next=fitting[-1][0] if fitting and more else None,
    )


def _fitting(found: Sequence[tuple[int, T]], written: Callable[[T], str]) -> Sequence[tuple[int, T]]:
    """Return the first of *found* that fit into one response, at least one where there are any."""
    size = 0
    for place, (_, record) in enumerate(found):
        size += len(written(record).encode())
        if place and size > LARGEST_RESPONSE:
            return found[:place]
    return found


def _export(request: requests.RunRequest, account: str, workflows: "Workflows") -> responses.Exported:
    records = workflows.export(account, request.run_id)
    content = json.dumps(records, ensure_ascii=False).encode()
    if len(content) <= LARGEST_RESPONSE:
        return responses.Exported(records=records, url=None)
    return responses.Exported(records=None, url=workflows.uploads.export(request.run_id, content))


def _wait(request: requests.WaitForRun, account: str, workflows: "Workflows") -> responses.RunChanged:
    run = workflows.wait(account, request.run_id, request.timeout_sec, request.version)
    return responses.changed(run, workflows.spec(run))


def _upload(request: requests.NewUpload, account: str, workflows: "Workflows") -> responses.UploadLink:
    pointer, url = workflows.new_upload(account, request.run_id, request.content_type, request.size)
    return responses.UploadLink(pointer=pointer, url=url, content_type=request.content_type)


def _artifact(request: requests.ReadArtifact, account: str, workflows: "Workflows") -> responses.ArtifactLink:
    return responses.ArtifactLink(url=workflows.read_artifact(account, request.run_id, request.pointer))


def _context(request: requests.ReadContext, account: str, workflows: "Workflows") -> responses.ContextText:
    text = context_of(request, account, workflows)
    return responses.ContextText(text=text, tokens=len(text) // PER_TOKEN)


def _context_text(request: requests.ReadContext, account: str, workflows: "Workflows") -> Text:
    return Text(context_of(request, account, workflows), "text/plain; charset=utf-8")


def context_of(request: requests.ReadContext, account: str, workflows: "Workflows") -> str:
    """Return the text for the prompt of an agent."""
    if request.run_id:
        run: Execution | None = workflows.get(account, request.run_id)
    else:
        run = workflows.active(account, request.workstream_id)
    asked = requests.Includes(
        include_events=True,
        include_artifacts=True,
        include_approvals=True,
        include_checkpoints=True,
        include_validation_issues=True,
    )
    return context_text(_plan(workflows, run, asked) if run else None, request.max_tokens, request.role)


def _delete(request: requests.RunRequest, account: str, workflows: "Workflows") -> responses.Deleted:
    workflows.delete(account, request.run_id)
    return responses.Deleted(deleted=request.run_id)


ENDPOINTS = (
    Endpoint(
        name="getPlanDraftFormat",
        title="Format of drafts",
        description="Returns the JSON Schema of a PlanDraft and an example. Call it before you write a draft.",
        group="plans",
        http=GET(f"{ROOT}/schema"),
        response=responses.DraftFormat,
        handler=_format,
    ),
    Endpoint(
        name="validateExecutionPlan",
        title="Check a draft",
        description="""\
Compiles a PlanDraft without storing it. Each issue has severity (blocking, warning), code, path (a JSON Pointer),
message and hint.""",
        group="plans",
        http=POST(f"{ROOT}/validate"),
        request=requests.ValidateExecutionPlan,
        response=responses.DraftValidation,
        handler=_validate,
    ),
    Endpoint(
        name="createExecutionPlan",
        title="Create and start a plan",
        description="""\
Compiles a PlanDraft (title, objective, schemas, nodes, edges, entryNodeIds) to an immutable specification and starts a
run from its entry nodes. A workstream has one active run: where there is one, use replaceExecutionPlan, or name another
workstreamId. The error INVALID_DRAFT lists the issues.""",
        group="plans",
        http=POST(RUNS, status=201, location=f"{RUNS}/{{run_id}}"),
        request=requests.CreateExecutionPlan,
        response=responses.PlanStarted,
        errors=(errors.InvalidDraft, errors.ActiveRunExists, errors.TooManyWorkstreams),
        effect=Effect.CHANGES,
        idempotent_by="client_request_id",
        handler=_create,
    ),
    Endpoint(
        name="replaceExecutionPlan",
        title="Replace the active plan",
        description="""\
Aborts a run and starts one of the next draft, which names it in replacedRunId. With carryOver, finished work of nodes
with equal contract and input is kept.""",
        group="plans",
        http=POST(f"{RUN}/replace", status=201, location=f"{RUNS}/{{run_id}}"),
        request=requests.ReplaceExecutionPlan,
        response=responses.PlanStarted,
        errors=(errors.ExecutionNotFound, errors.InvalidDraft, errors.ExecutionEnded, errors.ExecutionBusy),
        effect=Effect.DESTROYS,
        idempotent_by="client_request_id",
        handler=_replace,
    ),
    Endpoint(
        name="submitExecutionNodeResult",
        title="Submit the result of a node",
        description="""\
Submits the result of a node that is ready or that you have claimed. The executor checks structured output, required
artifacts and completion checks. accepted false is no error: failedChecks say for each path what was found and what
would pass, attemptsLeft how often you may submit again.""",
        group="work",
        http=POST(f"{RUN}/nodes/{{nodeId}}/results"),
        request=requests.SubmitResult,
        response=responses.SubmissionResult,
        errors=TO_SUBMIT,
        effect=Effect.CHANGES,
        idempotent_by="client_request_id",
        handler=_submit,
    ),
    Endpoint(
        name="getActiveExecutionPlan",
        title="Read the active plan",
        description="""\
Returns the active run of a workstream with its contracts and progress, null where there is none. Events, artifacts,
approvals, checkpoints and validation issues are included where asked for, of each the newest 100.""",
        group="plans",
        http=GET(f"{ROOT}/active"),
        request=requests.ReadActive,
        response=responses.ActivePlan,
        errors=(errors.ExecutionNotFound,),
        handler=_active,
    ),
    Endpoint(
        name="getExecutionPlanRun",
        title="Read a run",
        description="Returns a run, active or ended, as getActiveExecutionPlan does.",
        group="plans",
        http=GET(RUN),
        request=requests.ReadRun,
        response=SerializableExecutionPlan,
        errors=(errors.ExecutionNotFound,),
        handler=_read,
    ),
    Endpoint(
        name="resumeExecutionPlanRun",
        title="Resume a run",
        description="""\
Continues an interrupted run from its latest checkpoint: what is due happens, and blocked nodes get a further attempt.
A run that is blocked with replan_required needs replaceExecutionPlan instead.""",
        group="plans",
        http=POST(f"{RUN}/resume"),
        request=requests.ResumeExecution,
        response=responses.RunChanged,
        errors=(errors.ExecutionNotFound, errors.ExecutionEnded, errors.ReplanRequired, errors.ExecutionBusy),
        effect=Effect.CHANGES,
        idempotent_by="client_request_id",
        handler=_resume,
    ),
    Endpoint(
        name="stopExecutionRun",
        title="Stop a run",
        description="Aborts a run permanently; ask the user before. Its approvals are withdrawn, its records stay.",
        group="plans",
        http=POST(f"{RUN}/stop"),
        request=requests.StopRun,
        response=responses.RunChanged,
        errors=(errors.ExecutionNotFound, errors.ExecutionBusy),
        effect=Effect.DESTROYS,
        repeatable=True,
        handler=_stop,
    ),
    Endpoint(
        name="claimExecutionNode",
        title="Claim a node",
        description="""\
Claims a ready node, so that no other agent of the role works on it, and returns its contract and input. Without nodeId
it takes the first ready node of the role; claimed is false where there is none. Call it again with claimToken before
claimedUntil: without such a heartbeat the claim ends, and another agent gets the node.""",
        group="work",
        http=POST(f"{ROOT}/claims"),
        request=requests.ClaimNode,
        response=responses.Claimed,
        errors=TO_SUBMIT,
        effect=Effect.CHANGES,
        handler=_claim,
    ),
    Endpoint(
        name="listExecutionNodes",
        title="List open nodes",
        description="Lists nodes of active runs that are open, by the role or person who owns them.",
        group="work",
        http=GET(f"{ROOT}/nodes"),
        request=requests.ListNodes,
        response=responses.NodeList,
        errors=(errors.ExecutionNotFound,),
        handler=_nodes,
    ),
    Endpoint(
        name="respondToApproval",
        title="Respond to an approval",
        description="""\
Approves, requests changes or rejects in the name of an approver; ask the person before. outcome says whether the
response was counted: a second or late one changes nothing.""",
        group="approvals",
        http=POST(f"{ROOT}/approvals/{{approvalId}}/responses"),
        request=requests.RespondToNodeApproval,
        response=responses.ApprovalAnswered,
        errors=(
            of_approvals.ApprovalNotFound,
            of_approvals.NotAnApprover,
            of_approvals.SeparationOfDuties,
            of_approvals.AnotherVersion,
            of_approvals.ApprovalBusy,
            errors.ExecutionNotFound,
        ),
        effect=Effect.CHANGES,
        repeatable=True,
        handler=respond,
    ),
    Endpoint(
        name="listApprovals",
        title="List approvals",
        description="""\
Lists approvals of workflows and of steps of graphs, newest first: what is to be approved, its hash, and by whom.""",
        group="approvals",
        http=GET(f"{ROOT}/approvals"),
        request=requests.ListApprovals,
        response=responses.NodeApprovalList,
        handler=_approvals,
    ),
    Endpoint(
        name="listWorkstreams",
        title="List workstreams",
        description="Lists your lines of work, each with its active run.",
        group="plans",
        http=GET(f"{ROOT}/workstreams"),
        response=responses.WorkstreamList,
        handler=_workstreams,
    ),
    Endpoint(
        name="deleteWorkstream",
        title="Delete a workstream",
        description="Deletes a line of work that has no active run; its runs and their records stay.",
        group="plans",
        http=DELETE(f"{ROOT}/workstreams/{{workstreamId}}"),
        request=requests.OneWorkstream,
        response=responses.Deleted,
        errors=(errors.ActiveRunExists,),
        effect=Effect.DESTROYS,
        repeatable=True,
        handler=_forget,
    ),
    Endpoint(
        name="listExecutionRuns",
        title="List runs",
        description="Lists your runs of workflows, newest first.",
        group="plans",
        http=GET(RUNS),
        request=requests.ListRuns,
        response=responses.ExecutionRunList,
        handler=_runs,
    ),
    Endpoint(
        name="getExecutionEvents",
        title="Events of a run",
        description="Returns what happened after a cursor, oldest first; waits up to timeoutSec for the first.",
        group="records",
        http=GET(f"{RUN}/events"),
        request=requests.ReadEvents,
        response=responses.ExecutionEventList,
        errors=(errors.ExecutionNotFound,),
        handler=_events,
    ),
    Endpoint(
        name="listExecutionRecords",
        title="Records of a run",
        description="Returns the records of a run of one kind, page by page.",
        group="records",
        http=GET(f"{RUN}/records"),
        request=requests.ReadRecords,
        response=responses.RecordList,
        errors=(errors.ExecutionNotFound,),
        handler=_records,
    ),
    Endpoint(
        name="exportExecutionRun",
        title="Export a run",
        description="""\
Returns all records of a run by kind: plan, nodes, attempts, artifacts, approvals, events. Where these are more than
2 MB, url is a link from which they are read as JSON.""",
        group="records",
        http=GET(f"{RUN}/export"),
        request=requests.RunRequest,
        response=responses.Exported,
        errors=(errors.ExecutionNotFound,),
        handler=_export,
    ),
    Endpoint(
        name="waitForExecution",
        title="Wait for a run",
        description="""\
Returns the run when it is no longer running, or with version when it has a later one, or as it is after timeoutSec.""",
        group="plans",
        http=GET(f"{RUN}/wait"),
        request=requests.WaitForRun,
        response=responses.RunChanged,
        errors=(errors.ExecutionNotFound,),
        handler=_wait,
    ),
    Endpoint(
        name="createArtifactUpload",
        title="Upload an artifact",
        description="""\
Returns a link to which the content of an artifact is sent, and the pointer to submit. Its content is hashed and kept
when the pointer is submitted; artifacts with other pointers are recorded as unverified.""",
        group="work",
        http=POST(f"{RUN}/uploads", status=201),
        request=requests.NewUpload,
        response=responses.UploadLink,
        errors=(errors.ExecutionNotFound,),
        effect=Effect.CHANGES,
        handler=_upload,
    ),
    Endpoint(
        name="readArtifact",
        title="Read an artifact",
        description="Returns a link to the content of an artifact that is kept here.",
        group="records",
        http=GET(f"{RUN}/artifact"),
        request=requests.ReadArtifact,
        response=responses.ArtifactLink,
        errors=(errors.ExecutionNotFound, errors.NodeNotFound),
        handler=_artifact,
    ),
    Endpoint(
        name="getExecutionContext",
        title="Text for a prompt",
        description="""\
Returns the sections <execution-plan-protocol> and <execution-plan-state> for the prompt of an agent, within a budget of
tokens: current nodes come first, what does not fit is summarized by count.""",
        group="plans",
        http=GET(f"{ROOT}/context", text="text/plain", handler=_context_text),
        request=requests.ReadContext,
        response=responses.ContextText,
        errors=(errors.ExecutionNotFound,),
        handler=_context,
    ),
    Endpoint(
        name="deleteExecutionRun",
        title="Delete a run",
        description="Deletes a run that has ended, with all its records; ask the user before.",
        group="plans",
        http=DELETE(RUN),
        request=requests.RunRequest,
        response=responses.Deleted,
        errors=(errors.ExecutionNotFound, errors.NodeNotOpen),
        effect=Effect.DESTROYS,
        repeatable=True,
        handler=_delete,
    ),
)
