"""Lengths of time in figures, in words, as ranges and as one unit and a smaller one."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.planes.strategic.facts.durations import find_durations
from planloom.planes.strategic.facts.language import NAMES

CASES = [
    ("en", "18 months", 18, 18, "months"),
    ("en", "18-month", 18, 18, "months"),
    ("en", "6 to 8 weeks", 6, 8, "weeks"),
    ("en", "3-4 weeks", 3, 4, "weeks"),
    ("en", "two years and six months", 30, 30, "months"),
    ("en", "two and a half years", 2.5, 2.5, "years"),
    ("en", "30 working days", 30, 30, "days"),
    ("en", "a fortnight", 2, 2, "weeks"),
    ("en", "half a year", 0.5, 0.5, "years"),
    ("en", "two decades", 20, 20, "years"),
    ("en", "24 hours", 24, 24, "hours"),
    ("de", "18 Monaten", 18, 18, "months"),
    ("de", "anderthalb Jahre", 1.5, 1.5, "years"),
    ("de", "eines Jahres", 1, 1, "years"),
    ("fr", "deux ans et demi", 2.5, 2.5, "years"),
    ("fr", "6 à 8 semaines", 6, 8, "weeks"),
    ("es", "de 2 a 3 años", 2, 3, "years"),
    ("it", "diciotto mesi", 18, 18, "months"),
    ("pt", "dois anos", 2, 2, "years"),
    ("nl", "18 maanden", 18, 18, "months"),
    ("sv", "två veckor", 2, 2, "weeks"),
    ("da", "18 måneder", 18, 18, "months"),
    ("nb", "to år", 2, 2, "years"),
    ("fi", "kaksi vuotta", 2, 2, "years"),
    ("pl", "5 lat", 5, 5, "years"),
    ("cs", "18 měsíců", 18, 18, "months"),
    ("hu", "két év", 2, 2, "years"),
    ("ro", "18 luni", 18, 18, "months"),
    ("tr", "3 hafta", 3, 3, "weeks"),
    ("id", "18 bulan", 18, 18, "months"),
    ("vi", "hai năm", 2, 2, "years"),
    ("ru", "5 лет", 5, 5, "years"),
    ("uk", "18 місяців", 18, 18, "months"),
    ("el", "18 μήνες", 18, 18, "months"),
    ("ja", "18か月", 18, 18, "months"),
    ("ja", "3年間", 3, 3, "years"),
    ("zh", "三年", 3, 3, "years"),
    ("ko", "6주", 6, 6, "weeks"),
    ("ar", "18 شهرا", 18, 18, "months"),
    ("he", "18 חודשים", 18, 18, "months"),
    ("hi", "18 महीने", 18, 18, "months"),
    ("th", "18 เดือน", 18, 18, "months"),
]
#: Before the words that only a lead makes a length of.
LEADS = {"a fortnight": "within ", "half a year": "in ", "eines Jahres": "innerhalb "}


@pytest.mark.parametrize(("language", "text", "low", "high", "unit"), CASES)
def test_a_length_of_time_is_read(language: str, text: str, low: float, high: float, unit: str) -> None:
    goal = LEADS.get(text, "") + text + "; x"

    (found,) = find_durations(goal, language)

    said = goal[found.start : found.end]
    assert (said.removeprefix("de "), found.low, found.high, found.unit) == (text.removeprefix("de "), low, high, unit)


@pytest.mark.parametrize(
    "text", ["a 12-year-old", "5 hours a day", "a 100-year flood", "€500 a month", "2028 people", "3 days per week"]
)
def test_rates_and_ages_are_no_lengths(text: str) -> None:
    assert find_durations(text, "en") == ()


def test_a_year_of_the_calendar_is_no_length() -> None:
    assert find_durations("2028年に開く、2028년에", "ja") == ()


@given(st.sampled_from(sorted(NAMES)), st.text(st.sampled_from("12 -toandweekyears months a within.年月\nſİıKς")))
def test_lengths_are_in_order_and_their_bounds_too(language: str, text: str) -> None:
    found = find_durations(text, language)

    assert all(0 <= d.start < d.end <= len(text) and 0 < d.low <= d.high for d in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
