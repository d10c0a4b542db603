"""The result of a check: how much it read, and findings that each name two places."""

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.planes.strategic.quality_score import Severity

QUOTE_CHARACTERS = 200


class Place(Frozen):
    """A place in the plan: a file and words in it."""

    file: str = Field(description="Artifact: 011-2-project_plan.md; 001-2-plan.txt is the goal as given")
    quote: str = Field(max_length=QUOTE_CHARACTERS)


class Finding(Frozen):
    """One thing that is wrong: ``places`` are the place itself and the place that it disagrees with."""

    check: str
    severity: Severity
    message: str = Field(max_length=400)
    places: tuple[Place, Place]


class Outcome(Frozen):
    """What one check did: ``looked_at`` counts in words what it read, so that nothing found means something.

    ``most``: a plan with such findings scores no more than this.
    """

    looked_at: str
    findings: tuple[Finding, ...] = ()
    most: int = Field(default=100, ge=0, le=100)


def place(file: str, words: str) -> Place:
    """Return the place of *words* in *file*; long words are shortened at a word."""
    line = " ".join(words.split())
    if len(line) > QUOTE_CHARACTERS:
        line = line[: QUOTE_CHARACTERS - 1].rsplit(" ", 1)[0] + "…"
    return Place(file=file, quote=line)


def finding(check: str, severity: Severity, message: str, here: Place, there: Place) -> Finding:
    """Return the finding of *check* at *here*, which disagrees with *there*."""
    said = message if len(message) <= 400 else message[:399] + "…"
    return Finding(check=check, severity=severity, message=said, places=(here, there))
