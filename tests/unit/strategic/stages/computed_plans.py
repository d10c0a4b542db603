"""A computed plan for the stages that write about it: the café of the tests of computation, with what it lacks."""

from functools import cache
from typing import Any

from planloom.planes.strategic.compute.compute import compute
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.computed_plan import ComputedPlan
from planloom.planes.strategic.stages.results import (
    Chapter,
    Choice,
    MainDocument,
    Repaired,
    Review,
    Schedule,
    Structured,
)
from tests.unit.strategic.compute.sound import added, sound

#: The draft of the plan.
BASE = """# The café in the fire station

A café with sixty seats in ninety minutes; the narrowest point is the till, which costs EUR 4,000 (assumed)."""


def a_spine() -> Spine:
    """Return the café with an assumption, an open question, a criterion and a constraint."""
    return added(
        sound(),
        r.Criterion(id="S1", measure="Meals a day", target="60", read_how="The manager, from the till"),
        r.Constraint(id="C1", text="The façade stays as it is", kept_by=["P2"]),
        r.Assumption(id="H1", text="The roof is sound", breaks="The hall costs more", test="Open it", owner="R2"),
        r.OpenQuestion(id="Q1", text="Who holds the keys?", why="The survey waits", owner="R1"),
    )


def a_schedule(spine: Spine | None = None) -> Schedule:
    """Return the result of the stage that computes."""
    return _scheduled(spine) if spine else _usual()


@cache
def _usual() -> Schedule:
    return _scheduled(a_spine())


def _scheduled(spine: Spine) -> Schedule:
    return Schedule(spine=spine, computed=compute(spine, runs=50))


def a_plan(spine: Spine | None = None) -> ComputedPlan:
    """Return the spine beside what is computed of it."""
    schedule = a_schedule(spine)
    return ComputedPlan(schedule.spine, schedule.computed)


def given(spine: Spine | None = None) -> dict[str, Any]:
    """Return the results that writing stages need."""
    schedule = a_schedule(spine)
    return {
        "choice": Choice(base=BASE, stance="bold"),
        "spine": Structured(spine=a_spine()),
        "repair": Repaired(spine=schedule.spine),
        "review_plan": Review(spine=schedule.spine),
        "schedule": schedule,
        "main_document": MainDocument(
            chapters=(Chapter(name="levers", title="Decisions", text="The used kitchen is bought.\n", source="1f"),)
        ),
    }


TEXTS = {"levers": "# Decisions\n\nThe used kitchen is bought.\n"}
