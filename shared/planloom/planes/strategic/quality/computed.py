"""Check: findings of the computation in the schedule, the money and the order of the final plan."""

from planloom.planes.strategic.compute.computed import Finding as Found
from planloom.planes.strategic.quality.draft import SCHEDULE_FILE, SPINE_FILE, Draft
from planloom.planes.strategic.quality.finding import Finding, Outcome, Place, finding, place

CHECK = "computed"
TITLE = "Schedule, money and order, computed"


def check(draft: Draft) -> Outcome:
    """Return the findings of the computation under their own names (``order.before_approval``) and severities."""
    rows = sum(1 for _ in draft.spine.rows())
    looked = f"{rows} rows of the plan's tables, {len(draft.spine.packages)} of them packages"
    return Outcome(looked_at=looked, findings=tuple(map(_finding, draft.computed.findings)))


def _finding(found: Found) -> Finding:
    here, there = _places(found)
    advice = f" {found.advice}" if found.advice else ""
    return finding(found.check, found.severity, f"{found.text}{advice}", here, there)


def _places(found: Found) -> tuple[Place, Place]:
    """Return the first two places; a finding with one place disagrees with what was computed."""
    said = [place(SPINE_FILE, words) for words in found.places[:2]]
    computed = place(SCHEDULE_FILE, ", ".join(found.ids) or found.check)
    here, there = (*said, computed, computed)[:2]
    return here, there
