"""Stage 011: the chosen draft becomes the spine: extracted by table, in parallel, then completed and checked."""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from planloom.core.wording import day_text
from planloom.models.model import Part
from planloom.planes.strategic.compute.schedule import Schedule, schedule
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.facts.quoting import clip
from planloom.planes.strategic.spine.coverage import missing
from planloom.planes.strategic.spine.csv_tables import csv_tables
from planloom.planes.strategic.spine.digests import row_digests
from planloom.planes.strategic.spine.markdown import for_model, markdown
from planloom.planes.strategic.spine.repair import repaired
from planloom.planes.strategic.spine.rows import Frame, Package, Row
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
    PlacedPackage,
)
from planloom.planes.strategic.stages.text import bullets, demoted

#: What is not found is asked for in at most so many calls, MOST at a time.
MOST_CALLS = 4
#: The table files, in the order of their slots from 3 on: those that are read most come first.
FILES = ("packages", "lines", *(name for name in TABLES if name not in ("packages", "lines")))

Ids = Mapping[str, Mapping[str, str]]

_COMPUTED = "; computed of its row: "
#: A row that the ids name and no table has.
_UNFILLED = re.compile(r"row ([A-Z]\d+):")
#: First and last day of packages in the plan's own calendar, by id.
Placed = Mapping[str, tuple[date | None, date | None]]

#: A package is where the plan has it up to this difference, and its length up to this share of it.
NEAR, NEAR_SHARE = timedelta(days=10), 0.3


async def draft(context: StageContext) -> Structured:
    """Fix the ids, fill in the tables in parallel, repair, then ask once for what is not found or on other days.

    Raises AnswerLost where there are no ids to agree on.
    """
    if context.about.outline_only:
        from planloom.planes.strategic.outline.build import outline_spine

        return Structured(spine=outline_spine(context.goal))
    choice = context.read("choice", Choice)
    shown = (context.facts(), Part("the plan", choice.base), Part("what is taken over into the plan", choice.beside))
    ids = _ids(await context.ask("index", INDEX, shown, Index))
    found = await _extracted(context, shown, ids)
    framed = Spine(frame=_framed(context.goal, found.frame), **found.tables)
    begun = _begun(framed, found.placed, context.goal.today)
    spine, repairs = repaired(begun, context.goal.today)
    # repair gives some rows other ids, so what is unfilled is looked for before it
    absent = (*found.lost, *_unfilled(ids, begun), *_not_found(context, spine, found.placed))
    before = Structured(spine=spine, repairs=repairs, not_found=absent)
    return await _completed(context, shown, before, found.placed) if absent else before


def _ids(index: Index) -> Ids:
    """Return the titles by id of each table; of two rows with one id, the first."""
    found: dict[str, dict[str, str]] = {}
    for name, entries in index:
        rows = found.setdefault(name, {})
        for entry in entries:
            rows.setdefault(entry.id.strip().upper(), entry.title)
    return found


@dataclass
class _Extracted:
    """The frame, None where it was lost; the rows by table; what was lost; the plan's days of packages."""

    frame: Frame | None = None
    tables: dict[str, tuple[Row, ...]] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    placed: dict[str, tuple[date | None, date | None]] = field(default_factory=dict)


async def _extracted(context: StageContext, shown: tuple[Part, ...], ids: Ids) -> _Extracted:
    listed = "\n".join(f"{row} {title}" for rows in ids.values() for row, title in rows.items())
    parts = (*shown, Part("ids of rows", listed))
    calls = [call for group in GROUPS for call in _calls(group, ids, long=context.about.long_answers)]
    answers = await asyncio.gather(
        *(
            context.ask_part(name, f"{EXTRACT}\nThe tables: {notes}", parts, group.answer)
            for name, group, notes, _ in calls
        )
    )
    found = _Extracted()
    for (_, group, _, others), answer in zip(calls, answers, strict=True):
        if answer is None and (tables := [each for each in _own_tables(group) if each not in ids]):
            found.lost.append(f"no rows were made of what the plan says on {', '.join(tables)}")
        if isinstance(answer, FrameTables):
            found.frame = answer.frame
        for table in _own_tables(group) if answer else ():
            own = [row for row in getattr(answer, table) if row.id.strip().upper() not in others]
            found.placed |= {
                row.id.strip().upper(): (row.starts, row.ends) for row in own if isinstance(row, PlacedPackage)
            }
            found.tables[table] = (*found.tables.get(table, ()), *map(_plain, own))
    return found


def _own_tables(group: Group) -> list[str]:
    return [name for name in group.answer.model_fields if name in TABLES]


def _calls(group: Group, ids: Ids, *, long: bool) -> Iterator[tuple[str, Group, str, frozenset[str]]]:
    """Yield name, group and notes of each call, with the ids that are asked for in other calls."""
    rows, size = list(ids.get(group.split, ())), MOST if long else group.short
    if not group.split:
        yield group.name, group, group.notes, frozenset()
    for n, first in enumerate(range(0, len(rows), size), 1):
        own = rows[first : first + size]
        notes = group.notes.format(ids=", ".join(own))
        yield f"{group.name}-{n}", group, notes, frozenset(rows) - frozenset(own)


