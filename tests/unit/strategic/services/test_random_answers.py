"""Models that answer at random complete plans: what fits no plan is repaired, what fits no schema is left out."""

import pytest

from bench.stub_random import RandomAnswerer, RandomChat, Schema
from planloom.planes.strategic.example_prompts import example_prompts
from planloom.planes.strategic.stages.pipeline import PIPELINE
from tests.thorough import THOROUGH
from tests.unit.strategic.services.random_plans import RandomPlan
from tests.unit.strategic.services.strange_goals import STRANGE

#: Without this answer a run ends; every other call may lose its own.
REQUIRED = frozenset({"WholePlan", "Index"})
#: What a schema cannot say: that each lens has its attack and each finding its decision.
INCOMPLETE = {"premise_attack", "review_plan"}
ODD = ("one word", "German", "Chinese", "markup", "emoji", "past deadline", "no money at all", "very long title")
GOALS = [*(sample["prompt"] for sample in example_prompts()), *(STRANGE[name] for name in ODD)]

SEEDS = range(20) if THOROUGH else (0,)


@pytest.fixture(autouse=True)
def short_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give lists four items more than they must have: most of the time goes into the longest."""
    size = RandomAnswerer._size

    def short(answerer: RandomAnswerer, schema: Schema, of: str, span: int) -> int:
        least = schema.get(f"min{of}", 0)
        return size(answerer, schema | {f"max{of}": min(least + 4, schema.get(f"max{of}", least + 4))}, of, span)

    def either(answerer: RandomAnswerer, schema: Schema, of: str, span: int) -> int:
        return short(answerer, schema, of, span) if of == "Items" else size(answerer, schema, of, span)

    if not THOROUGH:
        monkeypatch.setattr(RandomAnswerer, "_size", either)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_answers_that_their_schemas_allow_make_a_whole_plan(seed: int) -> None:
    plan = RandomPlan(GOALS[seed], RandomChat(seed)).run()

    assert plan.failed is None
    assert plan.finished == {stage.name for stage in PIPELINE}
    assert set(plan.missing) <= INCOMPLETE


@pytest.mark.parametrize("seed", SEEDS)
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
    chats = [RandomChat(seed, broken=0.1, spared=REQUIRED) for seed in (7, 7, 8)]
    plans = [RandomPlan(GOALS[0], chat).run(upto="draft").section("draft") for chat in chats]

    assert plans[0] == plans[1] != plans[2]
