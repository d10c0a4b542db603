"""Apply the changes of an author to the spine: values of the goal are kept, each change is shown as old and new."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from types import NoneType
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from planloom.planes.strategic.facts.quoting import clip
from planloom.planes.strategic.spine.fields import BY_LETTER, title, value_text
from planloom.planes.strategic.spine.markdown import item_text
from planloom.planes.strategic.spine.patch import Change, apply_patch, as_json_patch
from planloom.planes.strategic.spine.repair_ids import canonical
from planloom.planes.strategic.spine.rows import Approval, Basis, Constraint, Demand, Frame, Gate, Package, Row
from planloom.planes.strategic.spine.spine import TABLES, Spine
from planloom.planes.strategic.stages.results import Patched

#: What the goal sets and no patch may change, by the class of the row.
_GIVEN: Mapping[type[BaseModel], tuple[str, ...]] = {
    Demand: ("due", "text"),
    Frame: ("end", "budget", "currency"),
    Constraint: ("text", "basis"),
}


def _type_text(kind: Any) -> str:
    """Return the type of a field in words that somebody who writes JSON understands; empty for a text."""
    if kind == Basis:
        return "basis"
    if get_origin(kind) is Literal:
        return " | ".join(get_args(kind))
    if args := [arg for arg in get_args(kind) if arg is not NoneType]:
        return f"[{_type_text(args[0]) or 'text'}]" if get_origin(kind) is list else _type_text(args[0])
    if issubclass(kind, BaseModel):
        return "{" + _fields_text(kind) + "}"
    return {str: "", bool: "true | false", date: "day"}.get(kind, "number")


def _fields_text(kind: type[BaseModel]) -> str:
    shown = (name for name in kind.model_fields if name != "id" or not issubclass(kind, Row))
    named = ((name, _type_text(kind.model_fields[name].annotation)) for name in shown)
    return ", ".join(f"{name} ({said})" if said else name for name, said in named)


FIELDS = "\n".join(
    (
        f"- frame: {_fields_text(Frame)}",
        *(f"- {letter} {name}: {_fields_text(kind)}" for name, (letter, kind) in TABLES.items()),
    )
)

CHANGES = f"""\
How a change of the tables is written:
- id: the row, or frame. field: its field. value: JSON. reason: what the change repairs, in a sentence.
- op set: the field's new value; a list is replaced whole. Several fields of one row at once: no field, and value an
  object of them.
- op append: value is an item or a list of items that a list field gets besides those that it has:
  {{"op": "append", "id": "P4", "field": "needs", "value": "[{{\\"id\\": \\"P2\\", \\"lag\\": 5}}]", "reason": "..."}}
- op increase: value is a number that is added to the field; a negative one is taken off.
- op add: id is the new row's id, the letter of its table and the next free number, so that later changes can name it;
  value is the row as an object. op remove: references to the row are removed with it.
- Days are ISO dates, shares 0 to 1, amounts plain numbers. low <= likely <= high always: where one would pass another,
  set all that change.
