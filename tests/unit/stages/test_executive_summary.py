"""The summary is written over the final chapters; without an answer it is computed."""

import asyncio
from dataclasses import replace
from typing import Any

from planloom.models.model import Question
from planloom.stages.context import StageContext
from planloom.stages.executive_summary import STAGE, draft
from planloom.stages.schedule import dates_table
from tests.unit.stages.computed_plans import TEXTS, a_plan, given
from tests.unit.stages.contexts import make_context


def run(context: StageContext) -> Any:
    return asyncio.run(draft(context))


def context(answers: Any, asked: list[Question[Any]] | None = None, review_plan: Any = None, **more: Any) -> Any:
    results = given()
    del results["choice"]
    if review_plan:
        results["review_plan"] = review_plan
    return make_context("executive_summary", results=results, texts=TEXTS, answers=answers, asked=asked, **more)


def test_the_writer_is_shown_the_chapters_and_the_computed_plan() -> None:
    asked: list[Question[Any]] = []
    text = {"sections": [{"heading": "", "text": "It costs {{total_cost}}."}]}
    result = run(context({"executive_summary": text}, asked))

    shown = "\n".join(part.text for part in asked[0].context)
    assert "The used kitchen is bought." in shown
    assert "| N1 |" in shown
    page = STAGE.pages(result)["executive_summary"]
    assert page.startswith("# Executive summary\n\nIt costs EUR 380,270.\n\n## Dates and their odds\n")
    assert "| N1 |" in page


def test_a_date_with_low_odds_is_never_called_kept() -> None:
    plan = a_plan()
    low = [odds.model_copy(update={"chance": 0.2}) for odds in plan.computed.odds]
    table = dates_table(replace(plan, computed=plan.computed.model_copy(update={"odds": tuple(low)})))

    assert {line.split(" | ")[-1].strip("| ") for line in table.splitlines()[2:]} == {
        "is kept as computed, and missed in most runs"
    }


def test_a_lost_summary_is_computed_and_says_so() -> None:
    result = run(context({}))

    assert len(result.missing) == 1
    assert a_plan().spine.frame.objective in result.text


def test_without_a_model_the_summary_is_computed() -> None:
    asked: list[Question[Any]] = []
    result = run(context({}, asked, outline_only=True))

    assert asked == []
    assert "EUR 380,270" in result.text
    assert result.missing == ()


def test_what_cannot_hold_is_shown_and_said_even_where_the_answer_is_lost() -> None:
    asked: list[Question[Any]] = []
    review = given()["review_plan"].model_copy(update={"cannot_hold": ("N1: the hall is late; open without it.",)})
    result = run(context({}, asked, review_plan=review))

    assert any("open without it" in part.text for part in asked[0].context)
    assert "open without it" in result.text
