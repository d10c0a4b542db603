"""A spine as Markdown for readers, and as compact text for the context of a model."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from pydantic import BaseModel

from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.fields import SPREADS, number_text, title, title_field, unit, value_text
from planloom.planes.strategic.spine.references import REFERENCES
from planloom.planes.strategic.spine.spine import TABLES, Spine

HEADINGS: Mapping[str, str] = {
    "criteria": "Success criteria",
    "constraints": "Constraints",
    "demands": "Demands of the goal",
    "decisions": "Decisions",
    "gates": "Gates",
    "parties": "Parties",
    "approvals": "Approvals",
    "roles": "Roles",
    "deliverables": "Deliverables",
    "packages": "Work packages",
    "lines": "Cost lines",
    "sources": "Sources of money",
    "streams": "Earnings a year",
    "upkeep": "Running costs a year",
    "risks": "Risks",
    "assumptions": "Assumptions",
    "questions": "Open questions",
}
#: Heads of columns whose field name is not clear enough.
_HEADS = {
    "low": "Low / likely / high",
    "volume_low": "Volume, low / likely / high",
    "price_low": "Price, low / likely / high",
    "also": "Also works on it",
    "before": "Before it starts",
    "told": "Must hear",
    "work": "What goes wrong without it",
    "read_how": "Read by, from",
    "hits": "Delays",
    "frees": "Packages that wait for it",
    "touches": "Rests on it",
    "breaks": "If false",
    "second": "Second holder",
    "part": "Its part",
    "free_until": "Can be cancelled at no cost until",
    "periods": "People at times",
    "first": "From",
    "last": "Until",
    "line": "Cost line",
    "residual": "Odds after response",
    "residual_days": "Days after response",
}
_FLAGS = ("fixed", "outdoor", "every_day")
_INTRO = """One line a row: id, what it is, then fields by name. a/b/c is low/likely/high: of packages in working days,
in calendar days where every_day is said; of approvals in calendar days. needs: id, SS for start-start, lag in working
days, or the day from which it no longer waits. Left out are empty fields, and basis and kind where they are as in
brackets behind the name of the table."""


def cell(text: object) -> str:
    """Return *text* on one line with pipes escaped, fit for a table cell."""
    return " ".join(str(text).split()).replace("\\|", "|").replace("|", "\\|")


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table; an empty string where there are no rows."""
    lines = ["| " + " | ".join(cell(c) for c in row) + " |" for row in rows]
    if not lines:
        return ""
    return "\n".join([f"| {' | '.join(cell(c) for c in head)} |", f"|{'---|' * len(head)}", *lines, ""])


def markdown(spine: Spine) -> str:
    """Return the whole of *spine*: the frame, then a table for each kind with rows."""
    frame, currency = spine.frame, spine.frame.currency
    facts = [
        (_head(field), value_text(frame, field, currency))
        for field in ("start", "end", "budget", "currency")
        if getattr(frame, field)
    ]
    parts = [f"# {cell(frame.title)}\n", frame.objective, frame.concept, table(("Frame", "Value"), facts)]
    for name, items in (("Scope", frame.scope), ("Out of scope", frame.out_of_scope)):
        if items:
            parts.append(f"## {name}\n\n" + "".join(f"- {' '.join(item.split())}\n" for item in items))
    return "\n\n".join(part.strip() for part in [*parts, page(spine, tuple(TABLES))] if part.strip()) + "\n"


def page(spine: Spine, tables: Sequence[str]) -> str:
    """Return the *tables* of *spine* (``packages``, ``lines``) under headings; nothing of those without rows."""
    named = spine.by_id()
    found = ((name, _table(spine, name, named)) for name in tables)
    return "\n".join(f"## {HEADINGS[name]}\n\n{text}" for name, text in found if text)


def _table(spine: Spine, name: str, named: Mapping[str, r.Row]) -> str:
    kind = TABLES[name][1]
    rows = [dict(_cells(row, spine.frame.currency, named)) for row in getattr(spine, name)]
    used = [head for head in _columns(kind) if any(row.get(head) for row in rows)]
    return table(used, [[row.get(head, "") for head in used] for row in rows])


def _columns(kind: type[r.Row]) -> list[str]:
    heads = [_head(field) for field in _order(kind)]
    heads += ["Amount"] if kind is r.Line else []
    return [*dict.fromkeys("Calendar" if head in map(_head, _FLAGS) else head for head in heads)]


def _order(kind: type[BaseModel]) -> list[str]:
    """Return the fields of *kind*, without those that a column of its spread shows."""
    within = {field for spread in SPREADS.get(kind, ()) for field in spread[1:]}
    return [field for field in kind.model_fields if field not in within]


def _head(field: str) -> str:
    return _HEADS.get(field, field.replace("_", " ").capitalize())


