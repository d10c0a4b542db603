"""Compilation of drafts: what is accepted, and that each mistake is found before a run starts."""

import copy
import time
from typing import Any

import pytest

from planloom.planes.workflows.compile import compile_draft
from planloom.planes.workflows.schemas import to_json_schema
from tests.unit.workflows.drafts import draft, edge, launch, node


def codes(document: Any, **given: Any) -> list[tuple[str, str]]:
    return [(each.path, each.code) for each in compile_draft(document, **given)[1]]


def test_the_example_of_the_specification_compiles_and_keeps_every_field() -> None:
    spec, problems = compile_draft(launch())
    assert spec
    assert problems == []
    assert spec.draft.model_dump(mode="json", exclude_unset=True) == launch()


def test_required_of_a_property_becomes_a_list_of_its_object() -> None:
    schema = launch()["schemas"]["launchBrief"] | {"additionalProperties": False}
    assert to_json_schema(schema) == {
        "type": "object",
        "properties": {"headline": {"type": "string"}, "channels": {"type": "array", "items": {"type": "string"}}},
        "required": ["headline"],
        "additionalProperties": False,
    }


def changed(path: str, value: Any) -> dict[str, Any]:
    document = copy.deepcopy(launch())
    *parts, last = path.split("/")
    inner: Any = document
    for part in parts:
        inner = inner[int(part)] if isinstance(inner, list) else inner[part]
    inner[int(last) if isinstance(inner, list) else last] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("nodes/1/id", "draft-brief", ("/nodes/1/id", "DUPLICATE_ID")),
        ("edges/0/target", "aprove-brief", ("/edges/0/target", "UNKNOWN_NODE")),
        ("entryNodeIds/0", "nobody", ("/entryNodeIds/0", "UNKNOWN_NODE")),
        ("entryNodeIds", [], ("/entryNodeIds", "NO_ENTRY")),
        ("entryNodeIds", ["draft-brief", "approve-brief"], ("/entryNodeIds/1", "ENTRY_HAS_SOURCE")),
        ("edges", [], ("/nodes/1", "UNREACHABLE_NODE")),
        ("nodes/0/outputSchemaRef", "launchbrief", ("/nodes/0/outputSchemaRef", "UNKNOWN_SCHEMA")),
        ("nodes/0/owner/executorType", "system", ("/nodes/0/owner/executorType", "OWNER_DOES_NOT_FIT")),
        ("nodes/0/owner", {"executorType": "plugin", "ref": "fetch"}, ("/nodes/0/owner/ref", "INVALID_PLUGIN")),
        ("nodes/0/owner", {"executorType": "plugin", "ref": "web/fetch"}, ("/nodes/0/toolPolicy", "TOOL_NOT_ALLOWED")),
        ("nodes/1/timeout", 5, ("/nodes/1/timeout", "UNKNOWN_FIELD")),
        ("nodes/1/type", "approval", ("/nodes/1/type", "INVALID_FIELD")),
        ("nodes/0/wait", {"event": "paid"}, ("/nodes/0/wait", "DOES_NOT_FIT_TYPE")),
        (
            "nodes/1/deliverables",
            [{"name": "x", "kind": "pdf"}],
            ("/nodes/1/deliverables", "DOES_NOT_FIT_TYPE"),
        ),
        (
            "nodes/1/approval",
            {"rule": "quorum", "count": 2},
            ("/nodes/1/approval/count", "QUORUM_NEVER_REACHED"),
        ),
        ("edges/0/map", {"a": "b..c"}, ("/edges/0/map/a", "INVALID_PATH")),
        ("edges/0/when", "output.x = 1", ("/edges/0/when", "CONDITION_WITHOUT_DECISION")),
        (
            "schemas/launchBrief/required",
            ["headline"],
            ("/schemas/launchBrief/required", "INVALID_SCHEMA"),
        ),
        (
            "schemas/launchBrief/properties/headline/type",
            "text",
            ("/schemas/launchBrief/properties/headline/type", "INVALID_SCHEMA"),
        ),
        (
            "nodes/0/completionChecks/0",
            {"type": "deliverable", "config": {"name": "launch-breif"}},
            ("/nodes/0/completionChecks/0/config/name", "NOT_A_DELIVERABLE"),
        ),
        (
            "nodes/0/completionChecks/0",
            {"type": "expression", "config": {"expression": "headline = 1"}},
            ("/nodes/0/completionChecks/0/config/expression", "UNKNOWN_VARIABLE"),
        ),
        (
            "nodes/0/completionChecks/0",
            {"type": "expression", "config": {"expression": "output.a ="}},
            ("/nodes/0/completionChecks/0/config/expression", "INVALID_EXPRESSION"),
        ),
        (
            "nodes/0/completionChecks/0",
            {"type": "human", "config": {}},
            ("/nodes/0/completionChecks/0/config/approvers", "MISSING_FIELD"),
        ),
        (
            "nodes/0/completionChecks/0",
            {"type": "model-judge", "config": {"criterion": "clear"}},
            ("/nodes/0/completionChecks/0", "NO_MODEL"),
        ),
    ],
)
def test_a_mistake_is_an_error_at_its_place(path: str, value: Any, expected: tuple[str, str]) -> None:
    spec, problems = compile_draft(changed(path, value))
    assert spec is None
    assert expected in [(each.path, each.code) for each in problems if each.severity == "error"]


