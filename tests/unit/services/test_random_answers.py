"""Models that answer at random complete plans: what fits no plan is repaired, what fits no schema is left out."""

import pytest

from bench.stub_random import RandomChat
from planloom.api.example_prompts import example_prompts
from planloom.drafting.pipeline import PIPELINE
from tests.thorough import sampled
from tests.unit.services.random_plans import RandomPlan
from tests.unit.stages.test_any_prompt import STRANGE

#: Without this answer a run ends; every other call may lose its own.
REQUIRED = frozenset({"PlanAnswer"})
ODD = ("one word", "German", "Chinese", "markup", "emoji", "past deadline", "no money at all", "very long title")
GOALS = [*(sample["prompt"] for sample in example_prompts()), *(STRANGE[name] for name in ODD)]


@pytest.mark.parametrize("seed", sampled(range(20), every=7))
def test_random_answers_that_their_schemas_allow_make_a_whole_plan(seed: int) -> None:
    plan = RandomPlan(GOALS[seed], RandomChat(seed)).run()

    assert plan.failed is None
    assert plan.finished == {stage.name for stage in PIPELINE}
    # what a schema cannot say is asked for again; hardly anything is lost
    assert sum(map(len, plan.missing.values())) <= 1


@pytest.mark.parametrize("seed", sampled(range(20), every=10))
def test_where_one_call_in_ten_is_never_answered_right_the_sections_say_what_is_missing(seed: int) -> None:
    plan = RandomPlan(GOALS[seed], RandomChat(seed, broken=0.1, spared=REQUIRED)).run()

    assert plan.failed is None
    assert plan.finished == {stage.name for stage in PIPELINE}
    assert plan.missing
    for name, sentences in plan.missing.items():
        assert all(f"> **Missing.** {sentence}" in plan.section(name) for sentence in sentences)


def test_a_plan_of_which_half_of_the_answers_are_lost_is_completed_and_their_cost_is_counted() -> None:
    plan = RandomPlan(GOALS[3], RandomChat(3, broken=0.5, spared=REQUIRED)).run()

    assert plan.failed is None
    assert sum(plan.record(name).usage.calls for name in plan.finished) == plan.chat.replies


def test_answers_at_random_are_the_same_for_the_same_seed() -> None:
    chats = [RandomChat(7, broken=0.1), RandomChat(7, broken=0.1), RandomChat(8, broken=0.1)]
    plans = [RandomPlan(GOALS[0], chat).run(upto="purpose").section("purpose") for chat in chats]

    assert plans[0] == plans[1] != plans[2]
