"""Roles of dates: start, deadline of the whole, milestones."""

from datetime import date

import pytest

from planloom.reading.facts import read_facts

#: Prompt, then each date with its role; None where either will do.
CASES: list[tuple[str, list[tuple[str, str | None]]]] = [
    (
        "We want to open a bakery café in Lisbon by 1 May 2027.",
        [("1 May 2027", "deadline")],
    ),
    (
        (
            "Aalborg will protect the shore by building 1.4 km of flood wall. The work should start in "
            "January 2027 and the wall must be closed by 30 September 2029."
        ),
        [("January 2027", "start"), ("30 September 2029", "deadline")],
    ),
    (
        (
            "Build an app. Funding is a grant of USD 420,000 over 18 months from March 2027. Pilot with "
            "60 nurses in Turkana by November 2027, then 900 nurses."
        ),
        [("March 2027", "start"), ("November 2027", "milestone")],
    ),
    (
        "Organise a three-day jazz festival in Aarhus on 4-6 June 2027.",
        [("4-6 June 2027", "deadline")],
    ),
    (
        ("Plan our wedding on 12 June 2027 in Siena. Invitations must go out by January 2027."),
        [("12 June 2027", "deadline"), ("January 2027", "milestone")],
    ),
    (
        "Run a citizen science study from March 2027 to June 2028.",
        [("March 2027", "start"), ("June 2028", "deadline")],
    ),
    (
        (
            "Migrate our billing system to the cloud. The current contract ends on 31 December 2027. The "
            "project must be finished by October 2027."
        ),
        [("31 December 2027", "milestone"), ("October 2027", "deadline")],
    ),
    (
        ("Our school was founded in 1974. We want to add a science wing by September 2028."),
        [("1974", "other"), ("September 2028", "deadline")],
    ),
    (
        "Write a field guide to mosses. Deadline: 30 June 2027.",
        [("30 June 2027", "deadline")],
    ),
    (
        "Launch a podcast in Q1 2027.",
        [("Q1 2027", "deadline")],
    ),
    (
        ("Launch a podcast. The first episode is published by 1 March 2027 and the whole series is complete by 2028."),
        [("1 March 2027", "milestone"), ("2028", "deadline")],
    ),
    (
        (
            "Build a bridge. Permits are due by May 2027. Construction starts in June 2027. The bridge "
            "opens in May 2029."
        ),
        # the permits are part of the work: it has begun by then
        [("May 2027", "milestone"), ("June 2027", "milestone"), ("May 2029", "deadline")],
    ),
    (
        "Cut emissions of the ferry fleet by 40% by 2032.",
        [("2032", "deadline")],
    ),
    (
        "Set up a clinic. The lease starts on 1 February 2027.",
        [("1 February 2027", "milestone")],
    ),
    (
        ("The exhibition runs from 3 May 2027 to 5 June 2027. Prepare an exhibition on tides."),
        [("3 May 2027", None), ("5 June 2027", None)],
    ),
    (
        ("We must vacate the old office by 31 March 2027; move the team of 40 before then."),
        [("31 March 2027", None)],
    ),
    (
        ("Register voters in Accra. Elections are in November 2028; the programme ends before 1 October 2028."),
        [("November 2028", "milestone"), ("1 October 2028", "deadline")],
    ),
    (
        "Submit the grant application by 15 January 2027.",
        [("15 January 2027", "deadline")],
    ),
    (
        "Wir wollen in Berlin bis zum 1. Mai 2027 ein Café eröffnen.",
        [("1. Mai 2027", "deadline")],
    ),
    (
        "Vi vil åbne en café i Aarhus inden 1. maj 2027.",
        [("1. maj 2027", "deadline")],
    ),
    (
        "Queremos abrir una cafetería en Lisboa antes del 1 de mayo de 2027.",
        [("1 de mayo de 2027", "deadline")],
    ),
    (
        ("Start a choir in Bergen. Rehearsals begin in September 2027. First concert on 12 December 2027."),
        [("September 2027", None), ("12 December 2027", "milestone")],
    ),
    (
        ("Establish a lab. By March 2027, the lease is signed; by June 2027, the lab is operational."),
        [("March 2027", "milestone"), ("June 2027", "deadline")],
    ),
    (
        ("Develop a framework for a town under a scenario of mass unemployment in 2027."),
        [("2027", "other")],
    ),
]


@pytest.mark.parametrize(("prompt", "wanted"), CASES)
def test_each_date_gets_its_role(prompt: str, wanted: list[tuple[str, str | None]]) -> None:
    days = read_facts(prompt, date(2026, 11, 20)).days

    assert [d.text for d in days] == [text for text, _ in wanted]
    assert [d.role for d, (_, role) in zip(days, wanted, strict=True) if role] == [r for _, r in wanted if r]


def test_a_milestone_says_what_happens_then() -> None:
    prompt = "Build a bridge. By March 2027, the lease is signed; the wall must be closed by 30 September 2029."

    assert [d.label for d in read_facts(prompt, date(2026, 11, 20)).days] == [
        "the lease is signed",
        "the wall must be closed",
    ]


def test_seasons_are_those_of_the_country() -> None:
    (north,) = read_facts("Plant trees in Bergen, Norway in spring 2027.", date(2026, 11, 20)).days
    (south,) = read_facts("Plant trees in Hobart, Australia in spring 2027.", date(2026, 11, 20)).days

    assert (north.earliest, north.latest) == (date(2027, 3, 1), date(2027, 5, 31))
    assert (south.earliest, south.latest) == (date(2027, 9, 1), date(2027, 11, 30))


def test_a_date_right_after_a_mark_is_read_in_finite_time() -> None:
    prompt = "Open a bar in Cork. The residents asked for quiet after:30 September is the last month."

    assert [d.label for d in read_facts(prompt, date(2026, 11, 20)).days] == ["The residents asked for quiet after"]


def test_a_time_of_day_is_no_date() -> None:
    prompt = "Open a bar in Cork. The residents asked for quiet after 22:30. September is the last month."

    assert read_facts(prompt, date(2026, 11, 20)).days == ()


def test_what_has_happened_is_no_milestone_of_the_plan() -> None:
    goal = "The idea came from a tenants' evening in June. We want to found an energy cooperative by May 2028."

    assert [d.text for d in read_facts(goal, date(2026, 11, 20)).days if d.role == "milestone"] == []
