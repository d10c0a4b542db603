"""The project plan without a language model: goal, scope and measures here, gates and parties beside it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date

from planloom.domain.facts import Money, Quantity
from planloom.domain.wording import day_text, money_text
from planloom.facts.quoting import clip, quotable, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import Danger, dangers, sentence_of
from planloom.knowledge.funds import cap_text, caps
from planloom.knowledge.gates import gate_day
from planloom.knowledge.posts import Post as Person
from planloom.knowledge.posts import heads_text, posts
from planloom.knowledge.success import Target, method_of, targets, when_text
from planloom.knowledge.tables import Deliverable
from planloom.stages.parts.plan_answer import Criterion, Goal, PhaseWindow, PlanAnswer, ScopeItem
from planloom.stages.parts.plan_gates import dependency_rows, milestone_rows, permit_rows, slug
from planloom.stages.parts.plan_money import cost_rows, funding_rows
from planloom.stages.parts.plan_parties import post_rows, resource_rows, stakeholder_rows

_WHY = re.compile(
    r"\b(?:because|so that|in order to|lets?|protects?|reduces?|helps?|needs?|against|instead of)\b", re.I
)
#: What is read to see that nothing forbidden came in.
_READ = {
    "digital": "contracts, list of outbound connections and licences, release records",
    "physical": "contracts, drawings, delivery notes and the site itself",
    "both": "contracts, programme, purchase list and records",
}
_NOT = re.compile(
    r"\b(?:will not|do not|does not|won't|don't|cannot|may not|must not|no|without|never|not want)\b", re.IGNORECASE
)


def outline(brief: Brief, windows: Sequence[PhaseWindow]) -> PlanAnswer:
    """Return what can be said of the plan from facts and tables alone."""
    people = posts(brief)
    wanted = targets(brief)
    return PlanAnswer(
        goal=_goal(brief, wanted, people),
        scope_in=_scope_in(brief),
        scope_out=_scope_out(brief),
        criteria=_criteria(brief, wanted),
        milestones=milestone_rows(brief),
        dependencies=dependency_rows(brief),
        people=post_rows(people),
        resources=resource_rows(brief),
        stakeholders=stakeholder_rows(brief, people),
        permits=permit_rows(brief),
        costs=cost_rows(brief, people, windows),
        funding=funding_rows(brief),
    )


def _goal(brief: Brief, wanted: Sequence[Target], people: Sequence[Person]) -> Goal:
    facts = brief.facts
    launch = brief.phase("launch")
    sayable = bool(quotable(facts, [facts.objective])) and len(facts.objective.text) > 25
    plain = f"{facts.subject} in {brief.place or brief.words['place']} by {day_text(brief.end_assumed)}"
    figures = "; ".join(f"{t.text} (passes at: {t.threshold})" if t.figured else t.text for t in wanted)
    return Goal(
        statement=clip(facts.objective.text if sayable else f"{plain}, for {brief.words['total']}.", 500),
        specific=clip(f"At the end there is {facts.subject}, {_with(brief)}{launch.exit}", 500),
        measurable=clip(figures or f"No figure of success was found in the goal; proposed: {launch.exit}", 500),
        achievable=clip(_means(brief, people), 500),
        relevant=clip(_relevance(brief), 500),
        time_bound=clip(_time(brief), 500),
    )


def _with(brief: Brief) -> str:
    counted = [counted_text(q) for q in brief.facts.quantities if q.start < brief.facts.objective.end and q.noun][:4]
    where = f"in {brief.place}" if brief.place else "at a place still to be chosen"
    return f"{where}{', with ' + ', '.join(counted) if counted else ''}. It counts as there when: "


def _means(brief: Brief, people: Sequence[Person]) -> str:
    stated = [heads_text(p.title, p.count) for p in people if p.stated]
    team = f"people named in the goal ({', '.join(stated)})" if stated else f"{len(people)} functions, all to be filled"
    money = f"{money_text(brief.total)}" if brief.total else "a budget that the goal does not set"
    low, high = brief.archetype.months
    span = f"{brief.months:.0f} months from {day_text(brief.start)} to {day_text(brief.end_assumed)}"
    kind = brief.archetype.label
    if brief.months < low:
        strain = f"time: {kind} usually takes {low:g} to {high:g} months (planning range, to verify)"
    elif any(d.kind in ("approval", "veto") for d in dangers(brief.facts)):
        first = next(d for d in dangers(brief.facts) if d.kind in ("approval", "veto"))
        strain = f"a decision that others take: {quote(first.said, 140)}"
    else:
        strain = f"the order of work: {brief.phase('build').exit.rstrip('.')}"
    return f"The means are {team}, {money} and {span}. What strains them most is {strain}."


def _relevance(brief: Brief) -> str:
    said = next((s for s in quotable(brief.facts, brief.facts.sentences) if _WHY.search(s.text)), None)
    purpose = brief.phase("launch").purpose
    why = f"The goal's own reason: {quote(said, 260)}." if said else f"No reason found in the goal; to ask. {purpose}"
    return f"{why} It matters on {day_text(brief.end_assumed)} because what follows is dated by it: {purpose}"


def _time(brief: Brief) -> str:
    start = f"Start {day_text(brief.start)}"
    start += "" if brief.start_source != "to verify" else " (assumed: none found in the goal)"
    dated = [d for d in quotable(brief.facts, brief.facts.days) if d.role == "milestone"]
    marks = "; ".join(f"{clip(d.label or d.text, 70)}: {day_text(d.latest)}" for d in dated)
    end = f"deadline {day_text(brief.deadline)}" if brief.deadline else f"end {day_text(brief.end_assumed)} (assumed)"
    last = gate_day(brief, brief.phases[-1].id)
    after = f"; {brief.phases[-1].title.lower()} until {day_text(last)}" if last > brief.end_assumed else ""
    return f"{start}; {marks + '; ' if marks else ''}{end}{after}."


def _scope_in(brief: Brief) -> list[ScopeItem]:
    items = []
    for deliverable in brief.rows("deliverables", Deliverable):
        said = brief.called_by(deliverable) or next(
            (brief.called_by(p) for p in deliverable.packages if p.when and brief.called_by(p)), None
        )
        shown = said is not None and bool(quotable(brief.facts, [said]))
        basis = f"From the goal: {quote(said, 150)}" if said and shown else f"Assumed: {brief.words['launch']} needs it"
        items.append(ScopeItem(text=clip(f"{deliverable.title}: {deliverable.result}", 300), basis=clip(basis, 200)))
    return items[:15]


def _scope_out(brief: Brief) -> list[ScopeItem]:
    bans = [b for b in brief.facts.bans if b.kind == "approach" and quotable(brief.facts, [b])]
    items = [ScopeItem(text=_barred(b.what), basis=clip(f"From the goal: {quote(b, 160)}", 200)) for b in bans]
    last = brief.phases[-1]
    items.append(
        ScopeItem(
            text=clip(f"What comes after {day_text(_last_day(brief))}: {brief.facts.subject} in regular use", 300),
            basis=clip(f"Assumed: the plan ends with “{last.title.lower()}”; to confirm with whoever accepts it", 200),
        )
    )
    items.append(
        ScopeItem(
            text=clip(f"Anything beyond {_size(brief)}", 300),
            basis="Assumed: no more found in the goal; to confirm at the first gate",
        )
    )
    return items[:15]


def _last_day(brief: Brief) -> date:
    """The last gate, or the last day on which success is measured."""
    return max(gate_day(brief, brief.phases[-1].id), *(t.when for t in targets(brief)), brief.start)


def _size(brief: Brief) -> str:
    """The size of the thing as the objective counts it, else the largest counts of the goal."""
    counted = [q for q in brief.facts.quantities if q.noun and q.unit != "%" and q.bound in ("exactly", "about")]
    first = [q for q in counted if brief.facts.objective.start <= q.start < brief.facts.objective.end]
    plain = sorted((q for q in counted if not q.unit), key=lambda q: -q.high)
    return ", ".join(counted_text(q) for q in (first or plain)[:3]) or brief.words["capacity"]


def counted_text(quantity: Quantity) -> str:
    """Return *quantity* as a count: 48 seats, where the prompt says 48-seat."""
    if re.fullmatch(r"[\d.,]+-[^\W\d_]+", quantity.text):
        return f"{quantity.low:g} {quantity.noun.rstrip('s')}s"
    return quantity.text


def _barred(what: str) -> str:
    text = clip(what, 290)
    return text[:1].upper() + text[1:] if len(text) > 2 else f"Not {text}"


def _criteria(brief: Brief, wanted: Sequence[Target]) -> list[Criterion]:
    rows = [_criterion(t) for t in wanted]
    rows += [_cap_row(brief, money) for money in caps(brief) if quotable(brief.facts, [money])]
    rows += [_kept(brief, danger) for danger in _limits(brief, wanted)]
    rows = _distinct(rows)
    if len(rows) < 2:
        rows = _distinct([*rows, *_proposed(brief)])
    return rows[:15]


def _criterion(target: Target) -> Criterion:
    figure = "From the goal" if target.figured else "No figure found in the goal; threshold proposed"
    return Criterion(
        id=slug(target.text),
        text=target.text,
        measure=target.method,
        threshold=target.threshold,
        when=when_text(target),
        role=target.role,
        basis=clip(f"{figure}: {quote(target.said, 150)}", 200),
    )


def _cap_row(brief: Brief, money: Money) -> Criterion:
    said = sentence_of(brief.facts, money)
    return Criterion(
        id=slug(f"cap {money.noun or 'amount'}"),
        text=clip(said.text, 280),
        measure="signed contract and each invoice, compared with the limit before it is paid",
        threshold=cap_text(brief, money),
        when=f"before signing, then monthly until {day_text(gate_day(brief, brief.phases[-1].id))}",
        role=brief.role_title("finance"),
        basis=clip(f"From the goal: {quote(said, 150)}", 200),
    )


def _limits(brief: Brief, wanted: Sequence[Target]) -> list[Danger]:
    """Demands and bans that a figure of success does not hold already: what must stay true all the way."""
    covered = [(t.said.start, t.said.end) for t in wanted]
    found = [d for d in dangers(brief.facts) if d.kind in ("obligation", "ban", "window")]
    return [d for d in found if not any(a <= d.said.start < b for a, b in covered)][:6]


def _kept(brief: Brief, danger: Danger) -> Criterion:
    method, role = method_of(danger.said.text)
    barred = danger.kind in ("ban", "window") or bool(_NOT.search(danger.said.text))
    records = (
        "schedule, rosters and orders, read for closed days"
        if danger.kind == "window"
        else _READ[brief.archetype.medium]
    )
    return Criterion(
        id=slug(f"kept {danger.thing or danger.said.text}"),
        text=f"Ruled out: {clip(danger.thing, 250)}" if danger.kind == "ban" else f"Kept: {quote(danger.said, 250)}",
        measure=f"check at each gate: {records}" if barred else method,
        threshold="no breach" if barred else "met in full, with the paper that shows it",
        when=f"at each gate until {day_text(gate_day(brief, brief.phases[-1].id))}",
        role=brief.role_title(role if not barred else "quality"),
        basis=clip(f"From the goal: {quote(danger.said, 150)}", 200),
    )


def _proposed(brief: Brief) -> Iterator[Criterion]:
    """Where the goal names no measure: the exits of the last two phases."""
    for phase in brief.phases[-2:]:
        day = day_text(gate_day(brief, phase.id))
        yield Criterion(
            id=slug(f"exit {phase.id}"),
            text=clip(phase.exit, 300),
            measure=f"record of the gate “{phase.title}”, signed by those who carry the risk",
            threshold="every part of the sentence true on the day",
            when=f"{day} (gate)",
            role=brief.role_title("lead"),
            basis="Assumed: no measure was found in the goal; to confirm before the first gate",
        )


def _distinct(rows: Iterable[Criterion]) -> list[Criterion]:
    return list({row.id: row for row in reversed(list(rows))}.values())[::-1]
