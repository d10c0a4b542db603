"""The SWOT without a language model: entries from facts and tables, each with its evidence, paired into actions."""

import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Literal

from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first, quotable, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import dangers
from planloom.knowledge.gates import gate_day, gate_text, open_day
from planloom.knowledge.mixed_rows import mixed_rows
from planloom.knowledge.nearest import basis
from planloom.knowledge.package_days import packages_about
from planloom.knowledge.posts import heads_text, posts
from planloom.knowledge.tables import Data, Package, Swot
from planloom.stages.parts.plan_money import line_text
from planloom.stages.parts.swot_answer import Entry, Pair, SwotAnswer
from planloom.stages.project_plan import ProjectPlan

_DONE_BEFORE = re.compile(
    r"\b(?:years?|decades?)\b.*\b(?:experience|professionally|worked|trained|run|running)\b"
    r"|\b(?:experienced?|have (?:already )?\w+ed professionally|already (?:own|have|run)|we own|existing)\b",
    re.IGNORECASE,
)
#: Kinds of project in which one use can carry the rest.
_SOLD = frozenset({"business_opening", "software", "product", "event", "community_initiative"})
Kind = Literal["SO", "ST", "WO", "WT"]


def outline(brief: Brief, plan: ProjectPlan) -> SwotAnswer:
    """Return at most six entries a side, the prompt's own first, and two pairs of each kind."""
    sides = {side: _tabled(brief, side) for side in ("strength", "weakness", "opportunity", "threat")}
    return SwotAnswer(
        strengths=_few(_strengths(brief, plan), _entries(brief, sides["strength"])),
        weaknesses=_few(_weaknesses(brief, plan), _entries(brief, sides["weakness"])),
        opportunities=_few((), _entries(brief, sides["opportunity"])),
        threats=_few(_threats(brief, plan), _entries(brief, sides["threat"])),
        pairs=_pairs(brief, plan, sides),
        flagship=_flagship(brief, plan),
        missing=[
            clip(f"{row.question} It decides: {lower_first(row.decides)}", 300)
            for row in mixed_rows(brief, "data", Data)[:4]
        ],
    )


def _few(first: Iterator[Entry] | tuple[Entry, ...], then: Sequence[Entry]) -> list[Entry]:
    own = list(first)[:4]
    return [*own, *then[: max(6 - len(own), 2)]]


def _tabled(brief: Brief, side: str) -> list[Swot]:
    return [row for row in mixed_rows(brief, "swot", Swot) if row.side == side]


def _entries(brief: Brief, rows: Sequence[Swot]) -> list[Entry]:
    """Rows of the tables; where the prompt called one, or its evidence is the prompt, its words are quoted."""
    made = []
    for row in rows:
        said = brief.called_by(row)
        shown = said is not None and bool(quotable(brief.facts, [said]))
        evidence = re.sub(r"\s*\b(?:as )?(?:stated )?in the (?:prompt|brief|goal)\b", "", row.evidence).rstrip(". ")
        words = (
            quote(said, 170)
            if said and shown
            else basis(brief, row.text)
            if evidence != row.evidence.rstrip(". ")
            else ""
        )
        made.append(
            Entry(
                text=clip(row.text, 300),
                evidence=clip(f"{evidence}. The goal: {words}" if words else row.evidence, 300),
            )
        )
    return made


def _strengths(brief: Brief, plan: ProjectPlan) -> Iterator[Entry]:
    for said in [s for s in quotable(brief.facts, brief.facts.sentences) if _DONE_BEFORE.search(s.text)][:1]:
        yield Entry(
            text="Those who run it have done this work before; what they know need not be bought",
            evidence=clip(f"From the goal: {quote(said, 200)}. References to verify before money is asked for", 300),
        )
    named = [heads_text(p.title, p.count) for p in posts(brief) if p.stated]
    if named:
        yield Entry(
            text=clip(f"Who does the work is settled in number: {', '.join(named[:6])}", 300),
            evidence="Counts from the goal; the posts of the project plan hold the same counts",
        )
    free = [f for f in plan.budget.funding if f.condition.startswith("None in the goal")]
    if free and plan.budget.currency:
        safe, whole = (line_text(plan.budget, n) for n in (sum(f.amount for f in free), plan.budget.total))
        yield Entry(
            text=f"{safe} of {whole} hangs on nobody's decision",
            evidence=clip(
                f"Funding in the goal: {', '.join(f.title for f in free)}; to verify by a dated statement", 300
            ),
        )


