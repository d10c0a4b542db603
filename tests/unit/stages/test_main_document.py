"""Chapters are written in parallel over the same material; their figures are put in by a program."""

import asyncio
from typing import Any

from planloom.domain.wording import day_text
from planloom.models.model import Question
from planloom.stages.chapter_tables import tables_of
from planloom.stages.context import StageContext
from planloom.stages.figures import figures, listed
from planloom.stages.main_document import CHAPTERS, STAGE, draft
from tests.unit.stages.computed_plans import TEXTS, a_plan, a_spine, given
from tests.unit.stages.contexts import make_context

NAMES = [spec.name for spec in CHAPTERS]


def run(context: StageContext) -> Any:
    return asyncio.run(draft(context))


def written(text: str, heading: str = "How") -> dict[str, Any]:
    return {"sections": [{"heading": heading, "text": text}]}


def context(answers: Any, asked: list[Question[Any]] | None = None, **more: Any) -> Any:
    more = {"results": given()} | more
    return make_context("main_document", texts=TEXTS, answers=answers, asked=asked, **more)


def test_every_chapter_is_asked_for_with_the_same_beginning_and_its_own_tables() -> None:
    asked: list[Question[Any]] = []
    result = run(context(lambda question: written(f"Of {question.name}."), asked))

    assert [chapter.name for chapter in result.chapters] == NAMES
    assert sorted(question.name for question in asked) == sorted(NAMES)
    common = asked[0].context[:-1]
    assert all(question.context[: len(common)] == common for question in asked)
    shown = "\n".join(part.text for part in common)
    assert "Sixty seats where engines stood." in shown
    assert "E1 accepted." in shown
    assert "P1.end" in shown
    assert {"P6", "L2", "frame"} <= asked[0].rows.keys()


def test_figures_are_rendered_and_tables_stand_below_the_text() -> None:
    result = run(context(lambda _: written("The hall is built by {{P6.end}}.")))
    pages = STAGE.pages(result)

    assert f"## How\n\nThe hall is built by {_end('P6')}.\n" in pages["calendar"]
    assert pages["risks"].index("## How") < pages["risks"].index("| K1 |")
    assert result.unknown_figures == ()


def test_figures_that_are_wrong_are_asked_for_once_and_the_better_text_is_kept() -> None:
    asked: list[Question[Any]] = []
    answers = {name: written("Fine.") for name in NAMES} | {
        "budget": written("The hall costs EUR 777,000 and {{L99.rate}}."),
        "budget-figures": {
            "corrections": [
                {"was": "EUR 777,000", "now": "{{L2.amount}}"},
                {"was": "{{L99.rate}}", "now": "{{L3.amount}}"},
            ]
        },
    }
    result = run(context(answers, asked))

    corrections = [question for question in asked if question.name.endswith("-figures")]
    assert [question.name for question in corrections] == ["budget-figures"]
    places = corrections[0].context[-1].text
    assert "777,000" in places
    assert "L99.rate" in places
    assert "The hall costs EUR 120,000 and EUR 60,000." in STAGE.pages(result)["budget"]
    assert result.unknown_figures == ()


def test_a_lost_correction_leaves_the_text_and_names_what_is_unknown() -> None:
    answers = {name: written("Fine.") for name in NAMES} | {"team": written("It costs {{L99.rate}} a day.")}
    result = run(context(answers))

    assert result.unknown_figures == ("L99.rate",)
    assert "{{" not in STAGE.pages(result)["team"]
    assert result.missing == ()


def test_a_lost_chapter_is_what_programs_can_say_and_says_so() -> None:
    answers = {name: written("Fine.") for name in NAMES if name != "budget"}
    result = run(context(answers))
    page = STAGE.pages(result)["budget"]

    assert len(result.missing) == 1
    assert "**Missing.**" in page
    assert "EUR 380,270" in page
    assert page.count("## Lines of cost") == 1


def test_without_a_model_every_chapter_is_computed() -> None:
    asked: list[Question[Any]] = []
    result = run(context({}, asked, outline_only=True))

    assert asked == []
    assert [chapter.name for chapter in result.chapters] == NAMES
    assert all(chapter.words for chapter in result.chapters)


def test_the_words_of_a_brief_plan_are_a_third() -> None:
    assert [sum(spec.words[detail] for spec in CHAPTERS) for detail in ("brief", "standard")] == [3100, 9100]


def test_instructions_stay_the_same_when_a_value_changes() -> None:
    spine = a_spine()
    longer = spine.model_copy(
        update={"packages": tuple(p.model_copy(update={"likely": p.likely + 1}) for p in spine.packages)}
    )
    asked: list[Question[Any]] = []
    for each in (spine, longer):
        run(context(lambda _: written("Fine."), asked, results=given(each)))

    by_call = {name: {q.instructions for q in asked if q.name == name} for name in NAMES}
    assert all(len(instructions) == 1 for instructions in by_call.values())
    unmarked = [[part for part in q.context if not part.by_id] for q in asked]
    assert all(parts == unmarked[0] for parts in unmarked)


def test_a_heading_of_the_first_level_is_lowered() -> None:
    result = run(context(lambda _: written("# Loud\n\nFine.", heading="# Loud too")))

    headings = [line for line in STAGE.pages(result)["levers"].splitlines() if line.startswith("# ")]
    assert headings == ["# Decisions"]


def _end(package: str) -> str:
    return day_text(a_plan().dated[package].end)


def test_a_long_table_gives_the_names_of_its_figures_once() -> None:
    plan = a_plan()
    names = listed(plan, figures(plan.spine, plan.computed))

    assert "P1.end" in names
    assert "P2.end" not in names
    assert "L2.amount EUR 120,000" in names


def test_a_table_of_the_main_document_is_cut_with_its_sums_kept() -> None:
    tables = tables_of("budget", a_plan(), 3)

    assert "| L2 | Works of the hall |" in tables
    assert "| L11 |" not in tables
    assert "left out here: 8" in tables
    assert "**EUR 380,270**" in tables
    assert all(f"| {source} |" in tables for source in ("F1", "F2", "F3"))
