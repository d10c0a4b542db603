"""Findings as models and readers are shown them: by cause: ids, the places that disagree, and the advice."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from planloom.planes.strategic.compute.computed import Finding
from planloom.planes.strategic.quality_score import Severity
from planloom.planes.strategic.stages.results import CriticFinding
from planloom.planes.strategic.stages.text import table

F = TypeVar("F", Finding, CriticFinding)

SEVERITIES: tuple[Severity, ...] = ("high", "medium", "low")


#: Findings on the chance of a day: what makes one of them late makes those after it late.
CHANCES = frozenset({"time.missed", "time.unlikely"})
#: The number of causes shown for computed findings of low severity, those with the most rows first.
MOST_LOW = 10


def by_cause(found: Iterable[Finding]) -> list[tuple[Finding, ...]]:
    """Return *found* in groups of one cause, the severe ones first: the same check on a row of the group, the same
    rows, or all on chances of days.
    """
    groups: list[list[Finding]] = []
    for finding in by_severity(found):
        group = next((group for group in groups if any(_of_one_cause(finding, other) for other in group)), None)
        if group is None:
            groups.append([finding])
        else:
            group.append(finding)
    return [tuple(group) for group in groups]


def _of_one_cause(one: Finding, other: Finding) -> bool:
    if {one.check, other.check} <= CHANCES:
        return True
    shared = set(one.ids) & set(other.ids)
    return bool(shared) and (one.check == other.check or set(one.ids) == set(other.ids))


def weightiest(groups: Sequence[tuple[Finding, ...]]) -> tuple[list[tuple[Finding, ...]], int]:
    """Return *groups* without the least of those of low severity, and how many findings are left out with them."""
    low = [group for group in groups if group[0].severity == "low"]
    low.sort(key=lambda group: -len({id_ for finding in group for id_ in finding.ids}))
    kept = [group for group in groups if group[0].severity != "low"] + low[:MOST_LOW]
    return kept, sum(map(len, low[MOST_LOW:]))


def findings_text(found: Iterable[Finding]) -> str:
    """Return findings of programs as a model is shown them, one item for each cause: id, severity, text, further
    places, the texts of the others, and the advice; of those of low severity the weightiest, and how many more.
    """
    groups, more = weightiest(by_cause(found))
    items = ["\n".join(_cause_lines(group)) for group in groups]
    return "\n".join([*items, *([f"- {more} more of low severity"] if more else [])])


def known_text(found: Iterable[Finding]) -> str:
    """Return findings of programs in a line for each cause, for those who need not repair them."""
    groups, more = weightiest(by_cause(found))
    lines = [f"- {group[0].severity}: {' '.join(finding.text for finding in group)}" for group in groups]
    return "\n".join([*lines, *([f"- {more} more of low severity"] if more else [])])


def stated(found: Finding) -> str:
    """Return the text of *found* as one of several of a cause: of a chance with the day that it is of."""
    return " ".join((found.text, *places(found))) if found.check in CHANCES else found.text


def places(found: Finding) -> list[str]:
    """Return the places of *found* that its text does not have."""
    return [place for place in found.places if place not in found.text]


def _cause_lines(group: tuple[Finding, ...]) -> Iterator[str]:
    first, *others = group
    yield f"- finding `{first.id}` ({first.severity}): {first.text}"
    yield from (f"  - {place}" for place in places(first))
    yield from (f"  - of the same cause, `{other.id}`: {stated(other)}" for other in others)
    yield from (f"  - advice: {advice}" for advice in dict.fromkeys(f.advice for f in group) if advice)


def criticism_text(found: Iterable[CriticFinding]) -> str:
    """Return findings of critics as a model is shown them: id, severity, critic, rows, text, then each other field."""
    return "\n".join(
        "\n".join(
            [
                f"- finding {finding.id} ({finding.severity}) by {finding.critic}, on {', '.join(finding.ids) or '-'}: "
                f"{finding.text}",
                *(
                    f"  - {name}: {said}"
                    for name in ("place", "consequence", "advice", "price")
                    if (said := getattr(finding, name))
                ),
            ]
        )
        for finding in found
    )


def findings_table(found: Iterable[Finding]) -> str:
    """Return findings of programs as a table for readers; empty where there are none."""
    rows = ((f.severity, ", ".join(f.ids), " ".join((f.text, *places(f))), f.advice) for f in by_severity(found))
    return table(("Severity", "Rows", "What does not fit", "Advice"), rows)


def by_severity(found: Iterable[F]) -> list[F]:
    """Return *found* with the severe ones first, otherwise in the order given."""
    return sorted(found, key=lambda finding: SEVERITIES.index(finding.severity))


def counted(found: Sequence[Finding | CriticFinding]) -> str:
    """Return how many findings there are of each severity: ``7 findings (2 high, 5 medium)``."""
    counts = [(severity, sum(f.severity == severity for f in found)) for severity in SEVERITIES]
    said = ", ".join(f"{count} {severity}" for severity, count in counts if count)
    return f"{len(found) or 'no'} finding{'' if len(found) == 1 else 's'}{f' ({said})' if said else ''}"
