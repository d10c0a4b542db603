"""Findings as models and readers are shown them: with their ids, all places that disagree, and the advice."""

from collections.abc import Iterable, Sequence

from planloom.compute.computed import Finding
from planloom.domain.quality import Severity
from planloom.stages.results import CriticFinding
from planloom.stages.text import table

SEVERITIES: tuple[Severity, ...] = ("high", "medium", "low")


def findings_text(found: Iterable[Finding]) -> str:
    """Return findings of programs as a model is shown them: id, severity, text, each place in a line, advice."""
    return "\n".join(
        "\n".join(
            [
                f"- finding `{finding.id}` ({finding.severity}): {finding.text}",
                *(f"  - {place}" for place in finding.places),
                *([f"  - advice: {finding.advice}"] if finding.advice else []),
            ]
        )
        for finding in found
    )


def criticism_text(found: Iterable[CriticFinding]) -> str:
    """Return findings of critics as a model is shown them, with the changes that each proposes."""
    return "\n".join(
        "\n".join(
            [
                f"- finding {finding.id} ({finding.severity}) by {finding.critic}, on {', '.join(finding.ids) or '-'}: "
                f"{finding.text}",
                f"  - place: {finding.place}",
                *([f"  - consequence: {finding.consequence}"] if finding.consequence else []),
                *([f"  - advice: {finding.advice}"] if finding.advice else []),
                *(f"  - proposed change: {change.model_dump_json()}" for change in finding.changes),
            ]
        )
        for finding in found
    )


def findings_table(found: Iterable[Finding]) -> str:
    """Return findings of programs as a table for readers; empty where there are none."""
    rows = ((f.severity, ", ".join(f.ids), f.text, " ⟷ ".join(f.places), f.advice) for f in by_severity(found))
    return table(("Severity", "Rows", "What does not fit", "Places", "Advice"), rows)


def by_severity(found: Iterable[Finding]) -> list[Finding]:
    """Return *found* with the severe ones first, otherwise in the order given."""
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))


def counted(found: Sequence[Finding | CriticFinding]) -> str:
    """Return how many findings there are of each severity: ``7 findings (2 high, 5 medium)``."""
    counts = [(severity, sum(f.severity == severity for f in found)) for severity in SEVERITIES]
    said = ", ".join(f"{count} {severity}" for severity, count in counts if count)
    return f"{len(found) or 'no'} finding{'' if len(found) == 1 else 's'}{f' ({said})' if said else ''}"
