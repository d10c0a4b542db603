"""The pitch without a language model: who can say yes by the prompt, and the plan's own figures put to that reader."""

import re
from dataclasses import dataclass
from datetime import date, timedelta

from planloom.domain.wording import day_text, money_text
from planloom.facts.quoting import clip, lower_first, quotable, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import Danger, dangers, sentence_of
from planloom.knowledge.gates import due_day, gate_day, gate_text, open_day
from planloom.knowledge.mandates import mandates
from planloom.knowledge.parties import parties
from planloom.knowledge.posts import heads_text, posts
from planloom.knowledge.tables import Premise, Stakeholder
from planloom.stages.parts.pitch_answer import ObjectionRow, PitchAnswer
from planloom.stages.parts.plan_money import line_text
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.scenarios import Scenarios

_LENDER = re.compile(r"\b(?:loan|bank|credit|lender|investors?|equity)\b", re.IGNORECASE)
_GIVER = re.compile(
    r"\b(?:council|grant|fund(?:er|ing|ed)?|foundation|ministry|sponsors?|donors?|crowdfunding)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Reader:
    """Who can say yes, to what, and what they look at first."""

    who: str
    short: str
    act: str
    kind: str
    looks_at: str
    by: date


def reader(brief: Brief, plan: ProjectPlan) -> Reader:
    """Return who can still say yes: a lender with a condition, an authority, the giver of the money, or the owners."""
    budget = plan.budget
    lender = next((f for f in budget.funding if _LENDER.search(f"{f.title} {f.condition}")), None)
    if lender and budget.currency:
        amount = line_text(budget, lender.amount)
        who = f"The officer who decides on: {lower_first(lender.title)}, {amount}"
        looks = "debt service in the weakest month, security, own money in"
        by = _ask_day(brief, plan, lender.title)
        return Reader(who, "that officer", f"approve {amount}", "lender", looks, by)
    waits = next((d for d in dangers(brief.facts) if d.kind == "approval" and d.party), None)
    if waits:
        who = f"The {waits.party}: the decision on {waits.thing}"
        looks = "whether the file is complete, who is affected, and what binds us afterwards"
        by = _ask_day(brief, plan, waits.thing)
        return Reader(who, f"the {waits.party}", f"decide on the {waits.thing}", "authority", looks, by)
    return _giver(brief, plan) or _owners(brief, plan)


def _giver(brief: Brief, plan: ProjectPlan) -> Reader | None:
    said = sentence_of(brief.facts, brief.total) if brief.total else None
    giver = _GIVER.search(said.text) if said else None
    if said is None or giver is None:
        return None
    named = next((p for p in parties(said.text) if _GIVER.search(p)), f"giver of the {giver[0]}")
    looks = "what is reached per unit of money, by which date, and what stops the payments"
    short, act = f"the {lower_first(named)}", f"release the money up to {gate_text(brief, 'design')}"
    if plan.budget.gap > 0:
        act = f"cover, alone or with others, the {line_text(plan.budget, plan.budget.gap)} that has no source yet"
    return Reader(f"The {lower_first(named)}", short, act, "giver", looks, _ask_day(brief, plan, ""))


def _owners(brief: Brief, plan: ProjectPlan) -> Reader:
    named = next((m.title for m in mandates(brief)), "")
    who = named or f"Those who carry the risk: {lower_first(brief.role_title('lead'))} and whoever shares it"
    looks = "their own months, money and name, and how to stop without losing them"
    act = f"agree to go on to {gate_text(brief, 'design')}"
    return Reader(who, lower_first(who.partition(":")[0]), act, "owners", looks, _ask_day(brief, plan, ""))


def outline(brief: Brief, plan: ProjectPlan, scenarios: Scenarios) -> PitchAnswer:
    """Return the page for that reader."""
    to, choice = reader(brief, plan), scenarios.choice
    first = plan.plan.criteria[0]
    return PitchAnswer(
        reader=clip(to.who, 160),
        headline=clip(_headline(brief), 200),
        change=clip(_change(plan), 600),
        why_now=clip(_why_now(brief, plan), 600),
        why_us=clip(f"{_people(brief)} The way chosen is “{choice.title}”. {scenarios.because}", 600),
        costs=clip(_costs(plan), 600),
        returns=clip(_returns(plan, to), 600),
        objections=_objections(brief, plan, to),
        ask=clip(f"{_ask(brief, to)} You will see first: {first.text} ({first.threshold}).", 400),
        next_step=clip(_next(brief, to), 400),
        next_role=brief.role_title("finance" if to.kind == "lender" else "lead"),
        next_by=due_day(brief, 8),
    )


def _headline(brief: Brief) -> str:
    money = f" for {money_text(brief.total)}" if brief.total else ""
    where = f" in {brief.place}" if brief.place else ""
    subject = brief.facts.subject
    return f"{subject[:1].upper()}{subject[1:]}{where} by {day_text(brief.end_assumed)}{money}"


def _change(plan: ProjectPlan) -> str:
    affected = [s for s in plan.plan.stakeholders if s.concern == "high" and not s.interest.startswith("In the goal")]
    named = " ".join(f"For {lower_first(s.name)}: {lower_first(s.interest)}" for s in affected[:2])
    return f"{plan.plan.goal.specific} {named}"


def _why_now(brief: Brief, plan: ProjectPlan) -> str:
    slow = max(plan.plan.permits, key=lambda p: p.pessimistic, default=None)
    parts = [f"The end is {day_text(brief.end_assumed)}{'' if brief.deadline else ' (assumed)'}."]
    if slow:
        parts.append(
            f"The longest wait is “{slow.title}”: {slow.pessimistic} working days in the worst case, so it is filed by "
            f"{day_text(slow.apply_by)} or the end moves."
        )
    window = next((d for d in dangers(brief.facts) if d.kind == "window"), None)
    if window:
        parts.append(f"The calendar does not give: {quote(window.said, 180)}.")
    parts.append(f"The first gate is {day_text(gate_day(brief, brief.phases[0].id))}: {brief.phases[0].exit}")
    return " ".join(parts)


def _people(brief: Brief) -> str:
    stated = [heads_text(p.title, p.count) for p in posts(brief) if p.stated]
    said = next(
        (s for s in quotable(brief.facts, brief.facts.sentences) if re.search(r"\byears\b.*|experience", s.text)), None
    )
    who = f"Those who do it: {', '.join(stated[:5])}." if stated else "Who does it is set out role by role in the team."
    return f"{who} The goal says: {quote(said, 160)}." if said and stated else who


def _costs(plan: ProjectPlan) -> str:
    budget = plan.budget
    if budget.currency is None:
        return "No budget was found in the goal. The plan gives shares; the amount is agreed first, before any order."
    top = sorted(budget.lines, key=lambda line: -line.amount)[:3]
    lines = "; ".join(f"{line.title} {line_text(budget, line.amount)}" for line in top)
    held = f"contingency {line_text(budget, budget.contingency)}"
    gap = f" {line_text(budget, budget.gap)} has no source yet." if budget.gap > 0 else ""
    sources = [f"{f.title} {line_text(budget, f.amount)}" for f in budget.funding]
    from_whom = ", ".join(sources) or "no source named"
    whole = f"{line_text(budget, budget.total)} in all, {held} included"
    quotes = f"It is a class {budget.estimate_class} estimate: no quotes yet"
    return f"{whole}. The largest lines: {lines}. From: {from_whom}.{gap} {quotes}."


def _returns(plan: ProjectPlan, to: Reader) -> str:
    rows = "; ".join(f"{c.text}: {c.threshold}, {c.when}, read by {c.role}" for c in plan.plan.criteria[:3])
    return f"You look at {to.looks_at}. You will be able to read: {rows}."


def _objections(brief: Brief, plan: ProjectPlan, to: Reader) -> list[ObjectionRow]:
    budget = plan.budget
    rows = [
        ObjectionRow(
            objection=clip(premise.attack, 300),
            answer=clip(f"Tested before money is committed: {premise.test}", 400),
        )
        for premise in _premises(brief, to)
    ]
    held = line_text(budget, budget.contingency)
    widest = max(budget.lines, key=lambda line: line.amount)
    rows.append(
        ObjectionRow(
            objection=f"No offer stands behind “{widest.title}”, the largest line",
            answer=clip(
                f"True: {line_text(budget, widest.amount)}. {widest.basis} Until then {held} is held back.", 400
            ),
        )
    )
    waits: list[Danger] = [d for d in dangers(brief.facts) if d.kind in ("approval", "veto") and d.thing]
    if waits:
        last = waits[-1]
        rows.append(
            ObjectionRow(
                objection=clip(f"It hangs on others: {quote(last.said, 220)}", 300),
                answer=f"Nothing that presumes it is signed before; without it {gate_text(brief, 'design')} is shut.",
            )
        )
    return rows[:5]


def _premises(brief: Brief, to: Reader) -> list[Premise]:
    """The attacks that this reader would make: need and belief for who pays, opposition for who permits."""
    wanted = {"authority": ("opposition", "success"), "owners": ("belief", "need")}.get(to.kind, ("need", "belief"))
    rows = brief.rows("premises", Premise)
    return [next(r for r in rows if r.lens == lens) for lens in wanted if any(r.lens == lens for r in rows)]


def _ask(brief: Brief, to: Reader) -> str:
    """The act by its own day; before that, what costs the reader nothing."""
    first = _before_first_gate(brief)
    early = f" By {day_text(first)}: say what the file must hold." if to.by > first else ""
    return f"To {to.act} by {day_text(to.by)}.{early}"


def _ask_day(brief: Brief, plan: ProjectPlan, thing: str) -> date:
    """The day of the plan's milestone on *thing*, else a week before the first gate."""
    decided = [
        m for m in plan.plan.milestones if m.id.startswith("decided") and thing and thing.lower() in m.title.lower()
    ]
    return decided[0].day if decided else _before_first_gate(brief)


def _before_first_gate(brief: Brief) -> date:
    return max(open_day(brief, gate_day(brief, brief.phases[0].id) - timedelta(days=7)), due_day(brief, 10))


def _next(brief: Brief, to: Reader) -> str:
    told = next((s for s in brief.rows("stakeholders", Stakeholder) if s.power == "high"), None)
    papers = f" Brought along: {lower_first(told.tell)}" if told else ""
    return f"An hour with {to.short} on the budget table and the gates; no commitment on either side.{papers}"
