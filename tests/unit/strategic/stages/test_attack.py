"""Critics chosen for the goal attack the plan beside the premortem."""

import asyncio
from typing import Any

from planloom.models.model import Question
from planloom.planes.strategic.stages.attack import STAGE, USUAL
from planloom.planes.strategic.stages.results import Criticism, Repaired
from tests.unit.strategic.stages.contexts import make_context
from tests.unit.strategic.stages.plans import CHOICE, SPINE

RESULTS = {"repair": Repaired(spine=SPINE), "choice": CHOICE}
CRITICS = {
    "critics": [
        {"who": "a ferry master", "because": "P3 rests on two skippers", "question": "Who relieves R2?"},
        {"who": "the water authority", "because": "P1", "question": "Which permit?"},
    ]
}
STORY = {
    "title": "No water",
    "kind": "technology",
    "story": "The river fell and the ferry stayed on land.",
    "chain": ["Low water in July", "No crossing"],
    "warning": "Gauge below 120 cm for a week",
    "tripwire": "110 cm",
    "containment": "A bus runs",
    "owner": "Skipper",
}


def finding(text: str, *ids: str, severity: str = "medium", **fields: Any) -> dict[str, Any]:
    return {"ids": list(ids), "text": text, "severity": severity, "place": "P3", **fields}


def answers(first: list[dict[str, Any]], second: list[dict[str, Any]] | None, **more: Any) -> dict[str, Any]:
    lost = {} if second is None else {"critic-2": {"findings": second}}
    return {"critics": CRITICS, "critic-1": {"findings": first}, "premortem": {"stories": [STORY]}, **lost, **more}


def criticised(**context: Any) -> Criticism:
    return asyncio.run(STAGE.draft(make_context("expert_criticism", results=RESULTS, **context)))


def test_each_critic_is_shown_the_whole_plan_in_the_same_words_and_last_who_it_is() -> None:
    asked: list[Question[Any]] = []
    criticised(answers=answers([], []), asked=asked)
    by_name = {question.name: question for question in asked}
    assert by_name.keys() == {"critics", "critic-1", "critic-2", "premortem"}
    shared = by_name["critics"].context
    assert by_name["premortem"].context == by_name["critic-1"].context[:-2] == shared
    assert by_name["critic-1"].context[:-1] == by_name["critic-2"].context[:-1]
    assert "Who relieves R2?" in by_name["critic-2"].context[-2].text
    assert "Who relieves R2?" in by_name["critic-1"].context[-1].text
    assert "twelve bicycles" in shared[1].text
    assert [part.by_id for part in shared] == [False, False, True, True, True]


def test_findings_are_numbered_with_the_severe_ones_first_and_name_rows_that_are_there() -> None:
    first = [finding("Two skippers cannot cover seven days.", "P3", "R2", "P99")]
    second = [finding("The landing needs a water permit first.", "P1", severity="high")]
    result = criticised(answers=answers(first, second))
    assert [(f.id, f.critic, f.ids) for f in result.findings] == [
        ("E1", "the water authority", ("P1",)),
        ("E2", "a ferry master", ("P3", "R2")),
    ]


def test_a_critic_whose_answer_is_lost_is_left_out_and_named() -> None:
    result = criticised(answers=answers([finding("Two skippers cannot cover it.", "R2")], None))
    assert len(result.findings) == 1
    assert len(result.missing) == 1
    assert "the water authority" in result.missing[0]


def test_the_usual_critics_are_asked_where_the_choice_is_lost() -> None:
    asked: list[Question[Any]] = []
    given = answers([finding("Two skippers cannot cover it.", "R2")], [])
    del given["critics"]
    result = criticised(answers=given, asked=asked)
    assert sum(question.name.startswith("critic-") for question in asked) == len(USUAL)
    assert len(result.critics) == len(USUAL)
    assert len(result.findings) == 1


def test_the_pages_show_findings_with_their_advice_and_stories_with_their_tripwires() -> None:
    pages = STAGE.pages(
        criticised(answers=answers([finding("Too few skippers.", "R2", advice="Hire a third", price="EUR 40,000")], []))
    )
    assert "Hire a third" in pages["expert_criticism"]
    assert "EUR 40,000" in pages["expert_criticism"]
    assert "110 cm" in pages["premortem"]


def test_a_lost_premortem_leaves_the_criticism() -> None:
    result = criticised(answers=answers([finding("Too few skippers.", "R2")], [], premortem=None))
    assert result.stories == ()
    assert len(result.findings) == 1
    assert "premortem" in result.missing[0]


def test_without_a_model_nothing_is_asked_and_both_pages_say_what_belongs_there() -> None:
    asked: list[Question[Any]] = []
    result = criticised(outline_only=True, asked=asked)
    assert asked == []
    assert result == Criticism()
    assert all(len(page.strip().splitlines()) == 4 for page in STAGE.pages(result).values())
