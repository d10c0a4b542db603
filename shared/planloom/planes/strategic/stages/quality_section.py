"""The quality section of the report: what was checked, what was found, and where."""

from collections.abc import Mapping

from planloom.planes.strategic.quality.checks import Checked, Quality
from planloom.planes.strategic.quality_score import MOST_PER_CHECK, WEIGHTS
from planloom.planes.strategic.report.card import Card
from planloom.planes.strategic.stages.text import table

#: The number of findings in the page; quality.json holds the rest.
MOST_SHOWN = 40
GOAL = "The goal as given"


def quality_card(quality: Quality) -> Card:
    """Return the figure for the first page, under plan_status's name for it: the score, and what was found."""
    counts = quality.summary.findings
    found = ", ".join(f"{n} {word}" for word, n in counts.model_dump().items() if n)
    tone = "bad" if counts.high else "warn" if counts.medium else "good"
    said = f"they found {found}" if found else "they found nothing"
    if quality.score is None:
        return Card("Quality", "not scored", f"an outline without a language model; the checks: {said}", tone)
    return Card("Quality", f"{quality.score} of 100", f"score of the checks; {said}", tone)


def quality_section(quality: Quality, titles: Mapping[str, str]) -> str:
    """Return the section as Markdown; *titles* are the names of sections by file."""
    found = quality.findings
    parts = [_verdict(quality)]
    if found:
        parts += ["## What was found", _findings(quality, titles)]
    if len(found) > MOST_SHOWN:
        parts.append(f"{len(found) - MOST_SHOWN} more are in quality.json.")
    parts += ["## What was checked", table(("Check", "What it read", "Found"), map(_row, quality.checks))]
    return "\n\n".join(part.rstrip() for part in parts)


def _verdict(quality: Quality) -> str:
    counts = quality.summary.findings
    if not quality.findings:
        return (
            f"Nothing was found. {len(quality.checks)} checks read the finished plan, its schedule and its money. They "
            "compare figures, dates, order and words with each other and with the goal; they do not judge whether the "
            "plan is wise."
        )
    severities = [f"{n} {word}" for word, n in counts.model_dump().items() if n]
    score = "**Not scored: an outline.**" if quality.score is None else f"**Score {quality.score} of 100.**"
    weights = (
        ""
        if quality.score is None
        else f"The score is 100 less {WEIGHTS['high']}, {WEIGHTS['medium']} and {WEIGHTS['low']} for each, "
        f"at most {MOST_PER_CHECK} for one check."
    )
    return (
        f"{score} {len(quality.checks)} checks read the finished plan and found "
        f"{' and '.join(severities)}. "
        "High: somebody who acts on it is misled. Medium: two places disagree, or something is missing. Low: a flaw "
        "of form. Each names the place, and the place that it disagrees with. "
        f"{weights}"
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