def _cells(row: r.Row, currency: str, named: Mapping[str, r.Row]) -> Iterator[tuple[str, str]]:
    flags = [field.replace("_", " ") for field in _FLAGS if getattr(row, field, False)]
    yield "Calendar", ", ".join(flags)
    for field in _order(type(row)):
        if field not in _FLAGS:
            yield _head(field), _cell(row, field, currency, named)
    if isinstance(row, r.Line):
        yield "Amount", number_text(row.amount, "money", currency)


def _cell(row: r.Row, field: str, currency: str, named: Mapping[str, r.Row]) -> str:
    value = getattr(row, field)
    for spread in SPREADS.get(type(row), ()):
        if field in spread:
            return _spread(row, spread, currency)
    if isinstance(value, list):
        return "; ".join(item_text(item, currency) for item in value)
    if field in REFERENCES.get(type(row), {}) and value in named:
        return f"{value} {title(named[value])}"
    return value_text(row, field, currency) if value or unit(row, field) == "share" else ""


def _spread(row: r.Row, fields: Sequence[str], currency: str) -> str:
    values = [getattr(row, field) for field in fields]
    if not any(values):
        return ""
    # the unit is written once: the currency before the first number, days after the last
    counted = unit(row, fields[2])
    bare, whole = f"{values[2]:,.10g}", number_text(values[2], counted, currency)
    texts = [f"{value:,.10g}" for value in values]
    return f"{currency} {' / '.join(texts)}".strip() if counted == "money" else " / ".join(texts) + whole[len(bare) :]


def item_text(item: Any, currency: str) -> str:
    """Return an item of a list as readers see it: an id, a day, an option, a condition, a need, a share."""
    if isinstance(item, r.Need):
        lag = f"{item.lag:+d}{' calendar days' if item.calendar_days else ''}" if item.lag else ""
        day = f" or {item.or_day}" if item.or_day else ""
        return f"{item.id} {'SS' if item.kind == 'start_start' else 'FS'}{lag}".removesuffix(" FS") + day
    if isinstance(item, r.Share):
        return f"{item.role} {number_text(item.days, 'person-days', currency)}"
    if isinstance(item, r.Period):
        return f"{item.people:g} from {item.first} to {item.last}"
    if isinstance(item, r.Condition):
        return f"{item.measure}: {item.value}"
    if isinstance(item, r.Option):
        parts = (
            _part(item, field, currency) for field in ("cost", "days", "effect", "undo_by") if getattr(item, field)
        )
        return f"{item.key} {item.title} ({', '.join(parts)})".removesuffix(" ()")
    return item.isoformat() if isinstance(item, date) else " ".join(str(item).split())


def _part(option: r.Option, field: str, currency: str) -> str:
    name = {"cost": "", "days": "end ", "effect": "", "undo_by": "undo by "}[field]
    sign = "+" if field == "days" and option.days > 0 else ""
    return f"{name}{sign}{value_text(option, field, currency)}"


def for_model(spine: Spine, tables: Sequence[str] | None = None) -> str:
    """Return the frame and the *tables* (None: all) as compact text, one line a row, whole; by names of fields."""
    frame = spine.frame
    lines = [f"frame | {' | '.join(_stated(frame, frame.currency, ('id',)))}", *_INTRO.splitlines()]
    for name in TABLES if tables is None else tables:
        letter, kind = TABLES[name]
        rows = getattr(spine, name)
        usual = "".join(f", {f} {kind.model_fields[f].default}" for f in ("basis", "kind") if f in kind.model_fields)
        lines += [f"\n## {name} ({letter}{usual})"] if rows else []
        skip = ("id", title_field(kind))
        lines += [" | ".join([row.id, _line(title(row)), *_stated(row, frame.currency, skip)]) for row in rows]
    return "\n".join(lines) + "\n"


def _stated(model: BaseModel, currency: str, skip: Sequence[str]) -> Iterator[str]:
    spreads = {spread[0]: spread for spread in SPREADS.get(type(model), ())}
    for field in _order(type(model)):
        value = getattr(model, field)
        if field in spreads:
            yield from _numbers(model, spreads[field])
        elif field not in skip and value and not (field in ("basis", "kind") and _usual(model, field)):
            yield _named(field, value, currency)


def _usual(model: BaseModel, field: str) -> bool:
    return bool(getattr(model, field) == type(model).model_fields[field].default)


def _numbers(model: BaseModel, spread: Sequence[str]) -> Iterator[str]:
    values = [getattr(model, field) for field in spread]
    if any(values):
        name = "" if spread[1] == "likely" else f"{spread[1]} "
        days = " d" if unit(model, spread[1]).endswith("days") else ""
        yield f"{name}{'/'.join(f'{value:.10g}' for value in values)}{days}"


def _named(field: str, value: Any, currency: str) -> str:
    if value is True:
        return field
    if isinstance(value, list):
        between = ", " if isinstance(value[0], str | r.Need) else "; "
        return f"{field} {between.join(_line(item_text(item, currency)) for item in value)}"
    if isinstance(value, float | int):
        return f"{field} {value:.10g}"
    return f"{field} {_line(value)}"


def _line(value: object) -> str:
    return " ".join(str(value).split()).replace(" | ", " / ")
