"""Dates judged by each other: what whole prompts mean by their start and their deadline."""

from datetime import date

import pytest

from planloom.api.example_prompts import example_prompts
from planloom.domain.facts import Facts
from planloom.reading.facts import read_facts

TODAY = date(2026, 11, 20)

#: Start (None: the prompt sets none) and deadline of each example, as a person reads them.
FRAMES: dict[str, tuple[date | None, date | None]] = {
    "bakery-cafe-lisbon": (None, date(2027, 5, 1)),
    "flood-wall-aalborg": (date(2027, 1, 1), date(2029, 9, 30)),
    "offline-nurse-app-kenya": (date(2027, 3, 1), None),
    "harbour-book-festival": (None, date(2027, 9, 12)),
    "soil-carbon-study": (date(2027, 10, 1), date(2031, 12, 31)),
    "free-transit-teenagers": (None, date(2027, 9, 1)),
    "cargo-trike-product": (None, date(2028, 10, 31)),
    "community-solar-coop": (None, date(2028, 5, 31)),
    "laboratory-merger": (date(2027, 2, 1), None),
    "family-farmhouse-move": (None, date(2027, 8, 16)),
    "winter-station-greenland": (None, date(2029, 3, 31)),
    "kelp-farm-brittany": (None, date(2028, 5, 31)),
}


def frame(facts: Facts) -> tuple[date | None, date | None]:
    start = next((day.earliest for day in facts.days if day.role == "start"), None)
    deadline = max((day.latest for day in facts.days if day.role == "deadline"), default=None)
    return start, deadline


@pytest.mark.parametrize("sample", example_prompts(), ids=lambda sample: sample["id"])
def test_start_and_deadline_of_each_example(sample: dict[str, str]) -> None:
    assert frame(read_facts(sample["prompt"], TODAY)) == FRAMES[sample["id"]]


@pytest.mark.parametrize(
    ("prompt", "start", "deadline"),
    [
        ("Hold a music festival from 9 to 11 July 2027 in Bergen.", None, date(2027, 7, 11)),
        ("Make the buses free from 1 August 2027. The tariff must be agreed by 1 May 2027.", None, date(2027, 8, 1)),
        ("Run a trial from May 2027 to June 2029 with 80 farms.", date(2027, 5, 1), date(2029, 6, 30)),
        (
            "Renovate our house. Work starts in March 2027 and is done by June 2027.",
            date(2027, 3, 1),
            date(2027, 6, 30),
        ),
        ("Study frogs in spring and publish by 1 March 2028.", None, date(2028, 3, 1)),
    ],
)
def test_start_and_deadline_of_short_goals(prompt: str, start: date | None, deadline: date | None) -> None:
    assert frame(read_facts(prompt, TODAY)) == (start, deadline)
