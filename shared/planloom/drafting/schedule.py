"""Stage 026: everything that programs compute of the final spine, and what it says of the goal's dates."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal

from planloom.compute.compute import compute
from planloom.compute.computed import Computed, Odds
from planloom.compute.values import chance_text
from planloom.domain.claims import Claim
from planloom.domain.wording import day_text
from planloom.drafting.computed_plan import ComputedPlan, day, ids, month, number, table
from planloom.drafting.context import StageContext
from planloom.drafting.results import Review, Schedule
from planloom.drafting.schedule_files import cash_csv, load_csv, mermaid_text, schedule_csv
from planloom.drafting.stage import Section, Stage
from planloom.drafting.text import bullets
from planloom.spine.rows import Package
from planloom.spine.spine import Spine

Verdict = Literal["holds", "tight", "late", "open"]

#: A date at less than these odds is said to be tight.
SAFE = 0.75
#: So many months of one role are listed, the most overloaded first.
MOST_MONTHS = 3
MOST_SWINGS = 9

_METHOD = """\
Each package starts as early as its needs, approvals, gates, decisions and calendar allow; where a role has more work
than people, the package with less slack goes first. P50 and P80 are the days by which half and four fifths of 1,000
simulated runs end, with durations and lead times drawn between low and high. No chance is stated above what inputs
that people judged allow. The stress column repeats the computation with all durations a quarter longer. Cash follows
the payment days of lines and the days of sources; a gap is the lowest balance below zero.
"""


async def draft(context: StageContext) -> Schedule:
    """Compute the spine that the review left; no model is asked."""
    spine = context.read("review_plan", Review).spine
    computed = compute(spine, context.goal.facts.closures)
    return Schedule(spine=spine, computed=computed, claims=tuple(_claims(spine, computed)))


def verdict(computed: Computed) -> Verdict:
    """Return whether the date of the whole is kept: open where none was found in the goal.

    Where the whole has none, the dated demand with the lowest odds decides.
    """
    dated = [odds for odds in computed.odds if odds.due]
    asked = [odds for odds in dated if odds.what == "end"] or [odds for odds in dated if odds.what.startswith("N")]
    if not asked:
        return "open"
    if any(odds.due and odds.computed > odds.due for odds in asked):
        return "late"
    # a chance is capped by what judged inputs allow: the cap is no reason to call a date tight
    tight = any((odds.due and odds.p80 > odds.due) or (odds.chance or 0) < min(SAFE, odds.most) for odds in asked)
    return "tight" if tight else "holds"


def verdict_text(plan: ComputedPlan) -> str:
    """Return the verdict in sentences with its days, its odds and what they rest on."""
    end = plan.end
    days = f"The plan ends on {day_text(plan.computed.end)}"
    if not end:
        return f"{days}."
    days += f" as computed; half of the runs end by {day_text(end.p50)}, four in five by {day_text(end.p80)}."
    stress = f"With all durations a quarter longer it ends on {day_text(end.stressed)}."
    if not end.due:
        return f"No date for the whole was found in the goal. {days} {_rests(end)}{stress}"
    said = {"holds": "is kept", "tight": "is kept, with little to spare", "late": "is not kept", "open": "is open"}
    asked = f"The date of the whole, {day_text(end.due)}, {said[verdict(_only(plan.computed, end))]}."
    spare = (end.due - end.computed).days
    distance = f"That is {abs(spare)} calendar days {'before' if spare >= 0 else 'after'} it."
    odds = f"Odds of keeping it: {chance_text(end.chance)}." if end.chance is not None else ""
    return f"{asked} {days} {distance} {odds} {_rests(end)}{stress}"


def pages(result: Schedule) -> Mapping[str, str]:
    """The verdict first, then demands, gates, the critical path, all packages, people, money and the method."""
    plan = ComputedPlan(result.spine, result.computed)
    blocks = [
        ("", f"**{verdict_text(plan)}**\n"),
        ("Dated demands and the end", odds_table(plan, lambda odds: not odds.what.startswith("G"))),
        ("Gates", _gates(plan)),
        ("Critical path", _path(plan)),
        ("All packages", packages_table(plan)),
        ("Heaviest months by role", load_table(plan)),
        ("Without one role", without_table(plan)),
        ("Cash by month", cash_table(plan)),
        ("Years of operation", years_table(plan)),
        ("What moves the result most", swings_table(plan)),
        ("Days on which work is done", bullets(plan.computed.calendar_notes)),
        ("How it was computed", _METHOD),
    ]
    return {"schedule": "\n".join(["# Schedule\n", *(_block(title, text) for title, text in blocks if text)])}


def odds_table(plan: ComputedPlan, keep: Callable[[Odds], bool], *, rests: bool = True) -> str:
    """Return the days and odds of demands, gates and the end, each against its own packages, beside the stress.

    *rests* adds what the odds rest on.
    """
    head = ["What", "Shown by", "Due", "Computed", "P50", "P80", "Odds", "All 25% longer", "The odds rest on"]
    rows = [
        (
            plan.named(odds.what) if odds.what != "end" else "end: the whole",
            ids(odds.of),
            day(odds.due) or "no date found",
            day(odds.computed),
            day(odds.p50),
            day(odds.p80),
            "" if odds.chance is None else chance_text(odds.chance),
            day(odds.stressed),
            odds.rests_on,
        )
        for odds in plan.computed.odds
        if keep(odds)
    ]
    width = len(head) if rests else len(head) - 1
    return table(head[:width], [row[:width] for row in rows])


def packages_table(plan: ComputedPlan) -> str:
    """Return all packages in order of their start."""
    return table(
        ["Id", "Package", "Owner", "Start", "End", "Days", "Slack", "Needs", "Waited last for", "Done when"],
        [
            (
                package.id,
                package.title,
                plan.title(package.owner),
                day(dated.start),
                day(dated.end),
                f"{dated.days}{' (calendar)' if package.every_day else ''}",
                "critical" if dated.critical else dated.slack,
                needs(package),
                dated.driver,
                package.done_when,
            )
            for package in plan.in_order
            if (dated := plan.dated.get(package.id))
        ],
    )


def needs(package: Package) -> str:
    """Return what *package* waits for: ``P3, P7 start-start +5``."""
    said = []
    for need in package.needs:
        kind = " start-start" if need.kind == "start_start" else ""
        said.append(f"{need.id}{kind}{f' {need.lag:+d}' if need.lag else ''}")
    return ids(said)


def load_table(plan: ComputedPlan) -> str:
    """Return the heaviest months of each role, those with the least to spare first."""
    loads = sorted(plan.computed.loads, key=lambda load: (load.there - load.needed, load.role, load.first))
    taken: dict[str, int] = {}
    rows = []
    for load in loads:
        taken[load.role] = taken.get(load.role, 0) + 1
        if taken[load.role] == 1 or (load.needed > load.there and taken[load.role] <= MOST_MONTHS):
            over = f"{number(load.needed - load.there)} too much" if load.needed > load.there else "fits"
            rows.append((plan.named(load.role), month(load.first), number(load.needed), number(load.there), over))
    return table(["Role", "Month", "Person-days needed", "There", ""], rows)


def without_table(plan: ComputedPlan) -> str:
    """Return what twenty missing working days of each role do to the end, the worst first."""
    rows = sorted(plan.computed.without, key=lambda row: (-row.days_later, row.role))
    return table(
        ["Role, absent for twenty working days at its heaviest", "The end is", "Later by (calendar days)"],
        [(plan.named(row.role), day(row.end), row.days_later) for row in rows if row.days_later],
    )


def cash_table(plan: ComputedPlan) -> str:
    """Return cash by month, and the gap in a sentence; empty where nothing is paid."""
    months = [row for row in plan.computed.months if row.paid or row.received or row.committed]
    rows = [
        (month(row.first), *(plan.money(value) for value in (row.received, row.paid, row.balance, row.committed)))
        for row in months
    ]
    shown = table(["Month", "Received", "Paid", "Lowest balance", "Committed by its end"], rows)
    return f"{gap_text(plan)}\n\n{shown}" if shown else ""


def gap_text(plan: ComputedPlan) -> str:
    """Return whether the money is there in every month."""
    if plan.computed.gap and plan.computed.gap_month:
        return f"Money is short by {plan.money(plan.computed.gap)} at most, in {month(plan.computed.gap_month)}."
    return "The balance never falls below zero."


def years_table(plan: ComputedPlan) -> str:
    """Return the years of operation at likely values; empty where nothing is earned."""
    rows = [
        (
            row.number,
            day(row.first),
            *map(plan.money, (row.earned, row.variable, row.fixed, row.result, row.tied_up)),
        )
        for row in plan.computed.years
    ]
    shown = table(["Year", "From", "Earned", "Variable cost", "Fixed cost", "Result", "Tied up"], rows)
    paid_back = plan.computed.break_even
    said = f"Running results have paid the cost back in {month(paid_back)}." if paid_back else ""
    return f"{said}\n\n{shown}".lstrip() if shown else ""


def swings_table(plan: ComputedPlan, most: int = MOST_SWINGS) -> str:
    """Return what the *most* inputs do to the results between their low and high, the widest first."""
    results = {"end_days": "end, calendar days", "cost": "cost", "year_result": "result of a year"}
    rows = [
        (
            f"{swing.id} {swing.title}",
            results[swing.result],
            *(number(v) if swing.result == "end_days" else plan.money(v) for v in (swing.low, swing.high)),
        )
        for swing in plan.computed.swings[:most]
    ]
    return table(["Input, the others at likely", "Moves", "At its low", "At its high"], rows)


def _gates(plan: ComputedPlan) -> str:
    found = {gate.id: gate for gate in plan.computed.gates}
    return table(
        ["Gate", "Day", "Sunk by then", "Owed by then", "Leaving costs", "Who decides"],
        [
            (
                plan.named(gate.id),
                day(found[gate.id].day),
                *(plan.money(v) for v in (found[gate.id].sunk, found[gate.id].owed, found[gate.id].leaving_cost)),
                plan.title(gate.decided_by),
            )
            for gate in plan.spine.gates
            if gate.id in found
        ],
    )


def _path(plan: ComputedPlan) -> str:
    rows = [plan.dated[name] for name in plan.computed.path if name in plan.dated]
    return table(["Package", "Start", "End"], [(plan.named(row.id), day(row.start), day(row.end)) for row in rows])


def _block(title: str, text: str) -> str:
    return f"## {title}\n\n{text.rstrip()}\n" if title else text


def _rests(odds: Odds) -> str:
    return f"What the odds rest on: {odds.rests_on.rstrip('.')}. " if odds.rests_on else ""


def _only(computed: Computed, odds: Odds) -> Computed:
    return computed.model_copy(update={"odds": (odds,)})


def _claims(spine: Spine, computed: Computed) -> Iterator[Claim]:
    plan = ComputedPlan(spine, computed)
    yield _claim("start", f"Work starts on {day_text(computed.start)}.", computed.start.isoformat(), "date")
    yield _claim("end", f"The plan ends on {day_text(computed.end)}.", computed.end.isoformat(), "date")
    if end := plan.end:
        yield _claim("p50", f"Half of the runs end by {day_text(end.p50)}.", end.p50.isoformat(), "date")
        yield _claim("p80", f"Four in five runs end by {day_text(end.p80)}.", end.p80.isoformat(), "date")
        if end.due:
            slack = (end.due - end.computed).days
            said = f"{abs(slack)} calendar days {'before' if slack >= 0 else 'after'} {day_text(end.due)}"
            yield _claim("deadline_slack", f"The plan ends {said}.", str(slack), "calendar days")
    if computed.gap:
        yield _claim("gap", gap_text(plan), f"{computed.gap:.0f}", spine.frame.currency or "money")
    yield from _sums(plan, ("total", "sources"))


def _sums(plan: ComputedPlan, names: Iterable[str]) -> Iterator[Claim]:
    words = {"total": "All lines of cost together", "sources": "All sources of money together"}
    for name in names:
        if amount := plan.sums.get(name):
            text = f"{words[name]}: {plan.money(amount)}."
            yield _claim(name, text, f"{amount:.0f}", plan.spine.frame.currency or "money")


def _claim(slug: str, text: str, value: str, unit: str) -> Claim:
    test = "Edit a row of the spine and resume: it is computed again"
    return Claim(
        id=f"schedule.{slug}", text=text, kind="computed", value=value, unit=unit, source="stage:schedule", test=test
    )


STAGE = Stage(
    number=26,
    name="schedule",
    title="Schedule",
    needs=("start", "review_plan"),
    version=1,
    result=Schedule,
    draft=draft,
    pages=pages,
    sections=(Section("schedule", "Schedule"),),
    extra_files=lambda result: {
        "026-3-schedule.csv": schedule_csv(result),
        "026-4-gantt.mmd": mermaid_text(result),
        "026-5-cash.csv": cash_csv(result),
        "026-6-load.csv": load_csv(result),
    },
    asks_model=False,
)
