"""Who waits for whom in a draft: what the text says, and else the order of numbered lists."""

from collections.abc import Sequence

from planloom.planes.implementation.document.markdown_steps import DraftStep, Unplaced

_NOISE = ("steps", "step", "tasks", "task", "étapes", "étape", "#", "s")


def waits_of(steps: Sequence[DraftStep], ids: Sequence[str]) -> tuple[list[list[str]], list[Unplaced]]:
    """Return the ids that each step waits for, and the words of "depends on" that name no step.

    A step of a numbered list that does not say itself what it waits for follows the one before it in its list; the
    first of a list follows the last one of the numbered list before.
    """
    found: list[list[str]] = []
    unknown: list[Unplaced] = []
    for place, step in enumerate(steps):
        if not step.waits:
            found.append(_in_order(steps, ids, place))
            continue
        named: dict[str, None] = {}
        for text, line in step.waits:
            for part in _parts(text):
                target = _named(part, steps, place)
                if target is None or target == place:
                    unknown.append(Unplaced(line, part, "it is said to wait for this, and no step is called so"))
                else:
                    named[ids[target]] = None
        found.append(list(named))
    return found, unknown


def _in_order(steps: Sequence[DraftStep], ids: Sequence[str], place: int) -> list[str]:
    if not steps[place].in_order or not place or not steps[place - 1].in_order:
        return []
    return [ids[place - 1]]


def _parts(text: str) -> list[str]:
    for mark in (" and ", " et ", " & ", ";"):
        text = text.replace(mark, ",")
    return [part.strip(" .`") for part in text.split(",") if part.strip(" .`")]


def _named(part: str, steps: Sequence[DraftStep], place: int) -> int | None:
    """Return the place of the step that *part* names: by its number as written, near ones first, or by its title."""
    bare = part.casefold()
    for noise in _NOISE:
        bare = bare.removeprefix(noise).strip()
    if bare.isascii() and bare.isdigit() and len(bare) < 6:
        number = int(bare)
        same = [n for n, step in enumerate(steps) if step.number == number]
        own = [n for n in same if steps[n].section == steps[place].section]
        if own or same:
            return (own or same)[0]
        # checkbox lists have no numbers: they are counted
        return number - 1 if 0 < number <= len(steps) and not any(step.number for step in steps) else None
    titles = [n for n, step in enumerate(steps) if step.title.casefold() == part.casefold()]
    starts = [n for n, step in enumerate(steps) if len(part) > 3 and step.title.casefold().startswith(part.casefold())]
    return next(iter(titles or starts), None)
