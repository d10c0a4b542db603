"""What must stand under a heading of a document: the plan's figures, dates, people and limits that it calls for."""

import re
from collections.abc import Callable, Iterator

from planloom.domain.wording import day_text
from planloom.facts.quoting import lower_first, quotable, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.funds import cap_text, caps
from planloom.knowledge.mandates import mandates
from planloom.knowledge.nearest import nearest as clause_about
from planloom.knowledge.posts import heads_text
from planloom.stages.parts.plan_money import line_text
from planloom.stages.project_plan import ProjectPlan

Say = Callable[[Brief, ProjectPlan], str]


def heading_says(brief: Brief, plan: ProjectPlan, heading: str, document: str, said: set[str]) -> str:
    """Return the plan's own rows that *heading* calls for, then the goal's words on it; empty where neither speaks.

    What is in *said* already is not said again; what is returned is added to it.
    """
    fitting = (say for words, say in _SAYS if re.search(rf"\b(?:{words})", heading, re.IGNORECASE))
    rows = next((text for say in fitting if (text := say(brief, plan)) and text not in said), "")
    parts = [rows, *_goal_words(brief, heading, document)]
    new = [part for part in parts if part and part not in said]
    said.update(new)
    return ". ".join(new)


def _goal_words(brief: Brief, heading: str, document: str) -> Iterator[str]:
    clause = clause_about(brief, f"{heading} {document}", head=heading)
    if clause and quotable(brief.facts, [clause]):
        yield f"The goal's words: {quote(clause, 180)}"


def _money(brief: Brief, plan: ProjectPlan) -> str:
    del brief
    budget = plan.budget
    if budget.currency is None:
        return "No total is set: the amount, who pays it and when stand here first"
    top = sorted(budget.lines, key=lambda line: -line.amount)[:3]
    lines = "; ".join(f"{line.title} {line_text(budget, line.amount)}" for line in top)
    held = line_text(budget, budget.contingency)
    return f"Total {line_text(budget, budget.total)} with contingency {held}; largest lines: {lines}"


def _sources(brief: Brief, plan: ProjectPlan) -> str:
    budget = plan.budget
    named = "; ".join(f"{f.title} {line_text(budget, f.amount)} ({lower_first(f.condition)})" for f in budget.funding)
    return named or _money(brief, plan)


def _pay(brief: Brief, plan: ProjectPlan) -> str:
    del brief
    budget = plan.budget
    paid = [
        f"{line.title}: {line.pay.heads} heads, {line.pay.fte_months:g} FTE-months, {line_text(budget, line.amount)}"
        for line in budget.lines
        if line.pay
    ][:3]
    return "; ".join(paid) or "No line of pay: whose time is used, and who releases it"


def _dates(brief: Brief, plan: ProjectPlan) -> str:
    del brief
    return "; ".join(f"{m.title} {day_text(m.day)}" for m in plan.plan.milestones[:5])


def _people(brief: Brief, plan: ProjectPlan) -> str:
    del brief
    counted = [heads_text(p.title, p.count) for p in plan.plan.people[:6]]
    return ", ".join(counted)


def _limits(brief: Brief, plan: ProjectPlan) -> str:
    del plan
    said = [f"{m.title}: {m.limit or m.cadence or m.stops}" for m in mandates(brief)]
    said += [f"{m.noun}: {cap_text(brief, m)}" for m in caps(brief) if m.noun]
    return "; ".join(said) or "No limit in the goal: who decides up to which amount is settled here first"


def _measures(brief: Brief, plan: ProjectPlan) -> str:
    del brief
    return "; ".join(f"{c.text}: {c.threshold}, read by {lower_first(c.role)}" for c in plan.plan.criteria[:4])


def _permits(brief: Brief, plan: ProjectPlan) -> str:
    del brief
    rows = sorted(plan.plan.permits, key=lambda p: p.apply_by)[:4]
    return "; ".join(f"{p.title} ({p.authority}): apply by {day_text(p.apply_by)}" for p in rows)


def _stops(brief: Brief, plan: ProjectPlan) -> str:
    first = plan.plan.milestones[0]
    ends = f"no pass of “{first.title}” by {day_text(first.day)}"
    return f"What ends it before money is lost: {ends}, or a ban of the goal that cannot be kept ({_banned(brief)})"


def _banned(brief: Brief) -> str:
    return "; ".join(b.what for b in brief.facts.bans if b.kind == "approach") or "none is set"


def _parties(brief: Brief, plan: ProjectPlan) -> str:
    del brief
    rows = [s for s in plan.plan.stakeholders if s.concern == "high"][:3]
    return "; ".join(f"{s.name}: {s.tell}" for s in rows)


#: Words of a heading -> what it calls for; the first that fits is taken.
_SAYS: tuple[tuple[str, Say], ...] = (
    ("stop|exit|deadlock|abort|termination|fallback", _stops),
    ("own share|security|use of money|drawdown|fund|source|contribution|securit", _sources),
    ("pay\\b|wage|posts|hours|shifts|cost by month|employ", _pay),
    ("budget|cost|price|fixed|amount|fee|estimate|margin|sales|balance|quantit|unit price|retention", _money),
    ("limit|decision|signature|who signs|approval|authority to|escalat|rights", _limits),
    ("permission|permit|licen|filed|application|papers|legal|complian|registration|consent", _permits),
    ("goal|threshold|measure|success|target|acceptance|indicator|criteria|test|trial|evidence|result", _measures),
    ("who|team|role|people|member|contact|responsib|staff|crew|training", _people),
    ("neighbour|stakeholder|notice|communicat|complaint|resident|public|reply", _parties),
    ("date|calendar|schedule|milestone|deadline|start|expir|when|time|phase|month|week|report", _dates),
)


def application(brief: Brief, plan: ProjectPlan, thing: str) -> Iterator[tuple[str, str]]:
    """Yield the headings of an application for *thing*, which the goal makes a condition, with what they must say."""
    row = next((d for d in plan.plan.dependencies if thing.lower() in d.what.lower()), None)
    wanted = set(thing.lower().split())
    permit = next((p for p in plan.plan.permits if wanted & set(p.title.lower().split())), None)
    asked = f"The decision on the {thing}, for: {plan.plan.goal.statement}"
    yield "What is asked for", asked
    if row:
        yield "What waits for it, and until when", f"{row.holds_up}; needed by {row.by}. {row.if_late}"
    yield "Who asks, and who does the work", _people(brief, plan)
    money = {"loan", "grant", "credit", "funding", "budget", "subsidy"} & wanted
    yield "What it costs and who pays", _sources(brief, plan) if money else _money(brief, plan)
    yield "How one will see that it was right", _measures(brief, plan)
    attached = (
        permit.papers if permit else "Budget by line and phase, gates with dates, this plan's limits on who signs"
    )
    yield "What is attached", attached
    yield "What the goal rules out", f"{_banned(brief)}; no paper of the file may contradict it"
