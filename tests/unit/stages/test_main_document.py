"""The document is written in one go over the same material; its figures and tables are put in by a program."""

import asyncio
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any

from planloom.domain.wording import day_text
from planloom.models.model import Question
from planloom.quality.words import count_words
from planloom.stages.annex_tables import ANNEX_TABLES, annex_table
from planloom.stages.chapter_tables import document_tables, without_ids
from planloom.stages.chapters import Corrections
from planloom.stages.context import StageContext
from planloom.stages.figures import figures, listed
from planloom.stages.main_document import CHAPTERS, STAGE, Document, draft
from planloom.stages.results import CriticFinding, Review, Ruling
from tests.unit.compute.spines import realistic
from tests.unit.stages.computed_plans import TEXTS, a_plan, a_spine, given
from tests.unit.stages.contexts import make_context

NAMES = [spec.name for spec in CHAPTERS]
VERDICTS: tuple[Any, ...] = ("accepted", "rejected", "open")
LACKS = ("budget", "team")
SECTIONS: list[dict[str, Any]] = [{"chapter": name, "heading": "How", "text": "Fine."} for name in NAMES]


def run(context: StageContext) -> Any:
    return asyncio.run(draft(context))


def written(text: str, heading: str = "How") -> dict[str, Any]:
    return {"sections": [{"heading": heading, "text": text}]}


def context(answers: Any, asked: list[Question[Any]] | None = None, **more: Any) -> Any:
    more = {"results": given()} | more
    return make_context("main_document", texts=TEXTS, answers=answers, asked=asked, **more)


def whole(text: str = "Fine.", **chapters: str) -> dict[str, Any]:
    """Return an answer with a section of *text* for each chapter, or of what *chapters* say."""
    return {"sections": [{"chapter": name, "heading": "How", "text": chapters.get(name, text)} for name in NAMES]}


def pages_of(*args: Any, **more: Any) -> Any:
    return STAGE.pages(run(context(*args, **more)))


def test_one_call_writes_the_document_over_base_decisions_rows_and_the_list_of_tables() -> None:
    asked: list[Question[Any]] = []
    finding = CriticFinding(
        id="E1", critic="Cook", ids=(), place="", text="No drain.", consequence="", severity="high", advice=""
    )
    rulings = tuple(Ruling(finding=f"E{n}", verdict=v, reason=f"So {v}.") for n, v in enumerate(VERDICTS, 1))
    review = Review(spine=a_spine(), findings=(finding,), rulings=rulings, cannot_hold=("N1: open without it.",))
    result = run(context(lambda _: whole(), asked, results=given() | {"review_plan": review}))

    assert [chapter.name for chapter in result.chapters] == NAMES
    assert [question.name for question in asked] == ["document"]
    shown = "\n".join(part.text for part in asked[0].context)
    assert all(
        words in shown
        for words in (
            "Sixty seats where engines stood.", "No drain. Accepted: So accepted.", "open without it", "P1.end",
            "{{table:calendar}} Calendar of all work: Work | Owner |",
        )
    )  # fmt: skip
    assert "So rejected." not in shown
    assert {"P6", "L2", "frame"} <= asked[0].rows.keys()


def test_short_answers_give_a_chapter_each_from_the_same_instructions() -> None:
    asked: list[Question[Any]] = []
    short = context(lambda question: written(f"Of {question.name}."), asked)
    result = run(replace(short, about=replace(short.about, long_answers=False)))

    assert sorted(question.name for question in asked) == sorted(NAMES)
    assert [chapter.text.splitlines()[2] for chapter in result.chapters] == [f"Of {name}." for name in NAMES]
    assert len({question.context for question in asked}) == 1
    assert len({question.instructions.rpartition("\n")[0] for question in asked}) == 1


def test_figures_are_rendered_and_a_table_stands_once_where_it_is_placed() -> None:
    text = "Built by {{P6.end}}.\n\n{{table:gates}}\n\nAs {{table:gates}} says."
    pages = pages_of(lambda _: whole(calendar=text, risks=text))

    assert f"## How\n\nBuilt by {_end('P6')}.\n\n\n**Gates**\n\n| Gate | Go if |" in pages["calendar"]
    assert "As “Gates” says." in pages["calendar"]
    assert "| Gate | Go if |" not in pages["risks"]


def test_what_the_author_places_is_known_and_a_table_for_the_annex_keeps_its_ids() -> None:
    result = run(context(lambda _: whole(calendar="{{table:gates}}"), []))

    assert result.placed == ("gates",)
    assert without_ids(document_tables(a_plan())["gates"]).text.startswith("| Gate | Go if |")
    assert document_tables(a_plan())["gates"].text.startswith("| Id | Gate | Go if |")


def test_every_row_of_the_plan_is_in_a_table() -> None:
    document = "\n".join(table.text for table in document_tables(a_plan()).values())
    annexes = "\n".join(annex_table(name, a_plan()) for name in ANNEX_TABLES)
    rows = {row.id for row in a_spine().rows()}

    assert rows - set(re.findall(r"(?m)(?:^## |\| )(\w+)(?= |$)", document + annexes)) == set()


