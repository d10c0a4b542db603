"""Stage 027: questions of five readers, answered with figures and a place, or told as what the plan does not say."""

import pytest

from planloom.knowledge.tables import Faq
from planloom.stages.parts.questions_of_people import the
from planloom.stages.parts.questions_outline import reader_of
from planloom.stages.questions_answers import READERS
from tests.unit.stages.finished import finished, text_of
from tests.unit.stages.more_goals import MARATHON, NO_BUDGET
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

ALL = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, "marathon": MARATHON, "no budget": NO_BUDGET}
EVERY_GOAL = pytest.mark.parametrize("prompt", ALL.values(), ids=ALL)


def rows(prompt):
    result = finished(prompt)["questions_answers"]
    return [row for reader in READERS for row in getattr(result, reader.name)]


@EVERY_GOAL
def test_no_question_is_asked_twice(prompt):
    questions = [row.question for row in rows(prompt)]

    assert len(questions) == len(set(questions))


@EVERY_GOAL
def test_every_question_has_a_place_and_what_is_unsaid_an_action(prompt):
    for row in rows(prompt):
        assert row.question[0].isupper()
        assert row.place
        assert row.said or "By " in row.action


@EVERY_GOAL
def test_the_sentence_that_names_the_goal_is_quoted_in_no_answer(prompt):
    opening = prompt[:60]

    assert not [row.question for row in rows(prompt) if f"The goal says: “{opening}" in row.answer]


def test_what_the_goal_says_of_the_oven_stands_beside_the_question_on_it():
    answers = [row.answer for row in rows(CAFE) if "oven" in row.question]

    assert any("The goal says: “Bread is baked on site with a deck oven" in answer for answer in answers)


def test_a_missing_total_leads_the_page_as_what_the_plan_does_not_say():
    text = text_of(NO_BUDGET, "questions_answers")

    assert text.index("## What the plan does not say") < text.index("## The one who must tell others the date")
    assert "No total was found in the goal" in text


def test_the_tables_questions_go_to_the_reader_who_would_ask_them():
    asked = {
        "What does the roof cost in year ten?": "money",
        "Which permit decides the start?": "leave",
        "Who stands in for the cook?": "people",
        "What if the season is lost?": "time",
        "What changes for a visitor?": "use",
    }

    for question, reader in asked.items():
        assert reader_of(Faq(question=question, answer="So.", section="documents")) == reader


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Steering group", "the steering group"),
        ("Both partners", "both partners"),
        ("Each of the partners", "each of the partners"),
        ("The council", "the council"),
    ],
)
def test_a_title_gets_an_article_only_where_it_has_none(title, said):
    assert the(title) == said
