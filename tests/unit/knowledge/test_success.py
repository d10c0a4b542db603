"""Measures of success: clauses, thresholds and days."""

from datetime import date

import pytest

from planloom.knowledge.brief import make_brief
from planloom.knowledge.success import method_of, months_after, targets
from tests.unit.stages.drafting import TODAY
from tests.unit.stages.more_goals import MARATHON
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE, FLOOD_WALL


def of(prompt):
    return targets(make_brief(prompt, read_facts(prompt, TODAY), TODAY))


def test_each_clause_of_success_is_a_measure_of_its_own():
    assert [t.text for t in of(CAFE)] == [
        "180 paying customers a day by the end of the sixth month",
        "A gross margin of at least 62%",
        "Break-even within 14 months",
    ]


def test_a_clause_without_a_term_is_measured_with_the_first_that_has_one():
    customers, margin, break_even = of(CAFE)

    assert customers.when == margin.when < break_even.when
    assert (customers.dated, margin.dated, break_even.dated) == (True, False, True)


def test_more_than_in_a_sentence_that_forbids_it_is_a_limit():
    assert "at most 1.1 m" in [t.threshold for t in of(FLOOD_WALL)]


def test_a_clause_without_a_figure_gets_a_threshold_and_is_marked():
    found = {t.text: (t.threshold, t.figured) for t in of(FLOOD_WALL)}

    assert found["Insurance premiums in the district stop rising"] == (
        "change against the year before at 0% or below",
        False,
    )


def test_a_time_to_beat_in_the_objective_is_a_measure():
    assert next((t.text, t.threshold) for t in of(MARATHON)) == (
        "Run the Berlin marathon on 26 September 2027 in under 4 hours",
        "in under 4 hours",
    )


@pytest.mark.parametrize(
    ("text", "method"),
    [
        ("at least 20% of labour hours go to apprentices", "time sheets"),
        ("residents keep access except for three closures", "log of every closure"),
        ("residents rate the promenade as good as before", "survey"),
        ("data may not leave the country", "inspection by somebody who did not build it"),
        ("flavour of the month", "record agreed before the start"),
    ],
)
def test_what_is_counted_fits_what_the_clause_speaks_of(text, method):
    assert method_of(text)[0].startswith(method)


@pytest.mark.parametrize(
    ("day", "months", "later"),
    [
        (date(2027, 8, 31), 6, date(2028, 2, 29)),
        (date(2027, 12, 1), 1, date(2028, 1, 1)),
        (date(2027, 1, 30), 13, date(2028, 2, 29)),
    ],
)
def test_months_later_is_the_same_day_or_the_last_of_the_month(day, months, later):
    assert months_after(day, months) == later


def test_a_clause_of_success_is_named_without_its_that_and_measured_by_what_it_speaks_of() -> None:
    prompt = (
        "Hold a book festival in Kinsale from 10 to 12 September 2027. Success means that visitors fill at least 70% "
        "of seats over the three days, that the association ends the year with at least €8,000 in the account, and a "
        "price that covers the full cost by 2030."
    )
    seats, account, price = of(prompt)
    assert account.text == "The association ends the year with at least €8,000 in the account"
    assert account.threshold == "at least €8,000"
    assert account.method.startswith("bank statement")
    assert seats.method.startswith("people counted at each door")
    assert (price.when, price.dated) == (date(2030, 12, 31), True)
