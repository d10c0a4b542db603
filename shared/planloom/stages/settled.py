"""The register of claims as every call sees it: all settled figures, in very few characters."""

import re
from collections.abc import Iterable
from itertools import groupby

from planloom.domain.claims import Claim

TITLE = "settled, as stage: id value; ~ is assumed; cite as stage.id"

#: A longer value is prose, and stands in its section.
MOST_VALUE = 60
#: A statement (``a1``: an assumption) is told in words where they are not more than these.
MOST_WORDS = 120
_FIGURE = re.compile(r"\d")
_STATEMENT = re.compile(r"[a-z]\d{1,2}")
_SAID_BY_ID = frozenset({None, "date", "place", "people"})


def settled(register: Iterable[Claim]) -> str:
    """Return one line for each stage, in the order of the register: what a later stage adds comes after.

    So the claims that one stage sees begin with those that a stage before it saw, byte for byte. What only repeats
    the goal is left out: every call is shown the goal itself.
    """
    claims = (claim for claim in register if claim.value and len(claim.value) <= MOST_VALUE and not _in_the_goal(claim))
    lines = []
    for stage, of_stage in groupby(claims, key=lambda claim: claim.id.partition(".")[0]):
        lines.append(f"{stage}: {'; '.join(map(_short, of_stage))}")
    return "\n".join(lines)


def _in_the_goal(claim: Claim) -> bool:
    """True where the goal says it in so many words; a day and the budget are readings of it, which must be shared."""
    if claim.source.startswith("prompt:"):
        return claim.unit != "date" and claim.id != "start.budget"
    # a demand kept or a choice that the goal itself makes, without a figure of its own
    return claim.kind == "fact" and not _FIGURE.search(claim.value or "")


def _short(claim: Claim) -> str:
    slug = claim.id.partition(".")[2]
    mark = "~" if claim.kind in ("assumption", "guess") else ""
    unit = "" if claim.unit in _SAID_BY_ID else f" {claim.unit}"
    told = f": {claim.text}" if _STATEMENT.fullmatch(slug) and len(claim.text) <= MOST_WORDS else ""
    return f"{mark}{slug} {claim.value}{unit}{told}"