def test_a_model_judge_is_accepted_where_a_model_is_set_up_and_left_out_with_a_warning_where_it_is_advisory() -> None:
    judged = changed("nodes/0/completionChecks/0", {"type": "model-judge", "config": {"criterion": "clear"}})
    assert codes(judged, judge=True) == []
    judged["nodes"][0]["completionChecks"][0]["blocking"] = False
    spec, problems = compile_draft(judged)
    assert spec
    assert [(each.code, each.severity) for each in problems] == [("NO_MODEL", "warning")]


LOOP = (
    node("write", maxIterations=3),
    node("good", "decision"),
    node("publish"),
    edge("write", "good"),
    edge("good", "write", when="input.score < 5"),
    edge("good", "publish"),
)


def test_a_loop_needs_a_node_with_max_iterations() -> None:
    spec, problems = compile_draft(draft(*LOOP))
    assert spec
    assert problems == []
    assert spec.loops == {"good-write"}
    assert [each.id for each in spec.incoming["write"]] == []

    unbounded = draft(node("write"), *LOOP[1:])
    spec, problems = compile_draft(unbounded)
    assert spec is None
    assert [(each.path, each.code) for each in problems] == [("/edges/1", "LOOP_WITHOUT_BOUND")]
    assert "write → good → write" in problems[0].message


def test_a_decision_needs_a_condition_and_should_have_a_default() -> None:
    parts = (node("a", "decision"), node("b"))
    assert ("/nodes/0", "DECISION_WITHOUT_CONDITION") in codes(draft(*parts, edge("a", "b")))
    assert codes(draft(*parts, edge("a", "b", when="input.x = 1"))) == [("/nodes/0", "NO_DEFAULT_EDGE")]


def test_problems_of_a_subworkflow_name_their_place_in_the_whole_draft() -> None:
    inner = draft(node("x"), node("y"))
    document = draft(node("sub", "subworkflow", subworkflow=inner))
    assert codes(document) == [("/nodes/0/subworkflow/nodes/1", "UNREACHABLE_NODE")]


@pytest.mark.parametrize("document", [None, [], "x", {}, {"nodes": []}, {"title": "t", "nodes": {}, "entryNodeIds": 1}])
def test_what_is_no_draft_is_refused_with_a_place(document: Any) -> None:
    spec, problems = compile_draft(document)
    assert spec is None
    assert problems


def test_a_deep_or_large_draft_is_refused() -> None:
    deep: Any = "x"
    for _ in range(100):
        deep = {"a": deep}
    assert codes({"title": deep}) == [("", "TOO_DEEP")]
    assert codes({"title": "x" * 2_100_000}) == [("", "TOO_LARGE")]


def test_equal_contracts_have_equal_hashes_whatever_surrounds_them() -> None:
    one, _ = compile_draft(launch())
    other, _ = compile_draft(changed("title", "Another title"))
    third, _ = compile_draft(changed("nodes/0/instructions", "Otherwise."))
    assert one
    assert other
    assert third
    assert one.contract_hash("draft-brief") == other.contract_hash("draft-brief") != third.contract_hash("draft-brief")
    assert one.sha256 != other.sha256


