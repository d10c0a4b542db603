"""Demands: what binds, how strongly, and what it is about."""

from datetime import date

import pytest

from planloom.reading.facts import read_facts

TODAY = date(2026, 11, 20)
CASES = [
    ("Rent must not exceed €3,200 a month.", [("must", "Rent")]),
    ("The work should start in May 2027 and the wall must be closed by June 2029.",
     [("should", "work"), ("must", "wall")]),
    ("At least 20% of the labour hours should go to apprentices.", [("should", "labour hours")]),
    ("The building is listed, so the façade cannot be changed.", [("must", "façade")]),
    ("Decisions above €5,000 need both signatures.", [("must", "Decisions above €5,000")]),
    ("Keep it simple; data may not leave the country.", [("must", "data")]),
    ("No child may be turned away.", [("must", "child")]),
    ("Flights are only allowed in May.", [("must", "Flights")]),
    ("A visit must take 90 seconds, sync must survive, and fewer than 1% of records may need repair.",
     [("must", "visit"), ("must", "sync"), ("must", "records")]),
    ("The oven is new. It has to fit the wall.", [("must", "wall")]),
    ("Der Umbau darf nicht länger als 9 Monate dauern.", [("must", "Der Umbau")]),
]  # fmt: skip


@pytest.mark.parametrize(("prompt", "wanted"), CASES)
def test_each_binding_clause_is_a_demand(prompt: str, wanted: list[tuple[str, str]]) -> None:
    assert [(d.strength, d.subject) for d in read_facts(prompt, TODAY).demands] == wanted


@pytest.mark.parametrize(
    "prompt",
    [
        "I need to water my plants.",
        "An agent needs to plan the migration of a shop.",
        "The town wants to turn the mill into a library.",
        "Do not use the words 'required' or 'must'.",
        "We will hire two bakers.",
        "Science cannot prove it.",
    ],
)
def test_wishes_plans_and_wordings_bind_nothing(prompt: str) -> None:
    assert read_facts(prompt, TODAY).demands == ()
