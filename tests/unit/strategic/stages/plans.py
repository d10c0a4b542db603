"""A small plan that holds together, for tests of stages that read the spine."""

from datetime import date

from planloom.planes.strategic.spine.repair import repaired
from planloom.planes.strategic.spine.rows import (
    Constraint,
    Demand,
    Frame,
    Gate,
    Line,
    Need,
    Package,
    Party,
    Risk,
    Role,
    Source,
)
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.results import Choice, Graft
from tests.unit.strategic.stages.contexts import TODAY

_ROWS = Spine(
    frame=Frame(
        title="A Ferry",
        objective="Cross the Lek with 60 bicycles",
        concept="One cable ferry, two skippers",
        currency="EUR",
        start=date(2027, 1, 4),
        end=date(2028, 5, 1),
        budget=900_000,
    ),
    constraints=(Constraint(id="C1", text="No crossing in ice", basis="goal"),),
    demands=(Demand(id="N1", text="Open by 1 May 2028", due=date(2028, 5, 1), met_by=["P3"]),),
    gates=(Gate(id="G1", title="Order the hull", day=date(2027, 6, 1), needs=["P1"], frees=["P2"], decided_by="B1"),),
    parties=(Party(id="B1", name="Municipal council"),),
    roles=(Role(id="R1", title="Project lead"), Role(id="R2", title="Skipper")),
    packages=(
        Package(id="P1", title="Design the landing", kind="design", owner="R1", low=30, likely=40, high=60),
        Package(
            id="P2",
            title="Build the hull",
            kind="build",
            owner="R1",
            low=90,
            likely=120,
            high=200,
            needs=[Need(id="P1")],
        ),
        Package(id="P3", title="Open", kind="opening", owner="R2", low=3, likely=5, high=9, needs=[Need(id="P2")]),
    ),
    lines=(Line(id="L1", title="Hull", rate=400_000, package="P2"),),
    sources=(Source(id="F1", title="Province", amount=500_000, day=date(2027, 2, 1), status="promised"),),
    risks=(Risk(id="K1", cause="Low water", event="No crossing", odds=0.2, hits=["P3"], owner="R2"),),
)

#: As the stages before leave a spine.
SPINE, _ = repaired(_ROWS, TODAY)

CHOICE = Choice(
    base="# A ferry\n\nOne cable ferry carries twelve bicycles each time.",
    stance="the operator",
    grafts=(Graft(title="Winter", place="after the concept", text="In ice a bus runs.", because="It was missing."),),
)
