"""Entities that an account declares: over tools, over HTTP APIs, and as an OpenAPI description proposes them."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.core.endpoint import Effect
from planloom.core.entities import Capability, Entity, GetCall, ListCall, Paging, Relation, fields
from planloom.planes.programs.catalog import Catalog, check_entity
from planloom.planes.programs.compile import compile_program
from planloom.planes.programs.declared_backends import HttpBackend, ToolBackend, check_operation
from planloom.planes.programs.evaluate import Result, evaluate
from planloom.planes.programs.openapi import propose
from planloom.planes.programs.parse import parse
from planloom.planes.programs.sources import Backend, SourceFailed, Sources
from planloom.tools.http_api import HttpAnswer
from planloom.tools.tool import NotReached
from planloom.tools.unwrap import ToolFailed
from tests.unit.programs.catalogs import NOW

ISSUE = Entity(
    name="Issue",
    backend="http:tracker",
    key="number",
    fields=fields(number="number", title="text", state="text", author=("text", "user.login")),
    list=ListCall(
        operation="GET /repos/{repo}/issues",
        rows="data.items",
        paging=Paging(style="page", parameter="page", first=1, size="per_page", most=2),
        filters={"state": "state"},
        fixed={"repo": "a/b"},
    ),
    get=GetCall(operation="GET /repos/{repo}/issues/{number}", key="number", row="data", fixed={"repo": "a/b"}),
    capabilities=(
        Capability(
            name="close",
            operation="PATCH /repos/{repo}/issues/{number}",
            effect=Effect.CHANGES,
            key="number",
            fixed={"repo": "a/b", "state": "closed"},
            returns="data.state",
        ),
    ),
)
FILE = Entity(
    name="File",
    backend="tools:files",
    key="path",
    fields=fields(
        path=("text", "."),
    ),
    list=ListCall(operation="list_files", rows="."),
    capabilities=(Capability(name="text", operation="read_file", effect=Effect.READS, key="path"),),
)


class Api:
    """Answers as a tracker does, or what it was given; keeps what it was asked."""

    def __init__(self, *answers: HttpAnswer | Exception) -> None:
        self.asked: list[Any] = []
        self.answers = list(answers)
        self.issues = [{"number": n, "title": f"T{n}", "state": "open", "user": {"login": "ana"}} for n in range(5)]

    async def request(self, method: str, path: str, query: Sequence[tuple[str, str]], body: Any = None) -> HttpAnswer:
        self.asked.append((method, path, dict(query), body))
        if self.answers:
            answer = self.answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer
        if method == "PATCH":
            return HttpAnswer(200, {}, {"data": {**self.issues[0], **body}})
        if not path.endswith("issues"):
            return HttpAnswer(200, {}, {"data": self.issues[int(path.rpartition("/")[2])]})
        page, size = int(dict(query)["page"]), int(dict(query)["per_page"])
        return HttpAnswer(200, {}, {"data": {"items": self.issues[(page - 1) * size : page * size]}})


class Tools:
    """Two tools over files."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    async def execute_tool(self, name: str, args: Mapping[str, Any], /, *, server: str) -> Any:
        if self.error:
            raise self.error
        if name == "list_files":
            return {"content": [{"type": "text", "text": '["a.txt", "b.txt"]'}], "isError": False}
        return {"structuredContent": {"result": f"{server}: text of {args['path']}"}}


async def _no_sleep(_: float) -> None:
    pass


def ran(text: str, backend: Backend) -> Result:
    catalog = Catalog([ISSUE, FILE])
    plan = compile_program(parse(text), catalog)
    assert plan.problems == ()
    return asyncio.run(
        evaluate(plan, Sources(catalog, {"http:tracker": backend, "tools:files": backend}, sleep=_no_sleep), NOW)
    )


def test_an_http_api_is_listed_page_by_page_with_fields_where_it_has_them() -> None:
    api = Api()
    result = ran("Issue.filter{state = open}[number, author].sort(number)", HttpBackend(api))
    assert result.returns[0].value.rows == [{"number": n, "author": "ana"} for n in range(5)]
    asked = [
        ("GET", "/repos/a%2Fb/issues", {"state": "open", "per_page": "2", "page": f"{n}"}, None) for n in (1, 2, 3)
    ]
    assert api.asked == asked


