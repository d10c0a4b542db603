"""Changes of plans that have ended are in their log: who asked for them, what was written, what is to be made again."""

from typing import Any

from planloom.planes.strategic.events import ArtifactEdited, StagesInvalidated
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.artifact_versions import undo_edit
from planloom.planes.strategic.services.edit_artifact import edit_artifact
from planloom.planes.strategic.services.invalidate_plan import invalidate_plan
from planloom.planes.strategic.services.read_log import plan_logs_tail
from tests.fake_ports import Fakes
from tests.unit.strategic.services.drafted import completed
from tests.unit.strategic.services.spy import Spy

PATH = "004-2-draft.md"


def told(fakes: Fakes, plan_id: str, last: int) -> list[dict[str, Any]]:
    """Return what the last entries say, and their types."""
    entries = fakes.ports.log.last_events(plan_id, last)
    wanted = ("step", "path", "edited", "reason")
    return [{"type": each.type} | {key: each.data[key] for key in wanted if key in each.data} for each in entries]


def edit(fakes: Fakes, plan: Plan, text: str, **options: Any) -> Plan:
    expected = fakes.files.sha256(plan.plan_id, PATH)
    return edit_artifact(
        fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, PATH, text, expected, **options
    ).plan


def test_an_edit_its_undo_and_an_invalidation_are_logged_and_told(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    edit(fakes, plan, "Mine.\n")
    undo_edit(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, PATH)
    invalidate_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, ["005", "003"])
    written = {"type": "artifact_written", "step": "004-draft", "path": PATH}
    again = {"type": "stage_invalidated", "reason": "plan_invalidate"}
    assert told(fakes, plan.plan_id, 4) == [
        written | {"edited": True, "reason": "plan_artifact_edit"},
        written | {"edited": False, "reason": "plan_artifact_undo"},
        again | {"step": "003-premise_attack"},
        again | {"step": "005-choice"},
    ]
    assert [type(event) for event in fakes.bus.published[-3:]] == [ArtifactEdited, ArtifactEdited, StagesInvalidated]
    last = plan_logs_tail(
        fakes.ports.plan_records, fakes.ports.log, fakes.ports.watch_settings, "acme", plan.plan_id, 2
    )
    assert [line.text for line in last] == [
        "003-premise_attack is to be made again (plan_invalidate)",
        "005-choice is to be made again (plan_invalidate)",
    ]


def test_what_is_told_of_an_edit_on_the_bus_counts_no_second_time(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    edit(fakes, plan, "Mine.\n")
    before = fakes.ports.log.last_events(plan.plan_id, 500)
    assert not fakes.plans.apply(fakes.bus.published[-1])
    assert fakes.ports.log.last_events(plan.plan_id, 500) == before


def test_what_changes_nothing_is_not_logged(stopped: tuple[Fakes, Plan]) -> None:
    fakes, plan = stopped
    before = fakes.ports.log.last_events(plan.plan_id, 500)
    edit(fakes, plan, fakes.files.read(plan.plan_id, PATH).decode())
    invalidate_plan(fakes.ports.run_control, fakes.ports.models, "acme", plan.plan_id, ["004"], dry_run=True)
    assert fakes.ports.log.last_events(plan.plan_id, 500) == before


def test_a_derived_plan_begins_with_the_change_it_was_derived_for() -> None:
    fakes, origin = completed(Spy())
    before = fakes.ports.log.last_events(origin.plan_id, 500)
    derived = edit(fakes, origin, "Mine.\n", start=False)
    again = invalidate_plan(
        fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id, ["016"], start=False
    ).plan
    assert told(fakes, derived.plan_id, 5) == [
        {"type": "state_changed", "reason": "plan_artifact_edit"},
        {
            "type": "artifact_written",
            "step": "004-draft",
            "path": PATH,
            "edited": True,
            "reason": "plan_artifact_edit",
        },
    ]
    assert told(fakes, again.plan_id, 1) == [
        {"type": "stage_invalidated", "step": "016-expert_criticism", "reason": "plan_invalidate"}
    ]
    assert fakes.ports.log.last_events(origin.plan_id, 500) == before
