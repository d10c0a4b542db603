"""A workflow draft from a strategic plan: it compiles, and every row of the plan that binds work is in it."""

from datetime import UTC, date, datetime

import pytest

from planloom.planes.links.drafted import Drafted
from planloom.planes.links.strategic_to_workflow import DAY_MS, workflow_of
from planloom.planes.strategic.compute.compute import compute
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.results import Schedule
from planloom.planes.workflows.compile import compile_draft
from planloom.planes.workflows.draft import Node
from tests.unit.strategic.compute.sound import sound

NOW = datetime(2026, 1, 10, 9, tzinfo=UTC)


def drafted(spine: Spine | None = None, now: datetime = NOW) -> tuple[Drafted, Schedule]:
    spine = spine or sound()
    schedule = Schedule(spine=spine, computed=compute(spine, runs=20))
    return workflow_of(schedule, "Café", now), schedule


def nodes(found: Drafted) -> dict[str, Node]:
    return {node.id: node for node in found.draft.nodes}


def edges(found: Drafted) -> set[tuple[str, str]]:
    return {(edge.source, edge.target) for edge in found.draft.edges}


def changed(spine: Spine, package_id: str, **fields: object) -> Spine:
    packages = [each.model_copy(update=fields) if each.id == package_id else each for each in spine.packages]
    return spine.model_copy(update={"packages": tuple(packages)})


def test_the_draft_compiles_without_a_problem() -> None:
    spec, problems = compile_draft(drafted()[0].draft)
    assert spec is not None
    assert problems == []


def test_packages_are_actions_of_their_owners_and_decisions_gates_and_approvals_wait_for_people() -> None:
    found, schedule = drafted()
    names = {row.id: getattr(row, "title", None) or getattr(row, "name", "") for row in schedule.spine.rows()}
    shown = {node.id: (node.type, node.owner.executor_type, node.owner.ref) for node in found.draft.nodes}
    for package in schedule.spine.packages:
        assert shown[package.id] == ("action", "user", names[package.owner])
    for approval in schedule.spine.approvals:
        assert shown[approval.id] == ("human-approval", "user", names[approval.party])
    for row in (*schedule.spine.decisions, *schedule.spine.gates):
        assert shown[row.id] == ("human-approval", "user", names[row.decided_by])


def test_work_waits_for_what_the_plan_says_that_it_waits_for() -> None:
    found, schedule = drafted()
    reached = edges(found)
    # a wait may be between the two
    through = {
        (source, end) for source, middle in reached for start, end in reached if middle == start and "-" in middle
    }
    spine = schedule.spine
    for package in spine.packages:
        assert {(need.id, package.id) for need in package.needs if need.kind == "finish_start"} <= reached | through
    for approval in spine.approvals:
        assert {(paper, approval.id) for paper in approval.papers} <= reached
        assert {(approval.id, freed) for freed in approval.frees} <= reached
    for gate in spine.gates:
        assert {(need, gate.id) for need in gate.needs} | {(gate.id, freed) for freed in gate.frees} <= reached
    for decision in spine.decisions:
        assert {(decision.id, freed) for freed in decision.frees} <= reached
    assert all((spine.decisions, spine.gates, spine.approvals))


def test_documents_are_required_deliverables_with_checks() -> None:
    found, schedule = drafted()
    by_node = {node.id: [each.name for each in node.deliverables] for node in found.draft.nodes}
    for approval in schedule.spine.approvals:
        for paper in approval.papers:
            assert f"Papers for {approval.id}" in by_node[paper]
    for deliverable in schedule.spine.deliverables:
        [last] = [name for name, each in by_node.items() if deliverable.title in each]
        ends = {each.id: each.end for each in schedule.computed.packages}
        makers = [each.id for each in schedule.spine.packages if each.deliverable == deliverable.id]
        assert ends[last] == max(ends[name] for name in makers)
    for node in found.draft.nodes:
        assert [each.config for each in node.completion_checks] == [{"name": each.name} for each in node.deliverables]