def test_numbered_pages_keep_their_size_where_fewer_rows_are_needed() -> None:
    api = Api()
    result = ran("Issue[number].limit(3)", HttpBackend(api))
    assert result.returns[0].value.rows == [{"number": n} for n in range(3)]
    assert [(query["page"], query["per_page"]) for _, _, query, _ in api.asked] == [("1", "2"), ("2", "2")]


def test_one_row_and_a_call_of_an_http_api() -> None:
    api = Api()
    result = ran("Issue(3)[title]; Issue.close(3)", HttpBackend(api))
    assert [each.value.rows for each in result.returns] == [[{"title": "T3"}], [{"value": "closed"}]]
    assert api.asked == [
        ("GET", "/repos/a%2Fb/issues/3", {}, None),
        ("PATCH", "/repos/a%2Fb/issues/3", {}, {"state": "closed"}),
    ]


@pytest.mark.parametrize("key", ["..", ".", ""])
def test_an_argument_cannot_lead_to_another_path(key: str) -> None:
    api = Api()
    result = ran(f'Issue("{key}")', HttpBackend(api))
    assert (result.code, api.asked) == ("invalid_argument", [])


TOO_MANY = HttpAnswer(429, {"Retry-After": "2"}, {"message": "slow down"})


@pytest.mark.parametrize(
    ("text", "answers", "calls"),
    [
        ("Issue(1)", [TOO_MANY, HttpAnswer(503, {}, ""), HttpAnswer(500, {}, "")], 4),
        ("Issue(1)", [TimeoutError(), ConnectionError("reset"), NotReached("no route")], 4),
        # what was refused or not sent was not carried out
        ("Issue.close(1)", [TOO_MANY, NotReached("no route")], 3),
    ],
)
def test_failures_that_pass_are_waited_out(text: str, answers: list[Any], calls: int) -> None:
    api = Api(*answers)
    assert (ran(text, HttpBackend(api)).state, len(api.asked)) == ("succeeded", calls)


@pytest.mark.parametrize(
    ("answer", "code", "uncertain"),
    [
        (HttpAnswer(404, {}, {"detail": "no such issue"}), "not_found", False),
        (HttpAnswer(401, {}, None), "not_authorized", False),
        (HttpAnswer(302, {"location": "https://internal"}, ""), "http_error", False),
        (HttpAnswer(500, {}, {"error": {"message": "oops"}}), "http_error", True),
        (TimeoutError(), "not_reached", True),
    ],
)
def test_a_call_that_may_have_been_carried_out_is_not_repeated(answer: Any, code: str, uncertain: bool) -> None:
    api = Api(answer)
    result = ran("Issue.close(1)", HttpBackend(api))
    assert (result.state, result.code, result.uncertain, len(api.asked)) == ("failed", code, uncertain, 1)


def test_how_long_to_wait_is_the_word_of_the_api() -> None:
    with pytest.raises(SourceFailed) as caught:
        asyncio.run(HttpBackend(Api(TOO_MANY)).call("GET /x", {}))
    assert (caught.value.retry_after, str(caught.value)) == (2.0, "GET /x answered 429: slow down")


def test_tools_of_a_server_are_listed_and_called() -> None:
    result = ran("File.for_each(File.text(each.path))", ToolBackend("files", Tools()))
    assert result.returns[0].value.rows == [
        {"id": "a.txt", "result": "files: text of a.txt"},
        {"id": "b.txt", "result": "files: text of b.txt"},
    ]


@pytest.mark.parametrize(("error", "code"), [(ToolFailed("no disk"), "tool_failed"), (TimeoutError(), "not_reached")])
def test_a_tool_that_fails_is_an_error(error: Exception, code: str) -> None:
    result = ran('File.text("a.txt")', ToolBackend("files", Tools(error)))
    assert (result.state, result.code) == ("failed", code)


def test_what_is_wrong_with_a_declaration_is_said_with_its_place() -> None:
    assert check_entity(ISSUE, Catalog()) == []
    broken = ISSUE.model_copy(
        update={
            "key": "uid",
            "fields": (*ISSUE.fields, *fields(title="text")),
            "list": ListCall(
                operation="GET /x", filters={"colour": "c"}, needs=("state",), paging=Paging(style="cursor")
            ),
            "relations": (
                Relation(name="a", entity="Isue", by="x"),
                Relation(name="b", entity="Issue", by="x", field="y"),
            ),
        }
    )
    assert [(each.path, each.code) for each in check_entity(broken, Catalog([ISSUE]))] == [
        ("/fields", "DUPLICATE_FIELD"),
        ("/key", "NO_KEY"),
        ("/list/filters", "UNKNOWN_FIELD"),
        ("/list/needs", "NOT_A_FILTER"),
        ("/list/paging", "NO_PARAMETER"),
        ("/list/paging", "NO_CURSOR"),
        ("/relations/0", "UNKNOWN_ENTITY"),
        ("/relations/0", "UNKNOWN_FIELD"),
        ("/relations/1", "UNKNOWN_FIELD"),
        ("/relations/1", "UNKNOWN_FIELD"),
    ]
    assert check_operation("GET /items/{id}") == ""
    assert check_operation("items") != ""


