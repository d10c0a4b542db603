"""Build the outline of a goal without a model: its facts, and the usual rows of its kind, as a spine."""

from planloom.planes.strategic.compute.schedule import schedule
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.facts.quoting import clip, quotable, quote
from planloom.planes.strategic.outline import from_facts
from planloom.planes.strategic.outline.choose import table_of
from planloom.planes.strategic.outline.demands import demands_of, last_named
from planloom.planes.strategic.outline.event_day import fixed_day
from planloom.planes.strategic.outline.from_kind import Pace, Usual
from planloom.planes.strategic.outline.spared_words import spare
from planloom.planes.strategic.spine.repair import repaired
from planloom.planes.strategic.spine.rows import Frame, Package
from planloom.planes.strategic.spine.spine import TABLES, Spine

#: The paces of the work, the slowest first: the first that fits into the time is used, else the fastest.
_PACES = (
    *(Pace(stretch=stretch) for stretch in (3, 2.2, 1.6, 1.3, 1)),
    *(Pace(squeeze=squeeze) for squeeze in (0.85, 0.7, 0.55, 0.4)),
)
#: The share of the time to the deadline that the work may take: the rest is a buffer.
_USED = 0.8


def outline_spine(goal: Goal) -> Spine:
    """Return the outline of *goal*: rows of its facts in its words, and rows that are usual for its kind, as assumed.

    Packages are scaled to the time from start to deadline, none below its low: if they do not fit, the
    computation of the spine reports it. The words that the goal bans are in no text.
    """
    named = from_facts.goal_roles(goal)
    usual = Usual(table_of(goal), goal, len(named))
    demands = demands_of(goal, usual)
    parties = from_facts.parties(goal, usual)
    lines = usual.lines()
    sources = from_facts.sources(goal, lines)
    spine = Spine(
        frame=_frame(goal, usual),
        criteria=from_facts.criteria(goal),
        constraints=from_facts.constraints(goal),
        demands=demands,
        parties=parties,
        approvals=usual.approvals({party.name: party.id for party in parties}),
        roles=(*named, *usual.roles()),
        deliverables=usual.deliverables(),
        packages=usual.rows(Pace()),
        lines=lines,
        sources=sources,
        risks=usual.risks(lines[-1].id if lines else ""),
        assumptions=from_facts.assumptions(goal, usual),
        questions=from_facts.questions(goal, usual, demands, sources),
    )
    made = _spared(_on_its_day(_paced(spine, usual), usual), goal)
    # a deadline in centuries, rows that differed only in banned words
    return repaired(made, goal.today)[0]


def _frame(goal: Goal, usual: Usual) -> Frame:
    facts = goal.facts
    objective = quote(facts.objective, 780) if quotable(facts, (facts.objective,)) else facts.subject
    closing = "; ".join(package.title for package in usual.closing)
    after = (
        [clip(f"After the day of the goal, without dates here: {closing}", 300)] if goal.deadline and closing else []
    )
    ruled_out = [ban for ban in facts.bans if ban.kind == "approach" and facts.read_by == "model"]
    bans = (f"Ruled out by the goal: {quote(ban, 260)}" for ban in ruled_out)
    return Frame(
        title=clip(facts.title, 120),
        objective=objective,
        currency=goal.currency,
        start=goal.start,
        end=goal.deadline,
        budget=goal.total.high if goal.total else 0,
        scope=[row.title for row in usual.deliverables()],
        out_of_scope=[*bans, *after][:20],
    )


def _paced(spine: Spine, usual: Usual) -> Spine:
    """Return *spine* with its packages at the slowest pace that meets its dates and leaves a buffer.

    Where no deadline was found, the last day that the goal names is used: an assumption of the outline states it.
    """
    dues = [(demand.due, demand.met_by) for demand in spine.demands if demand.due and demand.met_by]
    if not usual.goal.deadline and (named := last_named(usual.goal)):
        dues.append((named, [usual.delivers]))
    if not dues:
        return spine
    start, last = spine.frame.start, max(due for due, _ in dues)
    limit = start + (last - start) * _USED
    for pace in _PACES:
        paced = spine.model_copy(update={"packages": usual.rows(pace)})
        ends = {id: dated.end for id, dated in schedule(paced, usual.goal.facts.closures).packages.items()}
        held = all(ends[id] <= due for due, met_by in dues for id in met_by)
        if held and ends[usual.delivers] <= limit:
            break
    return paced


def _on_its_day(spine: Spine, usual: Usual) -> Spine:
    """Return *spine* with the package that takes place on the goal's day fixed on it, where the goal says so."""
    held = fixed_day(usual.goal)
    on_day = {usual.ids[f"P:{p.key}"] for p in usual.packages if p.on_the_day}
    if held is None or not on_day:
        return spine
    first, days = held
    # the day itself, however the week and the seasons are worked
    fixed = {
        "not_before": first, "fixed": True, "every_day": True, "low": days, "likely": days, "high": days,
        "basis": "goal", "effort": days,
    }  # fmt: skip

    def changed(package: Package) -> Package:
        return package.model_copy(update=fixed) if package.id in on_day else package

    return spine.model_copy(update={"packages": tuple(changed(p) for p in spine.packages)})


def _spared(spine: Spine, goal: Goal) -> Spine:
    if not any(ban.kind == "word" for ban in goal.facts.bans):
        return spine
    tables = {name: tuple(spare(row, goal.facts) for row in getattr(spine, name)) for name in TABLES}
    return spine.model_copy(update={"frame": spare(spine.frame, goal.facts), **tables})
