"""`planloom workflow`: plans that agents and people carry out; `planloom work` executes the nodes of a role."""

import json
import re
import sys
import urllib.parse
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.table import Table

from planloom_cli import exits
from planloom_cli.options import bundled
from planloom_cli.reach import AtService, reach
from planloom_cli.service import Service, ServiceError

T = TypeVar("T")

#: The exit code of a command that shows a run, by its status.
ENDS = {"failed": exits.FAILED, "blocked": exits.FAILED, "aborted": exits.STOPPED}
SIGNS = {
    "completed": "●",
    "partial": "◐",
    "running": "◍",
    "ready": "○",
    "awaiting-human": "◇",
    "blocked": "✗",
    "failed": "✗",
    "skipped": "–",
    "pending": "·",
}
#: The commands in place of tools.
COMMANDS = {
    "claimExecutionNode": "planloom work --role ROLE --command PROGRAM",
    "createExecutionPlan": "planloom workflow start FILE",
    "replaceExecutionPlan": "planloom workflow replace RUN FILE",
    "respondToApproval": "planloom workflow approve ID",
    "resumeExecutionPlanRun": "planloom workflow resume RUN",
    "submitExecutionNodeResult": "planloom workflow submit RUN NODE FILE",
}
TOOLS = re.compile("|".join(COMMANDS))

workflow = typer.Typer(help="Run workflows: agents and people carry out one plan.", no_args_is_help=True)


@dataclass(frozen=True)
class AtWorkflows(AtService):
    """The service of a command that is about workflows."""

    def reach(self, work: Callable[[Service], Awaitable[T]]) -> T:
        """Return the result of *work* with the tools of workflows."""
        address = self.running()
        return reach(replace(address, mcp_url=f"{address.mcp_url}/workflows"), work)


Draft = Annotated[Path, typer.Argument(help="File with the draft as JSON; '-' is stdin.")]
RunId = Annotated[
    str | None, typer.Argument(help="ID of the run, or its first characters; by default the active or last one.")
]
ApprovalId = Annotated[str, typer.Argument(help="ID of the approval, or of its node where only one waits.")]
OneRun = Annotated[str, typer.Argument(help="ID of the run, or its first characters.")]
Workstream = Annotated[
    str | None, typer.Option("--workstream", "-w", help="Line of work; by default the one named 'default'.")
]
EachWorkstream = Annotated[str | None, typer.Option("--workstream", "-w", help="Line of work; by default all of them.")]


@workflow.command("validate")
@bundled
def validate(file: Draft, at: AtWorkflows) -> None:
    """Check a draft; the exit code is 2 if it cannot run."""
    found = at.call("validateExecutionPlan", **_document(file))
    lines = [_issue(each) for each in found["issues"]]
    at.say(found, "\n".join([*lines, f"{'valid' if found['isValid'] else 'invalid'}: {found['nodeCount']} nodes"]))
    if not found["isValid"]:
        raise typer.Exit(exits.REFUSED)


@workflow.command("draft")
@bundled
def draft(
    plan_id: Annotated[str, typer.Argument(help="ID of a completed plan, or of an implementation plan.")],
    at: AtWorkflows,
    implementation: Annotated[
        bool, typer.Option("--implementation", "-i", help="It is an implementation plan: its open steps become nodes.")
    ] = False,
    agents: Annotated[
        bool, typer.Option("--agents", help="Roles of the plan are agents; by default they are people.")
    ] = False,
    role: Annotated[str | None, typer.Option(help="Agent of steps that name none; by default developer.")] = None,
    start: Annotated[bool, typer.Option("--start", help="Start a run, linked with the plan.")] = False,
    workstream: Workstream = None,
) -> None:
    """Make a draft of a plan, and print it as JSON for `planloom workflow start`; or let it run at once."""
    run = {"start": start, "workstreamId": workstream}
    if implementation:
        found = at.call("draftFromImplementationPlan", planId=plan_id, role=role, **run)
    else:
        found = at.call("draftFromPlan", plan_id=plan_id, executor="agent" if agents else "user", **run)
    for said in (*found["notes"], *map(_issue, found["problems"])):
        typer.echo(said, err=True)
    if found["runId"]:
        at.say(found, f"run {found['runId']}\nFollow it: planloom workflow status {found['runId']}")
    else:
        at.say(found, json.dumps(found["draft"], indent=2, ensure_ascii=False))


@workflow.command("start")
@bundled
def start(file: Draft, at: AtWorkflows, workstream: Workstream = None) -> None:
    """Compile a draft and start a run of it."""
    found = at.call("createExecutionPlan", workstreamId=workstream, **_document(file))
    at.say(found, "\n".join([*map(_issue, found["issues"]), *_run_lines(found)]))


