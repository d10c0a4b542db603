"""Experts and their criticism without a language model: the tables' flaws, laid on this plan's own rows and figures."""

from collections.abc import Sequence
from datetime import date, timedelta

from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first
from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import due_day, gate_day, gate_text, open_day
from planloom.knowledge.mixed_rows import mixed_rows
from planloom.knowledge.package_days import package_start, packages_about
from planloom.knowledge.tables import Criticism, Expert, Package
from planloom.stages.parts.expert_answer import CriticismAnswer, CriticismRow, ExpertRow, ExpertsAnswer
from planloom.stages.parts.plan_money import line_text
from planloom.stages.parts.plan_rows import Row, nearest, rows
from planloom.stages.project_plan import ProjectPlan

MOST = 6

#: Which rows of the plan a section rests on: where its flaw can be pointed at.
_RESTS_ON = {
    "risks": ("permit", "dependency", "milestone"),
    "assumptions": ("criterion", "dependency"),
    "governance": ("budget", "funding"),
    "team": ("post", "budget"),
    "schedule": ("milestone", "permit"),
    "wbs": ("milestone", "budget", "permit"),
    "documents": ("permit", "dependency"),
    "data_collection": ("criterion", "budget"),
    "pitch": ("criterion", "funding"),
}


def experts(brief: Brief) -> ExpertsAnswer:
    """Return the experts that the tables name for such a goal, those that the prompt calls for first."""
    return ExpertsAnswer(experts=[_expert(row) for row in _known(brief)[:MOST]])


def _known(brief: Brief) -> list[Expert]:
    return list({row.title: row for row in reversed(mixed_rows(brief, "experts", Expert))}.values())[::-1]


def _expert(row: Expert) -> ExpertRow:
    sections = dict.fromkeys(c.section.replace("_", " ") for c in row.criticisms)
    first = row.criticisms[0]
    return ExpertRow(
        title=clip(row.title, 160),
        sees=clip(row.sees, 400),
        reads=", ".join(sections),
        ask=clip(f"Is this so here, and what did it cost where you saw it: {lower_first(first.flaw)}", 300),
    )


def criticise(brief: Brief, plan: ProjectPlan, expert: ExpertRow) -> CriticismAnswer:
    """Return what *expert* criticises, each flaw at a row of *plan* that no other flaw of theirs points at."""
    known = next((row for row in _known(brief) if clip(row.title, 160) == expert.title), None)
    flaws = known.criticisms if known else [c for row in _known(brief)[:2] for c in row.criticisms[:1]]
    left = list(rows(plan))
    made = []
    for flaw in flaws:
        place = _place(left, flaw)
        left.remove(place)
        made.append(_row(brief, plan, flaw, place))
    return CriticismAnswer(criticisms=made[:5])


def _place(left: Sequence[Row], flaw: Criticism) -> Row:
    about = f"{flaw.flaw} {flaw.fix}"
    kinds = _RESTS_ON.get(flaw.section, ())
    found = nearest(left, about, kinds) or nearest(left, f"{about} {flaw.consequence}")
    return found or nearest(left, about, kinds, shared=1) or next((r for r in left if r.kind in kinds), left[0])


def _row(brief: Brief, plan: ProjectPlan, flaw: Criticism, place: Row) -> CriticismRow:
    package = next(iter(packages_about(brief, f"{flaw.fix} {flaw.flaw}", 1)), None)
    return CriticismRow(
        section=flaw.section,
        place=clip(f"{place.kind}: “{place.text}”", 240),
        flaw=clip(flaw.flaw, 400),
        consequence=clip(f"{flaw.consequence} {_stake(brief, plan, flaw, place, package)}", 400),
        fix=clip(flaw.fix, 400),
        role=brief.role_title(package.role if package else "lead"),
        by=_by(brief, package),
        check=clip(
            f"{package.title}: {lower_first(package.leaves[-1].test)}" if package else f"Seen in: {place.text}", 240
        ),
    )


def _stake(brief: Brief, plan: ProjectPlan, flaw: Criticism, place: Row, package: Package | None) -> str:
    """The plan's figure that the consequence eats: money if the place is a date, a date if it is money."""
    kinds = ("milestone",) if place.kind in ("budget", "funding") else ("budget",)
    found = nearest(rows(plan), f"{flaw.consequence} {flaw.flaw}", kinds)
    if found and found.text != place.text:
        return f"At stake here: {found.text}."
    if package:
        return f"It strikes “{package.title}”, planned from about {day_text(package_start(brief, package.id))}."
    held = line_text(plan.budget, plan.budget.contingency)
    return f"It would be paid from contingency ({held}) or in days before {gate_text(brief, 'launch')}."


def _by(brief: Brief, package: Package | None) -> date:
    """Before the work that it changes begins, and not before the second week."""
    first = due_day(brief, 10)
    start = package_start(brief, package.id) if package else gate_day(brief, brief.phases[0].id)
    return max(open_day(brief, start - timedelta(days=7)), first)
