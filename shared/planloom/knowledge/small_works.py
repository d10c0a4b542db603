"""The work of a very small goal: a kitchen to paint in two weeks needs a few packages of days, not twenty of weeks."""

from collections.abc import Sequence

from planloom.knowledge.brief import Brief
from planloom.knowledge.tables import Deliverable, Package

#: Calendar days: what the prompt wants within them, and says in little, is very small.
SIX_WEEKS = 42

#: Packages of each phase that a very small goal keeps.
_MOST = {"build": 3, "launch": 3}
_MOST_ELSE = 2

#: What the order of every breakdown hangs on.
_SPINE = ("charter", "procurement", "acceptance", "handover")
#: No package may take more of the working days, or nothing else would fit before and after it.
_MOST_OF_FRAME = 0.25
#: A package takes half a day at least.
_LEAST_DAYS = 0.5


def is_very_small(brief: Brief) -> bool:
    """Return whether the prompt itself sets a frame of less than six weeks for something small."""
    framed = brief.deadline is not None and (brief.deadline - brief.start).days <= SIX_WEEKS
    return framed and brief.scale == "small"


def small_works(
    brief: Brief, rows: Sequence[tuple[Deliverable, tuple[Package, ...]]]
) -> list[tuple[Deliverable, tuple[Package, ...]]]:
    """Return *rows* with the few packages of each phase that matter most, in their order, days cut to the frame.

    Lead times of others stay only where the prompt speaks of them, and keep their days.
    """
    kept: set[str] = set()
    for phase in brief.phases:
        mine = [p for deliverable, packages in rows if deliverable.phase == phase.id for p in packages]
        usable = [p for p in mine if p.when or not p.fixed or p.id in _SPINE]
        kept |= {p.id for p in sorted(usable, key=lambda p: _rank(p, phase.id))[: _MOST.get(phase.id, _MOST_ELSE)]}
    cut = [(d, tuple(_shortened(p, brief) for p in packages if p.id in kept)) for d, packages in rows]
    return [(deliverable, packages) for deliverable, packages in cut if packages]


def _rank(package: Package, phase: str) -> tuple[bool, bool, bool]:
    held = phase == "launch" and package.kind == "operate"
    return package.id not in _SPINE and not held, not package.when, package.kind not in ("build", "finance", "operate")


def _shortened(package: Package, brief: Brief) -> Package:
    if package.fixed:
        return package
    frame = (brief.end_assumed - brief.start).days * 5 / 7
    share = min(1.0, brief.months / brief.archetype.months[0], _MOST_OF_FRAME * frame / package.days[1])
    low, likely, high = (max(round(days * share * 2) / 2, _LEAST_DAYS) for days in package.days)
    return package.model_copy(update={"days": (low, likely, high)})
