"""The day on which an event takes place."""

from datetime import date
from typing import Any

import pytest

from planloom.planes.strategic.facts.fact import Day, Facts, OpenPoint, Spanned
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.outline.event_day import dated_by_event, fixed_day

TODAY = date(2026, 11, 2)
JUNE = date(2028, 6, 5)


def read(prompt: str, *days: tuple[str, str, date, date], **more: Any) -> Facts:
    found = tuple(
        Day.model_validate(
            {"text": text, "start": (at := prompt.index(text)), "end": at + len(text), "earliest": first,
             "latest": last, "role": role}
        )
        for text, role, first, last in days
    )  # fmt: skip
    whole = Spanned(text=prompt, start=0, end=len(prompt))
    return Facts(title="A wedding", subject="a wedding", objective=whole, sentences=(whole,), days=found, **more)


def test_the_one_day_of_the_objective_is_the_deadline_and_no_question_asks_for_it() -> None:
    prompt = "We marry on 5 June 2028."
    asked = (OpenPoint(question="By which date?", field="deadline"), OpenPoint(question="Where?", field="places"))
    facts = dated_by_event(prompt, read(prompt, ("5 June 2028", "other", JUNE, JUNE), open=asked))
    goal = Goal(prompt, facts, TODAY)
    assert (goal.deadline, fixed_day(goal)) == (JUNE, (JUNE, 1))
    assert facts.open == asked[1:]


@pytest.mark.parametrize(
    ("prompt", "days"),
    [
        ("We marry by 5 June 2028.", [("5 June 2028", "other", JUNE, JUNE)]),
        ("We marry in June 2028.", [("June 2028", "other", date(2028, 6, 1), date(2028, 6, 30))]),
        ("From 5 June 2028 we plan.", [("5 June 2028", "start", JUNE, JUNE)]),
        (
            "We marry on 5 June 2028 or 6 June 2028.",
            [("5 June 2028", "other", JUNE, JUNE), ("6 June 2028", "other", date(2028, 6, 6), date(2028, 6, 6))],
        ),
    ],
    ids=["a limit", "a month", "a start", "two days"],
)
def test_other_dates_leave_the_facts_as_they_are(prompt: str, days: list[tuple[str, str, date, date]]) -> None:
    facts = read(prompt, *days)
    assert dated_by_event(prompt, facts) == facts


def test_what_is_only_due_by_a_day_may_move() -> None:
    prompt = "We marry by 5 June 2028."
    assert fixed_day(Goal(prompt, read(prompt, ("5 June 2028", "deadline", JUNE, JUNE)), TODAY)) is None
