"""Which section of the interface each part of the main document is, whatever its language: by place, else by rows."""

from collections import Counter
from collections.abc import Iterator, Sequence

from planloom.planes.strategic.stages.anchors import ID
from planloom.planes.strategic.stages.blocks import Block
from planloom.planes.strategic.stages.whole_plan import SECTIONS

#: The part that is printed as the executive summary.
OPENING = "opening"
#: The sections that authors are asked for (whole_plan.SECTIONS), by their place.
BY_PLACE = (OPENING, "project_plan", "levers", "approvals", "calendar", "team", "budget", "risks", "next_steps")
NEXT = "next_steps"
#: The section that holds the rows of each table, by the letter of their ids.
_HOLDS = {
    **dict.fromkeys("SC", "project_plan"), **dict.fromkeys("DG", "levers"), **dict.fromkeys("BA", "approvals"),
    **dict.fromkeys("VP", "calendar"), "R": "team", **dict.fromkeys("LFOU", "budget"), **dict.fromkeys("KHQN", "risks"),
}  # fmt: skip
#: A paragraph of so many characters can lead in a table.
_LEAD = 200

assert len(BY_PLACE) == len(SECTIONS)


def parts(blocks: Sequence[Block]) -> dict[str, list[Block]]:
    """Return *blocks* by section, in the order of the document; a section's own heading is the first block.

    Where there are more or fewer sections than authors are asked for, the first of several is the opening; each of the
    others goes to the section that holds most of its rows; one without rows to that of its place, where no rows are of
    it, or to that before it. What begins with the last table without ids below the risks is the next steps.
    """
    cut = _cut([block for block in blocks if block.text])
    found: dict[str, list[Block]] = {}
    before = OPENING
    held = [_held(section) for section in cut]
    if len(cut) > len(BY_PLACE) // 2:
        held[0] = OPENING
    free = [name if name not in held else "" for name in BY_PLACE]
    for n, section in enumerate(cut):
        asked = len(cut) == len(BY_PLACE)
        name = BY_PLACE[n] if asked else held[n] or "".join(free[n : n + 1]) or _after(before)
        found.setdefault(name, []).extend(section)
        before = name
    if NEXT not in found and (start := _next_steps(found.get("risks", []))):
        found[NEXT] = found["risks"][start:]
        found["risks"] = found["risks"][:start]
    return found


def _cut(blocks: Sequence[Block]) -> list[list[Block]]:
    """Return *blocks* cut at the headings below the title; what is before the first belongs to it."""
    levels = Counter(block.level for block in blocks if block.level)
    level = next((each for each in sorted(levels) if levels[each] > 1), 1)
    cut: list[list[Block]] = [[]]
    for block in blocks:
        if block.level == level:
            cut.append([block])
        elif not 0 < block.level < level:
            cut[-1].append(block)
    if cut[0] and len(cut) > 1:
        first, *rest = cut[1]
        cut[1] = [first, *cut[0], *rest]
    return [each for each in cut[1 if len(cut) > 1 else 0 :] if each]


def _held(section: Sequence[Block]) -> str:
    """Return the section that holds most rows of *section*; empty where it has none."""
    ids = [found[0] for block in section if block.kind == "row" and (found := ID.search(block.cells[0]))]
    held = Counter(_HOLDS[id_[0]] for id_ in ids if id_[0] in _HOLDS)
    return held.most_common(1)[0][0] if held else ""


def _after(before: str) -> str:
    return NEXT if before == "risks" else "project_plan" if before == OPENING else before


def _next_steps(risks: Sequence[Block]) -> int:
    """Return where the last table without ids begins, with what leads it in; 0 where there is none."""
    starts = [n for n in _heads(risks) if risks[n + 1 : n + 2] and not ID.search("".join(risks[n + 1].cells[:1]))]
    start = starts[-1] if starts else 0
    if start > 1 and (risks[start - 1].kind == "text" and len(risks[start - 1].text) <= _LEAD):
        start -= 1
    return start - 1 if start > 1 and risks[start - 1].level else start


def _heads(blocks: Sequence[Block]) -> Iterator[int]:
    return (n for n, block in enumerate(blocks) if block.kind == "head")
