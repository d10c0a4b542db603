"""What programs find wrong in the edited document: old values, sums, repetitions, bans, rows that nothing mentions."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from planloom.planes.strategic.compute.found import chance_text
from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.facts.quoting import clip
from planloom.planes.strategic.quality.banned_words import banned_words
from planloom.planes.strategic.quality.passages import sentences_of
from planloom.planes.strategic.quality.repeated import LONG_WORDS, alike
from planloom.planes.strategic.quality.words import count_words
from planloom.planes.strategic.spine.figures import full_dates
from planloom.planes.strategic.stages.anchors import ID, Value, amount_in, names_alone, put_in, shares_in, stating
from planloom.planes.strategic.stages.base_document import BaseDocument
from planloom.planes.strategic.stages.blocks import Block, joined
from planloom.planes.strategic.stages.chapters import BY_HAND
from planloom.planes.strategic.stages.computed_plan import number
from planloom.planes.strategic.stages.plan_changes import unmentioned

#: A table with fewer rows has no sum that is checked.
LEAST_ROWS = 3
#: A sum may be off by the rounding of its rows.
ROUNDING = 0.005
#: The document may be so much longer than its limit before it is sent back.
LONGER = 1.03
#: The share of the words of the texts to send that must be left.
KEPT = 0.7
#: So many names are offered for an old value.
MOST_NAMES = 3
_TOTAL = re.compile(
    r"\W*(?:(?:grand |sub)?totals?|sum|summe|gesamt\w*|totaal|totale|total\w*|somme|suma|toplam)\b", re.IGNORECASE
)
_SPANS = (".first", ".last", "_undo_by")


@dataclass(frozen=True)
class Place:
    """What is wrong in a block, by its label; an empty label: in the whole."""

    label: str
    said: str


@dataclass(frozen=True, eq=False)
class Checks:
    """What the document is checked against.

    ``expected`` are the ids of rows that the document must mention, ``rows`` all rows as models are shown them;
    ``written_by_hand`` says what is wrong with the figures of a text that an edit wrote.
    """

    base: BaseDocument
    facts: Facts
    expected: tuple[str, ...]
    rows: Mapping[str, str]
    written_by_hand: Callable[[str], Sequence[str]]
    most_words: int

    def wrong(self, blocks: Sequence[Block]) -> list[Place]:
        """Return what is wrong in *blocks*, in their order, then in the whole."""
        found = [Place(block.label, said) for block in blocks if block.text for said in self._in_block(block)]
        found += [*_sums(blocks, self.base), *_twice(blocks)]
        at = {block.label: n for n, block in enumerate(blocks)}
        found.sort(key=lambda place: at[place.label])
        return [*found, *(Place("", said) for said in self._in_whole(blocks))]

    def _in_block(self, block: Block) -> Iterator[str]:
        if block.edited:
            said = self.written_by_hand(names_alone(block.text))
            # a text that goes out has no marks
            yield from (each for each in said if not (_is_quoted(block) and BY_HAND in each))
        for name in put_in(block.text, self.base.values, self.base.language)[1]:
            yield f"{{{{{name}=…}}}}: the plan has no such figure any more"
        yield from _old(block, self.base)
        for ban in banned_words(block.text, self.facts):
            yield f"“{ban.what}” is a word that the goal bans"

    def _in_whole(self, blocks: Sequence[Block]) -> Iterator[str]:
        text, plan = joined(blocks), self.base.plan
        for id_ in unmentioned(self.expected, plan.rows, put_in(text, self.base.values, self.base.language)[0]):
            yield f"no block mentions {self.rows[id_]}"
        texts, before = _quoted_words(blocks), _quoted_words(self.base.blocks)
        if texts < KEPT * before:
            yield f"the texts to send have {texts:,} words, {before:,} in the base: they go out whole, add the rest"
        words = count_words(text)
        if words > self.most_words * LONGER:
            yield f"the document has {words:,} words, {words - self.most_words:,} more than it may have: delete blocks"


def stale(base: BaseDocument) -> list[Place]:
    """Return where *base* states a value that is older than the rows, and sums that their rows do not have."""
    found = [Place(block.label, said) for block in base.blocks for said in _old(block, base)]
    return [*found, *_sums(base.blocks, base)]


def _old(block: Block, base: BaseDocument) -> Iterator[str]:
    """Yield each value of *block* that was that of a figure and is no more.

    A value that some figure still has, and the days on which a role, line or option begins or ends, are one only where
    the block names their row: the same day is that of much else.
    """
    here, present = set(ID.findall(block.text)), set(base.values.values())
    old = (
        (name, was)
        for name, (was, _) in base.old.items()
        if name.partition(".")[0] in here or not (was in present or name.endswith(_SPANS))
    )
    for written, names in stating(block.text, old, base.language):
        now = "; ".join(f"{name} is {_said(base.old[name][1])} now" for name in names[:MOST_NAMES])
        yield f"{written} is stated by hand: if it is {' or '.join(names[:MOST_NAMES])}, {now}"
    yield from _odds(block, base)


def _odds(block: Block, base: BaseDocument) -> Iterator[str]:
    """Yield the odds of the demand or gate that a row with a day is about, where it states others: its author's own.

    A row without a day states another share: the value at which a check passes.
    """
    row = ID.search(block.cells[0]) if block.kind == "row" else None
    odds = base.chances.get(row[0]) if row else None
    dated = row and full_dates(put_in(block.text, base.values, base.language)[0], base.language)
    if row and dated and odds is not None:
        stated = shares_in(block.text, base.language)
        if stated and not any(chance_text(share) == chance_text(odds) for share in stated):
            yield f"other odds than computed: those of {row[0]} are {{{{{row[0]}.chance}}}}, {chance_text(odds)}"


def _sums(blocks: Sequence[Block], base: BaseDocument) -> Iterator[Place]:
    """Yield each total of a table that is neither the sum of all rows above nor of those since the last total."""
    for rows in _tables(blocks):
        for column in range(1, max(len(row.cells) for row in rows)):
            yield from _sums_of(rows, column, base)


def _sums_of(rows: Sequence[Block], column: int, base: BaseDocument) -> Iterator[Place]:
    items: list[float] = []
    part: list[float] = []
    totals: list[float] = []
    for row in rows:
        value = _number(row, column, base)
        if value is None:
            continue
        if not _is_total(row):
            items.append(value)
            part.append(value)
            continue
        sums = (sum(items), sum(part), sum(totals), sum(part) + (totals[-1] if totals else 0))
        near = any(abs(value - each) <= max(1, ROUNDING * abs(value)) for each in sums)
        if len(items) >= LEAST_ROWS and len(part or totals) > 1 and not near:
            said = f"the total {number(value)}, but the rows above it add up to {number(sum(items))}"
            yield Place(row.label, f"in column {column + 1} {said}")
        totals.append(value)
        part = []


def _number(row: Block, column: int, base: BaseDocument) -> float | None:
    if column >= len(row.cells):
        return None
    return amount_in(put_in(row.cells[column], base.values, base.language)[0].strip("* "), base.language)


def _said(value: Value | None) -> str:
    return "not in the plan" if value is None else number(value) if isinstance(value, float | int) else str(value)


def _tables(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    rows: list[Block] = []
    for block in [*(b for b in blocks if b.text), None]:
        if block and block.kind == "row":
            rows.append(block)
        else:
            if len(rows) > LEAST_ROWS:
                yield rows
            rows = []


def _is_total(row: Block) -> bool:
    return not ID.search(row.cells[0]) and any(_TOTAL.match(cell) for cell in row.cells[:3])


def _quoted_words(blocks: Sequence[Block]) -> int:
    return sum(count_words(names_alone(block.text)) for block in blocks if _is_quoted(block))


def _is_quoted(block: Block) -> bool:
    return block.text.lstrip().startswith(">")


def _twice(blocks: Sequence[Block]) -> Iterator[Place]:
    # a text that goes out says what its reader needs, wherever else it is said
    prose = [block for block in blocks if block.kind in ("text", "item") and not _is_quoted(block)]
    long = [(b, said) for b in prose for said in sentences_of(names_alone(b.text)) if len(said.split()) >= LONG_WORDS]
    for one, other in alike([said for _, said in long]):
        first, again = long[one][0], long[other]
        yield Place(again[0].label, f"said in [{first.label}] already: “{clip(again[1], 90)}”")
