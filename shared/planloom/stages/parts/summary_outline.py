"""The executive summary without a model: the page from the results of other stages, with computed dates only."""

import re
from dataclasses import dataclass
from datetime import date

from planloom.domain.wording import amount_text, day_text
from planloom.facts.quoting import clip, lower_first, quotable
from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import due_day
from planloom.stages.levers import Levers
from planloom.stages.parts.computed_gates import phase_end, phase_ends
from planloom.stages.parts.countable import share_of
from planloom.stages.parts.fitted import fitted
from planloom.stages.parts.review_answer import ReviewPlan
from planloom.stages.parts.schedule_result import Schedule
from planloom.stages.parts.summary_answer import AskRow, DecisionRow, EndingRow, SummaryAnswer
from planloom.stages.premortem import Premortem
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.risks import RiskRegister
from planloom.stages.scenarios import Scenarios
from planloom.stages.text import ended

#: What introduces a reason for the whole. "Because" mostly explains a detail: why August is closed.
_REASON = re.compile(r"\b(?:so that|in order to|to replace|replacing|instead of|in place of)\b", re.IGNORECASE)
_RANK = {"low": 1, "medium": 2, "high": 3}
_FEWEST_WORDS = 6
_ASKED_WITHIN = 10


@dataclass(frozen=True)
class Summed:
    """The sections that the page is made of."""

    brief: Brief
    plan: ProjectPlan
    schedule: Schedule
    levers: Levers
    scenarios: Scenarios
    risks: RiskRegister
    review: ReviewPlan
    premortem: Premortem


def summary(s: Summed) -> SummaryAnswer:
    """Return the page: nothing in it that is not in the sections."""
    return fitted(
        SummaryAnswer,
        what=_what(s),
        why=_why(s),
        how_much=_how_much(s),
        when=_when(s.schedule),
        decisions=_decisions(s),
        risks=_endings(s),
        asked=_asked(s),
    )


def _what(s: Summed) -> str:
    statement = clip(s.plan.plan.goal.statement, 320).rstrip(".")
    found = _REASON.search(statement)
    # the reason stands in the next paragraph; not twice on one page
    if found and len(statement[: found.start()].split()) > _FEWEST_WORDS and _reason(s.brief):
        statement = statement[: found.start()].rstrip(" ,;")
    measures = "; ".join(lower_first(clip(c.text, 90)).rstrip(".") for c in s.plan.plan.criteria[:3])
    return f"{statement}. Success is measured by {len(s.plan.plan.criteria)} criteria, first: {ended(measures)}"


def _why(s: Summed) -> str:
    """The goal's own reason, and who has most at stake."""
    reason = _reason(s.brief) or "No reason was found in the goal; the first gate should not pass without that."
    told = [row for row in s.plan.plan.stakeholders if not row.interest.startswith("In the goal")]
    if not told:
        return reason
    # whom it concerns much and who can do little has most to win or lose; authorities come last
    who = min(told, key=lambda row: (-_RANK[row.concern], _RANK[row.power]))
    interest = lower_first(clip(re.split(r"\s*In the goal:", who.interest)[0], 200))
    return f"{reason} Most is at stake for {lower_first(clip(who.name, 80))}: {ended(interest)}"


def _reason(brief: Brief) -> str:
    for sentence in quotable(brief.facts, brief.facts.sentences):
        found = _REASON.search(sentence.text)
        clause = sentence.text[found.start() :].strip(" .!") if found else ""
        if len(clause.split()) >= _FEWEST_WORDS:
            return f"{clause[:1].upper()}{clip(clause[1:], 260)}."
    return ""


def _how_much(s: Summed) -> str:
    b = s.plan.budget
    lines = sorted(b.lines, key=lambda line: (-line.amount, line.id))[:3]
    if b.currency is None:
        shares = ", ".join(f"{lower_first(line.title)} {share_of(line.amount, b.total)}" for line in lines)
        return (
            "No total was found in the goal: the budget shows shares, and the first thing to settle is how much may be "
            f"spent. The largest shares are: {shares}."
        )
    named = "; ".join(f"{lower_first(line.title)}, {amount_text(line.amount, b.currency)}" for line in lines)
    gap = f"{amount_text(b.gap, b.currency)} of the money has no source yet. " if b.funding and b.gap > 0 else ""
    return (
        f"{gap}{amount_text(b.total, b.currency)}, of which {amount_text(b.contingency, b.currency)} "
        f"({share_of(b.contingency, b.total)}) is contingency. The largest lines are: {named}. The estimate is of AACE "
        f"class {b.estimate_class}: quotes will move it."
    )


