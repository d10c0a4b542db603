"""Drafts of workflows and graphs from implementation plans."""

from typing import Any

import pytest

from planloom.core.errors import InvalidArgument
from planloom.planes.graphs.document import Graph
from planloom.planes.links.implementation_to_graph import graph_of
from planloom.planes.links.implementation_to_workflow import workflow_of
from planloom.planes.workflows.compile import compile_draft


def a_step(number: int, *needs: int, status: str = "todo", **fields: Any) -> dict[str, Any]:
    return {
        "id": f"S{number}",
        "kind": "implementation",
        "title": f"Step {number}",
        "intent": f"Do part {number}",
        "dependsOn": [f"S{need}" for need in needs],
        "actions": [{"type": "create_file", "path": f"part{number}.py", "content": "pass"}],
        "verification": [{"type": "run_command", "command": f"pytest part{number}", "expect": "success"}],
        "ui": {"status": status, "group": "Parts"},
        **fields,
    }


def a_plan(*steps: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {
        "schemaVersion": "1.0.0",
        "planId": "p1",
        "title": "Three parts",
        "goal": "Build three parts",
        "planType": "feature",
        "context": {"repo": "acme/app", "ref": "main", "stack": ["python"]},
        "constraints": {"nonGoals": [], "compat": [], "qualityGates": []},
        "steps": list(steps or (a_step(1), a_step(2, 1), a_step(3, 1, 2))),
        **fields,
    }


def test_steps_become_nodes_in_their_order_and_the_draft_compiles() -> None:
    found = workflow_of(a_plan())
    spec, problems = compile_draft(found.draft)
    assert spec is not None
    assert problems == []
    assert [(each.source, each.target) for each in found.draft.edges] == [("S1", "S2"), ("S1", "S3"), ("S2", "S3")]
    assert (found.draft.entry_node_ids, found.steps) == (("S1",), {"S1": "S1", "S2": "S2", "S3": "S3"})


def test_a_step_is_owned_by_its_lane_or_the_role() -> None:
    lane = a_step(2, ui={"status": "todo", "group": "Parts", "lane": "backend"})
    found = workflow_of(a_plan(a_step(1), lane), role="coder")
    assert [each.owner.ref for each in found.draft.nodes] == ["coder", "backend"]


def test_every_verification_is_a_check_that_its_step_must_pass() -> None:
    both = [
        {"type": "run_command", "command": "make test", "expect": "success"},
        {"type": "add_test", "path": "test_a.py", "kind": "unit"},
    ]
    found = workflow_of(a_plan(a_step(1, verification=both)))
    (node,) = found.draft.nodes
    assert [each.type for each in node.completion_checks] == ["schema", "expression", "expression"]
    assert node.success_criteria == ("`make test` succeeds", "The unit test test_a.py exists and passes")
    assert [each.config["expression"] for each in node.completion_checks[1:]] == [
        "output.verification.v1 = true",
        "output.verification.v2 = true",
    ]


def test_steps_that_are_done_are_left_out_and_nothing_waits_for_them() -> None:
    found = workflow_of(a_plan(a_step(1, status="done"), a_step(2, 1), a_step(3, 1, 2)))
    assert [each.id for each in found.draft.nodes] == ["S2", "S3"]
    assert found.draft.entry_node_ids == ("S2",)
    assert found.notes == ("1 steps are done and left out.",)
    with pytest.raises(InvalidArgument):
        workflow_of(a_plan(a_step(1, status="done")))


def test_a_rollback_is_what_a_failure_asks_for_before_a_resume() -> None:
    rollback = [{"type": "feature_flag_disable", "note": "new_checkout"}, {"type": "revert_commit_strategy"}]
    found = workflow_of(a_plan(a_step(1, rollback=rollback), a_step(2)))
    first, second = found.draft.nodes
    note = (
        "Roll back before you resume. Disable the feature flag of this step: new_checkout. "
        "Revert the commits of this step."
    )
    assert {(each.action, each.note) for each in first.failure_policy} == {("block", note)}
    assert {each.on for each in first.failure_policy} == {"check_failed", "executor_failed", "executor_lost", "timeout"}
    assert second.failure_policy == ()


def test_artifacts_of_a_step_are_deliverables() -> None:
    outputs = [
        {"type": "artifact", "value": "report.html", "kind": "html"},
        {"type": "note", "value": "Looks good"},
        {"type": "artifact", "value": "report.html"},
    ]
    found = workflow_of(a_plan(a_step(1, outputs=outputs)))
    assert [(each.name, each.kind) for each in found.draft.nodes[0].deliverables] == [("report.html", "html")]


def test_a_graph_has_the_steps_that_name_tools_in_the_order_of_the_plan() -> None:
    tools = {
        "S1": {"tool": "build", "server": "ci", "args": {"ref": "main"}},
        "S3": {"tool": "deploy", "args": {"url": "${url}"}, "unknown": 1},
        "S9": {"tool": "nothing"},
        "S2": "no tool",
    }
    graph, left = graph_of(a_plan(metadata={"tools": tools}))
    assert graph == {
        "title": "Three parts",
        "steps": [
            {
                "index": "S1",
                "title": "Step 1",
                "depends_on": [],
                "tool": "build",
                "server": "ci",
                "args": {"ref": "main"},
            },
            {"index": "S3", "title": "Step 3", "depends_on": ["S1"], "tool": "deploy", "args": {"url": "${url}"}},
        ],
    }
    assert left == ("S2",)
    assert [step.index for step in Graph.model_validate(graph).steps] == ["S1", "S3"]


def test_what_waits_for_a_step_without_a_tool_waits_for_what_that_waits_for() -> None:
    plan = a_plan(a_step(1), a_step(2, 1), a_step(3, 2), metadata={"tools": {"S1": {"tool": "a"}, "S3": {"tool": "b"}}})
    graph, _ = graph_of(plan)
    assert [step["depends_on"] for step in graph["steps"]] == [[], ["S1"]]


@pytest.mark.parametrize("metadata", [{}, {"tools": []}, {"tools": {"S1": {"args": {}}}}])
def test_a_plan_without_tools_gives_no_graph(metadata: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        graph_of(a_plan(metadata=metadata))