@workflow.command("replace")
@bundled
def replace_(
    run_id: OneRun,
    file: Draft,
    at: AtWorkflows,
    reason: Annotated[str, typer.Option(help="Why the plan changes.")] = "",
    carry_over: Annotated[bool, typer.Option("--carry-over", help="Keep finished work of equal nodes.")] = False,
) -> None:
    """Abort a run and start one of another draft in its place."""
    document = _document(file)

    async def work(service: Service) -> dict[str, Any]:
        found = await _run_id(service, run_id)
        return await service.call("replaceExecutionPlan", runId=found, reason=reason, carryOver=carry_over, **document)

    found = at.reach(work)
    at.say(found, "\n".join([*map(_issue, found["issues"]), *_run_lines(found)]))


@workflow.command("list")
@bundled
def list_(at: AtWorkflows, limit: Annotated[int, typer.Option(min=1, max=100, help="How many to list.")] = 20) -> None:
    """List your runs, newest first."""
    found = at.call("listExecutionRuns", limit=limit)
    if at.as_json or not found["runs"]:
        at.say(found, "There are none yet. Start one: planloom workflow start FILE")
        return
    table = Table("run", "status", "done", "workstream", "updated (UTC)", "title", box=None)
    for run in found["runs"]:
        done = sum(run["progress"].get(each, 0) for each in ("completed", "partial", "skipped"))
        total = sum(run["progress"].values())
        updated = run["updatedAt"][:16].replace("T", " ")
        row = (run["runId"], run["status"], f"{done}/{total}", run["workstreamId"], updated, run["title"][:40])
        table.add_row(*row)
    Console(width=160).print(table)


@workflow.command("status")
@bundled
def status(
    at: AtWorkflows,
    run_id: RunId = None,
    workstream: Annotated[
        str | None,
        typer.Option("--workstream", "-w", help="Line of work; by default 'default', or that of the last run."),
    ] = None,
) -> None:
    """Show where a run is. The exit code is 0 while it can advance, 1 if it failed or is blocked, 5 if aborted."""

    async def work(service: Service) -> dict[str, Any]:
        return await _plan(service, run_id, workstream, includeApprovals=True)

    plan = at.reach(work)
    run, *steps = _run_lines(plan["run"] | {"nextSteps": plan["nextSteps"]})
    at.say(plan, "\n".join([run, *_node_lines(plan), *steps]))
    raise typer.Exit(ENDS.get(plan["run"]["status"], 0))


@workflow.command("nodes")
@bundled
def nodes(
    at: AtWorkflows,
    owner: Annotated[str | None, typer.Option(help="Role or person whose nodes are listed.")] = None,
    workstream: EachWorkstream = None,
) -> None:
    """List open nodes of active runs."""
    found = at.call("listExecutionNodes", owner=owner, workstreamId=workstream)
    lines = [
        f"{SIGNS[each['status']]} {each['nodeId']} ({each['status']}) {each['executorType']} {each['owner']}: "
        f"{each['label']}" + (f", claimed by {each['claimedBy']}" if each["claimedBy"] else "")
        for each in found["nodes"]
    ]
    at.say(found, "\n".join(lines) or "Nothing is open.")


@workflow.command("submit")
@bundled
def submit(
    run_id: OneRun,
    node: Annotated[str, typer.Argument(help="ID of the node.")],
    file: Annotated[Path, typer.Argument(help="File with the result as JSON; '-' is stdin.")],
    at: AtWorkflows,
) -> None:
    """Submit the result of a node; the exit code is 1 if it was rejected."""
    result = _document(file)

    async def work(service: Service) -> dict[str, Any]:
        found = await _run_id(service, run_id)
        return await service.call("submitExecutionNodeResult", runId=found, nodeId=node, result=result)

    found = at.reach(work)
    at.say(found, "\n".join(submission_lines(found)))
    if not found["accepted"]:
        raise typer.Exit(exits.FAILED)


@workflow.command("approvals")
@bundled
def approvals(
    at: AtWorkflows, person: Annotated[str | None, typer.Option("--as", help="Who may respond.")] = None
) -> None:
    """List approvals that wait, with what is to be approved."""
    found = at.call("listApprovals", approver=person)
    lines = [
        f"◇ {each['approvalId']}\n  {each['title']}, by {', '.join(each['approvers'])} ({each['rule']}), "
        f"sha256 {each['sha256'][:12]}\n{each['content']}"
        for each in found["approvals"]
    ]
    at.say(found, "\n".join(lines) or "No approval waits.")