def _when(schedule: Schedule) -> str:
    demanded = [m for m in schedule.milestones if m.kind == "prompt"]
    shown = (demanded or list(phase_ends(schedule)))[:3]
    named = "; ".join(f"{lower_first(clip(m.title, 80)).replace(': done', '')} {day_text(m.day)}" for m in shown)
    moved = [m for m in phase_ends(schedule) if m.planned and m.planned != m.day]
    said = " All dates on this page are computed; planned gates elsewhere differ, as the review says." if moved else ""
    return f"{schedule.verdict_text} On the way: {named}.{said}" if named else f"{schedule.verdict_text}{said}"


def _decisions(s: Summed) -> list[DecisionRow]:
    by_id = {lever.id: lever for lever in s.levers.levers}
    rows = []
    for choice in s.scenarios.choice.choices[:3]:
        lever = by_id[choice.lever]
        setting = next((each for each in lever.settings if each.label == choice.setting), lever.settings[0])
        fixed = " (fixed by the goal)" if choice.fixed else ""
        # what can hardly be undone must be right when the design is signed, the rest when building ends
        gate = "design" if lever.irreversibility >= 4 else "build"
        rows.append(
            fitted(
                DecisionRow,
                decision=clip(f"{lever.title}: {lower_first(setting.label)}{fixed}. {setting.text}", 190),
                costs=clip(setting.cost, 120),
                until=f"{day_text(phase_end(s.brief, s.schedule, gate))} (end of {s.brief.phase(gate).title})",
            )
        )
    return rows


def _endings(s: Summed) -> list[EndingRow]:
    rows = [
        fitted(
            EndingRow,
            risk=clip(f"{risk.id} {risk.title} (score {risk.score} of 25): {lower_first(risk.effect)}", 180),
            sign=clip(risk.trigger, 130),
            act=clip(f"{risk.owner}: {lower_first(_first_part(risk.action))}", 180),
        )
        for risk in s.risks.risks[:2]
    ]
    if not s.premortem.stories:
        return rows
    story = s.premortem.stories[0]
    contained = _first_part(story.containment.partition(": ")[2] or story.containment)
    act = f"{story.watcher}, at this: {lower_first(story.tripwire)}. Then {lower_first(contained)}"
    return [*rows, fitted(EndingRow, risk=story.title, sign=clip(story.warning, 130), act=clip(act, 240))]


def _first_part(action: str) -> str:
    return action.partition("; ")[0].rstrip(".")


def _asked(s: Summed) -> list[AskRow]:
    soon = due_day(s.brief, _ASKED_WITHIN)
    first = sorted(s.schedule.tasks, key=lambda task: (task.start, task.id))
    early = [task for task in first if task.start <= soon]
    more = f", and {len(early) - 1} more packages before {day_text(soon)}" if len(early) > 1 else ""
    asks: list[tuple[str, date]] = [*_to_settle(s, soon)]
    asks.append((f"Let {lower_first(first[0].owner)} begin with {lower_first(first[0].title)}{more}.", first[0].start))
    for waited in s.plan.plan.dependencies[:1]:
        what = re.split(r"[:;]\s*“|, decided by ", waited.what)[0]
        asks.append((f"Ask now for what others must give: {lower_first(clip(what, 160))} ({waited.role}).", soon))
    return [fitted(AskRow, ask=ask, by=by) for ask, by in asks[:3]]


def _to_settle(s: Summed, soon: date) -> list[tuple[str, date]]:
    """What only the reader can settle: the date, then the money."""
    schedule, budget = s.schedule, s.plan.budget
    p80 = day_text(schedule.p80)
    if schedule.deadline is None:
        found = [(f"Name the latest day that you accept; {p80} is the date at 80% confidence.", soon)]
    elif schedule.verdict in ("late", "tight"):
        found = [(f"Decide: move {day_text(schedule.deadline)} to {p80}, or cut what must be ready by then.", soon)]
    else:
        found = []
    if budget.currency is None:
        found.append(("Name the total, or the most that may be lost.", soon))
    elif budget.funding and budget.gap > 0:
        found.append((f"Name a source for {amount_text(budget.gap, budget.currency)}, or cut as much.", soon))
    return found
