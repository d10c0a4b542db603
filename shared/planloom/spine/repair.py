"""Make a spine hold together: unique ids, references that name rows, no cycles, values within their bounds."""

from collections.abc import Callable
from datetime import date, timedelta

from planloom.spine import rows as r
from planloom.spine.repair_cycles import acyclic
from planloom.spine.repair_ids import renumbered, resolved
from planloom.spine.repair_merge import merged
from planloom.spine.repair_values import Notes, clipped, sane
from planloom.spine.spine import Spine

#: Sentences that are returned at most; the last one counts the rest.
MOST_NOTES = 60
#: A pass can make work for another (two merged roles make two packages equal); two passes are usual.
_MOST_PASSES = 12
_BEFORE, _AFTER = timedelta(days=366), timedelta(days=10_958)


def repaired(spine: Spine, today: date) -> tuple[Spine, tuple[str, ...]]:
    """Return *spine* so that it holds together, and each repair in a sentence with ids, at most MOST_NOTES.

    Days are kept from 366 days before *today* to 30 years after it. What is repaired once is not changed again.
    """
    notes: Notes = []
    for _ in range(_MOST_PASSES):
        before = spine
        spine = _passed(spine, today, notes)
        if spine == before:
            break
    said = [*dict.fromkeys(notes)]
    if len(said) > MOST_NOTES:
        said = [*said[: MOST_NOTES - 1], f"{len(said) - MOST_NOTES + 1} more repairs were made."]
    return spine, tuple(said)


def _passed(spine: Spine, today: date, notes: Notes) -> Spine:
    spine = sane(spine, (today - _BEFORE, today + _AFTER), today, notes)
    spine, aliases = renumbered(spine, notes)
    steps: tuple[Callable[[Spine, Notes], Spine], ...] = (_never_empty, merged, acyclic)
    spine = resolved(spine, aliases, notes)
    for step in steps:
        spine = step(spine, notes)
    return spine


def _never_empty(spine: Spine, notes: Notes) -> Spine:
    """Give a spine without packages one made of its objective, and packages a deliverable where there is only one."""
    frame, changes = spine.frame, {}
    deliverables, packages = spine.deliverables, spine.packages
    objective = frame.objective or frame.title or "The undertaking"
    if not deliverables:
        deliverables = (r.Deliverable(id="V1", title=clipped(frame.title or objective, 160)),)
        notes.append("V1 was added: no deliverable was there.")
    if not packages:
        owner = spine.roles[0].id if spine.roles else ""
        packages = (r.Package(id="P1", title=clipped(objective, 160), owner=owner),)
        notes.append("P1 was added, made of the objective: no package was there.")
    if len(deliverables) == 1:
        only = {"deliverable": deliverables[0].id}
        packages = tuple(p if p.deliverable else p.model_copy(update=only) for p in packages)
    changes = {"deliverables": deliverables, "packages": packages}
    return spine.model_copy(update=changes)
