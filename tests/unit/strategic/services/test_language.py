"""A plan is written in the language of its prompt: every call says so, and no schema changes with it."""

import re

import pytest

from planloom.planes.strategic.facts.language import COMMON, NAMES, SCRIPTS
from planloom.planes.strategic.stages.writing_rules import opening
from tests.unit.strategic.services.recorded import Call, recorded
from tests.unit.strategic.stages.whole import outline
from tests.unit.three_goals import CAFE

GERMAN = (
    "Wir wollen bis 30. September 2028 in Leipzig eine Kindertagesstätte mit 60 Plätzen bauen. Das Budget beträgt "
    "4,2 Millionen Euro, davon 12 % Reserve. Gebaut wird nur von März bis November."
)
FRENCH = (
    "Nous voulons ouvrir une librairie de 90 m² avec un café dans le centre de Nantes avant le 1er septembre 2027. "
    "Notre budget est de 180 000 euros, dont 60 000 euros de nos économies, et le loyer ne doit pas dépasser "
    "1 900 euros par mois."
)
JAPANESE = "2027年5月までに杭州通りに48席の喫茶店を開きたい。予算は2400万円で、家賃は月に25万円を超えないこと。"
GOALS = {"German": GERMAN, "French": FRENCH, "Japanese": JAPANESE}


def bare(call: Call) -> str:
    """Return the shape of the answer alone."""
    return re.sub(r"\s", "", str(call.prompt.schema))


@pytest.mark.parametrize(("name", "goal"), GOALS.items(), ids=GOALS)
def test_every_call_is_told_the_language_of_the_goal_and_shown_the_goal_as_it_is(name: str, goal: str) -> None:
    for call in recorded(goal):
        if call.stage == "start":
            # it reads the goal, in whatever language
            continue
        assert call.prompt.system.endswith(
            f"<goal>\n{goal}\n</goal>\n\nThe goal seems to be in {name}: so is every text of yours."
        ), f"{call.stage}/{call.name}"
        assert "Write in the language of the goal" in call.prompt.system


@pytest.mark.parametrize("goal", GOALS.values(), ids=GOALS)
def test_fields_and_choices_are_the_same_in_every_language(goal: str) -> None:
    english = {call.stage: set[str]() for call in recorded(CAFE)}
    for call in recorded(CAFE):
        english[call.stage].add(bare(call))

    # the words that programs print are asked for in no other language than the goal's, missing rows where some are
    shared = {(call.stage, call.name) for call in recorded(CAFE)}
    other = (call for call in recorded(goal) if (call.stage, call.name) in shared and call.name != "labels")
    assert {c.stage: bare(c) for c in other if bare(c) not in english[c.stage]} == {}


def test_an_english_goal_is_told_no_language() -> None:
    assert opening(CAFE, "en").endswith("</goal>")


def test_every_language_that_can_be_guessed_has_a_name() -> None:
    assert set(NAMES) == set(COMMON) | {language for language, _ in SCRIPTS}


@pytest.mark.parametrize(("name", "goal"), GOALS.items(), ids=GOALS)
def test_a_report_without_a_model_owns_that_it_is_in_english(name: str, goal: str) -> None:
    notice = f"The goal seems to be in {name}. Without a language model planloom writes English alone"

    assert notice in outline(goal)["report"].html
    assert "planloom writes English alone" not in outline(CAFE)["report"].html
