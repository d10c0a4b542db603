"""The budget of the whole, as a person reads it in each example prompt."""

from datetime import date

import pytest

from planloom.api.example_prompts import example_prompts
from planloom.reading.facts import read_facts

TOTALS = {
    "bakery-cafe-lisbon": (240_000, "EUR"),
    "flood-wall-aalborg": (186_000_000, "DKK"),
    "offline-nurse-app-kenya": (420_000, "USD"),
    "harbour-book-festival": (97_000, "EUR"),
    "soil-carbon-study": (1_850_000, "EUR"),
    "free-transit-teenagers": (7_400_000, "EUR"),
    "cargo-trike-product": (1_300_000, "EUR"),
    "community-solar-coop": (690_000, "EUR"),
    "laboratory-merger": (5_600_000, "EUR"),
    "family-farmhouse-move": (310_000, "CHF"),
    "winter-station-greenland": (41_000_000, "NOK"),
    "kelp-farm-brittany": (560_000, "EUR"),
}


@pytest.mark.parametrize("sample", example_prompts(), ids=lambda sample: sample["id"])
def test_the_total_of_each_example(sample: dict[str, str]) -> None:
    money = read_facts(sample["prompt"], date(2026, 11, 20)).money
    assert [(m.high, m.currency) for m in money if m.role == "total"] == [TOTALS[sample["id"]]]
