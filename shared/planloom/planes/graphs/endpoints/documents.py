"""What callers can do with graphs: drafted or written, checked, changed, read, deleted."""

from typing import TYPE_CHECKING, Any

from planloom.core.endpoint import DELETE, GET, POST, PUT, Effect, Endpoint
from planloom.core.errors import InvalidArgument, ModelProfilesUnavailable
from planloom.planes.graphs import requests, responses
from planloom.planes.graphs.compare import difference
from planloom.planes.graphs.document import Graph
from planloom.planes.graphs.errors import GraphConflict, GraphNotFound, InvalidGraph
from planloom.runs.errors import TooManyRuns
from planloom.tools.errors import ToolServerNotFound

if TYPE_CHECKING:
    from planloom.planes.graphs.service import Graphs
    from planloom.runs.control import Runs

GRAPHS = "/v1/graphs"
TO_DRAFT = (InvalidGraph, ToolServerNotFound, ModelProfilesUnavailable, TooManyRuns)
EXAMPLE: dict[str, Any] = {
    "title": "Sum and report",
    "variables": {"first": 1},
    "steps": [
        {
            "index": "1",
            "title": "Add",
            "tool": "add",
            "args": {"a": "${first}", "b": 2},
            "depends_on": [],
            "result_variable": "sum",
        },
        {"index": "2", "title": "Report", "tool": "report", "args": {"text": "It is ${sum}."}, "depends_on": ["1"]},
    ],
}
#: Seconds that plan_create waits for a model: the gateway gives up after 29.
LONGEST_DRAFT = 12.0


def _format() -> responses.GraphFormat:
    return responses.GraphFormat(json_schema=Graph.model_json_schema(), example=EXAMPLE)


def _validate(request: requests.ValidateGraph, account: str, graphs: "Graphs") -> responses.Validation:
    graph, problems = graphs.validate(account, request.graph, request.variables)
    valid = graph is not None and all(problem.severity != "error" for problem in problems)
    return responses.Validation(
        is_valid=valid, problems=problems, batches=graphs.batches(graph) if graph is not None and valid else []
    )


def _create(request: requests.CreateGraph, account: str, graphs: "Graphs", runs: "Runs") -> responses.GraphSaved:
    document = written_document(request)
    if document is None:
        run = graphs.draft(account, request.goal, request.servers, request.variables)
        runs.wait(account, run.run_id, LONGEST_DRAFT)
        return _drafted(account, graphs, run.subject)
    view, problems = graphs.create(account, document)
    return _saved(view, problems, document)


def written_document(request: requests.CreateGraph | requests.CreateAndExecute) -> dict[str, Any] | None:
    """Return the graph that was passed; None where a goal was."""
    if bool(request.goal.strip()) == (request.graph is not None):
        raise InvalidArgument("Pass goal, for which a model drafts a graph, or graph, a graph that you have written.")
    return request.graph


def _drafted(account: str, graphs: "Graphs", plan_id: str) -> responses.GraphSaved:
    view = graphs.view(account, plan_id)
    draft = responses.DraftInfo.of(graphs.drafting(view))
    if draft is not None:
        saved: responses.GraphSaved = responses.GraphSaved.of(view, problems=[], steps=[], draft=draft)
        return saved
    return _saved(view, [], graphs.read(account, plan_id)[1].graph)


def _update(request: requests.ReviseGraph, account: str, graphs: "Graphs") -> responses.GraphSaved:
    view, problems = graphs.revise(account, request.plan_id, request.graph, request.revision, request.note)
    return _saved(view, problems, request.graph)


def _get(request: requests.CompareGraph, account: str, graphs: "Graphs") -> responses.GraphRead:
    read: responses.GraphRead
    view = graphs.view(account, request.plan_id)
    if draft := responses.DraftInfo.of(graphs.drafting(view)):
        read = responses.GraphRead.of(view, graph=None, text="", mermaid="", draft=draft)
        return read
    view, found = graphs.read(account, request.plan_id, request.revision)
    text, mermaid = graphs.drawn(found.graph)
    shown = view.model_copy(update={"revision": request.revision or view.revision})
    compared = None
    if request.compare_with:
        before = graphs.read(account, request.plan_id, request.compare_with)[1]
        compared = difference(before.graph, found.graph, request.compare_with)
    read = responses.GraphRead.of(
        shown, graph=found.graph, text=text, mermaid=mermaid, note=found.note, difference=compared
    )
    return read


