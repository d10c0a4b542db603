"""What changed in the rows of a plan since its draft was written, as its author is shown it."""

from collections.abc import Iterable, Iterator

from pydantic import BaseModel

from planloom.planes.strategic.spine.fields import number_text, title, value_text
from planloom.planes.strategic.spine.markdown import item_text
from planloom.planes.strategic.spine.rows import Line, Row
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.results import Patched


def changed_rows(before: Spine, after: Spine) -> dict[str, str]:
    """Return by id what each row of *after*, and its frame, says otherwise than *before*; new and removed rows too."""
    old, new = _all(before), _all(after)
    found = dict[str, str]()
    for id_, row in new.items():
        if id_ not in old:
            found[id_] = f"new: {title(row)}" if isinstance(row, Row) else "new"
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
