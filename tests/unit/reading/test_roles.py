"""Roles: people by function, with their number."""

from datetime import date

import pytest

from planloom.reading.facts import read_facts

TODAY = date(2026, 11, 20)
CASES = [
    ("We will hire one head baker, two bakers and four front-of-house staff.",
     [(1, "head baker"), (2, "baker"), (4, "front-of-house staff")]),
    ("The team is four engineers in Nairobi, a product manager and a part-time designer.",
     [(4, "engineer"), (1, "product manager"), (1, "part-time designer")]),
    ("A clinical safety officer can stop a release.", [(1, "clinical safety officer")]),
    ("A steering group of five (city engineer, finance and the port) meets.",
     [(5, "steering group"), (1, "city engineer")]),
    ("Governance is a 3-member advisory board.", [(3, "advisory board")]),
    ("We have a team of 9 developers.", [(9, "developer")]),
    ("The crew consists of 2 DevOps engineers and 1 architect.", [(2, "DevOps engineer"), (1, "architect")]),
    ("Each team consists of two nurses and a driver.", [(2, "nurse"), (1, "driver")]),
    ("A monthly meeting with our accountant reviews cash.", [(1, "accountant")]),
]  # fmt: skip


@pytest.mark.parametrize(("prompt", "wanted"), CASES)
def test_people_are_read_by_function_and_number(prompt: str, wanted: list[tuple[int, str]]) -> None:
    assert [(r.count, r.title) for r in read_facts(prompt, TODAY).roles] == wanted


@pytest.mark.parametrize(
    "prompt",
    ["Pilot with 60 nurses by May.", "Community nurses record visits.", "Train 300 teachers.", "Engineer a bridge."],
)
def test_those_whom_the_plan_serves_are_no_roles(prompt: str) -> None:
    assert read_facts(prompt, TODAY).roles == ()
