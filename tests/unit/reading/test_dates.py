"""Dates in the forms that people write, and what they mean when nothing more is said."""

from datetime import date

import pytest

from planloom.reading.date_readings import Today
from planloom.reading.dates import find_dates

TODAY = Today(date(2026, 11, 20))
CASES = [
    ("by 1 May 2027, run", "1 May 2027", "2027-05-01", "2027-05-01"),
    ("from March 2027.", "March 2027", "2027-03-01", "2027-03-31"),
    ("on 2027-05-01", "2027-05-01", "2027-05-01", "2027-05-01"),
    ("On 2025-April-21, he", "2025-April-21", "2025-04-21", "2025-04-21"),
    ("13/04/2027", "13/04/2027", "2027-04-13", "2027-04-13"),
    ("04/13/2027", "04/13/2027", "2027-04-13", "2027-04-13"),
    ("04/04/2027", "04/04/2027", "2027-04-04", "2027-04-04"),
    ("am 03.04.2027", "03.04.2027", "2027-04-03", "2027-04-03"),
    ("1. Mai 2027", "1. Mai 2027", "2027-05-01", "2027-05-01"),
    ("1 de mayo de 2027", "1 de mayo de 2027", "2027-05-01", "2027-05-01"),
    ("1er mai 2027", "1er mai 2027", "2027-05-01", "2027-05-01"),
    ("den 1. maj 2027", "1. maj 2027", "2027-05-01", "2027-05-01"),
    ("May 1, 2027", "May 1, 2027", "2027-05-01", "2027-05-01"),
    ("1st of May 2027", "1st of May 2027", "2027-05-01", "2027-05-01"),
    ("15 Sept. 2027", "15 Sept. 2027", "2027-09-15", "2027-09-15"),
    ("June 12", "June 12", "2027-06-12", "2027-06-12"),
    ("24 December", "24 December", "2026-12-24", "2026-12-24"),
    ("4-6 June 2027", "4-6 June 2027", "2027-06-04", "2027-06-06"),
    ("March-June 2027", "March-June 2027", "2027-03-01", "2027-06-30"),
    ("Nov-Feb 2028", "Nov-Feb 2028", "2027-11-01", "2028-02-29"),
    ("in Q3 2027", "Q3 2027", "2027-07-01", "2027-09-30"),
    ("2027 Q3", "2027 Q3", "2027-07-01", "2027-09-30"),
    ("third quarter of 2027", "third quarter of 2027", "2027-07-01", "2027-09-30"),
    ("H1 2027", "H1 2027", "2027-01-01", "2027-06-30"),
    ("second half of 2027", "second half of 2027", "2027-07-01", "2027-12-31"),
    ("spring 2027", "spring 2027", "2027-03-01", "2027-05-31"),
    ("winter 2027", "winter 2027", "2027-12-01", "2028-02-29"),
    ("next spring", "next spring", "2027-03-01", "2027-05-31"),
    ("by 2030.", "2030", "2030-01-01", "2030-12-31"),
    ("in 2027-2028,", "2027-2028", "2027-01-01", "2028-12-31"),
    ("the end of May 2027", "the end of May 2027", "2027-05-22", "2027-05-31"),
    ("early 2028", "early 2028", "2028-01-01", "2028-03-31"),
    ("late 2027", "late 2027", "2027-10-02", "2027-12-31"),
    ("bis Ende Mai 2027", "Ende Mai 2027", "2027-05-22", "2027-05-31"),
    ("by Christmas.", "Christmas", "2026-12-25", "2026-12-25"),
    ("by May.", "May", "2027-05-01", "2027-05-31"),
    ("end of next year", "end of next year", "2027-10-02", "2027-12-31"),
]


@pytest.mark.parametrize(("text", "said", "earliest", "latest"), CASES)
def test_a_date_is_read(text: str, said: str, earliest: str, latest: str) -> None:
    (found,) = find_dates(text, TODAY, 10)

    assert text[found.start : found.end] == said
    assert (str(found.period.earliest), str(found.period.latest)) == (earliest, latest)
    assert not found.period.ambiguous


@pytest.mark.parametrize(
    ("text", "earliest", "latest"),
    [
        ("03/04/2027", date(2027, 3, 4), date(2027, 4, 3)),
        ("05/06/27", date(2027, 5, 6), date(2027, 6, 5)),
        ("12-05-2027", date(2027, 5, 12), date(2027, 12, 5)),
    ],
)
def test_day_and_month_in_doubt_give_both_readings(text: str, earliest: date, latest: date) -> None:
    (found,) = find_dates(text, TODAY, 10)

    assert (found.period.earliest, found.period.latest, found.period.ambiguous) == (earliest, latest, True)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("between 1 March and 30 June 2029", date(2029, 3, 1), date(2029, 6, 30)),
        ("from 1 November to 28 February 2029", date(2028, 11, 1), date(2029, 2, 28)),
        ("from March to June 2028", date(2028, 3, 1), date(2028, 6, 30)),
    ],
)
def test_the_first_of_two_dates_takes_its_year_from_the_second(text: str, first: date, last: date) -> None:
    begin, end = find_dates(text, TODAY, 10)

    assert (begin.period.earliest, end.period.latest) == (first, last)


@pytest.mark.parametrize(
    "text",
    [
        "we may in the end",
        "in 2000 households",
        "every March",
        "between April and September",
        "August is closed",
        "version 1.2.3",
        "open 24/7",
        "a ratio of 3/4",
        "the Christmas market",
        "1999 bottles",
        "call 555-1234",
        "a march to the sea",
        "The music ends at 22:30. September is quiet",
        "open until 18:05. May we",
    ],
)
def test_what_is_no_date_is_left_out(text: str) -> None:
    assert list(find_dates(text, TODAY, 10)) == []


def test_a_day_that_the_calendar_lacks_is_read_as_its_month() -> None:
    (found,) = find_dates("by 31 April 2027", TODAY, 10)

    assert (found.period.earliest, found.period.latest) == (date(2027, 4, 1), date(2027, 4, 30))
