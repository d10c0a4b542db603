"""A plan that holds together: a fire station becomes a café. Tests change one thing in it."""

from datetime import date
from typing import Any

from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.spine import TABLES, Spine

COUNCIL = [date(2026, month, 8) for month in range(2, 13)]


def sound() -> Spine:
    """Return the plan."""
    return Spine(
        frame=r.Frame(
            title="Café in the old fire station",
            objective="Convert the old fire station and open a café in it by 31 August 2027",
            currency="EUR",
            start=date(2026, 1, 12),
            end=date(2027, 10, 29),
            budget=400_000,
        ),
        demands=(
            r.Demand(id="N1", text="The hall is converted by June 2027", due=date(2027, 6, 30), met_by=["P6"]),
            r.Demand(id="N2", text="Open the café by the end of August 2027", due=date(2027, 8, 31), met_by=["P14"]),
        ),
        decisions=(_decision(),),
        gates=(
            r.Gate(
                id="G1",
                title="Go to build",
                day=date(2026, 10, 1),
                conditions=[r.Condition(measure="Lowest bid for the hall", value="at most EUR 170,000")],
                needs=["P4"],
                frees=["P5"],
                leaving_cost=4_000,
                decided_by="R1",
            ),
        ),
        parties=(
            r.Party(id="B1", name="Building authority"),
            r.Party(id="B2", name="Town council", meeting_days=COUNCIL, papers_days=14),
            r.Party(id="B3", name="Public order office"),
        ),
        approvals=_approvals(),
        roles=_roles(),
        deliverables=(
            r.Deliverable(id="V1", title="Funding"),
            r.Deliverable(id="V2", title="Converted hall"),
            r.Deliverable(id="V3", title="Kitchen"),
            r.Deliverable(id="V4", title="Running café"),
        ),
        packages=_packages(),
        lines=_lines(),
        sources=(
            r.Source(id="F1", title="Own funds", amount=160_000, day=date(2026, 1, 12), status="there"),
            r.Source(id="F2", title="Grant of the town", amount=150_000, after="A2", status="applied_for"),
            r.Source(id="F3", title="Loan of the bank", amount=90_000, day=date(2026, 9, 1), status="promised"),
        ),
        streams=(
            r.Stream(
                id="O1",
                title="Meals",
                unit="meals",
                volume_low=11_000,
                volume=15_000,
                volume_high=18_000,
                price_low=12,
                price=14,
                price_high=15,
                unit_cost=5,
                ramp_months=4,
                paid_after=10,
            ),
        ),
        upkeep=(
            r.Upkeep(id="U1", title="Café staff", low=75_000, likely=80_000, high=90_000),
            r.Upkeep(id="U2", title="Energy and insurance", low=10_000, likely=12_000, high=15_000),
        ),
        risks=_risks(),
    )


def changed(spine: Spine, id: str, **fields: Any) -> Spine:
    """Return *spine* with *fields* of the row *id* replaced."""
    for name in TABLES:
        rows = getattr(spine, name)
        if any(row.id == id for row in rows):
            new = tuple(row.model_copy(update=fields) if row.id == id else row for row in rows)
            return spine.model_copy(update={name: new})
    raise KeyError(id)


def added(spine: Spine, *rows: r.Row) -> Spine:
    """Return *spine* with *rows* at the end of their tables."""
    for row in rows:
        name = next(name for name, (_, kind) in TABLES.items() if kind is type(row))
        spine = spine.model_copy(update={name: (*getattr(spine, name), row)})
    return spine


def without(spine: Spine, *ids: str) -> Spine:
    """Return *spine* without the rows *ids*; what refers to them is left as it is."""
    tables = {name: tuple(row for row in getattr(spine, name) if row.id not in ids) for name in TABLES}
    return spine.model_copy(update=tables)


def framed(spine: Spine, **fields: Any) -> Spine:
    """Return *spine* with *fields* of its frame replaced."""
    return spine.model_copy(update={"frame": spine.frame.model_copy(update=fields)})


def _decision() -> r.Decision:
    return r.Decision(
        id="D1",
        question="A new kitchen or a used one?",
        options=[
            r.Option(key="A", title="A used kitchen", cost=60_000, undo_by=date(2026, 10, 1)),
            r.Option(key="B", title="A new kitchen", cost=95_000, days=30),
        ],
        recommended="A",
        decided_by="R1",
        by=date(2026, 6, 30),
        frees=["P8"],
    )


def _approvals() -> tuple[r.Approval, ...]:
    return (
        r.Approval(
            id="A1", title="Building permit", party="B1", low=60, likely=80, high=120, papers=["P3"], frees=["P5"]
        ),
        r.Approval(
            id="A2",
            title="Vote on the grant",
            party="B2",
            meeting=date(2026, 7, 8),
            papers=["P16"],
            frees=["P5", "P8"],
            releases=150_000,
        ),
        r.Approval(
            id="A3",
            title="Licence of the café",
            party="B3",
            low=14,
            likely=21,
            high=35,
            papers=["P12"],
            frees=["P13", "P14"],
        ),
    )


