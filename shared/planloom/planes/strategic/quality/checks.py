"""The list of checks in order, and their result for a whole plan; each check is a file."""

from collections.abc import Callable
from types import ModuleType

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.planes.strategic.quality import computed, demands, denied, figures, length, missing, printed, repeated
from planloom.planes.strategic.quality.draft import Draft
from planloom.planes.strategic.quality.finding import Finding, Outcome
from planloom.planes.strategic.quality_score import QualitySummary, summary_of

#: The largest number of findings of one check that are kept, the most severe first; the rest is counted.
MOST_KEPT = 40

#: Every check of a plan, in the order of the report.
CHECKS: tuple[ModuleType, ...] = (computed, denied, demands, figures, printed, repeated, missing, length)
_GRAVITY = {"high": 0, "medium": 1, "low": 2}


class Checked(Frozen):
    """What one check looked at and found; ``left_off`` counts findings beyond MOST_KEPT."""

    check: str
    title: str
    looked_at: str
    findings: tuple[Finding, ...] = ()
    left_off: int = Field(default=0, ge=0)


class Quality(Frozen):
    """What ``quality.json`` holds."""

    score: int | None = Field(ge=0, le=100)
    summary: QualitySummary
    checks: tuple[Checked, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, the most severe first."""
        found = (finding for checked in self.checks for finding in checked.findings)
        return tuple(sorted(found, key=lambda finding: _GRAVITY[finding.severity]))


def assess(draft: Draft, *, scored: bool = True) -> Quality:
    """Run every check over *draft*; each is independent, so that none can hide what another finds.

    *scored*: False for an outline, which gets findings and no score.
    """
    checked = []
    counted = []
    most = 100
    for module in CHECKS:
        run: Callable[[Draft], Outcome] = module.check
        outcome = run(draft)
        most = min(most, outcome.most)
        # a check of the computation counts under its own name: late approvals and a gap in the cash are two problems
        counted += [(finding.check, finding.severity) for finding in outcome.findings]
        gravest = sorted(outcome.findings, key=lambda finding: _GRAVITY[finding.severity])
        checked.append(
            Checked(
                check=module.CHECK,
                title=module.TITLE,
                looked_at=outcome.looked_at,
                findings=tuple(gravest[:MOST_KEPT]),
                left_off=max(0, len(gravest) - MOST_KEPT),
            )
        )
    summary = summary_of(counted, most=most, scored=scored)
    return Quality(score=summary.score, summary=summary, checks=tuple(checked))
