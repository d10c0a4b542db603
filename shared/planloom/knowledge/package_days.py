"""The work packages of a brief and about when each starts, before the schedule is computed."""

from collections.abc import Mapping
from datetime import date

from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import gate_day, open_day
from planloom.knowledge.tables import Deliverable, Package

#: The package whose end is the launch, in every archetype.
_LAUNCHED = "acceptance"


def packages(brief: Brief) -> dict[str, Package]:
    """Return the packages that apply, by id, in the order of the tables."""
    rows = brief.rows("deliverables", Deliverable)
    return {p.id: p for d in rows for p in d.packages if not p.when or brief.evidence(p.when)}


def package_title(brief: Brief, package_id: str) -> str:
    """Return the title of *package_id*, or the id in words where no such package applies."""
    found = packages(brief).get(package_id)
    return found.title if found else package_id.replace("_", " ")


def package_start(brief: Brief, package_id: str) -> date:
    """Return about when *package_id* starts: likely days along its predecessors, scaled so that the launch fits.

    The schedule computes the date later; this one serves to say when a paper must be there. Unknown ids: the launch.
    """
    known = packages(brief)
    launch = gate_day(brief, "launch")
    if package_id not in known:
        return launch
    ends: dict[str, float] = {}
    start = _start(known, package_id, ends)
    whole = _end(known, _LAUNCHED, ends) if _LAUNCHED in known else max(_end(known, p, ends) for p in known)
    return open_day(brief, brief.start + min(start / (whole or 1.0), 1.0) * (launch - brief.start))


def _start(known: Mapping[str, Package], package_id: str, ends: dict[str, float]) -> float:
    return max((_end(known, p, ends) for p in known[package_id].after if p in known), default=0.0)


def _end(known: Mapping[str, Package], package_id: str, ends: dict[str, float]) -> float:
    if package_id not in ends:
        ends[package_id] = 0.0  # a circle in a table would never end otherwise
        ends[package_id] = _start(known, package_id, ends) + known[package_id].days[1]
    return ends[package_id]
