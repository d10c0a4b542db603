"""The graph of a plan: the state of each step, and the same as Mermaid."""

from datetime import UTC, datetime, timedelta

import pytest

from planloom.core.artifacts import artifact
from planloom.planes.strategic.pipeline_map import CURRENT
from planloom.planes.strategic.plan_graph import Graph, NodeState, graph_of, mermaid_of
from planloom.planes.strategic.plans import PIPELINE_VERSION, Failure, Plan, PlanState
from planloom.planes.strategic.steps import StepRecord

NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)
LATER = NOW + timedelta(minutes=1)
MADE = [artifact("001-1-start.json", b"{}", NOW), artifact("001-2-plan.txt", b"Goal.", NOW)]


def plan(state: PlanState = "processing", run: int = 1, failed: str | None = None) -> Plan:
    failure = Failure(failure_reason="generation_error", failed_step=failed, message="No.", recoverable=True)
    return Plan(
        plan_id="p",
        account="acme",
        prompt_excerpt="Goal.",
        model_profile="baseline",
        state=state,
        run=run,
        pipeline_version=PIPELINE_VERSION,
        created_at=NOW,
        steps_started={"001": NOW, "002": NOW},
        steps_finished={"001": 2},
        failure=failure if failed else None,
    )


def record(run: int = 1) -> StepRecord:
    return StepRecord(key="001", name="start", run=run, fingerprint="f", started_at=NOW, ended_at=LATER)


def state_of(graph: Graph, name: str) -> NodeState:
    return next(node.state for node in graph.nodes if node.name == name)


def test_every_step_is_a_node_and_every_need_an_edge() -> None:
    graph = graph_of(plan(), [record()], MADE)
    assert [node.name for node in graph.nodes] == [step.name for step in CURRENT]
    assert set(graph.edges) == {(need, step.name) for step in CURRENT for need in step.needs}


def test_a_finished_step_has_its_times_and_files() -> None:
    node = graph_of(plan(), [record()], MADE).nodes[0]
    assert (node.state, node.started_at, node.ended_at) == ("finished", NOW, LATER)
    assert node.files == ("001-1-start.json", "001-2-plan.txt")


def test_a_step_under_way_has_no_end() -> None:
    node = graph_of(plan(), [record()], MADE).nodes[1]
    assert (node.state, node.started_at, node.ended_at, node.files) == ("running", NOW, None, ())


@pytest.mark.parametrize(
    ("found", "name", "state"),
    [
        (plan(), "draft", "waiting"),
        (plan("stopped"), "screening", "waiting"),
        (plan("failed", failed="002-screening"), "screening", "failed"),
        (plan("failed", failed="002-screening"), "start", "finished"),
        (plan(run=2), "start", "skipped"),
        (plan(run=2).model_copy(update={"steps_started": {}}), "start", "finished"),
    ],
)
def test_how_a_step_stands(found: Plan, name: str, state: NodeState) -> None:
    assert state_of(graph_of(found, [record()], MADE), name) == state


def test_mermaid_draws_every_node_with_its_state_and_every_edge() -> None:
    graph = graph_of(plan(), [record()], MADE)
    lines = mermaid_of(graph).splitlines()
    assert lines[0] == "flowchart LR"
    assert '  s001["001 Start"]:::finished' in lines
    assert '  s002["002 Screening"]:::running' in lines
    assert "  s001 --> s002" in lines
    assert sum(" --> " in line for line in lines) == len(graph.edges)
    assert sum(":::" in line for line in lines) == len(graph.nodes)
    used = {line.rpartition(":::")[2] for line in lines if ":::" in line}
    assert used <= {line.split()[1] for line in lines if "classDef" in line}
