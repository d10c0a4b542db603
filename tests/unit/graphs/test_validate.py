"""What validation says of a graph: places, codes, hints; and that plan files of other programs load as they are."""

from typing import Any

import pytest

from planloom.core.step_graph import GraphHasCycle
from planloom.graphs import compute_batches, mermaid, render_plan_dag, validate
from planloom.planes.graphs.validate import load
from planloom.tools.tool import Catalog, Tool
from tests.unit.graphs.tools import DIAMOND, graph, step

TOOLS = Catalog(
    Tool(
        name=f"tool{number}",
        server="s",
        input_schema={"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
    )
    for number in (1, 2)
)


def found(document: Any, **options: Any) -> list[tuple[str, str]]:
    return [(problem.path, problem.code) for problem in validate(document, **options)]


@pytest.mark.parametrize(
    ("document", "problems"),
    [
        (DIAMOND, []),
        (graph(step("1"), step("1")), [("/steps/1/index", "DUPLICATE_INDEX")]),
        (graph(step("1", ["7"])), [("/steps/0/depends_on/0", "UNKNOWN_DEPENDENCY")]),
        (graph(step("1", ["2"]), step("2", ["1"])), [("/steps/0/depends_on", "CYCLE")]),
        (graph(step("1", args={"a": ["${nobody}"]})), [("/steps/0/args", "UNBOUND_VARIABLE")]),
        (graph(step("1", args={"a": "${b..c}"})), [("/steps/0/args", "INVALID_REFERENCE")]),
        (graph(step("1", when="a =")), [("/steps/0/when", "INVALID_CONDITION")]),
        (graph(step("1", for_each="items")), [("/steps/0/for_each", "NOT_A_LIST")]),
        (graph(step("1", colour="red")), [("/steps/0/colour", "UNKNOWN_FIELD")]),
        (graph({"index": "1", "args": {}}), [("/steps/0/tool", "MISSING_FIELD")]),
        (graph(step("1", timeout_sec=1_000)), [("/steps/0/timeout_sec", "INVALID_FIELD")]),
        ([], [("", "NOT_AN_OBJECT")]),
        (graph(step("1", args={"text": "x" * 5_000_000})), [("", "TOO_LARGE")]),
    ],
)
def test_each_fault_has_its_place_and_code(document: Any, problems: list[tuple[str, str]]) -> None:
    assert found(document) == problems


def test_too_many_steps_and_too_deep_documents_are_refused() -> None:
    deep: Any = []
    for _ in range(100):
        deep = [deep]
    assert found(graph(*(step(str(number)) for number in range(10_001)))) == [("/steps", "TOO_MANY_STEPS")]
    assert found(graph(step("1", args={"deep": deep}))) == [("", "TOO_DEEP")]


def test_a_cycle_names_its_members() -> None:
    problems = validate(graph(step("a", ["c"]), step("b", ["a"]), step("c", ["b"]), step("d")))
    assert all(member in problems[0].message for member in "abc")
    with pytest.raises(GraphHasCycle) as raised:
        compute_batches([step("x", ["y"]), step("y", ["x"])])
    assert set(raised.value.members) == {"x", "y"}


def test_a_variable_of_a_step_that_is_not_waited_for_is_a_warning() -> None:
    problems = validate(graph(step("1", result_variable="a"), step("2", args={"x": "${a}"})))
    assert [(each.code, each.severity) for each in problems] == [("VARIABLE_NOT_READY", "warning")]


def test_a_variable_is_ready_where_any_step_that_binds_it_ends_before_through_whatever_steps() -> None:
    chain = [step(str(n), [str(n - 1)] if n > 1 else []) for n in range(1, 6)]
    chain[0] |= {"result_variable": "a"}
    chain[4] |= {"args": {"x": "${a}"}, "result_variable": "a"}
    assert found(graph(*chain)) == []
    (own,) = validate(graph(step("1", args={"x": "${a}"}, result_variable="a")))
    assert (own.code, "waits" in own.message, own.severity) == ("VARIABLE_NOT_READY", False, "warning")


def test_what_for_each_binds_is_bound_in_arguments_only() -> None:
    undo = {"tool": "tool1", "args": {"a": "${item}"}}
    document = graph(step("1", for_each=[1, 2], when="item > 1", on_failure=undo))
    assert found(document) == [
        ("/steps/0/on_failure/args", "UNBOUND_VARIABLE"),
        ("/steps/0/when", "UNBOUND_VARIABLE"),
    ]


def test_a_compensating_call_is_checked_as_its_step_is() -> None:
    document = graph(
        step("1", args={"n": 1}, on_failure={"tool": "tol1"}),
        step("2", args={"n": 1}, on_failure={"tool": "tool1", "args": {"n": "x"}}),
    )
    assert found(document, catalog=TOOLS) == [
        ("/steps/0/on_failure/tool", "UNKNOWN_TOOL"),
        ("/steps/1/on_failure/args/n", "INVALID_ARGUMENTS"),
    ]


def test_half_a_surrogate_pair_is_no_text() -> None:
    assert found(graph(step("1", args={"a": ["\ud800"]}))) == [("", "NOT_TEXT")]
    assert found(graph(step("1", args={"a": "\U0001f4dd"}))) == []


def test_variables_of_the_caller_and_of_for_each_are_bound() -> None:
    document = graph(step("1", for_each="${rows}", args={"a": "${item.id}", "b": "${index}"}))
    assert found(document, given=["rows"]) == []
    assert found(graph(step("1", args={"a": "${item}"}))) == [("/steps/0/args", "UNBOUND_VARIABLE")]


def test_tools_and_arguments_are_checked_against_the_catalog() -> None:
    document = graph(step("1", args={"n": "two"}), step("2", args={}), step("3", tool="tol1"))
    problems = validate(document, TOOLS)
    assert [(each.path, each.code) for each in problems] == [
        ("/steps/0/args/n", "INVALID_ARGUMENTS"),
        ("/steps/1/args", "INVALID_ARGUMENTS"),
        ("/steps/2/tool", "UNKNOWN_TOOL"),
    ]
    assert problems[2].hint == "Do you mean “tool1”?"


def test_an_argument_that_a_variable_supplies_is_not_checked_before_it_is_known() -> None:
    assert found(graph(step("1", args={"n": "${count}"}), variables={"count": 3}), catalog=TOOLS) == []


def test_a_tool_of_several_servers_must_name_one() -> None:
    both = Catalog([Tool(name="read", server="a"), Tool(name="read", server="b")])
    assert found(graph(step("1", tool="read")), catalog=both) == [("/steps/0/tool", "AMBIGUOUS_TOOL")]
    assert found(graph(step("1", tool="read", server="b")), catalog=both) == []
    assert found(graph(step("1", tool="read", server="c")), catalog=both) == [("/steps/0/tool", "UNKNOWN_TOOL")]


def test_the_form_tool_calls_a_missing_index_and_numbers_are_read() -> None:
    document = {
        "title": "From another program",
        "created_at": "2026-01-01",
        "steps": [
            {"id": "x", "title": "a", "tool_calls": [{"id": "y", "name": "read", "args": {"p": 1}}]},
            {"index": 2, "title": "b", "tool": "write", "args": {}, "depends_on": [1]},
        ],
    }
    loaded, problems = load(document)
    assert problems == []
    assert loaded
    assert [(each.index, each.tool, each.depends_on) for each in loaded.steps] == [
        ("1", "read", ()),
        ("2", "write", ("1",)),
    ]


def test_batches() -> None:
    def indices(*steps: dict[str, Any]) -> list[list[str]]:
        return [[each["index"] for each in batch] for batch in compute_batches(list(steps))]

    assert indices() == []
    assert indices(step("1")) == [["1"]]
    assert indices(step("1"), step("2", "1")) == [["1"], ["2"]]
    assert indices(*DIAMOND["steps"]) == [["1"], ["2", "3"], ["4"]]


def test_the_text_has_the_signs_of_the_states() -> None:
    text = render_plan_dag(DIAMOND, {"1": "completed", "2": "running", "3": "failed"})
    lines = [line for line in text.splitlines() if line]
    assert [line[0] for line in lines] == ["●", "◉", "✗", "○"]
    assert "∥" in lines[1]
    assert "∥" not in lines[0]
    assert lines[3].endswith("[tool4]          ← after: 2, 3")
    assert text.count("\n\n") == 2


def test_long_titles_are_cut_and_mermaid_escapes_markup() -> None:
    document = graph(step("1", title='<script>"x"</script>' + "y" * 100))
    assert "…" in render_plan_dag(document)
    assert "<script>" not in mermaid(document)
