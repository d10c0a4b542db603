"""The Gantt chart: an SVG that is complete without script; page.js adds zoom and shows dependencies."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from html import escape
from typing import Literal

ROW = 26
BAR = 14
#: Lines above the rows: years, the finer unit, the label of the deadline, and the label of the 80% date.
HEAD = 70
_LABEL_Y = {"deadline": 50, "confidence": 64}
WIDTH = 860
#: The axis names the finest unit whose marks are at least this many pixels apart.
MARK_PIXELS = 44

Level = Literal["year", "quarter", "month", "week"]


@dataclass(frozen=True)
class Bar:
    """One row: a task, or a milestone, whose ``start`` is its ``end``; see ``kind``."""

    id: str
    title: str
    group: str
    start: date
    end: date
    kind: Literal["task", "milestone"] = "task"
    critical: bool = False
    outdoor: bool = False
    late: bool = False
    slack: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Arrow:
    """A dependency: *target* waits for *source*."""

    source: str
    target: str
    critical: bool = False


@dataclass(frozen=True)
class Line:
    """A day that is marked in the whole chart: the deadline, the date at 80% confidence."""

    day: date
    label: str
    kind: Literal["deadline", "confidence"]


@dataclass(frozen=True)
class Shade:
    """Days on which nobody works, or nobody works outdoors; both ends inclusive."""

    first: date
    last: date
    label: str


@dataclass(frozen=True)
class Row:
    """The text beside the chart in one row: the title of a group or of a bar."""

    title: str
    bar: Bar | None = None


@dataclass(frozen=True)
class Gantt:
    """A drawn chart: the rows of the column beside it, and the SVG."""

    rows: tuple[Row, ...]
    svg: str
    days: int


def draw(
    bars: Sequence[Bar], arrows: Iterable[Arrow] = (), lines: Sequence[Line] = (), shades: Iterable[Shade] = ()
) -> Gantt:
    """Draw *bars* grouped by ``group`` in order of appearance; at least one bar is needed.

    300 bars with their notes and 350 arrows take about 200 KB. Texts are escaped; positions are attributes, styles are
    classes.
    """
    days = [*(bar.start for bar in bars), *(bar.end for bar in bars), *(line.day for line in lines)]
    # space for the diamond of a milestone at either end, however long the plan
    margin = timedelta(days=max((max(days) - min(days)).days // 40, 4))
    first, last = min(days) - margin, max(days) + margin
    scale = _Scale(first, (last - first).days + 1)
    rows = _rows(bars)
    height = HEAD + ROW * len(rows)
    places = {row.bar.id: number for number, row in enumerate(rows) if row.bar}
    by_id = {bar.id: bar for bar in bars}
    drawn = [arrow for arrow in arrows if arrow.source in by_id and arrow.target in by_id]
    parts = [
        f'<svg class="gantt-svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" role="list" '
        f'aria-label="Schedule" data-days="{scale.days}" data-row="{ROW}" data-head="{HEAD}">',
        *(_stripe(number) for number, row in enumerate(rows) if not row.bar),
        *(_shade(scale, shade, height) for shade in shades if shade.last >= first and shade.first <= last),
        *_axis(scale, last, height),
        *(_arrow(scale, arrow, by_id, places) for arrow in drawn),
        *(_line(scale, line, height) for line in lines),
        *(_bar(scale, row.bar, number) for number, row in enumerate(rows) if row.bar),
        "</svg>",
    ]
    return Gantt(tuple(rows), "".join(parts), scale.days)


@dataclass(frozen=True)
class _Scale:
    first: date
    days: int

    def day(self, day: date) -> int:
        return (day - self.first).days

    def x(self, days: float) -> float:
        return round(days * WIDTH / self.days, 1)


def _rows(bars: Sequence[Bar]) -> list[Row]:
    rows: list[Row] = []
    for group in dict.fromkeys(bar.group for bar in bars):
        rows.append(Row(group))
        rows += [Row(bar.title, bar) for bar in bars if bar.group == group]
    return rows


def _stripe(number: int) -> str:
    return f'<rect class="g-group" x="0" y="{HEAD + number * ROW}" width="100%" height="{ROW}"/>'


def _shade(scale: _Scale, shade: Shade, height: int) -> str:
    start = max(scale.day(shade.first), 0)
    end = min(scale.day(shade.last) + 1, scale.days)
    return (
        f'<rect class="g-shade" data-s="{start}" data-e="{end}" x="{scale.x(start)}" y="{HEAD}" '
        f'width="{scale.x(end - start)}" height="{height - HEAD}"><title>{escape(shade.label)}</title></rect>'
    )


def _axis(scale: _Scale, last: date, height: int) -> Iterable[str]:
    per_day = WIDTH / scale.days
    for level, days in (("year", 365.25), ("quarter", 91.3), ("month", 30.4), ("week", 7.0)):
        shown = days * per_day >= MARK_PIXELS or level == "year"
        finest = not any(d * per_day >= MARK_PIXELS for d in (91.3, 30.4, 7.0) if d < days)
        for day, label in _marks(level, scale.first, last):
            at = scale.day(day)
            hidden = "" if shown else " g-off"
            y = 16 if level == "year" else 34
            quiet = "" if level == "year" or finest else " g-quiet"
            yield (
                f'<g class="g-mark g-{level}{hidden}{quiet}" data-s="{at}"><line x1="{scale.x(at)}" x2="{scale.x(at)}" '
                f'y1="{20 if level != "year" else 4}" y2="{height}"/>'
                f'<text x="{round(scale.x(at) + 4, 1)}" y="{y}">{label}</text></g>'
            )


def _marks(level: str, first: date, last: date) -> Iterable[tuple[date, str]]:
    day = first
    while day <= last:
        if level == "week":
            if day.weekday() == 0:
                yield day, f"{day.day} {day:%b}"
        elif day.day == 1 and (level == "month" or (day.month % 3 == 1 and (level == "quarter" or day.month == 1))):
            yield day, {"year": f"{day:%Y}", "quarter": f"Q{(day.month + 2) // 3}", "month": f"{day:%b}"}[level]
        day += timedelta(days=1)


def _arrow(scale: _Scale, arrow: Arrow, by_id: dict[str, Bar], places: dict[str, int]) -> str:
    start = scale.day(by_id[arrow.source].end) + 1
    end = scale.day(by_id[arrow.target].start)
    from_y = HEAD + places[arrow.source] * ROW + ROW // 2
    to_y = HEAD + places[arrow.target] * ROW + ROW // 2
    critical = " critical" if arrow.critical else ""
    path = elbow(scale.x(start), from_y, scale.x(end), to_y)
    return (
        f'<path class="g-arrow{critical}" data-from="{escape(arrow.source)}" data-to="{escape(arrow.target)}" '
        f'data-s="{start}" data-e="{end}" data-y="{from_y} {to_y}" d="{path}"/>'
    )


def elbow(x1: float, y1: int, x2: float, y2: int) -> str:
    """Return the path of an arrow; page.js draws the same when it zooms."""
    if x2 - x1 >= 8:
        return f"M{x1} {y1}H{round(x2 - 6, 1)}V{y2}H{x2}"
    middle = y1 + (ROW // 2 if y2 > y1 else -(ROW // 2))
    return f"M{x1} {y1}h5V{middle}H{round(x2 - 6, 1)}V{y2}H{x2}"


def _line(scale: _Scale, line: Line, height: int) -> str:
    at = scale.day(line.day) + 1
    x = scale.x(at)
    # the label is on the side with more space, so that no zoom cuts it
    anchor = ' text-anchor="end"' if at > scale.days / 2 else ""
    dx = round(x - 4 if anchor else x + 4, 1)
    y = _LABEL_Y[line.kind]
    return (
        f'<g class="g-line g-{line.kind}" data-s="{at}"><line x1="{x}" x2="{x}" y1="{y - 9}" y2="{height}"/>'
        f'<text x="{dx}" y="{y}"{anchor}>{escape(line.label)}</text></g>'
    )


def _bar(scale: _Scale, bar: Bar, number: int) -> str:
    start, end = scale.day(bar.start), scale.day(bar.end) + 1
    y = HEAD + number * ROW
    flags = [name for name in ("critical", "outdoor", "late") if getattr(bar, name)]
    tip = "\n".join((f"{bar.id} {bar.title}" if bar.kind == "task" else bar.title, *bar.notes))
    # page.js shows all of it; without script there are only the name and the dates
    short = ", ".join((bar.title, *bar.notes[:1]))
    shape = (
        f'<rect data-s="{start}" data-e="{end}" x="{scale.x(start)}" y="{y + (ROW - BAR) // 2}" '
        f'width="{max(scale.x(end - start), 2)}" height="{BAR}" rx="3"/>'
        if bar.kind == "task"
        else _diamond(scale.x(end), y + ROW // 2, end)
    )
    return (
        f'<g class="{" ".join(("g-bar", f"g-{bar.kind}", *flags))}" role="listitem" tabindex="-1" '
        f'data-id="{escape(bar.id)}" aria-label="{escape(short)}" data-tip="{escape(tip)}">'
        f'<rect class="g-hit" x="0" y="{y}" width="100%" height="{ROW}"/>{shape}</g>'
    )


def _diamond(x: float, y: int, at: int) -> str:
    return f'<path data-s="{at}" data-y="{y}" d="M{x} {y - 7}l7 7l-7 7l-7 -7z"/>'