def test_the_deadline_of_a_package_is_its_time_with_its_slack_from_when_it_is_ready() -> None:
    found, schedule = drafted()
    for dated in schedule.computed.packages:
        timeout = nodes(found)[dated.id].timeout_ms
        assert timeout is not None
        own = (dated.end - dated.start).days + 1
        assert timeout >= own * DAY_MS
        assert (timeout == own * DAY_MS) == (dated.slack <= 0)


def test_a_gate_has_from_its_last_need_to_its_day() -> None:
    found, schedule = drafted()
    gate = schedule.spine.gates[0]
    ends = {each.id: each.end for each in schedule.computed.packages}
    assert gate.day is not None
    left = (gate.day - max(ends[need] for need in gate.needs)).days + 1
    assert nodes(found)[gate.id].timeout_ms == left * DAY_MS


def test_a_refusal_asks_for_another_plan_and_says_what_the_plan_foresees() -> None:
    approvals = [each.model_copy(update={"if_refused": "Build without it"}) for each in sound().approvals]
    found, _ = drafted(sound().model_copy(update={"approvals": tuple(approvals)}))
    rules = nodes(found)[approvals[0].id].failure_policy
    assert ("human_rejected", "replan", "Build without it") in [(each.on, each.action, each.note) for each in rules]


def test_conditions_and_options_are_what_the_person_reads() -> None:
    found, schedule = drafted()
    gate, decision = schedule.spine.gates[0], schedule.spine.decisions[0]
    for condition in gate.conditions:
        assert f"- {condition.measure}: {condition.value}" in nodes(found)[gate.id].instructions
    for option in decision.options:
        assert f"{option.key}. {option.title}" in nodes(found)[decision.id].instructions


def test_what_must_not_start_before_a_day_waits_for_it() -> None:
    found, _ = drafted(changed(sound(), "P2", not_before=date(2026, 6, 1)))
    wait = nodes(found)["P2-not-before"]
    assert (wait.type, wait.wait and wait.wait.until) == ("wait", datetime(2026, 6, 1, tzinfo=UTC))
    assert {("P1", "P2-not-before"), ("P2-not-before", "P2")} <= edges(found)
    assert ("P1", "P2") not in edges(found)
    assert found.steps["P2-not-before"] == "P2"


def test_a_lag_between_two_packages_is_a_wait_in_calendar_days() -> None:
    needs = [r.Need(id="P1", lag=10)]
    found, _ = drafted(changed(sound(), "P2", needs=needs))
    wait = nodes(found)["P2-after-P1"].wait
    assert wait is not None
    assert wait.duration_ms == 14 * DAY_MS


def test_what_may_start_with_another_package_waits_for_what_that_waits_for_and_the_notes_say_so() -> None:
    found, _ = drafted(changed(sound(), "P3", needs=[r.Need(id="P2", kind="start_start")]))
    assert ("P1", "P3") in edges(found)
    assert ("P2", "P3") not in edges(found)
    assert any("P3" in note and "P2" in note for note in found.notes)


def test_a_gate_that_would_wait_for_itself_is_left_out_of_the_order_and_noted() -> None:
    gate = sound().gates[0].model_copy(update={"needs": ["P5"], "frees": ["P5", "P4"]})
    spine = sound()
    schedule = Schedule(spine=spine, computed=compute(spine, runs=20))
    schedule = schedule.model_copy(update={"spine": spine.model_copy(update={"gates": (gate,)})})
    found = workflow_of(schedule, "Café", NOW)
    spec, _ = compile_draft(found.draft)
    assert spec is not None
    assert len(found.notes) == 2


@pytest.mark.parametrize("now", [datetime(2026, 1, 10, tzinfo=UTC), datetime(2031, 1, 1, tzinfo=UTC)])
def test_a_plan_of_the_past_gives_a_draft_that_compiles(now: datetime) -> None:
    spec, problems = compile_draft(drafted(now=now)[0].draft)
    assert spec is not None
    assert problems == []