@workflow.command("approve")
@bundled
def approve(
    approval_id: ApprovalId,
    at: AtWorkflows,
    person: Annotated[str | None, typer.Option("--as", help="Who responds, where there are several approvers.")] = None,
    changes: Annotated[bool, typer.Option("--changes", help="Request changes instead.")] = False,
    reject: Annotated[bool, typer.Option("--reject", help="Reject instead.")] = False,
    comment: Annotated[str, typer.Option(help="Why, or what to change.")] = "",
) -> None:
    """Approve what a run waits for, request changes of it, or reject it."""
    if reject and changes:
        exits.leave(exits.REFUSED, "--reject and --changes contradict each other. Choose one.")
    decision = "reject" if reject else "request_changes" if changes else "approve"

    async def work(service: Service) -> dict[str, Any]:
        found = await _waiting(service, approval_id)
        given = {"approvalId": found["approvalId"], "sha256": found["sha256"]} if found else {}
        return await service.call(
            "respondToApproval",
            **{"approvalId": approval_id} | given,
            decision=decision,
            approver=person,
            comment=comment,
        )

    found = at.reach(work)
    said = "counted" if found["counted"] else "not counted"
    at.say(found, f"{found['nodeId']}: {found['outcome'].replace('_', ' ')}, {said}; the run is {found['runStatus']}")


@workflow.command("delegate")
@bundled
def delegate(
    approval_id: ApprovalId,
    at: AtWorkflows,
    to: Annotated[str, typer.Option(help="Who may respond; the first response counts.")],
    person: Annotated[
        str | None, typer.Option("--as", help="In whose place, where there are several approvers.")
    ] = None,
) -> None:
    """Let another person respond to an approval in place of an approver."""

    async def work(service: Service) -> dict[str, Any]:
        found = await _waiting(service, approval_id)
        if found is None:
            raise ServiceError(
                "APPROVAL_NOT_FOUND", f"No approval waits at {approval_id}. Run `planloom workflow approvals`."
            )
        if person is None and len(found["approvers"]) > 1:
            raise ServiceError("NOT_AN_APPROVER", f"Name one with --as: {', '.join(found['approvers'])}.")
        path = f"approvals/{urllib.parse.quote(found['approvalId'], safe='')}/delegate"
        return await service.send("POST", path, {"by": person or found["approvers"][0], "to": to})

    found = at.reach(work)
    lines = [f"{each} may respond in place of {approver}" for approver, each in found["delegations"].items()]
    at.say(found, "\n".join(lines))


@workflow.command("events")
@bundled
def events(
    run_id: OneRun,
    at: AtWorkflows,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Wait for further events until the run ends.")] = False,
) -> None:
    """Show what happened in a run."""

    async def work(service: Service) -> None:
        found, after = await _run_id(service, run_id), 0
        while True:
            page = await service.call(
                "getExecutionEvents", runId=found, after=after, timeoutSec=15 if follow and after else 0
            )
            after = page["next"]
            for each in page["events"]:
                typer.echo(json.dumps(each) if at.as_json else _event(each))
            ended = page["runStatus"] in ("completed", "failed", "aborted")
            if not page["events"] and (ended or not follow):
                return

    at.reach(work)


@workflow.command("workstreams")
@bundled
def workstreams(
    at: AtWorkflows,
    delete: Annotated[str | None, typer.Option(help="Delete this one; its runs stay.", metavar="ID")] = None,
) -> None:
    """List your lines of work, or delete one that has no active run."""
    if delete:
        at.say(at.call("deleteWorkstream", workstreamId=delete), f"{delete}: deleted")
        return
    found = at.call("listWorkstreams")
    if at.as_json or not found["workstreams"]:
        at.say(found, "There are none yet. Start one: planloom workflow start FILE")
        return
    table = Table("workstream", "active run", "last run", "title", box=None)
    for each in found["workstreams"]:
        table.add_row(each["workstreamId"], each["activeRunId"] or "-", each["lastRunId"] or "-", each["title"][:40])
    Console(width=160).print(table)


@workflow.command("resume")
@bundled
def resume(run_id: OneRun, at: AtWorkflows) -> None:
    """Continue an interrupted run: blocked nodes get a further attempt."""
    _changed(at, run_id, "resumeExecutionPlanRun")


@workflow.command("stop")
@bundled
def stop(run_id: OneRun, at: AtWorkflows, reason: Annotated[str, typer.Option(help="Why.")] = "") -> None:
    """Abort a run; its records stay."""
    _changed(at, run_id, "stopExecutionRun", reason=reason)