- What programs compute (starts, ends, odds, sums, balances) is no field: change what it follows from.
- A gate or an approval for which a task waits stays, unless the reason says by their ids which is taken off.
- What the goal sets stays: due days and texts of demands, the end and budget of the frame, constraints of the goal.
The fields of each table, with their types where they are no plain text (ids are texts, too; basis is one of
{" | ".join(get_args(Basis))}):
{FIELDS}
"""


def patched(title_: str, spine: Spine, changes: Iterable[Change], today: date) -> tuple[Spine, Patched]:
    """Return *spine* with *changes* made, and what was made of them.

    Refused are changes of what the goal sets, and changes that do not fit.
    """
    kept, refused = [], []
    rows = _rows(spine)
    for change in (_normal(part) for each in changes for part in _of_fields(each)):
        reason = _refusal(change, rows)
        if reason:
            refused.append(f"{change.op} {'.'.join(filter(None, (change.id, change.field)))}: {reason}")
        else:
            kept.append(change)
    applied = apply_patch(spine, kept, today)
    waits = list(_waits_lost(spine, applied.spine, kept))
    if waits:
        again = apply_patch(applied.spine, waits, today)
        said = tuple(f"{each.id} {each.field}: kept {each.value}, {each.reason}" for each in again.applied)
        made, repairs = (*applied.applied, *again.applied), (*applied.repairs, *said, *again.repairs)
        not_made = (*applied.refused, *again.refused)
        applied = again.model_copy(update={"applied": made, "refused": not_made, "repairs": repairs})
    changed = tuple(
        _said(change, rows, _rows(applied.spine), applied.spine.frame.currency) for change in applied.applied
    )
    return applied.spine, Patched(
        title=title_,
        changes=applied.applied,
        changed=changed,
        json_patch=tuple(as_json_patch(spine, applied.spine)),
        refused=(*refused, *applied.refused),
        repairs=applied.repairs,
    )


def renumbered(changes: Iterable[Change], seen: Spine, now: Spine) -> Iterator[Change]:
    """Yield *changes*, written for *seen*, for *now*: an added row gets another id if its own was used since.

    What the changes say of the added row is renamed with it.
    """
    changes = list(changes)
    old, used = seen.by_id(), {*now.by_id(), *(change.id for change in changes if change.op == "add")}
    new_ids: dict[str, str] = {}
    for change in changes:
        if change.op == "add" and change.id in now.by_id() and change.id not in old:
            new_ids[change.id] = next_id(change.id[0], used)
            used.add(new_ids[change.id])
    if not new_ids:
        yield from changes
        return
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, new_ids))})\b")
    for change in changes:
        texts = {name: pattern.sub(lambda m: new_ids[m.group()], getattr(change, name)) for name in ("id", "value")}
        yield change.model_copy(update=texts)


def next_id(letter: str, used: Iterable[str]) -> str:
    """Return *letter* with the number after the highest of its kind in *used*."""
    numbers = [int(id_[1:]) for id_ in used if id_[:1] == letter and id_[1:].isdigit()]
    return f"{letter}{max(numbers, default=0) + 1}"


def changes_made(patches: Iterable[Patched]) -> str:
    """Return how many rows were changed, added and removed by *patches*: ``4 fields set, 2 rows added``."""
    relative = ("append", "increase")
    ops: list[str] = ["set" if change.op in relative else change.op for patch in patches for change in patch.changes]
    named = (("set", "field", "set"), ("add", "row", "added"), ("remove", "row", "removed"))
    said = [f"{n} {what}{'' if n == 1 else 's'} {done}" for op, what, done in named if (n := ops.count(op))]
    return ", ".join(said) or "nothing changed"


def _waits_lost(before: Spine, after: Spine, changes: Iterable[Change]) -> Iterator[Change]:
    """Yield what puts back gates and approvals that a task waited for, where no reason names what was taken off."""
    reasons: dict[str, str] = {}
    for change in changes:
        reasons[change.id] = f"{reasons.get(change.id, '')} {change.reason}"
    there = after.by_id()
    why = "which no reason says to take off"
    for row in before.rows():
        now = there.get(row.id)
        said = reasons.get(row.id, "")
        if isinstance(row, Package) and isinstance(now, Package):
            waits = {need.id: need for need in row.needs if need.id[0] in "GA" and need.id in there}
            kept = {need.id for need in now.needs}
            lost = [need for id_, need in waits.items() if id_ not in kept and not re.search(rf"\b{id_}\b", said)]
            if lost:
                value = json.dumps([need.model_dump(mode="json", exclude_defaults=True) for need in lost])
                yield Change(op="append", id=row.id, field="needs", value=value, reason=why)
        elif isinstance(row, Gate | Approval) and isinstance(now, Gate | Approval):
            absent = [id_ for id_ in row.frees if id_ in there and id_ not in now.frees]
            if lost_ids := [id_ for id_ in absent if not re.search(rf"\b{id_}\b", said)]:
                yield Change(op="append", id=row.id, field="frees", value=json.dumps(lost_ids), reason=why)


def _rows(spine: Spine) -> dict[str, BaseModel]:
    return {"frame": spine.frame, **spine.by_id()}


def _of_fields(change: Change) -> Iterator[Change]:
    """Yield *change*, or where it sets several fields of a row at once, one change for each."""
    try:
        fields = json.loads(change.value) if change.op == "set" and not change.field.strip() else None
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        yield change
        return
    for field, value in fields.items():
        written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        yield change.model_copy(update={"field": str(field)[:40], "value": written})


def _normal(change: Change) -> Change:
    """Return *change* with id and field as the spine writes them, so that what the goal sets is recognised."""
    written = change.id.strip()
    letter = written[:1].upper()
    id_ = "frame" if written.casefold() == "frame" else written
    if change.op != "add" and letter in BY_LETTER:
        id_ = canonical(written, letter) or id_
    return change.model_copy(update={"id": id_, "field": change.field.strip().lower().replace(" ", "_")})


def _refusal(change: Change, rows: Mapping[str, BaseModel]) -> str:
    """Return why *change* is not made, empty where it is."""
    row = rows.get(change.id)
    given = _GIVEN.get(type(row), ()) if row else ()
    if isinstance(row, Constraint) and row.basis != "goal":
        given = ()
    return "the goal sets it." if given and (change.op == "remove" or change.field in given) else ""


def _said(change: Change, before: Mapping[str, BaseModel], after: Mapping[str, BaseModel], currency: str) -> str:
    """Return what *change* did, with the words of its row, and why."""
    old, new = before.get(change.id), after.get(change.id)
    words = _words(old or new)
    name = f"{change.id} {clip(words, 60)}".strip()
    because = f" ({change.reason.rstrip('.')})" if change.reason else ""
    if change.op in ("add", "remove"):
        return f"{name}: {'added' if change.op == 'add' else 'removed'}{because}"
    values = (_value(row, change.field, currency) for row in (old, new))
    return f"{name}, {change.field.replace('_', ' ')}: {' → '.join(values)}{because}"


def _words(row: BaseModel | None) -> str:
    return row.title if isinstance(row, Frame) else title(row) if row is not None else ""  # type: ignore[arg-type]


def _value(row: BaseModel | None, field: str, currency: str) -> str:
    if row is None:
        return "none"
    value = getattr(row, field)
    if isinstance(value, list):
        text = ", ".join(item_text(item, currency) for item in value)
    else:
        text = value_text(row, field, currency)
    return clip(text, 160) or "none"


def patch_file(path: str, patches: Iterable[Patched]) -> Mapping[str, str]:
    """Return the file *path* with all operations of *patches*, in their order; none where nothing was changed."""
    operations = [operation for patch in patches for operation in patch.json_patch]
    return {path: json.dumps(operations, indent=2, ensure_ascii=False) + "\n"} if operations else {}
