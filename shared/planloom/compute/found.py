"""How findings are written: the check, the rows that disagree, and the words of each."""

from collections.abc import Iterable, Sequence
from typing import Any

from planloom.compute.computed import Finding
from planloom.domain.quality import Severity
from planloom.spine.rows import Row

#: How many findings there are at most, and of one check.
MOST = 80
MOST_OF_CHECK = 8

_RANK: dict[Severity, int] = {"high": 0, "medium": 1, "low": 2}


def finding(
    check: str, severity: Severity, places: Sequence[tuple[Row | str, str]], text: str, advice: str = ""
) -> Finding:
    """Return a finding. *places* are rows, each with what it says; a text instead of a row is a place without id."""
    ids = tuple(dict.fromkeys(row.id for row, _ in places if isinstance(row, Row)))
    said = tuple(f"{_words(row)}: {words}" for row, words in places)
    return Finding(
        id=f"{check}:{','.join(ids)}"[:160],
        check=check,
        severity=severity,
        ids=ids,
        text=_cut(text, 600),
        places=said,
        advice=_cut(advice, 400),
    )


def title_of(row: Any) -> str:
    """Return the words that name *row*: its title, else the first of its texts."""
    for field in ("title", "name", "text", "question", "event", "measure"):
        if words := getattr(row, field, ""):
            return _cut(str(words), 80)
    return ""


def named(row: Row) -> str:
    """Return id and title of *row*, as findings write it: ``P9 Tender the hall``."""
    return f"{row.id} {title_of(row)}".strip()


def ordered(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings by severity, then id, without doubles: MOST_OF_CHECK of one check and MOST of all.

    The last one kept of a check says in its advice how many more there are.
    """
    rows = sorted({row.id: row for row in found}.values(), key=lambda row: (_RANK[row.severity], row.id))
    counts: dict[str, int] = {}
    for row in rows:
        counts[row.check] = counts.get(row.check, 0) + 1
    kept: list[Finding] = []
    seen: dict[str, int] = {}
    for row in rows:
        seen[row.check] = seen.get(row.check, 0) + 1
        if seen[row.check] < MOST_OF_CHECK:
            kept.append(row)
        elif seen[row.check] == MOST_OF_CHECK:
            kept.append(_counted(row, counts[row.check] - MOST_OF_CHECK))
    return tuple(kept[:MOST])


def _counted(row: Finding, more: int) -> Finding:
    if not more:
        return row
    said = f" {more} more of this check." if row.advice else f"{more} more of this check."
    return row.model_copy(update={"advice": _cut(row.advice, 400 - len(said)) + said})


def _words(row: Row | str) -> str:
    return row if isinstance(row, str) else named(row)


def _cut(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + "…"


def chance_text(chance: float) -> str:
    """Return a chance as whole percents rounded to 5: no input is known more exactly."""
    if chance < 0.05:
        return "under 5%"
    return "over 95%" if chance > 0.95 else f"{5 * round(chance * 20)}%"
