"""The quality section of the report: what was checked, what was found and where; nothing found is said plainly."""

from collections.abc import Mapping

from planloom.domain.quality import MOST_PER_CHECK, WEIGHTS
from planloom.quality.checks import Checked, Quality
from planloom.report.card import Card
from planloom.stages.text import table

#: So many findings are shown in the page; quality.json holds the rest.
MOST_SHOWN = 40
GOAL = "The goal as given"


def quality_card(quality: Quality) -> Card:
    """Return the figure for the first page, under plan_status's name for it: the score, and what was found."""
    counts = quality.summary.findings
    found = ", ".join(f"{n} {word}" for word, n in counts.model_dump().items() if n)
    tone = "bad" if counts.high else "warn" if counts.medium else "good"
    note = f"score of the checks; they found {found}" if found else "score of the checks; they found nothing"
    return Card("Quality", f"{quality.score} of 100", note, tone)


def quality_section(quality: Quality, titles: Mapping[str, str]) -> str:
    """Return the section as Markdown; *titles* are the names of sections by file."""
    found = quality.findings
    parts = [_verdict(quality)]
    if found:
        parts += ["## What was found", _findings(quality, titles)]
    if len(found) > MOST_SHOWN:
        parts.append(f"{len(found) - MOST_SHOWN} more stand in quality.json.")
    if quality.mended:
        rows = [(titles.get(m.file, m.file), m.before, m.after) for m in quality.mended]
        parts += [
            "## What was mended in this report",
            "The section's own file keeps the first words.",
            table(("Section", "First", "Now"), rows),
        ]
    parts += ["## What was checked", table(("Check", "What it read", "Found"), map(_row, quality.checks))]
    return "\n\n".join(part.rstrip() for part in parts)


def _verdict(quality: Quality) -> str:
    counts = quality.summary.findings
    if not quality.findings:
        return (
            f"Nothing was found. {len(quality.checks)} checks read the finished plan and compared its sections with "
            "each other and with the goal. They see figures, dates, names and rows; whether the plan is wise, they "
            "cannot see."
        )
    severities = [f"{n} {word}" for word, n in counts.model_dump().items() if n]
    return (
        f"**Score {quality.score} of 100.** {len(quality.checks)} checks read the finished plan and found "
        f"{' and '.join(severities)}. "
        "High: somebody who acts on it is misled. Medium: two places disagree, or something is missing. Low: a flaw "
        "of form. Each names the place, and the place that it disagrees with. "
        f"The score is 100 less {WEIGHTS['high']}, {WEIGHTS['medium']} and {WEIGHTS['low']} for each, "
        f"at most {MOST_PER_CHECK} for one check."
    )


def _findings(quality: Quality, titles: Mapping[str, str]) -> str:
    rows = []
    for finding in quality.findings[:MOST_SHOWN]:
        here, there = (f"{titles.get(p.file, GOAL)}: {p.quote}" for p in finding.places)
        rows.append((finding.severity, finding.message, here, there))
    return table(("Severity", "Finding", "Place", "Against"), rows)


def _row(checked: Checked) -> tuple[object, ...]:
    count = len(checked.findings) + checked.left_off
    return checked.title, checked.looked_at, count or "nothing"