def _weaknesses(brief: Brief, plan: ProjectPlan) -> Iterator[Entry]:
    for source in [f for f in plan.budget.funding if not f.condition.startswith("None in the goal")][:1]:
        share = source.amount / (plan.budget.total or 1)
        yield Entry(
            text=f"{line_text(plan.budget, source.amount)}, {share:.0%} of the money, hangs on one condition",
            evidence=clip(f"{source.title}: {source.condition} (the goal)", 300),
        )
    low, high = brief.archetype.months
    if brief.months < low:
        span = f"{day_text(brief.start)} to {day_text(brief.end_assumed)}"
        yield Entry(
            text=f"{brief.months:.1f} months are planned; {brief.archetype.label} usually takes {low:g} to {high:g}",
            evidence=f"From {span}; the usual range is a planning value, to verify",
        )
    widest = max(plan.budget.lines, key=lambda line: line.amount)
    yield Entry(
        text=f"The largest line, “{widest.title}”, {line_text(plan.budget, widest.amount)}, rests on no offer yet",
        evidence=clip(f"Budget of the project plan, class {plan.budget.estimate_class}: {widest.basis}", 300),
    )
    single = [p.title for p in plan.plan.people if p.count == 1 and max(part.fte for part in p.load) >= 0.8]
    if single:
        yield Entry(
            text=clip(f"Posts of one head on which a whole phase hangs: {', '.join(single[:4])}", 300),
            evidence="Head counts and load by phase in the project plan",
        )


def _threats(brief: Brief, plan: ProjectPlan) -> Iterator[Entry]:
    tight = [p for p in plan.plan.permits if "after it is needed" in p.basis][:1]
    for permit in tight:
        yield Entry(
            text=clip(
                f"“{permit.title}” may take {permit.pessimistic} working days: too late for {permit.needed_for}", 300
            ),
            evidence=clip(f"Permits of the project plan: {permit.basis}", 300),
        )
    for danger in [d for d in dangers(brief.facts) if d.kind in ("veto", "window", "law")][:2]:
        yield Entry(
            text=clip(f"Not in the project's hands: {quote(danger.said, 260)}", 300),
            evidence="The goal; what follows is dated in the milestones and dependencies of the project plan",
        )


def _pairs(brief: Brief, plan: ProjectPlan, sides: dict[str, list[Swot]]) -> list[Pair]:
    """Pair rows of the tables, two of each kind: each says what to do with it, and the kind says by when."""
    kinds: tuple[tuple[Kind, str, str, str, str], ...] = (
        ("SO", "strength", "opportunity", "launch", "Use “{a}” to take “{b}”: {do}"),
        ("ST", "strength", "threat", "design", "Use “{a}” against “{b}”: {do}"),
        ("WO", "weakness", "opportunity", "build", "To take “{b}”, first mend “{a}”: {do}"),
        ("WT", "weakness", "threat", "prepare", "Before “{b}” strikes, mend “{a}”: {do}"),
    )
    made = []
    for kind, inside, outside, phase, words in kinds:
        for n, (mine, theirs) in enumerate(list(zip(sides[inside], sides[outside], strict=False))[:2]):
            do = theirs.answer if kind in ("SO", "ST") else mine.answer
            found = packages_about(brief, do, 1)
            day = open_day(brief, gate_day(brief, phase) - timedelta(days=14 * n))
            action = words.format(a=_short(mine.text), b=_short(theirs.text), do=lower_first(do))
            made.append(_pair(brief, kind, action, found[0] if found else None, day_text(day)))
    return made or [
        _pair(brief, kind, f"{plan.plan.goal.achievable}", None, "the first gate") for kind in ("SO", "ST", "WO", "WT")
    ]


def _pair(brief: Brief, kind: Kind, action: str, package: Package | None, when: str) -> Pair:
    seen = f"Seen at {gate_text(brief, 'launch')}: {brief.phase('launch').exit}"
    return Pair(
        kind=kind,
        action=clip(action, 300),
        role=brief.role_title(package.role if package else "lead"),
        when=when,
        check=clip(f"{package.title}: {lower_first(package.leaves[0].test)}" if package else seen, 200),
    )


def _short(text: str) -> str:
    return clip(lower_first(text.rstrip(".")), 70)


def _flagship(brief: Brief, plan: ProjectPlan) -> str:
    if brief.archetype.name not in _SOLD:
        return ""
    first = plan.plan.criteria[0]
    return clip(f"If only one thing works, it is this, and the rest can follow: {first.text} ({first.threshold}).", 300)
