"""What changed in the rows of a plan since its base document was written, as its author is shown it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from planloom.planes.strategic.spine.fields import number_text, title, value_text
from planloom.planes.strategic.spine.markdown import for_model, item_text
from planloom.planes.strategic.spine.rows import Line, Row
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.anchors import ID
from planloom.planes.strategic.stages.blocks import Block
from planloom.planes.strategic.stages.results import Patched

#: The number of reasons that are shown for one row.
MOST_REASONS = 3


def changed_rows(before: Spine, after: Spine) -> dict[str, str]:
    """Return by id what each row of *after*, and its frame, says otherwise than *before*; new and removed rows too."""
    old, new = _all(before), _all(after)
    lines = {line.partition(" | ")[0]: line for line in for_model(after).splitlines() if " | " in line}
    found = dict[str, str]()
    for id_, row in new.items():
        if id_ not in old:
            found[id_] = f"new: {lines.get(id_, id_)}"
        elif said := "; ".join(_fields(old[id_], row, after.frame.currency)):
            found[id_] = f"{title(row)}: {said}" if isinstance(row, Row) else said
    gone = {id_: row for id_, row in old.items() if id_ not in new and isinstance(row, Row)}
    return found | {id_: f"removed: {title(row)}" for id_, row in gone.items()}


def _all(spine: Spine) -> dict[str, BaseModel]:
    return {"frame": spine.frame, **spine.by_id()}


def _fields(old: BaseModel, new: BaseModel, currency: str) -> Iterator[str]:
    for field in type(new).model_fields:
        was, now = getattr(old, field), getattr(new, field)
        if was == now:
            continue
        if isinstance(now, list):
            was, now = ([item_text(item, currency) for item in each] for each in (was, now))
            signs = [f"+ {item}" for item in now if item not in was] + [f"− {item}" for item in was if item not in now]
            yield f"{field} {', '.join(signs) or 'in another order'}"
        else:
            yield f"{field} {_value(old, field, currency)} → {_value(new, field, currency)}"
    if isinstance(old, Line) and isinstance(new, Line) and old.amount != new.amount:
        yield " → ".join(f"{number_text(row.amount, 'money', currency)}" for row in (old, new))


def _value(row: BaseModel, field: str, currency: str) -> str:
    value = getattr(row, field)
    return (f"“{value}”" if isinstance(value, str) and " " in value else value_text(row, field, currency)) or "nothing"


def reasons(patches: Iterable[Patched]) -> dict[str, list[str]]:
    """Return by id why its row was changed."""
    found: dict[str, list[str]] = {}
    for patch in patches:
        for change in patch.changes:
            said = found.setdefault(change.id, [])
            if change.reason and change.reason not in said:
                said.append(change.reason)
    return found


def listed(changed: Mapping[str, str], why: Mapping[str, list[str]], blocks: Sequence[Block]) -> str:
    """Return the changed rows in lines: which blocks name each, what it says otherwise, and why."""
    named: dict[str, list[str]] = {}
    for block in blocks:
        for id_ in dict.fromkeys(ID.findall(block.text)):
            named.setdefault(id_, []).append(block.label)
    return "\n".join(_line(id_, said, why.get(id_, ()), named.get(id_, ())) for id_, said in changed.items())


def _line(id_: str, said: str, why: Sequence[str], places: Sequence[str]) -> str:
    where = f" in {', '.join(f'[{label}]' for label in places)}" if places else " in no block"
    because = f" Why: {' '.join(why[:MOST_REASONS])}" if why else ""
    return f"- {id_}{where}: {said}.{because}"


def unmentioned(ids: Iterable[str], rows: Mapping[str, Any], text: str) -> list[str]:
    """Return those of *ids* that *text* names neither by id nor by title."""
    held = set(ID.findall(text))
    folded = " ".join(text.casefold().split())
    return [id_ for id_ in ids if id_ in rows and id_ not in held and title(rows[id_]).casefold() not in folded]
