"""Annexes: those that need judgement are written, tables are made by programs, and detail decides which there are."""

import asyncio
from typing import Any

import pytest

from planloom.models.model import Part, Question
from planloom.planes.strategic.stages.annexes import ORDER, STAGE, TABLES, draft
from planloom.planes.strategic.stages.context import StageContext
from tests.unit.strategic.stages.computed_plans import TEXTS, a_spine, given
from tests.unit.strategic.stages.contexts import make_context

BRIEF = {"pitch", "questions_answers", *TABLES}


def run(context: StageContext) -> Any:
    return asyncio.run(draft(context))


def answer(question: Question[Any]) -> dict[str, Any]:
    if question.name.startswith("tasks-"):
        own = question.context[-1].text
        ids = [line.split()[1] for line in own.splitlines()]
        return {
            "tasks": [
                *(
                    {"package": id, "title": f"Begin {id}", "role": "R1", "days": 1.5, "done_when": "Seen"}
                    for id in ids
                ),
                {"package": "P99", "title": "Not asked for"},
            ]
        }
    return {"sections": [{"heading": "All", "text": f"Of {question.name}."}]}


def context(answers: Any = answer, asked: list[Question[Any]] | None = None, **more: Any) -> Any:
    return make_context("annexes", results=given(), texts=TEXTS, answers=answers, asked=asked, **more)


@pytest.mark.parametrize(
    ("detail", "there"),
    [("brief", BRIEF | {"tables"}), ("standard", set(ORDER) - {"wbs_level3"}), ("full", set(ORDER))],
)
def test_detail_decides_which_annexes_there_are(detail: Any, there: set[str]) -> None:
    pages = STAGE.pages(run(context(detail=detail)))

    assert set(pages) == there
    assert list(pages) == [name for name in ORDER if name in there]


def test_tables_are_made_without_a_call() -> None:
    asked: list[Question[Any]] = []
    pages = STAGE.pages(run(context(asked=asked)))

    assert not {question.name for question in asked} & set(TABLES)
    assert all(f"| {package.id} | {package.title} |" in pages["wbs"] for package in a_spine().packages)
    assert "| P8 | Order the kitchen | P5 |  | P9, P17 |" in pages["task_dependencies"]
    assert "The roof is sound" in pages["assumptions"]
    assert "Who holds the keys?" in pages["data_collection"]


def test_tables_of_the_plan_are_annexed_but_for_those_whose_rows_others_have() -> None:
    page = STAGE.pages(run(context()))["tables"]
    titles = {line.removeprefix("## ") for line in page.splitlines()}

    assert {"Gates", "Sources of money", "Lines of cost", "Calendar of all work"} <= titles
    assert "The first ninety days" not in titles


def test_tasks_are_kept_for_the_packages_that_were_asked_for() -> None:
    asked: list[Question[Any]] = []
    pages = STAGE.pages(run(context(asked=asked, detail="full")))

    batches = [question.context[-1].text for question in asked if question.name.startswith("tasks-")]
    assert len("\n".join(batches).splitlines()) == len(a_spine().packages)
    assert "| P6.1 | Begin P6 | Project lead | 1.5 | Seen |" in pages["wbs_level3"]
    assert "Not asked for" not in pages["wbs_level3"]


def test_a_lost_annex_is_said_to_be_computed() -> None:
    result = run(context(lambda question: None if question.name == "pitch" else answer(question)))

    assert len(result.missing) == 1
    assert "EUR 380,270" in STAGE.pages(result)["pitch"]


def test_lost_tasks_leave_the_packages_in_place() -> None:
    result = run(context(lambda q: None if q.name == "tasks-1" else answer(q), detail="full"))

    assert len(result.missing) == 1
    assert "## P15 Close the accounts" in STAGE.pages(result)["wbs_level3"]


def test_without_a_model_no_annex_is_asked_for() -> None:
    asked: list[Question[Any]] = []
    pages = STAGE.pages(run(context({}, asked, outline_only=True)))

    assert asked == []
    assert set(pages) == set(ORDER) - {"wbs_level3", "tables"}


def test_annexes_are_shown_the_document_another_only_once_its_text_was_changed() -> None:
    def shown(text: str) -> Part:
        asked: list[Question[Any]] = []
        texts = {"levers": f"# Decisions\n\n{text}\n"}
        run(make_context("annexes", results=given(), texts=texts, answers=answer, asked=asked))
        return asked[0].context[1]

    assert (shown("The used kitchen is bought.").source, shown("It is not bought.").source) == (
        "1f", "# Decisions\n\nIt is not bought.\n"
    )  # fmt: skip
