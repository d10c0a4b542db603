"""Organisations: clearly named ones alone."""

from datetime import date

import pytest

from planloom.reading.facts import read_facts

TODAY = date(2026, 11, 20)
CASES = [
    ("The municipality of Aalborg will protect the shore.", ["municipality of Aalborg"]),
    ("The University of Bern leads the work.", ["University of Bern"]),
    ("The Ministry of Health supplies the vaccine.", ["Ministry of Health"]),
    ("Ask the Federal Office for the Environment first.", ["Federal Office for the Environment"]),
    ("Our partner Vestas delivers the blades.", ["Vestas"]),
    ("We sell to Nordic Timber A/S in bulk.", ["Nordic Timber A/S"]),
    ("A charity called 'Open Kitchens' cooks.", ["Open Kitchens"]),
    ("Follow the rules of the WHO and UNICEF.", ["WHO", "UNICEF"]),
    ("Israel's National Security Ministry pays.", ["National Security Ministry"]),
    ("The Heritage Lottery Fund gave a grant.", ["Heritage Lottery Fund"]),
    ("Die Universität Freiburg berät uns.", ["Universität Freiburg"]),
]


@pytest.mark.parametrize(("prompt", "wanted"), CASES)
def test_a_named_body_is_read(prompt: str, wanted: list[str]) -> None:
    assert [o.name for o in read_facts(prompt, TODAY).organisations] == wanted


@pytest.mark.parametrize(
    "prompt",
    [
        "Comply with the Data Protection Act.",
        "Council members meet weekly.",
        "Residents must keep access.",
        "The council has approved it.",
        "Grand Opening in month 3.",
        "Each Partner signs.",
        "Success means profit.",
    ],
)
def test_laws_common_nouns_and_sentence_beginnings_are_no_organisations(prompt: str) -> None:
    assert read_facts(prompt, TODAY).organisations == ()