PETS = {
    "openapi": "3.1.0",
    "paths": {
        "/pets": {
            "get": {
                "summary": "All pets",
                "parameters": [
                    {"in": "query", "name": "limit", "schema": {"type": "integer", "maximum": 20}},
                    {"in": "query", "name": "cursor", "schema": {"type": "string"}},
                    {"in": "query", "name": "status", "schema": {"type": "string"}},
                    {"in": "header", "name": "X-Trace", "schema": {"type": "string"}},
                ],
                "responses": {
                    "200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Pets"}}}}
                },
            },
            "post": {
                "summary": "Add a pet",
                "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewPet"}}}},
            },
        },
        "/pets/{petId}": {"get": {}, "delete": {"summary": "Remove"}},
        "/pets/{petId}/feed": {"post": {}},
        "/pets/{petId}/visits": {
            "get": {
                "responses": {
                    "200": {
                        "content": {
                            "application/json": {
                                "schema": {
                                    "type": "array",
                                    "items": {
                                        "type": "object",
                                        "properties": {"at": {"type": "string", "format": "date-time"}},
                                    },
                                }
                            }
                        }
                    }
                }
            }
        },
        "/health": {"get": {}},
        "/broken": {"get": {"parameters": 3, "responses": []}},
    },
    "components": {
        "schemas": {
            "Pets": {
                "type": "object",
                "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}},
                    "next_cursor": {"type": ["string", "null"]},
                },
            },
            "NewPet": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
            "Pet": {
                "allOf": [
                    {"$ref": "#/components/schemas/NewPet"},
                    {
                        "properties": {
                            "id": {"type": "integer"},
                            "status": {"type": "string", "enum": ["free", "sold"]},
                            "born": {"type": "string", "format": "date"},
                            "loop": {"$ref": "#/components/schemas/Pet"},
                        }
                    },
                ]
            },
        }
    },
}


def test_an_openapi_description_proposes_entities() -> None:
    pet, visit = propose(PETS, "shop")
    assert (pet.name, pet.description, pet.backend, pet.key) == ("Pet", "All pets", "http:shop", "id")
    assert [(each.name, each.type, each.values) for each in pet.fields] == [
        ("name", "text", ()),
        ("id", "number", ()),
        ("status", "text", ("free", "sold")),
        ("born", "time", ()),
        ("loop", "object", ()),
    ]
    assert pet.list == ListCall(
        operation="GET /pets",
        rows="items",
        paging=Paging(style="cursor", parameter="cursor", next="next_cursor", size="limit", most=20),
        filters={"status": "status"},
    )
    assert pet.get == GetCall(operation="GET /pets/{petId}", key="petId")
    assert [(each.name, each.operation, each.effect.value, each.key) for each in pet.capabilities] == [
        ("create", "POST /pets", "changes", ""),
        ("delete", "DELETE /pets/{petId}", "destroys", "petId"),
        ("feed", "POST /pets/{petId}/feed", "changes", "petId"),
    ]
    assert visit.list == ListCall(operation="GET /pets/{petId}/visits", filters={"petId": "petId"}, needs=("petId",))
    known = Catalog([pet, visit])
    assert [check_entity(each, known) for each in known] == [[], []]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6) | st.sampled_from(["array", "object", "#/paths"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["get", "post", "parameters", "responses", "200", "content", "application/json", "schema", "$ref"]
            )
            | st.sampled_from(
                ["type", "items", "properties", "allOf", "enum", "in", "name", "required", "/a/{b}", "/a"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(JSON)
def test_a_description_that_makes_no_sense_proposes_nothing_and_raises_nothing(description: Any) -> None:
    assert propose({"paths": description}, "x") == []
    propose({"paths": {"/a": description, "/a/{b}": description}}, "x")
