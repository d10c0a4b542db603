"""The goal in segments, each with the facts that were read from it: for the report and for other views of a goal."""

from itertools import pairwise

from planloom.core.frozen import Frozen
from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.report.understood import KINDS, Item, Kind, not_understood, understood


class Segment(Frozen):
    """A piece of the goal: ``kinds`` and ``labels`` of all facts that cover it, both empty where none does.

    ``unread`` among the kinds: a number, date or ban that no fact holds. Segments do not overlap.
    """

    text: str
    kinds: tuple[Kind, ...] = ()
    labels: tuple[str, ...] = ()


def segments(goal: str, facts: Facts) -> tuple[Segment, ...]:
    """Return *goal* in segments whose texts joined are the goal; neighbours differ in their kinds or labels.

    Spans may overlap and nest. A span that does not fit the goal, as after an edit of the goal, is left out, and so are
    white space and corrections by the caller, which have none.
    """
    items = [item for item in (*understood(facts), *not_understood(facts)) if _fits(goal, item)]
    starts: dict[int, list[Item]] = {}
    for item in items:
        starts.setdefault(item.start, []).append(item)
    edges = sorted({0, len(goal), *(item.start for item in items), *(item.end for item in items)})
    made: list[Segment] = []
    covering: list[Item] = []
    for start, end in pairwise(edges):
        covering = [item for item in (*covering, *starts.get(start, ())) if item.end > start]
        _append(made, _segment(goal[start:end], covering))
    return tuple(made)


def _fits(goal: str, item: Item) -> bool:
    if item.by == "caller" or not 0 <= item.start < item.end <= len(goal):
        return False
    words = goal[item.start : item.end].split()
    return words == item.quote.split() and bool(words)


def _segment(text: str, covering: list[Item]) -> Segment:
    kinds = {item.kind for item in covering}
    return Segment(
        text=text,
        kinds=tuple(kind for kind in KINDS if kind in kinds),
        labels=tuple(dict.fromkeys(item.label for item in covering)),
    )


def _append(made: list[Segment], segment: Segment) -> None:
    last = made[-1] if made else None
    if last and (last.kinds, last.labels) == (segment.kinds, segment.labels):
        made[-1] = last.model_copy(update={"text": last.text + segment.text})
    else:
        made.append(segment)
