"""An implementation plan from a finished strategic plan: packages, order, dates, owners and risks, linked both ways."""

from functools import cache
from typing import Any

import pytest

from planloom.core.errors import PermissionDenied, PipelineVersionMismatch, PlanNotCompleted
from planloom.planes.implementation.services.read_implementation_plan import read_implementation_plan
from planloom.planes.links.implementation_from_plan import (
    SCHEDULE_FILE,
    START_FILE,
    draft_from_strategic_plan,
    plans_made_from,
)
from planloom.planes.strategic.compute.compute import compute
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.stages.results import Schedule
from planloom.planes.strategic.stages.start import Start
from tests.fake_ports import Fakes, make_fakes
from tests.unit.strategic.compute.sound import sound
from tests.unit.strategic.quality.plans import GOAL, facts


@cache
def scheduled() -> Schedule:
    spine = sound()
    return Schedule(spine=spine, computed=compute(spine, runs=50))


def finish(fakes: Fakes, schedule: str) -> Plan:
    """Return a completed strategic plan of account acme whose schedule is *schedule*, as JSON; empty: it has none."""
    plan = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", GOAL)
    start = Start(today=scheduled().spine.frame.start, facts=facts(), archetype="general", label="an undertaking")
    for path, content in ((START_FILE, start.model_dump_json()), (SCHEDULE_FILE, schedule)):
        if content:
            fakes.files.write(plan.plan_id, path, content.encode(), "application/json")
    fakes.plans.plans[plan.plan_id] = plan.model_copy(update={"state": "completed"})
    return fakes.plans.plans[plan.plan_id]


@cache
def completed() -> tuple[Fakes, str]:
    """Fakes with one finished strategic plan of account acme."""
    fakes = make_fakes()
    return fakes, finish(fakes, scheduled().model_dump_json()).plan_id


@cache
def made() -> tuple[dict[str, Any], Any]:
    fakes, source = completed()
    saved = draft_from_strategic_plan(fakes.ports.plan_records, fakes.ports.implementation_plans, "acme", source)
    return read_implementation_plan(fakes.ports.implementation_plans, "acme", saved.view.plan_id)[1].plan, saved


def test_each_package_is_a_step_of_a_plan_that_is_valid_and_draws_no_warning() -> None:
    plan, saved = made()

    assert saved.validation.warnings == ()
    assert plan["title"] == facts().title
    assert plan["goal"] == GOAL
    assert {fact["package"] for fact in plan["metadata"]["tasks"].values()} == {
        p.id for p in scheduled().spine.packages
    }


def test_the_two_plans_are_linked_both_ways() -> None:
    plan, saved = made()
    fakes, source = completed()

    assert plan["metadata"]["origin"] == {"type": "strategic-plan", "planId": source, "run": 1}
    assert saved.view.made_from == source
    assert saved.view.plan_id in [
        each.plan_id for each in plans_made_from(fakes.ports.plan_records, fakes.ports.registry, "acme", source)
    ]


def test_a_strategic_plan_that_is_deleted_is_linked_no_more_and_what_was_made_from_it_stays() -> None:
    plan, saved = made()
    fakes, source = completed()
    kept = fakes.plans.plans.pop(source)
    try:
        view, document = read_implementation_plan(fakes.ports.implementation_plans, "acme", saved.view.plan_id)
        assert (view.made_from, document.plan) == (None, plan)
        assert document.revision.source == {"origin": f"strategic-plan/{source}/run-1"}
    finally:
        fakes.plans.plans[source] = kept
    assert read_implementation_plan(fakes.ports.implementation_plans, "acme", saved.view.plan_id)[0].made_from == source


def test_a_repeat_with_the_same_request_id_is_the_same_plan() -> None:
    fakes, source = completed()

    first = draft_from_strategic_plan(
        fakes.ports.plan_records, fakes.ports.implementation_plans, "acme", source, {"repo": "cafe"}, "once"
    )
    again = draft_from_strategic_plan(
        fakes.ports.plan_records, fakes.ports.implementation_plans, "acme", source, {"repo": "cafe"}, "once"
    )
    assert (first.view.plan_id, first.view.repo) == (again.view.plan_id, "cafe")


@pytest.mark.parametrize("schedule", ["", '{"tasks": [], "start": "2026-11-02"}'], ids=["missing", "another shape"])
def test_a_plan_of_an_older_pipeline_is_refused_and_nothing_is_stored(schedule: str) -> None:
    fakes = make_fakes()
    plan = finish(fakes, schedule)

    with pytest.raises(PipelineVersionMismatch, match="plan_create"):
        draft_from_strategic_plan(fakes.ports.plan_records, fakes.ports.implementation_plans, "acme", plan.plan_id)
    assert fakes.registry.documents == {}


def test_a_strategic_plan_of_another_account_or_unfinished_is_refused_and_nothing_is_stored() -> None:
    fakes, source = completed()
    before = dict(fakes.registry.documents)
    with pytest.raises(PermissionDenied):
        draft_from_strategic_plan(fakes.ports.plan_records, fakes.ports.implementation_plans, "other", source)
    with pytest.raises(PermissionDenied):
        plans_made_from(fakes.ports.plan_records, fakes.ports.registry, "other", source)
    assert fakes.registry.documents == before

    unfinished = make_fakes()
    with pytest.raises(PlanNotCompleted):
        draft_from_strategic_plan(
            unfinished.ports.plan_records,
            unfinished.ports.implementation_plans,
            "acme",
            create_plan(unfinished.ports.run_control, unfinished.ports.models, "acme", GOAL).plan_id,
        )
    assert unfinished.registry.documents == {}