def _roles() -> tuple[r.Role, ...]:
    return (
        r.Role(id="R1", title="Project lead", people=1, day_rate=320, second="Deputy chair"),
        r.Role(id="R2", title="Architect", people=1, filled_by="Contracted for a fee"),
        r.Role(id="R3", title="Builders", people=4, filled_by="Contractor"),
        r.Role(id="R4", title="Café manager", people=1, day_rate=250, filled_by="Hired"),
        r.Role(id="R5", title="Treasurer", people=0.5, filled_by="Volunteer"),
    )


def _packages() -> tuple[r.Package, ...]:
    def package(
        id: str, title: str, deliverable: str, kind: str, owner: str, days: str, needs: str = "", **more: Any
    ) -> r.Package:
        low, likely, high = map(float, days.split())
        return r.Package(
            id=id,
            title=title,
            deliverable=deliverable,
            kind=kind,
            owner=owner,
            low=low,
            likely=likely,
            high=high,
            needs=[r.Need(id=need) for need in needs.split()],
            **more,
        )

    return (
        package("P1", "Survey the building", "V2", "research", "R2", "6 8 14", effort=8),
        package("P2", "Draw the hall", "V2", "design", "R2", "20 25 40", "P1", effort=25),
        package("P3", "Write the papers of the permit", "V2", "application", "R2", "4 6 12", "P2", effort=6),
        package("P4", "Tender the works of the hall", "V2", "tender", "R1", "18 22 34", "P2", effort=8),
        package("P5", "Award the works of the hall", "V2", "contract", "R1", "3 4 8", "P4", effort=3),
        package("P6", "Build in the hall", "V2", "build", "R3", "50 60 85", "P5", effort=180),
        package("P7", "Draw the kitchen", "V3", "design", "R2", "8 10 18", "P2", effort=10),
        package("P8", "Order the kitchen", "V3", "order", "R1", "2 3 5", "P7 P5", effort=2),
        package("P9", "Fit the kitchen", "V3", "delivery", "R3", "20 25 40", "P8 P6", effort=40),
        package(
            "P10", "Hire the café manager", "V4", "hiring", "R1", "25 35 55", effort=8, not_before=date(2026, 11, 2)
        ),
        package("P11", "Train the team", "V4", "training", "R4", "6 8 12", "P10 P9", effort=8),
        package("P12", "Write the papers of the licence", "V4", "application", "R4", "3 4 8", "P9 P10", effort=4),
        package("P13", "Cook on trial for guests", "V4", "trial", "R4", "3 4 6", "P11", effort=4),
        package("P14", "Open the café", "V4", "opening", "R4", "1 1 2", "P13", effort=1),
        package("P15", "Close the accounts", "V1", "closing", "R5", "4 6 10", "P14", effort=3),
        package("P16", "Apply for the grant of the town", "V1", "application", "R1", "8 10 16", effort=10),
        package("P17", "Rent a kitchen in a container", "V3", "other", "R1", "8 10 15", "P8", effort=3),
    )


def _lines() -> tuple[r.Line, ...]:
    return (
        r.Line(id="L1", title="First instalment of the works", rate=40_000, package="P5"),
        r.Line(id="L2", title="Works of the hall", quantity=400, unit="m2", rate=300, package="P6", paid="even"),
        r.Line(id="L3", title="Used kitchen", rate=60_000, package="P8"),
        r.Line(id="L4", title="Fee of the architect", rate=28_000, package="P2", paid="even"),
        r.Line(id="L5", title="Pay of the project lead", quantity=36, unit="days", rate=320, kind="staff", role="R1"),
        r.Line(id="L6", title="Pay of the café manager", quantity=17, unit="days", rate=250, kind="staff", role="R4"),
        r.Line(id="L7", title="Fees of permit and licence", rate=3_000, package="P3", kind="tax"),
        r.Line(id="L8", title="Fitting of the kitchen", rate=9_000, package="P9"),
        r.Line(id="L9", title="Contingency", rate=40_000, kind="contingency"),
        r.Line(id="L10", title="Working capital of the first year", rate=60_000, kind="reserve"),
        r.Line(id="L11", title="Rent of the container", quantity=3, unit="months", rate=1_500, package="P17"),
    )


def _risks() -> tuple[r.Risk, ...]:
    return (
        r.Risk(
            id="K1",
            cause="The floor was never surveyed",
            event="The floor has to be replaced",
            odds=0.2,
            cost=25_000,
            days=20,
            hits=["P6"],
            owner="R2",
            line="L9",
        ),
        r.Risk(
            id="K2",
            cause="The seller sells to others",
            event="The used kitchen is not there in time",
            odds=0.15,
            cost=8_000,
            days=40,
            hits=["P9"],
            owner="R1",
            trigger="No day of delivery is confirmed",
            trigger_by=date(2026, 12, 1),
            package="P17",
            line="L11",
        ),
    )
