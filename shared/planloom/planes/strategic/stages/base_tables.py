"""The tables of tasks, cost lines and demands in the base document, brought up to date with the final plan."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from planloom.planes.strategic.spine.markdown import item_text
from planloom.planes.strategic.spine.rows import Line, Package
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.anchors import ID, hint
from planloom.planes.strategic.stages.blocks import Block, blocks_of, joined, row_of
from planloom.planes.strategic.stages.chapter_tables import document_tables
from planloom.planes.strategic.stages.computed_plan import ComputedPlan, number, short_day
from planloom.planes.strategic.stages.plan_changes import unmentioned
from planloom.planes.strategic.stages.text import cell

Say = Callable[[str], str]

#: The number of columns of the tables that authors are asked for (whole_plan.SECTIONS); others keep theirs.
STRICT = 10
#: A table with other columns is one of tasks from so many rows on: a shorter one is about some tasks.
LEAST_TASKS = 10
#: The columns of tasks that stay in the main document: number, task, owner, done when, after. Annexes have the others.
NUMBER, TASK, OWNER, AFTER, DONE = 0, 1, 3, 6, 8
_ROLE = re.compile(r"\W*r\d")
#: The heads of the columns that are computed.
START, END, COST = "Start", "End", "Own lines"


def updated(blocks: Sequence[Block], plan: ComputedPlan, first: Spine, say: Say) -> tuple[Block, ...]:
    """Return *blocks* with start, end and amount of each task, without rows that the plan no longer has.

    Rows of tables are known by the id in their first cell. Tasks and lines that are new are in the tables of the
    others, labelled by their ids, where these have the columns that authors are asked for. *say* puts days and numbers
    in the language of the goal.
    """
    before = first.by_id()
    made: list[Block] = []
    strict = dict[str, int]()
    task_table = wide = False
    for n, block in enumerate(blocks):
        if block.kind == "head":
            rows = [*takewhile(lambda row: row.kind == "row", blocks[n + 1 :])]
            tasks = bool(rows) and _id(rows[0]).startswith("P")
            wide = len(block.cells) == STRICT and (not tasks or _has_owners(rows, plan))
            task_table = tasks and (wide or len(rows) >= LEAST_TASKS)
            made.append(_head(block, plan, wide=wide) if task_table else block)
            continue
        id_, text = _id(block), block.text
        if id_ and id_ not in plan.rows and id_ in before:
            text = ""
        elif task_table and id_.startswith("P") and id_ in plan.rows:
            text = _task(plan, plan.rows[id_], say, wide=wide, cells=block.cells)
        made.append(replace(block, text=text))
        if wide and id_[:1] in ("P", "L"):
            strict[id_] = len(made)
    new_rows: tuple[Package | Line, ...] = (*plan.spine.packages, *plan.spine.lines)
    for row in new_rows:
        if row.id not in before and (at := _place(row, strict)):
            new = _task(plan, row, say, wide=True) if isinstance(row, Package) else _line(row, say)
            made.insert(at, Block(row.id, "row", new))
            strict = {id_: n + (n >= at) for id_, n in strict.items()} | {row.id: at + 1}
    return tuple(made)


def with_demands(blocks: Sequence[Block], plan: ComputedPlan, say: Say) -> tuple[Block, ...]:
    """Return *blocks* with a table of the demands and limits of the goal that they do not mention, and what keeps each.

    It is put after the last row of a measure, a demand or a limit; else at the end of the first section.
    """
    tables = document_tables(plan)
    ids = [row.id for row in (*plan.spine.demands, *plan.spine.constraints)]
    absent = unmentioned(ids, plan.rows, joined(blocks))
    if not absent or "demands" not in tables:
        return tuple(blocks)
    head, *rows = blocks_of(tables["demands"].text)
    shown = [replace(row, label=_id(row), text=row_of(map(say, row.cells))) for row in rows if _id(row) in absent]
    beside = [n for n, block in enumerate(blocks, 1) if _id(block)[:1] in ("S", "N", "C")]
    sections = [n for n, block in enumerate(blocks) if block.level > 1]
    at = beside[-1] if beside else (*sections, len(blocks), len(blocks))[1]
    return (*blocks[:at], replace(head, label="N"), *shown, *blocks[at:])


def _id(block: Block) -> str:
    found = ID.search(block.cells[0]) if block.kind == "row" else None
    return found[0] if found else ""


def _has_owners(rows: Sequence[Block], plan: ComputedPlan) -> bool:
    """Return whether the column of owners has roles in most *rows*: an author may have given others in its place."""
    titles = [role.title.casefold() for role in plan.spine.roles]
    cells = [row.cells[OWNER].casefold() if len(row.cells) > OWNER else "" for row in rows]
    return 2 * sum(bool(_ROLE.match(cell)) or any(each in cell for each in titles) for cell in cells) >= len(cells)


def _place(row: Package | Line, strict: dict[str, int]) -> int:
    """Return where *row* goes: after the last task that it needs, else after the last row of its table; 0: nowhere."""
    needed = [strict[need.id] for need in row.needs if need.id in strict] if isinstance(row, Package) else []
    return max(needed or [n for id_, n in strict.items() if id_[0] == row.id[0]], default=0)


def _head(block: Block, plan: ComputedPlan, *, wide: bool) -> Block:
    heads = block.cells
    dates = (START, END, f"{COST} ({plan.spine.frame.currency})")
    kept = (heads[NUMBER], heads[TASK], heads[OWNER], *dates, heads[DONE], heads[AFTER]) if wide else (*heads, *dates)
    return replace(block, text=row_of(kept))


def _task(plan: ComputedPlan, row: Package, say: Say, *, wide: bool, cells: Sequence[str] = ()) -> str:
    found = plan.dated.get(row.id)
    days = [hint(f"{row.id}.{end}", say(short_day(getattr(found, end)))) if found else "" for end in ("start", "end")]
    cost = plan.cost_of(row)
    computed = (*days, hint(f"{row.id}.cost", say(number(cost))) if cost else "0")
    if not wide:
        return row_of((*cells, *computed))
    after = ", ".join(_after(plan, row)) or "–"
    shown = (row.id, row.title, plan.title(row.owner))
    done = cell(row.done_when) or (cells[DONE] if len(cells) == STRICT else "")
    return row_of((*map(cell, shown), *computed, done, after))


def _after(plan: ComputedPlan, row: Package) -> Iterator[str]:
    spine = plan.spine
    yield from (item_text(need, spine.frame.currency) for need in row.needs)
    yield from (
        each.id for table in (spine.approvals, spine.gates, spine.decisions) for each in table if row.id in each.frees
    )


def _line(row: Line, say: Say) -> str:
    values = {"quantity": row.quantity, "rate": row.rate, "amount": row.amount}
    quantity, rate, amount = (hint(f"{row.id}.{name}", say(number(value))) for name, value in values.items())
    whose = ", ".join(row.all_packages) or row.role
    rest = (row.kind.replace("_", "-"), whose, row.paid.replace("_", " "), row.basis)
    return row_of((row.id, cell(row.title), quantity, cell(row.unit), rate, amount, *map(cell, rest)))
