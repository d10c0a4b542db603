"""Spines to compute: one as large as a real plan, and small ones from a few rows."""

from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any

from planloom.planes.strategic.spine.rows import (
    Approval,
    Decision,
    Deliverable,
    Demand,
    Frame,
    Gate,
    Line,
    Need,
    Option,
    Package,
    Party,
    Risk,
    Role,
    Source,
    Stream,
    Upkeep,
)
from planloom.planes.strategic.spine.spine import Spine

#: A Monday.
START = date(2027, 3, 1)

#: Kind, owner, low, likely, high, effort of the packages of each deliverable, in order; each needs the one before.
_STEPS = (
    ("research", "R1", 4, 6, 12, 5),
    ("design", "R2", 10, 15, 28, 12),
    ("application", "R3", 3, 5, 9, 4),
    ("tender", "R4", 15, 20, 35, 6),
    ("order", "R4", 2, 3, 6, 2),
    ("delivery", "R5", 20, 30, 60, 0),
    ("build", "R5", 8, 14, 26, 40),
    ("test", "R6", 3, 5, 10, 5),
)
_ROLES = ("Lead", "Designer", "Permits officer", "Buyer", "Site crew", "Tester", "Finance", "Communication")
_THINGS = ("Hall", "Stage", "Seats", "Power", "Water", "Kitchen", "Paths", "Lights", "Tickets", "Signs")


def spine_of(packages: Iterable[Package] = (), start: date = START, end: date | None = None, **tables: Any) -> Spine:
    """A spine of a few rows."""
    return Spine(
        frame=Frame(title="A plan", objective="It runs", start=start, end=end), packages=tuple(packages), **tables
    )


def package(name: str, days: float = 1, *needs: Any, **more: Any) -> Package:
    """A package that takes exactly *days*; *needs* are ids or Needs."""
    points: dict[str, Any] = {"low": days, "likely": days, "high": days} | more
    return Package(
        id=name, title=f"Package {name}", needs=[{"id": n} if isinstance(n, str) else n for n in needs], **points
    )


def realistic(deliverables: int = 10) -> Spine:
    """A plan of eight packages for each deliverable, ten for 80, with every table that is computed; always the same."""
    return Spine(
        frame=Frame(
            title="An open-air theatre", objective="Forty evenings a season", currency="EUR", start=START,
            end=START + timedelta(640 + 20 * deliverables), budget=2_400_000,
        ),
        demands=tuple(_demands(deliverables)),
        decisions=tuple(
            Decision(
                id=f"D{n}", question=f"How is part {n} built?", by=START + timedelta(20 * n), decided_by="R1",
                options=[Option(key="A", title="Build", cost=90_000), Option(key="B", title="Hire", cost=60_000)],
                recommended="A", frees=[f"P{8 * (n - 1) + 2}"],
            )
            for n in range(1, min(8, deliverables) + 1)
        ),
        gates=tuple(
            Gate(
                id=f"G{n}", title=f"Gate {n}", day=START + timedelta(90 * n), needs=[f"P{8 * (n - 1) + 2}"],
                frees=[f"P{8 * (n - 1) + 5}"], leaving_cost=5_000, decided_by="R1",
            )
            for n in range(1, min(7, deliverables) + 1)
        ),
        parties=(
            Party(
                id="B1", name="Town council", papers_days=14,
                meeting_days=[START + timedelta(28 * n + 3) for n in range(40)],
            ),
            Party(id="B2", name="Building authority"),
        ),
        approvals=tuple(_approvals(deliverables)),
        roles=tuple(
            Role(id=f"R{n}", title=title, people=1 + (n == 5) * 5 + (n in (2, 4)), day_rate=200 + 20 * n)
            for n, title in enumerate(_ROLES, 1)
        ),
        deliverables=tuple(Deliverable(id=f"V{n + 1}", title=_thing(n)) for n in range(deliverables)),
        packages=tuple(_packages(deliverables)),
        lines=tuple(_lines(deliverables)),
        sources=(
            Source(id="F1", title="Town", amount=1_500_000, day=START + timedelta(60), after="A1", status="promised"),
            Source(id="F2", title="Loan", amount=900_000, day=START + timedelta(200), status="applied_for"),
        ),
        streams=(
            Stream(
                id="O1", title="Tickets", unit="seats", volume_low=8_000, volume=12_000, volume_high=15_000,
                price_low=18, price=22, price_high=26, unit_cost=3, ramp_months=6, paid_after=10,
            ),
        ),
        upkeep=(Upkeep(id="U1", title="Upkeep of the site", low=60_000, likely=80_000, high=110_000),),
        risks=tuple(
            Risk(
                id=f"K{n}", cause="A wet winter", event=f"Work on {_thing(n)} stops", odds=0.1 + 0.02 * n, days=20,
                cost=8_000, hits=[f"P{8 * (n % deliverables) + 7}"], owner="R1", residual=0.1,
            )
            for n in range(1, 11)
        ),
    )  # fmt: skip


def _thing(n: int) -> str:
    return f"{_THINGS[n % 10]} {n // 10 + 1}"


def _packages(deliverables: int) -> Iterator[Package]:
    for n in range(deliverables):
        for step, (kind, owner, low, likely, high, effort) in enumerate(_STEPS):
            number = 8 * n + step + 1
            needs = (
                [Need(id=f"P{number - 1}")]
                if step
                else [Need(id=f"P{number - 8}", kind="start_start", lag=3)] * (n > 0)
            )
            if step == 6 and n:
                needs.append(Need(id=f"P{number - 8}", lag=-4))
            yield Package(
                id=f"P{number}", title=f"{_thing(n)}: {kind}", deliverable=f"V{n + 1}", kind=kind, owner=owner,
                low=low, likely=likely + n % 3, high=high + n % 5, effort=effort, needs=needs,
                also=[{"role": "R1", "days": 1}] if kind in ("design", "test") else [],
                outdoor=kind == "build", every_day=kind == "delivery", done_when="It is accepted",
            )  # fmt: skip


def _demands(deliverables: int) -> Iterator[Demand]:
    for n in range(25):
        last = 8 * (n % deliverables) + (8 if n < deliverables else 7)
        due = START + timedelta(330 + 30 * (n % deliverables)) if n % 2 == 0 else None
        yield Demand(id=f"N{n + 1}", text=f"Demand {n + 1} of the goal", due=due, met_by=[f"P{last}"])


def _approvals(deliverables: int) -> Iterator[Approval]:
    for n in range(min(11, deliverables)):
        first = 8 * n + 1
        meeting = START + timedelta(28 * (2 + n) + 3) if n % 2 == 0 else None
        yield Approval(
            id=f"A{n + 1}", title=f"Permit of {_thing(n)}", party="B1" if meeting else "B2", low=20, likely=40, high=90,
            papers=[f"P{first + 2}"], meeting=meeting, frees=[f"P{first + 4}"], basis="verify" if n % 3 else "goal",
        )  # fmt: skip


def _lines(deliverables: int) -> Iterator[Line]:
    for n in range(deliverables):
        yield Line(
            id=f"L{n + 1}", title=f"{_thing(n)} as ordered", quantity=10, rate=9_000 + 500 * (n % 10),
            package=f"P{8 * n + 6}", paid="end",
        )  # fmt: skip
    yield Line(id="L901", title="Lead", quantity=24, unit="months", rate=5_500, kind="staff", role="R1", paid="even")
    yield Line(id="L902", title="Contingency", rate=150_000, kind="contingency")
    yield Line(id="L903", title="Reserve", rate=100_000, kind="reserve")
