"""The register of claims as every call sees it: each on a line of its own, in words, with value, unit and base."""

import re
from collections.abc import Iterable

from planloom.domain.claims import Claim

TITLE = "settled claims, one a line: id: words [value unit of base]; ~ is assumed; cite as stage.id"

_FIGURE = re.compile(r"\d")


def settled(register: Iterable[Claim]) -> str:
    """Return a line for each claim, in the order of the register: what a later stage adds comes after.

    So the claims that one stage sees begin with those that a stage before it saw, byte for byte. Left out is what only
    repeats the goal: every call is shown the goal itself, whose words a reading of them could only blur.
    """
    return "\n".join(_line(claim) for claim in register if claim.value and not _only_repeats(claim))


def _only_repeats(claim: Claim) -> bool:
    """Return whether the goal says it in so many words; days and the budget are computed with and shown."""
    if claim.source.startswith("prompt:"):
        return claim.unit != "date" and claim.id != "start.budget"
    return claim.kind == "fact" and not _FIGURE.search(claim.value or "")


def _line(claim: Claim) -> str:
    mark = "~" if claim.kind in ("assumption", "guess") else ""
    return f"{mark}{claim.id}: {claim.text}{'' if _in_words(claim) else f' [{claim.value} {claim.unit}{_of(claim)}]'}"


def _in_words(claim: Claim) -> bool:
    """Return whether the words give the value already: a date, a setting, or the number with its unit."""
    plain = claim.text.replace(",", "")
    stated = claim.unit in (None, "date", "place") or re.search(rf"(?<!\d){re.escape(claim.value or '')}(?!\d)", plain)
    return bool(stated) and not claim.base


def _of(claim: Claim) -> str:
    return f" of {claim.base}" if claim.unit == "%" and claim.base else f" per {claim.base}" if claim.base else ""
