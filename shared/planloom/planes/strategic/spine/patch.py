"""Changes of a spine by id, each with its reason: applied one by one, or computed as the difference of two spines."""

import json
from collections.abc import Callable, Iterator, Sequence
from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, Field, ValidationError

from planloom.core.frozen import Answer, Frozen
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.fields import BY_LETTER
from planloom.planes.strategic.spine.repair import repaired
from planloom.planes.strategic.spine.repair_ids import canonical, free_id
from planloom.planes.strategic.spine.repair_values import Notes, clipped, most_characters, shortened
from planloom.planes.strategic.spine.spine import TABLES, Spine

_FRAME = "frame"


class Change(Answer):
    """One change. *value* is JSON in a text, so that the schema is flat; a text may come without its quotes."""

    op: Literal["set", "append", "increase", "add", "remove"]
    id: str = Field(max_length=20, description="Id of the row, or frame; add: letter of the table, or an id")
    field: str = Field(default="", max_length=40, description="set, append, increase: name of the field")
    value: str = Field(
        default="",
        max_length=12_000,
        description="JSON: the value (set), an item or a list of items (append), a number (increase), the row (add)",
    )
    reason: str = Field(default="", max_length=300)


class Applied(Frozen):
    """The spine after changes; those made, with the ids that rows were given; those refused, each in a sentence; and
    what had to be repaired after them.
    """

    spine: Spine
    applied: tuple[Change, ...] = ()
    refused: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()


class _Refused(Exception):
    """Why a change does not fit."""


def apply_patch(spine: Spine, changes: Sequence[Change], today: date) -> Applied:
    """Return *spine* with *changes* applied in order and repaired; a change that does not fit is refused."""
    applied: list[Change] = []
    refused: list[str] = []
    notes: list[str] = []
    for change in changes:
        try:
            spine, made = _APPLY[change.op](spine, change, notes)
            applied.append(made)
        except _Refused as error:
            where = f"{change.id}.{change.field}" if change.field else change.id
            refused.append(f"{change.op} {where}: {error}")
    spine, repairs = repaired(spine, today)
    return Applied(spine=spine, applied=tuple(applied), refused=tuple(refused), repairs=(*notes, *repairs))


def _set(spine: Spine, change: Change, notes: Notes) -> tuple[Spine, Change]:
    row: BaseModel
    table, row = (_FRAME, spine.frame) if change.id.casefold() == _FRAME else _row(spine, change.id)
    field = change.field.strip().lower().replace(" ", "_")
    if field == "id" or field not in type(row).model_fields:
        names = ", ".join(name for name in type(row).model_fields if name != "id")
        raise _Refused(f"there is no such field to set; the fields are {names}.")
    fields = row.model_dump()
    made = change.model_copy(update={"id": getattr(row, "id", _FRAME), "field": field})
    value = _VALUES[change.op](fields[field], _read(change.value))
    new = _checked(type(row), fields | {field: value}, made.id, notes)
    if table == _FRAME:
        return spine.model_copy(update={_FRAME: new}), made
    rows = tuple(new if each is row else each for each in getattr(spine, table))
    return spine.model_copy(update={table: rows}), made


def _appended(old: Any, value: Any) -> Any:
    if not isinstance(old, list):
        raise _Refused("this field is no list: set it.")
    return [*old, *(item for item in (value if isinstance(value, list) else [value]) if item not in old)]


def _increased(old: Any, value: Any) -> Any:
    try:
        added = float(value)
    except (TypeError, ValueError, OverflowError):
        raise _Refused("the value is the number that is added.") from None
    if not isinstance(old, int | float) or isinstance(old, bool):
        raise _Refused("this field is no number: set it.")
    return old + added


#: The new value of a field, from its old value and the one in the change.
_VALUES: dict[str, Callable[[Any, Any], Any]] = {
    "set": lambda _, value: value,
    "append": _appended,
    "increase": _increased,
}