def test_five_hundred_nodes_compile_quickly() -> None:
    nodes = [
        node(
            f"n{number}",
            completionChecks=[{"type": "expression", "config": {"expression": f"output.n >= {number}"}}],
            deliverables=[{"name": "text", "kind": "markdown"}],
        )
        for number in range(500)
    ]
    edges = [edge(f"n{(number - 1) // 2}", f"n{number}", map={"n": "n"}) for number in range(1, 500)]
    document, took = draft(*nodes, *edges), []
    for _ in range(3):
        began = time.process_time()
        spec, problems = compile_draft(document)
        took.append(time.process_time() - began)
        assert spec
        assert problems == []
    # 50 ms on a free machine; the bound is the promise
    assert min(took) < 0.2


def fetching(**more: Any) -> dict[str, Any]:
    return draft(node("a", owner="plugin:web/fetch", **more))


def reading(expression: str, **more: Any) -> dict[str, Any]:
    check = {"type": "expression", "config": {"expression": expression}, **more}
    return draft(node("a"), node("b", completionChecks=[check]), node("c"), edge("a", "b"), edge("b", "c"))


REPORT = {"name": "report", "kind": "pdf"}
SCHEMA = {"schemas": {"s": {"type": "object"}}}


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (fetching(deliverables=[REPORT]), [("/nodes/0/deliverables/0", "error")]),
        (fetching(deliverables=[REPORT | {"required": False}]), []),
        (
            fetching(completionChecks=[{"type": "artifact", "config": {"kind": "pdf"}}]),
            [("/nodes/0/completionChecks/0", "error")],
        ),
        (
            fetching(completionChecks=[{"type": "artifact", "config": {"kind": "pdf"}, "blocking": False}]),
            [("/nodes/0/completionChecks/0", "warning")],
        ),
        (reading("outputs.a.n > 1"), []),
        (reading("outputs.c.n > 1"), [("/nodes/1/completionChecks/0/config/expression", "error")]),
        (reading("outputs.b.n > 1"), [("/nodes/1/completionChecks/0/config/expression", "error")]),
        (reading("outputs.c.n > 1", blocking=False), [("/nodes/1/completionChecks/0/config/expression", "warning")]),
        (
            draft(node("a", "decision"), node("b"), node("c"), edge("a", "b", when="outputs.b.n = 1"), edge("a", "c")),
            [("/edges/0/when", "error")],
        ),
        (draft(node("a"), node("b", "join", outputSchemaRef="s"), edge("a", "b"), **SCHEMA), [("/nodes/1", "warning")]),
        (draft(node("a", "human-approval", outputSchemaRef="s"), **SCHEMA), [("/nodes/0", "warning")]),
        (draft(node("a", "human-input", outputSchemaRef="s"), **SCHEMA), []),
        (draft(node("a", "wait", wait={"event": "paid"}, outputSchemaRef="s"), **SCHEMA), []),
    ],
)
def test_what_never_passes_or_is_never_checked_is_found(document: Any, expected: list[tuple[str, str]]) -> None:
    problems = compile_draft(document)[1]
    assert [(each.path.removesuffix("/outputSchemaRef"), each.severity) for each in problems] == expected
    assert {each.code for each in problems} <= {"NEVER_PASSES", "SCHEMA_NEVER_CHECKED"}
    assert all(each.hint for each in problems)


@pytest.mark.parametrize(
    ("path", "value", "hint"),
    [
        ("edges/0/target", "zzz", "Use one of: draft-brief, approve-brief."),
        ("entryNodeIds/0", "zzz", "Use one of: draft-brief, approve-brief."),
        ("nodes/1/outputSchemaRef", "zzz", "Use one of: launchBrief."),
        ("nodes/0/type", "actoin", "Did you mean “action”?"),
        ("nodes/0/failurePolicy/0/action", "zzz", "Use one of: retry, replan, skip, block, fail, escalate."),
    ],
)
def test_an_unknown_name_is_answered_with_those_that_there_are(path: str, value: str, hint: str) -> None:
    assert hint in [each.hint for each in compile_draft(changed(path, value))[1]]


def test_an_unknown_schema_of_a_draft_without_schemas_has_a_hint() -> None:
    assert compile_draft(draft(node("a", outputSchemaRef="s")))[1][0].hint == "Add it to schemas."
