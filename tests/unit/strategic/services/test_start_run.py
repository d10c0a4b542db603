"""Only so many plans are drafted at once: the others wait, and each starts whatever happens to those before."""

from dataclasses import replace
from datetime import timedelta

import pytest

from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.restarts import retried
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.services.dispatch_run import dispatch_run
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.strategic.services.position_in_queue import position_in_queue
from planloom.planes.strategic.services.repair_plan import repair_plan
from planloom.planes.strategic.services.resume_plan import resume_plan
from planloom.planes.strategic.services.stop_plan import stop_plan
from planloom.planes.strategic.services.wait_for_plan import next_steps
from planloom.planes.strategic.services.watch_plans import START_WITHIN, watch_plans
from planloom.planes.strategic.watch_settings import WatchSettings
from tests.fake_ports import PROMPT, Fakes, make_fakes
from tests.unit.strategic.services.overtaken import Overtaken
from tests.unit.strategic.services.walk import work


@pytest.fixture
def two_at_once() -> Fakes:
    fakes = make_fakes()
    return replace(fakes, ports=replace(fakes.ports, watch_settings=WatchSettings(runs_at_once=2)))


def create(fakes: Fakes, plans: int) -> list[Plan]:
    created = []
    for _ in range(plans):
        fakes.clock.pass_(seconds=1)
        created.append(create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT))
    return created


def started(fakes: Fakes, plans: list[Plan]) -> list[int]:
    """Return which of *plans* have started, by their place, in the order in which they did."""
    places = {plan.plan_id: place for place, plan in enumerate(plans)}
    return [places[plan_id] for plan_id, _, _ in fakes.pipeline.started]


def test_plans_beyond_the_limit_wait_and_start_in_the_order_they_were_asked_for(two_at_once: Fakes) -> None:
    fakes = two_at_once
    plans = create(fakes, 5)
    assert started(fakes, plans) == [0, 1]
    assert all(fakes.plans.get(plan.plan_id).state == "pending" for plan in plans[2:])
    for ended, expected in ((1, [0, 1, 2]), (0, [0, 1, 2, 3]), (3, [0, 1, 2, 3, 4]), (2, [0, 1, 2, 3, 4])):
        end_run(fakes.ports.run_control, plans[ended].plan_id, 1, "FAILED")
        assert started(fakes, plans) == expected


def test_without_a_limit_all_start_at_once() -> None:
    fakes = make_fakes()
    plans = create(fakes, 5)
    assert started(fakes, plans) == [0, 1, 2, 3, 4]


def test_a_plan_that_is_stopped_makes_way_and_one_that_waits_never_starts(two_at_once: Fakes) -> None:
    fakes = two_at_once
    plans = create(fakes, 4)
    assert stop_plan(fakes.ports.run_control, "acme", plans[2].plan_id).state == "stopped"
    assert started(fakes, plans) == [0, 1]
    stop_plan(fakes.ports.run_control, "acme", plans[0].plan_id)
    assert started(fakes, plans) == [0, 1, 3]


def test_the_end_told_twice_frees_one_place(two_at_once: Fakes) -> None:
    fakes = two_at_once
    plans = create(fakes, 5)
    for _ in range(3):
        end_run(fakes.ports.run_control, plans[0].plan_id, 1, "FAILED")
    assert started(fakes, plans) == [0, 1, 2]


def test_a_resumed_plan_waits_behind_those_that_came_before(two_at_once: Fakes) -> None:
    fakes = two_at_once
    plans = create(fakes, 1)
    work(fakes, plans[0], "start")
    stop_plan(fakes.ports.run_control, "acme", plans[0].plan_id)
    plans += create(fakes, 3)
    fakes.clock.pass_(seconds=1)
    resume_plan(fakes.ports.run_control, fakes.ports.models, "acme", plans[0].plan_id)
    assert started(fakes, plans) == [0, 1, 2]
    end_run(fakes.ports.run_control, plans[1].plan_id, 1, "FAILED")
    end_run(fakes.ports.run_control, plans[2].plan_id, 1, "FAILED")
    assert started(fakes, plans) == [0, 1, 2, 3, 0]


def test_a_repeated_request_for_a_plan_that_waits_lets_it_wait(two_at_once: Fakes) -> None:
    fakes = two_at_once
    create(fakes, 2)
    first = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1")
    assert create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT, client_request_id="r1") == first
    assert len(fakes.pipeline.started) == 2


def test_a_crash_before_the_next_was_started_is_healed_by_the_watchdog(two_at_once: Fakes) -> None:
    fakes = two_at_once
    plans = create(fakes, 4)
    fakes.pipeline.broken = True
    assert stop_plan(fakes.ports.run_control, "acme", plans[0].plan_id).state == "stopped", (
        "another's failure is not shown"
    )
    fakes.pipeline.broken = False
    assert started(fakes, plans) == [0, 1]
    fakes.clock.pass_(seconds=START_WITHIN.total_seconds() + 1)
    assert watch_plans(fakes.ports.run_control) == {plans[2].plan_id: "started"}
    assert started(fakes, plans) == [0, 1, 2]