def _add(spine: Spine, change: Change, notes: Notes) -> tuple[Spine, Change]:
    letter = _letter(change.id)
    value = _read(change.value)
    if not isinstance(value, dict):
        raise _Refused("the value of an added row is a JSON object with its fields.")
    table = BY_LETTER[letter]
    taken = {row.id for row in getattr(spine, table)}
    wished = canonical(change.id, letter) or canonical(str(value.get("id", "")), letter)
    new_id = wished if wished and wished not in taken else free_id(letter, taken)
    row = _checked(TABLES[table][1], value | {"id": new_id}, new_id, notes)
    rows = (*getattr(spine, table), row)
    return spine.model_copy(update={table: rows}), change.model_copy(update={"id": new_id})


def _remove(spine: Spine, change: Change, _: Notes) -> tuple[Spine, Change]:
    table, row = _row(spine, change.id)
    if table == "packages" and len(spine.packages) == 1:
        raise _Refused("it is the only package.")
    rows = tuple(each for each in getattr(spine, table) if each is not row)
    return spine.model_copy(update={table: rows}), change.model_copy(update={"id": row.id})


_APPLY = {**dict.fromkeys(_VALUES, _set), "add": _add, "remove": _remove}


def _row(spine: Spine, written: str) -> tuple[str, r.Row]:
    letter = written.strip()[:1].upper()
    table = BY_LETTER.get(letter, "")
    wanted = canonical(written, letter) if table else ""
    found = next((row for row in getattr(spine, table) if row.id == wanted), None) if wanted else None
    if found is None:
        raise _Refused("there is no row of this id.")
    return table, found


def _letter(written: str) -> str:
    """Return the letter of the table that *written* names: ``P``, ``P81``, ``packages``."""
    name = written.strip()
    if name.lower() in TABLES:
        return TABLES[name.lower()][0]
    letter = name[:1].upper()
    if letter in BY_LETTER and (len(name) == 1 or canonical(name, letter)):
        return letter
    raise _Refused(f"there is no such table; the letters are {', '.join(BY_LETTER)}.")


def _read(value: str) -> Any:
    """Return *value* parsed as JSON, or as text if it is not JSON."""
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _checked(kind: type[BaseModel], fields: dict[str, Any], where: str, notes: Notes) -> BaseModel:
    cut: Notes = []
    try:
        fitted = {name: _fitted(kind, name, value) for name, value in fields.items()}
        lists = [name for name, value in fitted.items() if isinstance(value, list) and name in kind.model_fields]
        fitted |= {name: shortened(kind, name, fitted[name], where, cut) for name in lists}
        row = kind.model_validate(fitted)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        path = ".".join(str(part) for part in first["loc"])
        raise _Refused(f"{path}: {first['msg']}.") from None
    except RecursionError:
        raise _Refused("the value is nested too deeply.") from None
    notes.extend(cut)
    return row


def _fitted(kind: type[BaseModel], name: str, value: Any) -> Any:
    """Return *value* in the form of its field, where that is certain: a text clipped, one item as a list of one."""
    info = kind.model_fields.get(name)
    if info is None:
        return value
    if info.annotation is str:
        text = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        return clipped(text, most_characters(kind, name))
    if value == "" or value is None:
        return None if info.default is None else info.get_default(call_default_factory=True)
    if info.default_factory is list and not isinstance(value, list):
        value = [value]
    if name == "needs" and kind is r.Package:
        return [{"id": item} if isinstance(item, str) else item for item in value]
    return value


def as_json_patch(before: Spine, after: Spine) -> list[dict[str, Any]]:
    """Return what changed as operations of RFC 6902, addressed by id: ``/packages/P12/likely``, ``/frame/end``."""
    made = list(_fields(f"/{_FRAME}", before.frame, after.frame))
    for name in TABLES:
        old = {row.id: row for row in getattr(before, name)}
        new = {row.id: row for row in getattr(after, name)}
        made += [{"op": "remove", "path": f"/{name}/{each}"} for each in old if each not in new]
        for each, row in new.items():
            if each in old:
                made += _fields(f"/{name}/{each}", old[each], row)
            else:
                made.append({"op": "add", "path": f"/{name}/{each}", "value": row.model_dump(mode="json")})
    return made


def _fields(path: str, before: BaseModel, after: BaseModel) -> Iterator[dict[str, Any]]:
    if before == after:
        return
    old, new = before.model_dump(mode="json"), after.model_dump(mode="json")
    yield from (
        {"op": "replace", "path": f"{path}/{field}", "value": value}
        for field, value in new.items()
        if value != old[field]
    )
