"""Stage 011: the chosen draft becomes the spine: extracted by table, in parallel, then completed and checked."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from planloom.core.frozen import Answer
from planloom.core.wording import day_text
from planloom.models.model import Part
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.facts.quoting import clip
from planloom.planes.strategic.spine.coverage import DraftRow, draft_rows, missing
from planloom.planes.strategic.spine.csv_tables import csv_tables
from planloom.planes.strategic.spine.digests import row_digests
from planloom.planes.strategic.spine.markdown import for_model, markdown
from planloom.planes.strategic.spine.repair import repaired
from planloom.planes.strategic.spine.rows import Frame
from planloom.planes.strategic.spine.spine import TABLES, Spine
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.patching import patched, renumbered
from planloom.planes.strategic.stages.results import Choice, Structured
from planloom.planes.strategic.stages.stage import Section, Stage
from planloom.planes.strategic.stages.structure_answers import (
    COMPLETE,
    EXTRACT,
    GROUPS,
    INDEX,
    MOST,
    Additions,
    FrameTables,
    Group,
    Index,
)
from planloom.planes.strategic.stages.text import bullets, demoted

#: What is not found is asked for in at most so many calls, MOST at a time.
MOST_CALLS = 4
#: The table files, in the order of their slots from 3 on: those that are read most come first.
FILES = ("packages", "lines", *(name for name in TABLES if name not in ("packages", "lines")))

Ids = Mapping[str, Mapping[str, str]]
Tables = Mapping[str, tuple[Any, ...]]


#: A cell that numbers its row: P12, D1a.
_ROW_ID = re.compile(r"[A-Z]\d{1,3}[a-z]?\b")


async def draft(context: StageContext) -> Structured:
    """Fix the ids, fill in the tables in parallel, repair, then ask once for what is not found.

    Raises AnswerLost where there are no ids to agree on.
    """
    if context.about.outline_only:
        from planloom.planes.strategic.outline.build import outline_spine

        return Structured(spine=outline_spine(context.goal))
    choice = context.read("choice", Choice)
    shown = (context.facts(), Part("the plan", choice.base), Part("what is taken over into the plan", choice.beside))
    ids = _ids(await context.ask("index", INDEX, shown, Index))
    frame, tables = await _extracted(context, shown, ids)
    found = _begun(Spine(frame=_framed(context.goal, frame), **tables), context.goal.today)
    spine, repairs = repaired(found, context.goal.today)
    absent = (*_unfilled(ids, found), *_not_found(context.goal, choice, spine))
    if not absent:
        return Structured(spine=spine, repairs=repairs)
    return await _completed(context, shown, Structured(spine=spine, repairs=repairs, not_found=absent))


def _ids(index: Index) -> Ids:
    """Return the titles by id of each table; of two rows with one id, the first."""
    found: dict[str, dict[str, str]] = {}
    for name, entries in index:
        rows = found.setdefault(name.removeprefix("more_"), {})
        for entry in entries:
            rows.setdefault(entry.id.strip().upper(), entry.title)
    return found


async def _extracted(context: StageContext, shown: tuple[Part, ...], ids: Ids) -> tuple[Frame | None, dict[str, Any]]:
    """Return the frame, None where it was lost, and the rows by table."""
    listed = "\n".join(f"{row} {title}" for rows in ids.values() for row, title in rows.items())
    parts = (*shown, Part("ids of rows", listed))
    calls = [call for group in GROUPS for call in _calls(group, ids)]
    answers = await asyncio.gather(
        *(
            context.ask_part(name, f"{EXTRACT}\nThe tables: {notes}", parts, group.answer)
            for name, group, notes, _ in calls
        )
    )
    frame, tables = None, dict[str, Any]()
    for (_, _, _, others), answer in zip(calls, answers, strict=True):
        if isinstance(answer, FrameTables):
            frame = answer.frame
        for name, rows in _tables(answer):
            own = (row for row in rows if row.id.strip().upper() not in others)
            tables[name] = (*tables.get(name, ()), *own)
    return frame, tables


def _calls(group: Group, ids: Ids) -> Iterator[tuple[str, Group, str, frozenset[str]]]:
    """Yield name, group and notes of each call, with the ids that are asked for in other calls."""
    rows = list(ids.get(group.split, ()))
    if not group.split:
        yield group.name, group, group.notes, frozenset()
    for n, first in enumerate(range(0, len(rows), group.size), 1):
        own = rows[first : first + group.size]
        notes = group.notes.format(ids=", ".join(own))
        yield f"{group.name}-{n}", group, notes, frozenset(rows) - frozenset(own)


def _tables(answer: Answer | None) -> Iterator[tuple[str, list[Any]]]:
    for name, rows in answer or ():
        if name in TABLES:
            yield name, rows


def _framed(goal: Goal, frame: Frame | None) -> Frame:
    """Return *frame* with what the goal states of start, end and budget, which counts."""
    title, objective = clip(goal.facts.title, 120), clip(goal.facts.objective.text, 800)
    frame = frame or Frame(title=title, objective=objective, start=goal.start)
    stated = any(day.role == "start" for day in goal.facts.days)
    budget = goal.total.high if goal.total else frame.budget
    return frame.model_copy(
        update={
            "start": goal.start if stated else max(frame.start, goal.today),
            "end": goal.deadline or frame.end,
            "budget": budget,
            "currency": goal.currency or frame.currency,
        }
    )


def _begun(spine: Spine, today: date) -> Spine:
    """Return *spine* with a start at which its first package can be done: what is prepared before is work as well."""
    days = (package.not_before for package in spine.packages if package.not_before)
    first = min((day for day in days if day >= today), default=spine.frame.start)
    frame = spine.frame.model_copy(update={"start": min(first, spine.frame.start)})
    return spine.model_copy(update={"frame": frame})


def _unfilled(ids: Ids, spine: Spine) -> Iterator[str]:
    there = {row.id.strip().upper() for row in spine.rows()}
    return (f"row {row}, {title}" for rows in ids.values() for row, title in rows.items() if row not in there)


def _not_found(goal: Goal, choice: Choice, spine: Spine) -> tuple[str, ...]:
    """Return the dated demands of the goal, and the rows and figures of the plan, that *spine* does not hold."""
    held = {demand.due for demand in spine.demands} | {spine.frame.end}
    dated = (day for day in goal.facts.days if day.role in ("deadline", "milestone") and not day.ambiguous)
    demands = (
        f"demand of the goal, due {day_text(day.latest)}: {day.label or day.text}"
        for day in dated
        if day.latest not in held
    )
    draft = f"{choice.base}\n\n{choice.beside}"
    found = missing(draft, spine)
    # rows without a number, and days in prose (of laws, of feasts), belong to rows seldom; a row that is there may head
    # a row of another table as well
    there = {number for row in draft_rows(draft) if row not in found.rows and (number := _number(row))}
    lacking = (row for row in found.rows if (number := _number(row)) and number not in there)
    rows = (f"row under “{row.heading}”: {' | '.join(row.cells)}" for row in lacking)
    amounts = (figure for figure in found.figures if figure.kind == "amount")
    figures = (f"{figure.kind} {figure.text}, in: {clip(figure.sentence, 240)}" for figure in amounts)
    return tuple(dict.fromkeys((*demands, *rows, *figures)))


def _number(row: DraftRow) -> str:
    found = _ROW_ID.match(row.cells[0])
    return found.group() if found else ""


async def _completed(context: StageContext, shown: tuple[Part, ...], before: Structured) -> Structured:
    """Ask for what *before* says is not found, apply what comes, and look again."""
    spine = before.spine
    portions = [before.not_found[n : n + MOST] for n in range(0, len(before.not_found), MOST)][:MOST_CALLS]
    rows = Part("rows made of the plan", for_model(spine), by_id=True)
    answers = await asyncio.gather(
        *(
            context.ask_part(
                f"missing-{n}",
                COMPLETE,
                (*shown, rows, Part("not found in any row", _numbered(portion))),
                Additions,
                rows=row_digests(spine),
            )
            for n, portion in enumerate(portions, 1)
        )
    )
    repairs, reasons = list(before.repairs), dict[str, str]()
    for portion, answer in zip(portions, answers, strict=True):
        if answer:
            # each answer numbers the rows that it adds by what it was shown
            changes = renumbered(answer.changes, before.spine, spine)
            spine, made = patched("completed", spine, changes, context.goal.today)
            repairs += (*made.refused, *made.repairs)
            numbered = ((each.number, each.because) for each in answer.no_rows)
            reasons |= {portion[number - 1]: because for number, because in numbered if number <= len(portion)}
    still = _not_found(context.goal, context.read("choice", Choice), spine)
    return Structured(
        spine=spine,
        repairs=tuple(dict.fromkeys(repairs)),
        not_found=tuple(f"{each} (no row: {reasons[each]})" if each in reasons else each for each in still),
    )


def _numbered(items: Sequence[str]) -> str:
    return "\n".join(f"{n}. {item}" for n, item in enumerate(items, 1))


def edited(_: str, before: Structured, after: Structured) -> Structured:
    """Return *after*, which a person changed, with a spine that holds together; what was repaired is added."""
    # the day of drafting is not known here; the plan's start bounds its days as well
    spine, repairs = repaired(after.spine, before.spine.frame.start)
    repairs = tuple(dict.fromkeys((*after.repairs, *repairs)))
    return after.model_copy(update={"spine": spine, "repairs": repairs, "drafted": before.first})


def pages(result: Structured) -> Mapping[str, str]:
    """Return all tables, after what was repaired of them and what they do not hold."""
    parts = ["# Tables of the plan"]
    for heading, lines in (("Repaired", result.repairs), ("Not found in any row", result.not_found)):
        if lines:
            parts += [f"## {heading}", bullets(lines).rstrip()]
    return {"spine": "\n\n".join((*parts, demoted(markdown(result.spine))))}


def files(result: Structured) -> Mapping[str, str]:
    """Return each table with rows as CSV; every table has a slot of its own, whether it has rows or not."""
    made = csv_tables(result.spine)
    return {f"011-{slot}-{name}.csv": made[name] for slot, name in enumerate(FILES, 3) if name in made}


STAGE = Stage(
    number=11,
    name="spine",
    title="Tables of the plan",
    needs=("start", "draft", "choice"),
    version=16,
    result=Structured,
    draft=draft,
    pages=pages,
    sections=(Section("spine", "Tables of the plan"),),
    extra_files=files,
    edited=edited,
)
