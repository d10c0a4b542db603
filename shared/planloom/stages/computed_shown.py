"""What is computed of a spine as models are shown it: every table whole, compact, each row by id and words."""

from collections.abc import Iterator, Mapping

from planloom.compute.computed import Computed, Dated, Odds
from planloom.compute.found import chance_text
from planloom.facts.quoting import clip
from planloom.models.model import Part
from planloom.spine.spine import Spine
from planloom.stages.computed_plan import ComputedPlan, ids, number
from planloom.stages.text import table

#: The load of a role is shown for the months in which it exceeds this share of what is there.
BUSY = 0.8
#: Words of a row beside its id: the spine, which has them whole, is shown before these tables.
WORDS = 48


def computed_part(spine: Spine, computed: Computed) -> Part:
    """Return the computed tables of *spine* as the part of a context; its rows are named by id."""
    return Part("what programs computed of the tables of the plan", computed_text(spine, computed), by_id=True)


def computed_text(spine: Spine, computed: Computed) -> str:
    """Return all tables of *computed* as Markdown: dates are ISO dates, money is in the currency of the frame."""
    view = ComputedPlan(spine, computed)
    tables = (_whole(view), *_time(view), *_money(view), *_people(view), *_years(view))
    return "\n".join(f"### {title}\n\n{text}" for title, text in tables if text)


def _whole(view: ComputedPlan) -> tuple[str, str]:
    found, frame = view.computed, view.spine.frame
    lines = [f"- Start {found.start}, computed end {found.end}" + (f", end due {frame.end}" if frame.end else "")]
    lines.append(f"- Driven by, in order: {ids(found.path)}")
    gap = f"deepest balance below zero {view.money(found.gap)} in {found.gap_month:%Y-%m}" if found.gap_month else ""
    lines.append(f"- Funding gap: {gap or 'none'}")
    lines += [f"- {note}" for note in found.calendar_notes]
    return "The whole", "\n".join([*lines, ""])


def _time(view: ComputedPlan) -> Iterator[tuple[str, str]]:
    found, owners = view.computed, {package.id: package.owner for package in view.spine.packages}
    columns = ("Package", "Owner", "Start", "End", "Days", "Slack", "Waited last for", "Waits for busy role")
    rows = (_dated_row(view, package, owners) for package in found.packages)
    title = "Schedule, levelled by role (both days inclusive; slack in working days, * drives the end)"
    yield title, table(columns, rows)
    odds = (_odds_row(view, odds) for odds in found.odds)
    head = ("Day", "Packages", "Due", "Computed", "P50", "P80", "Odds", "All durations +25%", "Rests on")
    yield "Odds of each demand, each gate and the end", table(head, odds)
    answers = ((_named(view, id_), day) for id_, day in found.answers.items())
    yield "When approvals and decisions are there", table(("Approval or decision", "Day"), answers)


def _money(view: ComputedPlan) -> Iterator[tuple[str, str]]:
    found = view.computed
    rows = ((_named(view, g.id), g.day, *map(number, (g.sunk, g.owed, g.leaving_cost))) for g in found.gates)
    yield "Money at each gate", table(("Gate", "Day", "Paid by then", "Committed, not paid", "Cost of leaving"), rows)
    months = (
        (f"{m.first:%Y-%m}", *map(number, (m.paid, m.received, m.balance, m.committed)))
        for m in found.months
        if m.paid or m.received or m.balance < 0
    )
    head = ("Month", "Paid", "Received", "Lowest balance", "Committed by its end")
    yield "Cash by month (months in which nothing moves are left out)", table(head, months)
    sums = (
        (s.name.replace("_", " "), f"{s.amount:.1%}" if s.name.endswith("share") else number(s.amount))
        for s in found.sums
    )
    yield "Sums", table(("Sum", "Amount"), sums)


def _people(view: ComputedPlan) -> Iterator[tuple[str, str]]:
    found = view.computed
    busy: dict[str, list[str]] = {}
    for load in found.loads:
        if load.needed > BUSY * load.there:
            said = f"{load.first:%Y-%m} {number(load.needed)}/{number(load.there)}"
            busy.setdefault(load.role, []).append(said)
    title = f"Load of roles, person-days needed/there (only months above {BUSY:.0%} of what is there)"
    yield title, table(("Role", "Months"), ((_named(view, role), ", ".join(said)) for role, said in busy.items()))
    rows = ((_named(view, w.role), w.end, w.days_later) for w in found.without)
    yield "The end without a role for 20 working days", table(("Role", "End", "Calendar days later"), rows)


def _years(view: ComputedPlan) -> Iterator[tuple[str, str]]:
    found = view.computed
    rows = (
        (y.number, y.first, *map(number, (y.earned, y.variable, y.fixed, y.result, y.tied_up))) for y in found.years
    )
    head = ("Year", "From", "Earned", "Variable cost", "Fixed cost", "Result", "Working capital")
    note = f"; paid back in {found.break_even:%Y-%m}" if found.break_even else ""
    yield f"Years of operation, at likely values{note}", table(head, rows)
    swings = ((_named(view, s.id), s.result.replace("_", " "), number(s.low), number(s.high)) for s in found.swings)
    title = "What one input changes at its low and at its high, the others at likely (end in calendar days)"
    yield title, table(("Input", "Result", "At its low", "At its high"), swings)


def _named(view: ComputedPlan, row_id: str) -> str:
    return clip(view.named(row_id), WORDS + len(row_id))


def _dated_row(view: ComputedPlan, dated: Dated, owners: Mapping[str, str]) -> tuple[object, ...]:
    slack = f"{dated.slack}*" if dated.critical else dated.slack
    what, owner = _named(view, dated.id), owners.get(dated.id, "")
    return what, owner, dated.start, dated.end, dated.days, slack, dated.driver, dated.held_by_role or ""


def _odds_row(view: ComputedPlan, odds: Odds) -> tuple[object, ...]:
    chance = "" if odds.chance is None else chance_text(odds.chance)
    days = (odds.due or "", odds.computed, odds.p50, odds.p80, chance, odds.stressed)
    return _named(view, odds.what), ids(odds.of), *days, odds.rests_on
