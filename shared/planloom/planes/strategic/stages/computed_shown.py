"""What is computed of a spine as models are shown it: a line for each row by id, whose words the spine has."""

from collections.abc import Iterable, Iterator

from planloom.models.model import Part
from planloom.planes.strategic.compute.computed import Computed, Dated, Odds
from planloom.planes.strategic.compute.found import chance_text, verdict
from planloom.planes.strategic.facts.quoting import clip
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.computed_plan import ComputedPlan, ids, number

#: The number of inputs that are shown for each result that they change.
MOST_SWINGS = 5
#: Letters of the title of such an input: one row can have two.
WORDS = 48


def computed_part(spine: Spine, computed: Computed) -> Part:
    """Return what is computed of *spine* as the part of a context; its rows are named by id."""
    return Part("what programs computed of the tables of the plan", computed_text(spine, computed), by_id=True)


def computed_text(spine: Spine, computed: Computed) -> str:
    """Return *computed* without its findings, as Markdown: ISO dates, money in the currency of the frame."""
    view = ComputedPlan(spine, computed)
    lists = (_whole(view), *_time(view), *_money(view), *_people(view), *_years(view))
    shown = ((title, "\n".join(f"- {line}" for line in lines)) for title, lines in lists)
    return "\n\n".join(f"### {title}\n\n{text}" for title, text in shown if text) + "\n"


Lines = tuple[str, Iterable[str]]


def _whole(view: ComputedPlan) -> Lines:
    found, frame = view.computed, view.spine.frame
    lines = [f"start {found.start}, end of all work {found.end}"]
    lines += [f"end asked by the goal {frame.end}"] if frame.end else []
    lines.append(f"the end of all work is driven by {ids(found.path)}")
    return "The whole", [*lines, *found.calendar_notes]


def _time(view: ComputedPlan) -> Iterator[Lines]:
    found = view.computed
    columns = "id: start to end, both inclusive; float in working days, * critical; waited last for"
    yield f"Schedule, levelled by role ({columns})", map(_dated, found.packages)
    judged = "no chance is above what judged inputs allow"
    yield f"Chance of each demand, each gate and the end; {judged}", (_odds(odds) for odds in found.odds)
    answers = ", ".join(f"{id_} {day}" for id_, day in found.answers.items())
    later = ", ".join(f"{a.id} ({chance_text(a.needed)})" for a in view.spine.approvals if a.only_if)
    lines = [answers, f"needed only if something is found, in no date above: {later}" if later else ""]
    yield "Days of approvals and decisions", filter(None, lines)


def _dated(dated: Dated) -> str:
    held = f" +{dated.held_by_role} until there and free" if dated.held_by_role else ""
    waited = f"; {dated.driver}{held}" if dated.driver else ""
    return f"{dated.id}: {dated.start} to {dated.end}; {dated.slack}{'*' if dated.critical else ''}{waited}"


def _odds(odds: Odds) -> str:
    what = "end asked by the goal" if odds.what == "end" and odds.due else odds.what
    due = f"due {odds.due}, {chance_text(odds.chance)} {verdict(odds.chance)}, " if odds.chance is not None else ""
    days = f"computed {odds.computed}, P50 {odds.p50}, P80 {odds.p80}, with all durations +25% {odds.stressed}"
    return f"{what} by {ids(odds.of)}: {due}{days}"


def _money(view: ComputedPlan) -> Iterator[Lines]:
    found = view.computed
    gates = (f"{g.id} {g.day}: {_amounts(g.sunk, g.owed, g.leaving_cost)}" for g in found.gates)
    yield "Money at each gate (paid by then, committed and not paid, cost of leaving)", gates
    months = [m for m in found.months if m.paid or m.received or m.balance < 0]
    lines = [f"{m.first:%Y-%m}: {_amounts(m.paid, m.received, m.balance, m.committed)}" for m in months]
    gap = f"deepest balance {number(-found.gap)} in {found.gap_month:%Y-%m}" if found.gap_month else "never below zero"
    lines += [f"{gap}; at the end {number(found.all_spent)} if all contingency is spent"] if lines else []
    drawn = (f"{d.line} {_amounts(d.amount, d.whole, d.expected)}: {ids(d.risks)}" for d in found.drawn)
    yield "Contingency and reserve that risks draw on (amount; if all of them happen; by their odds)", drawn
    title = "Cash by month (paid, received, lowest balance, committed by its end; contingency only in the last line)"
    yield title, lines
    sums = (f"{s.name} {f'{s.amount:.1%}' if s.name.endswith('share') else number(s.amount)}" for s in found.sums)
    yield "Sums", [", ".join(sums)]


def _amounts(*amounts: float) -> str:
    return "; ".join(map(number, amounts))


def _people(view: ComputedPlan) -> Iterator[Lines]:
    busy: dict[str, list[str]] = {}
    for load in view.computed.loads:
        if load.needed > load.there:
            said = f"{load.first:%Y-%m} {number(load.needed)}/{number(load.there)}"
            busy.setdefault(load.role, []).append(said)
    title = "Months in which a role needs more person-days than are there (needed/there)"
    yield title, (f"{role}: {', '.join(said)}" for role, said in busy.items())
    rows = ", ".join(f"{w.role} {w.days_later}" for w in view.computed.without if w.days_later)
    yield "Calendar days that the end is later without a role for 20 working days", [rows] if rows else []


def _years(view: ComputedPlan) -> Iterator[Lines]:
    found = view.computed
    rows = (
        f"{y.number} {_amounts(y.earned, y.variable, y.fixed, y.carried, y.result, y.tied_up)}" for y in found.years
    )
    note = f", paid back in {found.break_even:%Y-%m}" if found.break_even else ""
    yield f"Years of operation (earned, variable, fixed, of it paid by others, result, working capital{note})", rows
    for result in dict.fromkeys(swing.result for swing in found.swings):
        top = [swing for swing in found.swings if swing.result == result][:MOST_SWINGS]
        lines = (f"{swing.id} {clip(swing.title, WORDS)}: {number(swing.low)} to {number(swing.high)}" for swing in top)
        yield f"What moves {result.replace('_', ' ')} most, from its low to its high", lines
