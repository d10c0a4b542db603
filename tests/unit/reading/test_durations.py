"""Lengths of time: form, unit, and the time frame of the whole."""

from datetime import date

import pytest

from planloom.reading.facts import read_facts

#: Prompt, then each length with its role; None where either will do.
CASES: list[tuple[str, list[tuple[str, str | None]]]] = [
    (
        (
            "Open a café. Two partners who have baked professionally for nine years run it, with "
            "break-even within 14 months. Success means 180 paying customers a day by the end of the "
            "sixth month."
        ),
        [("nine years", "other"), ("14 months", "part"), ("sixth month", "part")],
    ),
    (
        (
            "Protect the shore against a 100-year storm surge. The board meets every six weeks except for"
            " three closures of at most two weeks."
        ),
        [("six weeks", "other"), ("two weeks", "part")],
    ),
    (
        (
            "Build an app. Funding is a grant of USD 420,000 over 18 months from March 2027. Sync must "
            "survive two weeks without a network."
        ),
        [("18 months", "total"), ("two weeks", "part")],
    ),
    (
        "Open a bike shop. Budget 300k EUR. Timeframe: 18 months.",
        [("18 months", "total")],
    ),
    (
        ("Say the work reaches 2 million farmers over 5 years with a total budget of 80 million USD."),
        [("5 years", "total")],
    ),
    (
        ("Migrate the archive. The target timeline is 12 months, with the first two shelves moved within 4 months."),
        [("12 months", "total"), ("4 months", "part")],
    ),
    (
        "Found a 3-year seaside school. Budget is €2.4 million over 3 years.",
        [("3-year", "part"), ("3 years", "total")],
    ),
    (
        ("The project runs in two phases over 24 months with a total budget of 9 million DKK."),
        [("24 months", "total")],
    ),
    (
        "Learn Spanish in 6 months",
        [("6 months", "total")],
    ),
    (
        "Design an 18-month programme to cut waste.",
        [("18-month", "total")],
    ),
    (
        "We need a 12-month strategic plan for a museum shop.",
        [("12-month", "total")],
    ),
    (
        "Renovate 40 schools within two years.",
        [("two years", "total")],
    ),
    (
        "I want to go on a 10 days hiking trip.",
        [("10 days", "part")],
    ),
    (
        "Organise a three-day jazz festival in Aarhus.",
        [("three-day", "part")],
    ),
    (
        "Proofreading should allow 12-14 weeks for corrections.",
        [("12-14 weeks", "part")],
    ),
    (
        "Run a survey; a 30-day notice applies.",
        [("30-day", "part")],
    ),
    (
        ("Found a brewery. The first export order is due within 18 months, and two shops by month 24."),
        [("18 months", "part"), ("month 24", "part")],
    ),
    (
        ("Retrofit the hall. Staff get two weeks of training, and 5 hours a day are lost."),
        [("two weeks", "part")],
    ),
    (
        "Wir wollen in Berlin innerhalb von 18 Monaten ein Café eröffnen.",
        [("18 Monaten", "total")],
    ),
    (
        "Build a bridge within a year.",
        [("a year", "total")],
    ),
    (
        "Write a book in two and a half years.",
        [("two and a half years", "total")],
    ),
    (
        "Run a marathon in under 4 hours.",
        [("4 hours", None)],
    ),
    (
        "Develop a vaccine over the next five to seven years.",
        [("five to seven years", "total")],
    ),
    (
        "The house is 120 years old. Restore the house over 30 months.",
        [("30 months", "total")],
    ),
    (
        ("Visits every two weeks; the contract lasts six months. Set up a clinic in nine months."),
        [("two weeks", "other"), ("six months", "part"), ("nine months", "total")],
    ),
    (
        "Launch a 4-year, $9 billion initiative in Chile to chart the deep sea.",
        [("4-year", "total")],
    ),
    (
        "Over 3 years, establish a seed bank.",
        [("3 years", "total")],
    ),
    (
        "My commute takes 1 hour. Fix my bike.",
        [("1 hour", "part")],
    ),
]


@pytest.mark.parametrize(("prompt", "wanted"), CASES)
def test_each_length_gets_its_role(prompt: str, wanted: list[tuple[str, str | None]]) -> None:
    durations = read_facts(prompt, date(2026, 11, 20)).durations

    assert [d.text for d in durations] == [text for text, _ in wanted]
    assert [d.role for d, (_, role) in zip(durations, wanted, strict=True) if role] == [r for _, r in wanted if r]


@pytest.mark.parametrize(
    ("text", "low", "high", "unit"),
    [
        ("six to eight weeks", 6, 8, "weeks"),
        ("12-14 months", 12, 14, "months"),
        ("two and a half years", 2.5, 2.5, "years"),
        ("a fortnight", 2, 2, "weeks"),
        ("half a year", 0.5, 0.5, "years"),
        ("two decades", 20, 20, "years"),
        ("30 working days", 30, 30, "days"),
    ],
)
def test_a_length_keeps_its_bounds_and_unit(text: str, low: float, high: float, unit: str) -> None:
    (found,) = read_facts(f"Repair the roof within {text}.", date(2026, 11, 20)).durations

    assert (found.text, found.low, found.high, found.unit) == (text, low, high, unit)


@pytest.mark.parametrize(
    "text", ["a 100-year storm", "a 12-year-old girl", "5 hours a day", "24/7 service", "year 2000"]
)
def test_ages_recurrences_and_rates_are_no_lengths(text: str) -> None:
    assert read_facts(f"Prepare the town for {text}.", date(2026, 11, 20)).durations == ()


def test_how_long_a_part_takes_is_not_the_time_frame() -> None:
    prompt = "Set up a camp. Permission for the camp and its waste plan takes about six months."

    assert [d.role for d in read_facts(prompt, date(2026, 11, 20)).durations] == ["part"]