def test_what_is_wrong_is_asked_for_once_by_passage_and_the_better_text_is_kept() -> None:
    asked: list[Question[Any]] = []
    wrong = "The hall costs EUR 777,000 and {{L99.rate}}.\n\n{{table:gate}}\n\nP77 waits. EUR 5,555 a day (assumed)."
    answers = {
        "document": whole(budget=f"It is old.\n\n{wrong}"),
        "document-figures": {
            "corrections": [
                {"was": "EUR 777,000", "now": "{{L2.amount}}"},
                {"was": "{{L99.rate}}", "now": "{{L3.amount}}"},
                {"was": "{{table:gate}}", "now": "{{table:gates}}"},
                {"was": "P77 waits.", "now": "All wait."},
            ]
        },
    }
    result = run(context(answers, asked))

    places = asked[-1].context[-1].text
    assert [question.name for question in asked] == ["document", "document-figures"]
    assert all(words in places for words in ("## How", "777,000", "L99.rate", "near: gates", "P77: no row"))
    assert not any(words in places for words in ("It is old", "5,555:"))
    page = STAGE.pages(result)["budget"]
    assert "The hall costs EUR 120,000 and EUR 60,000." in page
    assert "**Gates**" in page
    assert result.unknown_figures == ()


def test_a_lost_correction_leaves_the_text_and_names_what_is_unknown() -> None:
    result = run(context({"document": whole(team="It costs {{L99.rate}} a day.")}))

    assert result.unknown_figures == ("L99.rate",)
    assert "{{" not in STAGE.pages(result)["team"]
    assert result.missing == ()


def test_a_chapter_that_the_document_lacks_is_asked_for_alone_and_else_computed() -> None:
    document = {"sections": [s | {"chapter": "levers" if s["chapter"] in LACKS else s["chapter"]} for s in SECTIONS]}
    result = run(context({"document": document, "team": written("Four people.")}))
    pages = STAGE.pages(result)

    assert "Four people." in pages["team"]
    assert len(result.missing) == 1
    assert "**Missing.**" in pages["budget"]
    assert pages["budget"].count("## Lines of cost") == 1


def test_a_lost_document_is_asked_for_by_chapter() -> None:
    result = run(context(lambda question: None if question.name == "document" else written("Fine.")))

    assert result.missing == ()
    assert all("Fine." in chapter.text for chapter in result.chapters)


def test_sections_that_name_changed_rows_are_corrected_and_no_other() -> None:
    asked: list[Question[Any]] = []
    before = Document.model_validate(whole(budget="P6 is cheap.", team="Nobody else.")).with_rows_changed(
        {"P6": "P6 | Build in the hall | 9 d"}
    )

    async def answer(question: Question[Any]) -> Any:
        asked.append(question)
        if question.name == "document":
            return before
        return Corrections.model_validate({"corrections": [{"was": "P6 is cheap.", "now": "P6 is dear."}]})

    result = run(replace(context({}), answer=answer))

    assert [question.name for question in asked] == ["document", "document-changed"]
    shown = "\n".join(part.text for part in asked[1].context)
    assert "P6 is cheap." in shown
    assert "Nobody else." not in shown
    assert "was: P6 | Build in the hall | 9 d\nnow: P6 | " in shown
    assert f"P6.end {_end('P6')}" in shown
    assert "P6 is dear." in STAGE.pages(result)["budget"]


def test_a_chapter_that_a_person_changed_is_no_longer_as_it_was_written() -> None:
    before = run(context(lambda _: whole()))
    chapters = tuple(c.model_copy(update={"text": "Mine.\n"}) if c.name == "team" else c for c in before.chapters)
    after = STAGE.edited("", before, before.model_copy(update={"chapters": chapters}))  # type: ignore[misc]

    assert [chapter.name for chapter in after.chapters if not chapter.source] == ["team"]


def test_without_a_model_every_chapter_is_computed() -> None:
    asked: list[Question[Any]] = []
    result = run(context({}, asked, outline_only=True))

    assert asked == []
    assert [chapter.name for chapter in result.chapters] == NAMES
    assert all(chapter.words for chapter in result.chapters)


def test_the_words_of_a_brief_plan_are_about_a_third() -> None:
    assert [sum(spec.words[detail] for spec in CHAPTERS) for detail in ("brief", "standard")] == [2300, 6500]


def test_instructions_stay_the_same_when_a_value_changes() -> None:
    spine = a_spine()
    longer = spine.model_copy(
        update={"packages": tuple(p.model_copy(update={"likely": p.likely + 1}) for p in spine.packages)}
    )
    asked: list[Question[Any]] = []
    for each in (spine, longer):
        run(context(lambda _: whole(), asked, results=given(each)))

    assert asked[0].instructions == asked[1].instructions
    unmarked = [[part for part in q.context if not part.by_id] for q in asked]
    assert unmarked[0] == unmarked[1]


def test_a_heading_of_the_first_level_is_lowered() -> None:
    pages = pages_of(lambda _: whole("# Loud\n\nFine."))

    assert [line for line in pages["levers"].splitlines() if line.startswith("# ")] == ["# Decisions"]


def _end(package: str) -> str:
    return day_text(a_plan().dated[package].end)


def test_a_long_table_gives_the_names_of_its_figures_once() -> None:
    plan = a_plan()
    names = listed(plan, figures(plan.spine, plan.computed))

    assert "P1.end" in names
    assert "P2.end" not in names
    assert "L2.amount EUR 120,000" in names


def test_a_plan_of_eighty_packages_has_tables_that_a_reader_can_take() -> None:
    tables = document_tables(a_plan(realistic(10)))

    assert len(tables["calendar"].text.splitlines()) > 80
    assert count_words("".join(table.text for table in tables.values())) < 4500


def test_the_first_ninety_days_begin_on_the_first_day_and_hold_all_that_ends_in_them() -> None:
    plan = a_plan()
    rows = [line.split(" | ")[-1].strip("| ") for line in document_tables(plan)["first_days"].text.splitlines()[2:]]
    until = plan.computed.start + timedelta(days=90)

    assert {row for row in rows if row[0] == "P"} == {p.id for p in plan.computed.packages if p.end < until}