async def _waiting(service: Service, approval_id: str) -> dict[str, Any] | None:
    """Return the approval that waits with this ID, or at this node; None where none does. Raises ServiceError."""
    waiting = (await service.call("listApprovals", limit=100))["approvals"]
    found = [each for each in waiting if approval_id in (each["approvalId"], each["nodeId"])]
    if len(found) > 1:
        raise ServiceError("AMBIGUOUS", f"Several approvals wait at {approval_id}. Write the whole approval ID.")
    return found[0] if found else None


def _changed(at: AtWorkflows, run_id: str, tool: str, **arguments: Any) -> None:
    async def work(service: Service) -> dict[str, Any]:
        return await service.call(tool, runId=await _run_id(service, run_id), **arguments)

    found = at.reach(work)
    at.say(found, "\n".join(_run_lines(found)))


def submission_lines(found: dict[str, Any]) -> list[str]:
    """Return what a person reads of a submission."""
    word = "accepted" if found["accepted"] else "rejected"
    lines = [f"{found['nodeId']}: {word}, attempt {found['attempt']}; the run is {found['runStatus']}"]
    for check in found["failedChecks"]:
        lines += [f"  {each['path'] or '/'}: {each['message']} {each['expected']}" for each in check["findings"]]
    if found["nodeReason"] and not found["failedChecks"]:
        lines.append(f"  {found['nodeReason']}")
    if not found["accepted"] and found["attemptsLeft"] is not None:
        lines.append(f"  attempts left: {found['attemptsLeft']}")
    return lines


def _run_lines(run: dict[str, Any]) -> list[str]:
    reason = f" ({run['reason']})" if run["reason"] else ""
    # the service names its tools
    steps = [TOOLS.sub(lambda tool: COMMANDS[tool[0]], step) for step in run["nextSteps"]]
    return [f"run {run['runId']}: {run['status']}{reason}", *steps]


def _node_lines(plan: dict[str, Any]) -> list[str]:
    lines = []
    for node in plan["nodes"]:
        contract = node["contract"]
        owner = f"{contract['owner']['executorType']} {contract['owner']['ref']}"
        place = f"{SIGNS[node['status']]} {contract['id']:<24} {node['status']:<15}"
        lines.append(f"{place} {owner:<24} {contract['label']}".rstrip())
    return lines


def _event(event: dict[str, Any]) -> str:
    data = " ".join(f"{name}={value}" for name, value in event["data"].items())
    time = event["at"][:19].replace("T", " ")
    return f"{time}  {event['name']:<26} {event['nodeId'] or '':<20} {data}".rstrip()


def _issue(issue: dict[str, Any]) -> str:
    return f"{issue['severity']}: {issue['path'] or '/'}: {issue['message']} {issue['hint']}".rstrip()


def _document(file: Path) -> dict[str, Any]:
    try:
        found = json.loads(sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8"))
    except OSError as error:
        exits.leave(exits.REFUSED, f"{file} cannot be read: {error.strerror}.")
    except ValueError as error:
        exits.leave(exits.REFUSED, f"{file} is not JSON: {error}.")
    if not isinstance(found, dict):
        exits.leave(exits.REFUSED, f"{file} is not a JSON object.")
    return found


async def _plan(service: Service, run_id: str | None, workstream: str | None, **include: bool) -> dict[str, Any]:
    if run_id:
        return await service.call("getExecutionPlanRun", runId=await _run_id(service, run_id), **include)
    found = (await service.call("getActiveExecutionPlan", workstreamId=workstream, **include))["plan"]
    if found is None:
        runs = (await service.call("listExecutionRuns", limit=100))["runs"]
        last = next((run for run in runs if workstream in (None, run["workstreamId"])), None)
        if last is None:
            raise ServiceError("NOT_FOUND", "There is no run yet. Start one: planloom workflow start FILE")
        found = await service.call("getExecutionPlanRun", runId=last["runId"], **include)
    plan: dict[str, Any] = found
    return plan


async def _run_id(service: Service, text: str) -> str:
    """Return the id that begins with *text* among the newest hundred; *text* itself where it is whole."""
    name = text.removeprefix("planRun:")
    if len(name) >= 36:
        return f"planRun:{name}"
    runs = (await service.call("listExecutionRuns", limit=100))["runs"]
    found = [run["runId"] for run in runs if run["runId"].removeprefix("planRun:").startswith(name)]
    if len(found) == 1:
        return str(found[0])
    said = f"Several runs begin with '{text}'. Write more of the ID." if found else None
    raise ServiceError("NOT_FOUND", said or f"No run begins with '{text}'. Run `planloom workflow list`.")
