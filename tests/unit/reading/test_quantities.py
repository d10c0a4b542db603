"""Counts and measures: number, unit, noun, bound."""

from datetime import date

import pytest

from planloom.reading.facts import read_facts

TODAY = date(2026, 11, 20)
CASES = [
    ("a 48-seat café", ("48-seat", 48, 48, "", "seat", "exactly")),
    ("1.4 km of flood wall", ("1.4 km of flood wall", 1.4, 1.4, "km", "flood wall", "exactly")),
    ("homes for at least 400 households", ("at least 400 households", 400, 400, "", "households", "at_least")),
    ("a gross margin of at least 62%", ("at least 62%", 62, 62, "%", "gross margin", "at_least")),
    ("180 paying customers a day", ("180 paying customers", 180, 180, "", "paying customers", "exactly")),
    ("fewer than 1% of records", ("fewer than 1% of records", 1, 1, "%", "records", "at_most")),
    ("a 20 MW wind farm", ("20 MW wind farm", 20, 20, "MW", "wind farm", "exactly")),
    ("phones with 2 GB of memory", ("2 GB of memory", 2, 2, "GB", "memory", "exactly")),
    ("a pump rated at 2.5 m3/s", ("2.5 m3/s", 2.5, 2.5, "m3/s", "pump", "exactly")),
    ("a reserve of 12%", ("12%", 12, 12, "%", "reserve", "exactly")),
    ("50-70 participants", ("50-70 participants", 50, 70, "", "participants", "exactly")),
    ("between 40 and 60 guests", ("40 and 60 guests", 40, 60, "", "guests", "exactly")),
    ("about 5 million people", ("about 5 million people", 5e6, 5e6, "", "people", "about")),
    ("30k users", ("30k users", 30e3, 30e3, "", "users", "exactly")),
    ("1,500 listeners", ("1,500 listeners", 1500, 1500, "", "listeners", "exactly")),
    ("two hundred chairs", ("two hundred chairs", 200, 200, "", "chairs", "exactly")),
    ("a dozen hens", ("a dozen hens", 12, 12, "", "hens", "exactly")),
    ("three pedestrian gates", ("three pedestrian gates", 3, 3, "", "pedestrian gates", "exactly")),
    ("visits of under 90 seconds", ("under 90 seconds", 90, 90, "seconds", "visits", "at_most")),
    ("roofs of ≥500 m2", ("≥500 m2", 500, 500, "m2", "roofs", "at_least")),
    ("cold rooms below 8 °C", ("below 8 °C", 8, 8, "°C", "", "at_most")),
    ("200 or more volunteers", ("200", 200, 200, "", "", "at_least")),
    ("12 hectares of heath", ("12 hectares of heath", 12, 12, "ha", "heath", "exactly")),
    ("a 6,000-square-foot hall", ("6,000-square-foot hall", 6000, 6000, "sq ft", "hall", "exactly")),
    ("up to 30 children", ("up to 30 children", 30, 30, "", "children", "at_most")),
]


@pytest.mark.parametrize(("words", "wanted"), [c for c in CASES if c[1][4] or c[1][3]])
def test_a_quantity_keeps_its_noun_and_bound(words: str, wanted: tuple[object, ...]) -> None:
    (found,) = read_facts(f"Provide {words}.", TODAY).quantities

    assert (found.text, found.low, found.high, found.unit, found.noun, found.bound) == wanted


@pytest.mark.parametrize(
    "words",
    [
        "in phase 2",
        "under ISO 9001",
        "with a three-phase connection",
        "at 7 am",
        "in 2027",
        "for €500",
        "within 6 weeks",
        "on Java 8",
        "in one of the rooms",
        "on 1 May 2027",
        "two times",
        "against a 100-year storm",
    ],
)
def test_a_number_that_counts_nothing_is_left_out(words: str) -> None:
    assert read_facts(f"Deliver it {words}.", TODAY).quantities == ()


@pytest.mark.parametrize("digits", ["9" * 19, "9" * 400, "9" * 5000, ",".join(["999"] * 200)], ids=len)
def test_a_number_beyond_all_counting_is_left_out_and_the_facts_can_be_kept(digits: str) -> None:
    facts = read_facts(f"Provide {digits} seats for {digits}% of the guests on a budget of €{digits}.", TODAY)
    assert facts.quantities == ()
    assert type(facts).model_validate_json(facts.model_dump_json()) == facts


def test_more_than_under_a_refusal_bounds_from_above() -> None:
    (found,) = read_facts("We do not accept a wall more than 1.1 m above the promenade.", TODAY).quantities

    assert (found.high, found.bound) == (1.1, "at_most")