def _plain(row: Row) -> Row:
    """Return *row* as the spine has it: without the days by which a package is checked."""
    return Package(**{name: getattr(row, name) for name in Package.model_fields}) if isinstance(row, Package) else row


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


def _begun(spine: Spine, placed: Placed, today: date) -> Spine:
    """Return *spine* with a start at which its first package can be done: what is prepared before is work as well."""
    days = (day for package in spine.packages for day in (package.not_before, *placed.get(package.id, ())[:1]) if day)
    first = min((day for day in days if day >= today), default=spine.frame.start)
    frame = spine.frame.model_copy(update={"start": min(first, spine.frame.start)})
    return spine.model_copy(update={"frame": frame})


def _unfilled(ids: Ids, spine: Spine) -> Iterator[str]:
    there = {row.id.strip().upper() for row in spine.rows()}
    return (f"row {row}: {title}" for rows in ids.values() for row, title in rows.items() if row not in there)


def _not_found(context: StageContext, spine: Spine, placed: Placed) -> tuple[str, ...]:
    """Return what *spine* does not hold of the goal's dated demands and of the plan, and packages on other days."""
    goal, choice = context.goal, context.read("choice", Choice)
    held = {demand.due for demand in spine.demands} | {spine.frame.end}
    dated = (day for day in goal.facts.days if day.role in ("deadline", "milestone") and not day.ambiguous)
    demands = (
        f"demand of the goal, due {day_text(day.latest)}: {day.label or day.text}"
        for day in dated
        if day.latest not in held
    )
    found = missing(f"{choice.base}\n\n{choice.beside}", spine)
    rows = (f"row under “{row.heading}”: {' | '.join(row.cells)}" for row in found)
    return tuple(dict.fromkeys((*demands, *rows, *_displaced(goal, spine, placed))))


def _displaced(goal: Goal, spine: Spine, placed: Placed) -> Iterator[str]:
    """Yield the packages that are computed for other days than the plan has, but where another one of them is why."""
    dated = schedule(spine, goal.facts.closures)
    away = {row.id: days for row in spine.packages if (days := _away(dated, row.id, placed))}
    for row in spine.packages:
        earlier = away.get(row.id, 0) < 0
        others = (away[name] < 0 for name in dated.path_to(row.id)[:-1] if name in away)
        if row.id in away and earlier not in others:
            first, last = placed[row.id]
            said = " to ".join(day_text(day) for day in (first, last) if day)
            now = dated.packages[row.id]
            after = f", waiting for {now.driver}" if now.driver else ""
            computed = f"{day_text(now.start)} to {day_text(now.end)}{after}"
            yield f"days of {row.id}, {row.title}: {said} in the plan{_COMPUTED}{computed}"


def _away(dated: Schedule, name: str, placed: Placed) -> int:
    """Return by how many days a package starts, or else ends, later than the plan has it; 0: near enough."""
    now, (first, last) = dated.packages[name], placed.get(name, (None, None))
    if first and abs(now.start - first) > NEAR:
        return (now.start - first).days
    near = max(NEAR, NEAR_SHARE * (last - first)) if first and last else NEAR
    return (now.end - last).days if last and abs(now.end - last) > near else 0


async def _completed(context: StageContext, shown: tuple[Part, ...], before: Structured, placed: Placed) -> Structured:
    """Ask for what *before* says is not found, apply what comes, and look again."""
    spine = before.spine
    portions = [before.not_found[n : n + MOST] for n in range(0, len(before.not_found), MOST)][:MOST_CALLS]
    rows = Part("rows made of the plan", for_model(spine), by_id=True)
    answers = await asyncio.gather(
        *(
            context.ask_part(
                f"missing-{n}",
                COMPLETE,
                (*shown, rows, Part("not found in any row, or on other days", _numbered(portion))),
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
            reasons |= {_key(portion[number - 1]): because for number, because in numbered if number <= len(portion)}
    there = spine.by_id()
    unfilled = (each for each in before.not_found if (row := _UNFILLED.match(each)) and row[1] not in there)
    still = (*unfilled, *_not_found(context, spine, placed))
    return Structured(
        spine=spine,
        repairs=tuple(dict.fromkeys(repairs)),
        not_found=tuple(f"{each} ({reasons[_key(each)]})" if _key(each) in reasons else each for each in still),
    )


def _key(absent: str) -> str:
    """Return what stays of *absent* when other changes move the computed days in it."""
    return absent.partition(_COMPUTED)[0]


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
    absent = ("Not found in any row, or on other days than in the plan", result.not_found)
    for heading, lines in (("Repaired", result.repairs), absent):
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
    version=30,
    result=Structured,
    draft=draft,
    pages=pages,
    sections=(Section("spine", "Tables of the plan"),),
    extra_files=files,
    edited=edited,
)
