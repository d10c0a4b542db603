"""Tell a threshold that two strangers would read alike from one that they would argue about."""

import re

from planloom.facts.english import SMALL

_EXACT = re.compile(rf"\d|\b(?:{'|'.join(SMALL)}|no|none|nobody|never|every|each|all)\b", re.IGNORECASE)
_AT_LEAST = re.compile(r"(?:at least|more than|over|about|no fewer than|no less than) ", re.IGNORECASE)
_COUNT = re.compile(
    r"[€$£]?[\d.,]+(?!\s?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec))(?:\s?%|\s|$)", re.IGNORECASE
)
_UNSET = re.compile(r"\bto be set\b", re.IGNORECASE)


def has_figure(threshold: str) -> bool:
    """Return whether *threshold* holds a number, a number word, or none, every or all of something."""
    return bool(_EXACT.search(threshold)) and not _UNSET.search(threshold)


def grows(threshold: str) -> bool:
    """Return whether *threshold* is a count to be reached, so that two thirds of it is something one can see."""
    return bool(_COUNT.match(aim(threshold)))


def aim(threshold: str) -> str:
    """Return *threshold* without the words that say from where on it passes: ``at least 85%`` is ``85%``."""
    return _AT_LEAST.sub("", threshold.strip(), count=1)


def share_of(part: float, whole: float) -> str:
    """Return *part* of *whole* in whole percent; nothing is a share of nothing."""
    return f"{part / whole:.0%}" if whole else "0%"
