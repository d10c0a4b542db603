"""What a plan sends to its models: held per call and in whole, and shared text first."""

from itertools import pairwise

import pytest

from bench.prefixes import alike, in_common_prefix
from bench.stub_answers import Answerer
from planloom.planes.strategic.example_prompts import example_prompts
from planloom.planes.strategic.stages.writing_rules import opening
from tests.thorough import THOROUGH
from tests.unit.strategic.services.recorded import Call, recorded
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = {"cafe": CAFE} | ({"flood wall": FLOOD_WALL, "nurse app": NURSE_APP} if THOROUGH else {})
EXAMPLE = example_prompts()[0]["prompt"]

#: The most characters that a call sends while every field is filled about half, as no real answer fills them: a model
#: reads 200,000 tokens at least.
MOST = 550_000
MOST_OF_A_PLAN = 12_500_000
#: Stages whose calls begin with the goal alone: the one reads it, each of the others asks once.
FIRST = ("start", "screening", "premise_attack")


def half_filled() -> tuple[Call, ...]:
    return recorded(EXAMPLE, Answerer)


def test_a_plan_sends_no_more_than_models_read_in_at_most_eighty_calls() -> None:
    calls = half_filled()

    assert {f"{c.stage}/{c.name}": c.characters for c in calls if c.characters > MOST} == {}
    assert len(calls) <= 80
    assert sum(call.characters for call in calls) <= MOST_OF_A_PLAN


def test_three_quarters_of_what_is_sent_have_been_sent_before() -> None:
    texts = [call.prompt.system + call.prompt.user for call in half_filled()]

    assert in_common_prefix(texts) > 0.75 * sum(map(len, texts))


@pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)
def test_all_calls_of_a_plan_begin_with_the_same_rules_and_goal(goal: str) -> None:
    assert {call.prompt.system for call in recorded(goal) if call.stage != "start"} == {opening(goal, "en")}


@pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)
def test_each_call_after_the_first_stage_begins_with_the_facts(goal: str) -> None:
    calls = [call for call in recorded(goal) if call.stage != "start"]
    facts = calls[0].prompt.material

    assert all(call.prompt.user.startswith(facts) for call in calls)


@pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)
def test_calls_of_a_stage_that_run_side_by_side_share_more_than_the_facts(goal: str) -> None:
    by_stage: dict[str, list[str]] = {}
    for call in recorded(goal):
        if call.stage not in FIRST:
            by_stage.setdefault(call.stage, []).append(call.prompt.user)

    for stage, users in by_stage.items():
        parts = users[0].count("</material>")
        assert parts > 1, stage
        assert min((alike(one, other) for one, other in pairwise(users)), default=10**9) > users[0].index("</material>")