def test_a_turn_that_a_crash_left_taken_is_ended_by_the_watchdog(two_at_once: Fakes) -> None:
    fakes = two_at_once
    fakes.ports.queue.take_slot("9b2f1c0e-0000-4000-8000-00000000abcd-1", 2, fakes.clock())
    plans = create(fakes, 3)
    assert started(fakes, plans) == [0]
    fakes.clock.pass_(minutes=5)
    assert watch_plans(fakes.ports.run_control) == {plans[1].plan_id: "started"}
    assert started(fakes, plans) == [0, 1]


def test_a_plan_that_is_still_being_prepared_is_not_started_by_another_that_ends(two_at_once: Fakes) -> None:
    fakes = two_at_once
    plans = create(fakes, 3)
    stop_plan(fakes.ports.run_control, "acme", plans[2].plan_id)
    # what a retry does first: it has moved the plan, and clears its files before it starts
    begun = retried(fakes.plans.get(plans[2].plan_id), "baseline", fakes.clock(), None)
    assert fakes.plans.restart(begun)
    end_run(fakes.ports.run_control, plans[0].plan_id, 1, "FAILED")
    assert started(fakes, plans) == [0, 1]
    assert dispatch_run(fakes.ports.run_control, begun)
    assert started(fakes, plans) == [0, 1, 2]


def test_a_plan_that_waits_says_its_place_in_line_and_no_other_looks_for_one(two_at_once: Fakes) -> None:
    fakes = two_at_once
    plans = create(fakes, 5)
    assert places(fakes, plans) == [None, None, 1, 2, 3]
    stop_plan(fakes.ports.run_control, "acme", plans[3].plan_id)
    assert places(fakes, plans) == [None, None, 1, None, 2]
    end_run(fakes.ports.run_control, plans[0].plan_id, 1, "FAILED")
    assert places(fakes, plans) == [None, None, None, None, 1]
    unlimited = replace(fakes.ports, watch_settings=WatchSettings(), queue=None)
    assert position_in_queue(unlimited.queue, unlimited.watch_settings, fakes.plans.get(plans[4].plan_id)) is None


def places(fakes: Fakes, plans: list[Plan]) -> list[int | None]:
    """Return the position in the queue of each of *plans*."""
    return [
        position_in_queue(fakes.ports.queue, fakes.ports.watch_settings, fakes.plans.get(plan.plan_id))
        for plan in plans
    ]


def test_what_waits_is_not_stalled_and_says_that_it_waits(two_at_once: Fakes) -> None:
    fakes = two_at_once
    *_, waiting = create(fakes, 3)
    later = fakes.clock() + timedelta(hours=5)
    assert not fakes.ports.watch_settings.stalled(waiting, later)
    assert WatchSettings().stalled(waiting, later), "where nothing waits, a plan that does not start has stalled"
    assert any(
        "at position 1: 2 plans at a time" in step
        for step in next_steps(fakes.ports.watch_settings, fakes.ports.clock, waiting, 5, 1)
    )
    assert not any(
        "at position" in step for step in next_steps(fakes.ports.watch_settings, fakes.ports.clock, waiting, 5, None)
    )
    fakes.clock.pass_(hours=5)
    watch_plans(fakes.ports.run_control)
    assert fakes.plans.get(waiting.plan_id).state == "pending"


def test_a_turn_that_another_gave_is_not_taken_back_by_one_who_looked_before(two_at_once: Fakes) -> None:
    fakes = two_at_once
    plans = create(fakes, 5)

    def meanwhile() -> None:
        stop_plan(fakes.ports.run_control, "acme", plans[1].plan_id)
        work(fakes, plans[2], "start")

    looked = replace(fakes.ports, plans=Overtaken(fakes.plans, "get", meanwhile, plans[2].plan_id))
    end_run(looked.run_control, plans[0].plan_id, 1, "FAILED")
    assert started(fakes, plans) == [0, 1, 2, 3]


def test_a_stop_of_a_plan_that_waits_which_a_crash_cut_is_kept_by_the_watchdog(two_at_once: Fakes) -> None:
    fakes = two_at_once
    *_, waiting = create(fakes, 3)

    def crash() -> None:
        raise ConnectionError

    lost = replace(fakes.ports, pipeline=Overtaken(fakes.pipeline, "stop", crash))
    with pytest.raises(ConnectionError):
        stop_plan(lost.run_control, "acme", waiting.plan_id)
    watch_plans(fakes.ports.run_control)
    assert waiting.plan_id not in str(fakes.ports.queue.read())
    del fakes.plans.plans[waiting.plan_id]
    assert repair_plan(fakes.ports.plan_records, waiting.plan_id).state == "stopped"
