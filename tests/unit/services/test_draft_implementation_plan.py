"""An implementation plan from a finished strategic plan: tasks, order, dates, owners and risks, linked both ways."""

from datetime import date
from functools import cache
from typing import Any

import pytest

from planloom.domain.errors import PermissionDenied, PlanNotCompleted
from planloom.services.draft_implementation_plan import draft_from_strategic_plan
from planloom.services.end_run import end_run
from planloom.services.list_implementation_plans import plans_made_from
from planloom.services.read_implementation_plan import read_implementation_plan
from planloom.stages import risks, schedule
from planloom.stages.parts.schedule_result import Schedule
from tests.unit.services.walk import begin, in_order, work
from tests.worlds import Fakes, make_fakes


@cache
def completed() -> tuple[Fakes, str]:
    """A world with one finished strategic plan of account acme."""
    fakes = make_fakes()
    plan = begin(fakes)
    work(fakes, plan, *in_order())
    end_run(fakes.world, plan.plan_id, 1, "SUCCEEDED")
    return fakes, plan.plan_id


@cache
def made() -> tuple[dict[str, Any], Schedule, Any]:
    fakes, source = completed()
    saved = draft_from_strategic_plan(fakes.world, "acme", source)
    document = read_implementation_plan(fakes.world, "acme", saved.view.plan_id)[1]
    computed = Schedule.model_validate_json(fakes.files.read(source, schedule.STAGE.json_path) or b"")
    return document.plan, computed, saved


def test_each_task_of_the_work_breakdown_is_a_step_that_is_valid_and_draws_no_warning() -> None:
    plan, computed, saved = made()
    assert saved.validation.warnings == ()
    assert [step["notes"].split(",")[0] for step in plan["steps"]] == [leaf.id for leaf in computed.leaves]
    titles = [
        (step["title"].removesuffix("…"), leaf.title) for step, leaf in zip(plan["steps"], computed.leaves, strict=True)
    ]
    assert all(whole.startswith(title) for title, whole in titles)
    assert any(title == whole for title, whole in titles)
    assert [step["ui"]["lane"] for step in plan["steps"]] == [leaf.owner for leaf in computed.leaves]


def test_steps_wait_as_their_packages_do() -> None:
    plan, computed, _ = made()
    of_step = {f"S{n}": leaf for n, leaf in enumerate(computed.leaves, 1)}
    packages = {task.id: task for task in computed.tasks}
    crossing = set()
    for step in plan["steps"]:
        leaf = of_step[step["id"]]
        for name in step["dependsOn"]:
            earlier = of_step[name]
            # two that follow one another may share a day, where a package has less than a day for each
            assert earlier.end <= leaf.start or earlier.task == leaf.task
            if earlier.task != leaf.task:
                crossing.add((earlier.task, leaf.task))
    assert crossing == {(before, task.id) for task in packages.values() for before in task.predecessors}


def test_dates_durations_slack_owners_and_risks_are_carried_over() -> None:
    plan, computed, _ = made()
    fakes, source = completed()
    first, task = computed.leaves[0], computed.tasks[0]
    assert plan["metadata"]["tasks"]["S1"] == {
        "wbs": first.id,
        "owner": first.owner,
        "start": first.start.isoformat(),
        "end": first.end.isoformat(),
        "package": {
            "id": task.id,
            "title": task.title,
            "owner": task.owner,
            "workingDays": task.duration,
            "optimistic": task.optimistic,
            "likely": task.likely,
            "pessimistic": task.pessimistic,
        },
        "totalSlack": task.total_slack,
        "critical": task.critical,
    }
    register = risks.RiskRegister.model_validate_json(fakes.files.read(source, risks.STAGE.json_path) or b"")
    assert [(risk["id"], risk["title"]) for risk in plan["risks"]] == [(r.id, r.title) for r in register.risks]
    assert {risk["level"] for risk in plan["risks"]} <= {"low", "medium", "high"}
    assert date.fromisoformat(plan["metadata"]["schedule"]["end"]) == computed.end


def test_the_two_plans_are_linked_both_ways() -> None:
    plan, _, saved = made()
    fakes, source = completed()
    assert plan["metadata"]["origin"] == {"type": "strategic-plan", "planId": source, "run": 1}
    assert saved.view.made_from == source
    assert saved.view.plan_id in [each.plan_id for each in plans_made_from(fakes.world, "acme", source)]


def test_a_strategic_plan_that_is_deleted_is_linked_no_more_and_what_was_made_from_it_stays() -> None:
    plan, _, saved = made()
    fakes, source = completed()
    kept = fakes.plans.plans.pop(source)
    try:
        view, document = read_implementation_plan(fakes.world, "acme", saved.view.plan_id)
        assert (view.made_from, document.plan) == (None, plan)
        assert document.revision.source == {"origin": f"strategic-plan/{source}/run-1"}
    finally:
        fakes.plans.plans[source] = kept
    assert read_implementation_plan(fakes.world, "acme", saved.view.plan_id)[0].made_from == source


def test_a_repeat_with_the_same_request_id_is_the_same_plan() -> None:
    fakes, source = completed()
    first = draft_from_strategic_plan(fakes.world, "acme", source, {"repo": "cafe"}, "once")
    again = draft_from_strategic_plan(fakes.world, "acme", source, {"repo": "cafe"}, "once")
    assert (first.view.plan_id, first.view.repo) == (again.view.plan_id, "cafe")


def test_a_strategic_plan_of_another_account_or_unfinished_is_refused_and_nothing_is_stored() -> None:
    fakes, source = completed()
    before = dict(fakes.registry.documents)
    with pytest.raises(PermissionDenied):
        draft_from_strategic_plan(fakes.world, "other", source)
    with pytest.raises(PermissionDenied):
        plans_made_from(fakes.world, "other", source)
    assert fakes.registry.documents == before

    unfinished = make_fakes()
    with pytest.raises(PlanNotCompleted):
        draft_from_strategic_plan(unfinished.world, "acme", begin(unfinished).plan_id)
    assert unfinished.registry.documents == {}
