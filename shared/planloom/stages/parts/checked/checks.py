"""The checks in order, and what they say of a whole draft: this file is the list, each check is a file."""

from collections.abc import Callable
from types import ModuleType

from pydantic import Field

from planloom.domain.frozen import Frozen
from planloom.domain.quality import QualitySummary, summary_of
from planloom.quality.finding import Finding, Outcome
from planloom.stages.parts.checked import (
    actions,
    carried,
    dates,
    deadline,
    demands,
    denied,
    missing,
    money,
    names,
    network,
    people,
    register,
    wording,
)
from planloom.stages.parts.checked.draft import Draft

#: Of one check as many findings are kept, the gravest first; the rest is counted.
MOST_KEPT = 40

#: Every check of a plan, in the order in which the report tells of them.
CHECKS: tuple[ModuleType, ...] = (
    deadline,
    network,
    dates,
    money,
    register,
    denied,
    demands,
    people,
    wording,
    names,
    actions,
    carried,
    missing,
)
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
        """All findings, the gravest first."""
        found = (finding for checked in self.checks for finding in checked.findings)
        return tuple(sorted(found, key=lambda finding: _GRAVITY[finding.severity]))


def assess(draft: Draft, *, scored: bool = True) -> Quality:
    """Run every check over *draft*; each runs alone, so that none can hide what another finds."""
    checked = []
    counted = []
    most = 100
    for module in CHECKS:
        run: Callable[[Draft], Outcome] = module.check
        outcome = run(draft)
        most = min(most, outcome.most)
        counted += [(module.CHECK, finding.severity) for finding in outcome.findings]
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
