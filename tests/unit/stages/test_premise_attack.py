"""Five attacks, one for each lens, each with a test, a result that kills, a role and a day."""

from typing import get_args

from planloom.knowledge.brief import make_brief
from planloom.knowledge.gates import gate_day
from planloom.stages.premise_attack import Attack, LensName, PremiseAttack
from tests.unit.stages.drafting import TODAY, draft
from tests.unit.stages.sections import page_of, section
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP


def attacks(prompt: str) -> dict[str, Attack]:
    found = section(prompt, "premise_attack")
    assert isinstance(found, PremiseAttack)
    return {attack.lens: attack for attack in found.attacks}


def test_each_lens_attacks_once_and_says_something_else() -> None:
    for prompt in (CAFE, FLOOD_WALL, NURSE_APP):
        found = attacks(prompt)
        assert tuple(found) == get_args(LensName)
        assert len({attack.attack for attack in found.values()}) == 5
        assert len({attack.test for attack in found.values()}) == 5


def test_the_attack_counts_with_the_numbers_of_the_goal() -> None:
    assert "180 paying customers a day on 48 seats is 3.75 per seat and day" in attacks(CAFE)["need"].attack
    assert "EUR 150,000, 62% of the budget" in attacks(CAFE)["belief"].attack
    assert "549 of the 1004 calendar days" in attacks(FLOOD_WALL)["belief"].attack
    assert "growth by a factor of 15" in attacks(NURSE_APP)["need"].attack


def test_whoever_can_stop_it_is_attacked_by_name() -> None:
    assert "the national coastal authority need only not decide" in attacks(FLOOD_WALL)["opposition"].attack
    assert "clinical safety officer" in attacks(NURSE_APP)["opposition"].attack


def test_a_premise_that_the_goal_leaves_unsaid_is_shaky_at_best() -> None:
    assert attacks(CAFE)["belief"].verdict == "shaky"


def test_tests_are_done_before_the_first_gate() -> None:
    brief = make_brief(FLOOD_WALL, read_facts(FLOOD_WALL, TODAY), TODAY)
    assert all(attack.by < gate_day(brief, "prepare") for attack in attacks(FLOOD_WALL).values())


def test_the_page_shows_every_verdict_with_what_would_kill_the_premise() -> None:
    page = page_of(CAFE, "premise_attack")
    assert all(attack.kills in page and attack.evidence in page for attack in attacks(CAFE).values())


def test_a_goal_of_six_words_is_attacked_through_every_lens() -> None:
    drafted = draft("Found a choir in our village.", "premise_attack")["premise_attack"]
    assert isinstance(drafted, PremiseAttack)
    assert [attack.lens for attack in drafted.attacks] == list(get_args(LensName))
