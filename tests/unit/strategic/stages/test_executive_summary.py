"""The summary is the first section of the document with the dates below it; without a model it is computed."""

import asyncio
from dataclasses import replace
from typing import Any

from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.executive_summary import STAGE, draft
from planloom.planes.strategic.stages.results import Chapter, MainDocument
from planloom.planes.strategic.stages.schedule import dates_table
from tests.unit.strategic.stages.computed_plans import TEXTS, a_plan, given
from tests.unit.strategic.stages.contexts import make_context

OPENING = Chapter(name="opening", title="In short", text="A café with sixty seats.\n")


def run(context: StageContext) -> Any:
    return asyncio.run(draft(context))


def context(opening: Chapter | None, **more: Any) -> Any:
    results = given() | {"main_document": MainDocument(chapters=(), opening=opening)}
    return make_context("executive_summary", results=results, texts=TEXTS, **more)


def test_the_summary_is_what_the_author_wrote_with_the_dates_and_their_odds() -> None:
    page = STAGE.pages(run(context(OPENING)))["executive_summary"]

    assert page == (
        f"# Executive summary\n\nA café with sixty seats.\n\n## Dates and their odds\n\n{dates_table(a_plan())}"
    )


def test_a_date_with_low_odds_is_never_called_kept() -> None:
    plan = a_plan()
    low = [odds.model_copy(update={"chance": 0.2}) for odds in plan.computed.odds]
    table = dates_table(replace(plan, computed=plan.computed.model_copy(update={"odds": tuple(low)})))

    assert {line.split(" | ")[-1].strip("| ") for line in table.splitlines()[2:]} == {
        "is kept as computed, and missed in most runs"
    }


def test_without_a_model_the_summary_is_computed() -> None:
    result = run(context(None, outline_only=True))

    assert a_plan().spine.frame.objective in result.text
    assert "EUR 380,270" in result.text