def _list(request: requests.Page, account: str, graphs: "Graphs") -> responses.GraphList:
    found = graphs.newest(account, request.limit, request.before)
    after = found[-1][0] if len(found) == request.limit else None
    return responses.GraphList(plans=[responses.GraphInfo.of(view) for _, view in found], next=after)


def _delete(request: requests.GraphRequest, account: str, graphs: "Graphs") -> responses.Deleted:
    graphs.delete(account, request.plan_id)
    return responses.Deleted(deleted=request.plan_id)


def _saved(view: Any, problems: list[Any], document: dict[str, Any]) -> responses.GraphSaved:
    steps = [
        f"{step.get('index', number)}. {step.get('title') or step.get('tool', '')}"
        for number, step in enumerate(document["steps"][:100], 1)
    ]
    saved: responses.GraphSaved = responses.GraphSaved.of(view, problems=problems, steps=steps)
    return saved


PLAN_FORMAT = Endpoint(
    name="plan_format",
    title="Graph format",
    description="Returns the JSON Schema of graphs and an example. Call it before you write a graph.",
    group="graphs",
    http=GET(f"{GRAPHS}/schema"),
    response=responses.GraphFormat,
    handler=_format,
)


PLAN_VALIDATE = Endpoint(
    name="plan_validate",
    title="Check a graph",
    description="""\
Checks a graph against its schema, its order, its variables and the tools of your servers, without storing it. Each
problem has path (a JSON Pointer), code, message and hint. batches says which steps may run at the same time.""",
    group="graphs",
    http=POST(f"{GRAPHS}/validate"),
    request=requests.ValidateGraph,
    response=responses.Validation,
    handler=_validate,
)


PLAN_CREATE = Endpoint(
    name="plan_create",
    title="Create a graph",
    description="""\
Drafts a graph of tool calls for a goal, from the tools of your servers, or stores one that you have written, and
returns its plan_id and its steps. A model drafts it: where that takes longer than this call waits, draft says when to
call plan_get. Nothing runs yet: plan_dry_run shows what a run would call, plan_execute runs it.""",
    group="graphs",
    http=POST(GRAPHS, status=201, location=f"{GRAPHS}/{{plan_id}}"),
    request=requests.CreateGraph,
    response=responses.GraphSaved,
    errors=TO_DRAFT,
    effect=Effect.CHANGES,
    idempotent_by="client_request_id",
    handler=_create,
)


PLAN_UPDATE = Endpoint(
    name="plan_update",
    title="Change a graph",
    description="Stores the whole changed graph as the next revision. Active runs keep the revision they have.",
    group="graphs",
    http=PUT(f"{GRAPHS}/{{plan_id}}"),
    request=requests.ReviseGraph,
    response=responses.GraphSaved,
    errors=(GraphNotFound, InvalidGraph, GraphConflict),
    effect=Effect.CHANGES,
    handler=_update,
)


PLAN_GET = Endpoint(
    name="plan_get",
    title="Read a graph",
    description="""\
Returns a graph with its steps, drawn as text and as Mermaid; with compare_with, how it differs from another revision.
While a model drafts it, draft says when to call again.""",
    group="graphs",
    http=GET(f"{GRAPHS}/{{plan_id}}"),
    request=requests.CompareGraph,
    response=responses.GraphRead,
    errors=(GraphNotFound,),
    handler=_get,
)


PLAN_LIST = Endpoint(
    name="plan_list",
    title="List graphs",
    description="Lists your graphs, last saved first.",
    group="graphs",
    http=GET(GRAPHS),
    request=requests.Page,
    response=responses.GraphList,
    handler=_list,
)


PLAN_DELETE = Endpoint(
    name="plan_delete",
    title="Delete a graph",
    description="Deletes a graph with all its revisions; ask the user before. Its runs stay.",
    group="graphs",
    http=DELETE(f"{GRAPHS}/{{plan_id}}"),
    request=requests.GraphRequest,
    response=responses.Deleted,
    errors=(GraphNotFound,),
    effect=Effect.DESTROYS,
    repeatable=True,
    handler=_delete,
)
