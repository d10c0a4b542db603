"""What decisions change in what is computed: only what changed is listed, and what got worse is said."""

from datetime import date
from typing import Any

import pytest

from planloom.planes.strategic.compute.computed import Computed, Finding, Load, Odds, Sum
from planloom.planes.strategic.quality_score import Severity
from planloom.planes.strategic.stages.balance import before_after, got_worse, worse
from planloom.planes.strategic.stages.computed_plan import ComputedPlan
from tests.unit.strategic.stages.plans import SPINE

DAY = date(2028, 5, 1)


def computed(chance: float = 0.9, *found: Severity, **fields: Any) -> Computed:
    odds = Odds(what="N1", of=("P3",), due=DAY, computed=DAY, p50=DAY, p80=DAY, chance=chance, stressed=DAY)
    findings = (
        Finding(id=f"x:{n}", check="x", severity=severity, ids=("P1",), text="x", places=())
        for n, severity in enumerate(found)
    )
    given = {"start": DAY, "end": DAY, "packages": (), "path": (), "odds": (odds,), "findings": tuple(findings)}
    return Computed(**given | fields)


def compared(before: Computed, after: Computed) -> str:
    return before_after(ComputedPlan(SPINE, before), ComputedPlan(SPINE, after))


def test_days_loads_and_money_are_shown_before_and_after() -> None:
    load = Load(role="R2", first=date(2027, 6, 1), needed=30, there=20)
    sums = (Sum(name="total", amount=850_000), Sum(name="contingency", amount=40_000))
    shown = compared(computed(0.6), computed(0.2, "high", loads=(load,), sums=sums, gap=5))
    for row in (
        "| N1 Open by 1 May 2028 | 60%, computed for 1 May 2028 | 20%, computed for 1 May 2028 |",
        "| Load of R2 Skipper, June 2027 | - | 30 of 20 person-days |",
        "| Budget less all lines | EUR 900,000 | EUR 50,000 |",
        "| Findings of high severity | 0 | 1 |",
    ):
        assert row in shown


def test_days_that_did_not_change_are_left_out() -> None:
    assert "N1" not in compared(computed(), computed())


@pytest.mark.parametrize(
    ("after", "worse"),
    [
        (computed(0.9), False),
        (computed(0.87), False),
        (computed(0.5), True),
        (computed(0.9, "low"), False),
        (computed(0.9, "medium"), True),
        (computed(0.9, gap=1), True),
    ],
)
def test_a_plan_got_worse_by_findings_chances_or_money(after: Computed, *, worse: bool) -> None:
    assert got_worse(computed(0.9), after) is worse


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (computed(0.9), computed(0.1, "high"), "findings of high severity: 1, not 0 (x)"),
        (computed(0.9, "high"), computed(0.1, "medium"), ""),
        (computed(0.9, gap=10), computed(0.9, gap=5_000), "the funding gap is 5,000, not 10"),
        (computed(0.9), computed(0.6, "medium"), "the lowest chance is 60%, not 90%"),
        (computed(0.9), computed(0.87, "medium"), ""),
    ],
)
def test_a_plan_is_worse_by_severe_findings_then_by_its_gap_or_its_lowest_chance(
    before: Computed, after: Computed, said: str
) -> None:
    assert worse(before, after) == said
