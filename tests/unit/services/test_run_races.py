"""Ends, silences and workers of a run that come through late: what came first stands."""

from dataclasses import replace
from datetime import timedelta

import pytest

from planloom.domain.watching import Watching
from planloom.services.end_run import end_run
from planloom.services.resume_plan import resume_plan
from planloom.services.stop_plan import stop_plan
from planloom.services.watch_plans import watch_plans
from tests.unit.services.overtaken import Overtaken
from tests.unit.services.walk import begin, deliver, work
from tests.worlds import Fakes, make_fakes


@pytest.fixture
def fakes() -> Fakes:
    return make_fakes()


@pytest.mark.parametrize("status", ["ABORTED", "SUCCEEDED"])
def test_the_end_of_a_run_does_not_end_the_next_one_that_began_meanwhile(fakes: Fakes, status: str) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    stop_plan(fakes.world, "acme", plan.plan_id)
    fakes.files.write(plan.plan_id, "030-report.html", b"<html>", "text/html")
    resumed = Overtaken(fakes.plans, "rewrite", lambda: resume_plan(fakes.world, "acme", plan.plan_id))
    end_run(replace(fakes.world, plans=resumed), plan.plan_id, 1, status)
    now = fakes.plans.get(plan.plan_id)
    assert (now.state, now.run) == ("pending", 2)


def silence(fakes: Fakes) -> None:
    fakes.clock.pass_(seconds=Watching().inactive_after / timedelta(seconds=1) + 1)


def test_a_run_whose_events_are_not_delivered_is_not_taken_for_silent(fakes: Fakes) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    deliver(fakes)
    silence(fakes)
    work(fakes, plan, "purpose")
    assert watch_plans(fakes.world) == {}
    now = fakes.plans.get(plan.plan_id)
    assert (now.state, set(now.steps_finished)) == ("processing", {"001", "004"})
    silence(fakes)
    assert watch_plans(fakes.world) == {plan.plan_id: "inactive"}
