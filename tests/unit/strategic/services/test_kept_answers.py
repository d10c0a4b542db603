"""Answers are used again as long as what they were asked with is unchanged: of rows shown by id, those they name."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from planloom.core.usage import Usage
from planloom.models.model import Part, Question
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.ask_model import Answers
from planloom.planes.strategic.services.edit_artifact import edit_artifact
from planloom.planes.strategic.stages.pipeline import stage_named
from tests.fake_ports import Fakes
from tests.unit.models.asking import Table, question
from tests.unit.strategic.services.drafted import completed, run, spied
from tests.unit.strategic.services.spy import Spy
from tests.unit.strategic.services.walk import begin

#: What the answer names of the rows that it was shown.
NAMED = {"rows": [{"title": "Package P1 first", "size": "small"}] * 2, "note": "The budget of L2 is enough."}
ROWS = {"P1": "one", "P2": "two", "L2": "three"}
Rows = dict[str, str]
SHOWN = (Part("facts", "A bakery."), Part("rows", "P1, P2 and L2", by_id=True))


class Naming(Spy):
    """Answers with the same words every time, and with a *note*."""

    note = str(NAMED["note"])

    async def ask(self, question: Question[Any]) -> tuple[Any, Usage]:
        self.asked.append(question.name)
        return Table.model_validate(NAMED | {"note": self.note}), Usage(calls=1)


@pytest.mark.parametrize(
    ("change", "asked"),
    [
        ({}, 1),
        ({"rows": ROWS | {"P2": "another"}}, 1),
        ({"rows": ROWS | {"P1": "another"}}, 2),
        ({"rows": {"P1": "one", "P2": "two"}}, 2),
        ({"context": (SHOWN[0], Part("rows", "P1, P2, P3 and L2", by_id=True))}, 1),
        ({"context": (Part("facts", "A café."), SHOWN[1])}, 2),
        ({"instructions": "Write another table."}, 2),
    ],
)
def test_an_answer_is_asked_for_again_once_what_it_names_is_another(change: dict[str, Any], asked: int) -> None:
    spy = Naming()
    fakes = spied(spy)
    plan = begin(fakes)
    first = replace(question(), context=SHOWN, rows=ROWS)

    for each in (first, replace(first, **change)):
        kept = fakes.files.paths(plan.plan_id, "024-0-")
        answers = Answers(fakes.ports.stage_ports, plan, stage_named("review_plan"), kept, lambda: None)
        assert asyncio.run(answers.ask(each)) == Table.model_validate(NAMED)

    assert len(spy.asked) == asked


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        (ROWS, ROWS, {}),
        (ROWS, ROWS | {"P2": "another"}, {"P2": "two"}),
        (ROWS, {"P1": "one", "P2": "two"}, {"L2": "three"}),
        (ROWS, ROWS | {"P9": "a new one"}, {"P9": ""}),
    ],
    ids=["none", "another value", "removed", "added"],
)
def test_an_answer_that_is_corrected_for_changed_rows_depends_on_all(before: Rows, after: Rows, changed: Rows) -> None:
    asked, answer = asked_twice(before, after)

    assert (asked, answer.rows_changed) == (1, changed)


def test_an_answer_is_asked_for_anew_where_many_rows_were_changed() -> None:
    before = {f"P{n}": "as it was" for n in range(1, 23)}
    asked, answer = asked_twice(before, dict.fromkeys(before, "as it is"))

    assert (asked, answer.rows_changed) == (2, {})


def asked_twice(before: Rows, after: Rows) -> tuple[int, Any]:
    """Ask with the rows *before* and with those *after*; return how often a model was asked, and the last answer."""
    spy = Naming()
    fakes = spied(spy)
    plan = begin(fakes)
    for rows in (before, after):
        each = replace(question(), context=SHOWN, rows=rows, updates=True)
        kept = fakes.files.paths(plan.plan_id, "024-0-")
        answers = Answers(fakes.ports.stage_ports, plan, stage_named("review_plan"), kept, lambda: None)
        answer = asyncio.run(answers.ask(each))
    return len(spy.asked), answer


def test_a_part_by_id_of_another_source_is_another_question() -> None:
    spy = Naming()
    fakes = spied(spy)
    plan = begin(fakes)

    for text, source in (("one", "a"), ("two", "a"), ("two", "b")):
        kept = fakes.files.paths(plan.plan_id, "024-0-")
        part = Part("the document", text, by_id=True, source=source)
        answers = Answers(fakes.ports.stage_ports, plan, stage_named("review_plan"), kept, lambda: None)
        asyncio.run(answers.ask(replace(question(), context=(part,), rows=ROWS)))

    assert len(spy.asked) == 2


def edited(fakes: Fakes, origin: Plan, change: Callable[[dict[str, Any]], None]) -> Plan:
    """Return the plan that is derived from *origin* with a *change* to its rows as they were decided on."""
    path = "024-1-review_plan.json"
    result = json.loads(fakes.files.read(origin.plan_id, path) or b"")
    change(result["spine"])
    expected = fakes.files.sha256(origin.plan_id, path) or ""
    return edit_artifact(
        fakes.ports.run_control, fakes.ports.models, "acme", origin.plan_id, path, json.dumps(result), expected
    ).plan


class Revising(Spy):
    """Leaves the draft as it is, and corrects nothing."""

    async def ask(self, question: Question[Any]) -> tuple[Any, Usage]:
        answer, usage = await super().ask(question)
        corrects = question.name == "document" or question.name.startswith(("document-", "proof-"))
        return (question.answer() if corrects else answer), usage


def test_a_document_is_corrected_once_for_all_that_was_edited_since_it_was_written() -> None:
    spy = Revising()
    fakes = spied(spy)
    origin = begin(fakes)
    run(fakes, origin)
    spy.asked.clear()

    derived = edited(fakes, origin, longer)
    run(fakes, derived)
    run(fakes, edited(fakes, derived, dearer))

    # the audit is asked again where what programs find is another
    assert [name for name in spy.asked if name != "audit"] == ["document-changed", "document-changed"]
    rows = [q.context[-1].text for q in spy.questions if q.name == "document-changed"]
    assert [text.count("was: ") for text in rows] == [1, 2]
    assert "was: P1 | " in rows[0]
    assert "now: P1 | " in rows[0]


def longer(spine: dict[str, Any]) -> None:
    spine["packages"][0]["high"] += 40


def dearer(spine: dict[str, Any]) -> None:
    spine["lines"][0]["rate"] = 7


@pytest.mark.parametrize("change", [longer, dearer])
def test_an_edited_row_is_computed_anew_and_no_annex_that_does_not_name_it_is_written_again(
    change: Callable[[dict[str, Any]], None],
) -> None:
    spy = Spy()
    fakes, origin = completed(spy)

    skipped, made = run(fakes, edited(fakes, origin, change))

    assert made[:3] == ["026", "020", "021"]
    assert set(skipped) == {"001", "002", "003", "004", "005", "011", "013", "016", "024"}
    # the audit is asked again where what programs find is another; annexes of the spy name no row
    assert {"document-changed"} <= set(spy.asked) <= {"audit", "document-changed"}
