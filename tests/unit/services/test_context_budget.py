"""What a plan sends to its models: held per stage and in whole, and shared text first."""

import pytest

from bench.prefixes import alike, in_common_prefix
from planloom.api.example_prompts import example_prompts
from planloom.drafting.house_rules import opening
from planloom.stages.settled import TITLE
from tests.unit.services.recorded import Call, filled_in, recorded
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP}
EXAMPLE = example_prompts()[0]["prompt"]

#: The most characters of one call of each stage beside what all calls share: instructions, claims, excerpts.
MOST = {
    "start": 7_000,
    "screening": 3_000,
    "premise_attack": 2_000,
    "purpose": 2_500,
    "levers": 10_000,
    "scenarios": 7_750,
    "locations": 5_000,
    "risks": 12_250,
    "assumptions": 9_250,
    "pre_project_assessment": 14_250,
    "project_plan": 12_500,
    "governance": 9_000,
    "related_resources": 11_250,
    "team": 12_250,
    "swot_analysis": 13_000,
    "expert_criticism": 11_750,
    "data_collection": 13_250,
    "documents": 11_250,
    "wbs": 16_250,
    "pitch": 15_000,
    "task_dependencies": 10_250,
    "task_durations": 8_000,
    "wbs_level3": 8_000,
    "review_plan": 15_000,
    "questions_answers": 13_500,
    "premortem": 14_750,
    "executive_summary": 22_000,
    "self_audit": 15_750,
}


def own(call: Call) -> int:
    return len(call.prompt.user)


@pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)
def test_no_call_of_a_stage_is_longer_than_that_stage_may_send(goal: str) -> None:
    calls = recorded(goal)

    assert {call.stage for call in calls} <= set(MOST)
    assert {f"{c.stage}/{c.name}": own(c) for c in calls if own(c) > MOST[c.stage]} == {}


def test_a_plan_sends_less_than_it_may_in_at_least_as_many_calls_as_it_must() -> None:
    calls = recorded(EXAMPLE, filled_in)

    assert len(calls) >= 90
    # claims in words come to 7,000 characters towards the end: most of it is in common with the call before
    assert sum(call.characters for call in calls) <= 1_750_000


@pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)
def test_all_calls_of_a_plan_begin_with_the_same_rules_and_goal(goal: str) -> None:
    assert {call.prompt.system for call in recorded(goal) if call.stage != "start"} == {opening(goal, "en")}


@pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)
def test_calls_of_a_stage_that_run_side_by_side_share_more_than_the_goal(goal: str) -> None:
    by_stage: dict[str, list[str]] = {}
    for call in (each for each in recorded(goal) if each.stage != "start"):
        by_stage.setdefault(call.stage, []).append(call.prompt.user)

    for stage, users in by_stage.items():
        assert all(user.startswith(f'<material title="{TITLE}">') for user in users), stage
        # the claims to their end, at least
        assert min(alike(users[0], user) for user in users) >= users[0].index("</material>"), stage


def test_half_of_what_is_sent_has_been_sent_before() -> None:
    texts = [call.prompt.system + call.prompt.user for call in recorded(EXAMPLE, filled_in)]

    assert in_common_prefix(texts) > 0.5 * sum(map(len, texts))
