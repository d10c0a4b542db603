"""What callers can do with links between planes: draft one thing from another, and see what was made from what."""

from typing import TYPE_CHECKING

from planloom.core.endpoint import GET, POST, Effect, Endpoint
from planloom.core.errors import PermissionDenied, PlanNotCompleted
from planloom.core.plane import Plane
from planloom.planes.graphs.errors import InvalidGraph
from planloom.planes.implementation.ports import ImplementationPlans
from planloom.planes.links import requests, responses, service
from planloom.planes.links.drafted import Drafted
from planloom.planes.links.link import LinkEnd
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.workflows.errors import ActiveRunExists, InvalidDraft

if TYPE_CHECKING:
    from planloom.planes.graphs.service import Graphs
    from planloom.planes.links.service import Links
    from planloom.planes.workflows.service import Workflows


def _list(request: requests.ListLinks, account: str, links: "Links") -> responses.LinkList:
    found = links.of(account, LinkEnd(plane=request.plane, id=request.id))
    return responses.LinkList(links=[responses.link_info(each) for each in found])


def _add(request: requests.AddLink, account: str, links: "Links") -> responses.LinkInfo:
    source, target = (LinkEnd(plane=each.plane, id=each.id) for each in (request.source, request.target))
    return responses.link_info(links.add(account, source, target, request.steps))


def _workflow_of_plan(
    request: requests.WorkflowOfPlan, account: str, plan_records: PlanRecords, links: "Links", workflows: "Workflows"
) -> responses.WorkflowDraft:
    source, drafted = service.draft_from_strategic_plan(
        plan_records, account, request.plan_id, request.executor, links.now()
    )
    workstream = request.workstream_id
    run_id = service.start_workflow(links, workflows, account, source, drafted, workstream) if request.start else None
    return _drafted(drafted, workflows, run_id)


def _workflow_of_implementation_plan(
    request: requests.WorkflowOfImplementationPlan,
    account: str,
    implementation_plans: ImplementationPlans,
    links: "Links",
    workflows: "Workflows",
) -> responses.WorkflowDraft:
    source, drafted = service.draft_from_implementation_plan(
        implementation_plans, account, request.plan_id, request.role
    )
    workstream = request.workstream_id
    run_id = service.start_workflow(links, workflows, account, source, drafted, workstream) if request.start else None
    return _drafted(drafted, workflows, run_id)


def _graph_of_implementation_plan(
    request: requests.GraphOfImplementationPlan,
    account: str,
    implementation_plans: ImplementationPlans,
    links: "Links",
    graphs: "Graphs",
) -> responses.GraphDraft:
    source, graph, left = service.graph_from_implementation_plan(implementation_plans, account, request.plan_id)
    graph_id = None
    if request.create:
        view, problems = graphs.create(account, graph)
        graph_id = view.graph_id
        steps = {step["index"]: step["index"] for step in graph["steps"]}
        links.add(account, source, LinkEnd(plane="graphs", id=graph_id), steps)
    else:
        _, problems = graphs.validate(account, graph, [])
    return responses.GraphDraft(graph=graph, left_out=list(left), problems=problems, graph_id=graph_id)


def _drafted(drafted: Drafted, workflows: "Workflows", run_id: str | None) -> responses.WorkflowDraft:
    _, problems = workflows.validate(drafted.draft)
    return responses.WorkflowDraft(
        draft=drafted.draft.model_dump(mode="json", exclude_defaults=True),
        steps=dict(drafted.steps),
        notes=list(drafted.notes),
        problems=problems,
        run_id=run_id,
    )


ENDPOINTS = (
    Endpoint(
        name="link_list",
        title="List links",
        description="Lists what a plan, graph or workflow run was made from, and what was made from it.",
        group="links",
        http=GET("/v1/links/{plane}/{id}"),
        tool=False,
        request=requests.ListLinks,
        response=responses.LinkList,
        handler=_list,
    ),
    Endpoint(
        name="link_add",
        title="Add a link",
        description="""\
Links what you made by hand with the plan that it was made from. A run of a workflow that is linked with an
implementation plan keeps the status of the plan's steps.""",
        group="links",
        http=POST("/v1/links", status=201),
        tool=False,
        request=requests.AddLink,
        response=responses.LinkInfo,
        effect=Effect.CHANGES,
        repeatable=True,
        handler=_add,
    ),
)

#: The table of endpoints; links have no MCP endpoint of their own.
TABLE = Plane(
    name="links",
    title="planloom: links between plans, graphs and workflows",
    mcp_path="",
    server_name="",
    instructions="",
    endpoints=ENDPOINTS,
)

#: Endpoints of the plane ``workflows``.
OF_WORKFLOWS = (
    Endpoint(
        name="draftFromPlan",
        title="Workflow from a strategic plan",
        description="""\
Drafts a workflow from a completed strategic plan: packages, with their documents as deliverables and their dates as
deadlines; decisions, gates and approvals as approvals by people. Change the draft as you like and call
createExecutionPlan, or let it run at once with start.""",
        group="plans",
        http=POST("/v1/plans/{plan_id}/workflow"),
        request=requests.WorkflowOfPlan,
        response=responses.WorkflowDraft,
        errors=(PlanNotCompleted, PermissionDenied, ActiveRunExists, InvalidDraft),
        effect=Effect.CHANGES,
        handler=_workflow_of_plan,
    ),
    Endpoint(
        name="draftFromImplementationPlan",
        title="Workflow from an implementation plan",
        description="""\
Drafts a workflow from the steps of an implementation plan that are not done: verification becomes checks, rollback what
a failure asks for. With start it runs at once, and the status of the plan's steps follows the run.""",
        group="plans",
        http=POST("/v1/implementation-plans/{planId}/workflow"),
        request=requests.WorkflowOfImplementationPlan,
        response=responses.WorkflowDraft,
        errors=(PermissionDenied, ActiveRunExists, InvalidDraft),
        effect=Effect.CHANGES,
        handler=_workflow_of_implementation_plan,
    ),
)

#: Endpoints of the plane ``graphs``.
OF_GRAPHS = (
    Endpoint(
        name="graph_from_implementation_plan",
        title="Graph from an implementation plan",
        description="""\
Drafts a graph of tool calls from the steps of an implementation plan that name tools in metadata.tools. With create it
is stored.""",
        group="graphs",
        http=POST("/v1/implementation-plans/{plan_id}/graph"),
        request=requests.GraphOfImplementationPlan,
        response=responses.GraphDraft,
        errors=(PermissionDenied, InvalidGraph),
        effect=Effect.CHANGES,
        handler=_graph_of_implementation_plan,
    ),
)
