"""What is computed of a plan, as tables that readers see: odds, load, cash, years, and what moves the result."""

from planloom.planes.strategic.compute.computed import Month
from planloom.planes.strategic.compute.found import chance_text, verdict
from planloom.planes.strategic.facts.quoting import clip
from planloom.planes.strategic.spine.rows import Package
from planloom.planes.strategic.stages.computed_plan import ComputedPlan, day, ids, month, number, table

#: The number of months of one role that are listed, the most overloaded first.
MOST_MONTHS = 3
#: A month counts as busy above this share of the days that are there.
BUSY = 0.6
MOST_SWINGS = 6
MOST_ROLES = 6
#: Letters of a demand in the table of odds: the demands themselves are in the first chapter.
MOST_WORDS = 90


def odds_table(plan: ComputedPlan) -> str:
    """Return days and odds of dated demands, gates and the end, each against its own packages, beside the stress.

    The end of all work may be later than the end asked by the goal: closing packages count in the former alone.
    """
    head = [
        "What",
        "Shown by",
        "Due",
        "Computed",
        "Half of the runs by",
        "Four in five by",
        "Odds",
        "",
        "All 25% longer",
        "The odds rest on",
    ]
    rows = [
        (
            clip(plan.named(odds.what), MOST_WORDS) if odds.what != "end" else "end asked by the goal",
            ids(odds.of),
            day(odds.due) or "no date found",
            day(odds.computed),
            day(odds.p50),
            day(odds.p80),
            "" if odds.chance is None else chance_text(odds.chance),
            "" if odds.chance is None else verdict(odds.chance),
            day(odds.stressed),
            odds.rests_on,
        )
        for odds in plan.computed.odds
        if odds.due or odds.what == "end"
    ]
    return table(head, rows)


def needs(package: Package) -> str:
    """Return what *package* waits for: ``P3, P7 start-start +5``."""
    said = []
    for need in package.needs:
        kind = " start-start" if need.kind == "start_start" else ""
        lag = f" {need.lag:+d}{' calendar days' if need.calendar_days else ''}" if need.lag else ""
        until = f" or {day(need.or_day)}" if need.or_day else ""
        said.append(f"{need.id}{kind}{lag}{until}")
    return ids(said)


def load_table(plan: ComputedPlan) -> str:
    """Return the heaviest months of the roles that are busy, those with the least to spare first."""
    busy = [load for load in plan.computed.loads if load.needed > BUSY * load.there]
    busy.sort(key=lambda load: (load.there / load.needed, load.role, load.first))
    taken: dict[str, int] = {}
    rows = []
    for load in busy:
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
        [(plan.named(row.role), day(row.end), row.days_later) for row in rows[:MOST_ROLES] if row.days_later],
    )


#: The heads of cash by month or quarter.
CASH = (
    "From sources", "Paid by lines", "Earned", "Costs of operation", "Lowest balance", "Committed by its end",
)  # fmt: skip


def cash_table(plan: ComputedPlan) -> str:
    """Return cash by quarter of a year, and the gap in a sentence; empty where nothing is paid."""
    quarters: dict[str, list[Month]] = {}
    for row in plan.computed.months:
        quarters.setdefault(f"Q{(row.first.month + 2) // 3} {row.first.year}", []).append(row)
    rows = [(name, *cash_cells(plan, months)) for name, months in quarters.items()]
    shown = table(("Quarter", *CASH), rows)
    caption = "Contingency and reserve are in no month until they are spent."
    spent = f"If all contingency is spent, {plan.money(plan.computed.all_spent)} are left after the last payment."
    return f"{gap_text(plan)} {caption} {spent} By month: 026-5-cash.csv.\n\n{shown}" if shown else ""


def cash_cells(plan: ComputedPlan, months: list[Month]) -> tuple[str, ...]:
    """Return the cells of CASH for *months*: money of sources and lines apart from that of operation."""
    earned, running = sum(row.earned for row in months), sum(row.running for row in months)
    return (
        plan.some(sum(row.received for row in months) - earned),
        plan.some(sum(row.paid for row in months) - running),
        plan.some(earned),
        plan.some(running),
        plan.money(min(row.balance for row in months)),
        plan.money(months[-1].committed),
    )


def gap_text(plan: ComputedPlan) -> str:
    """Return whether the money is there in every month."""
    if plan.computed.gap and plan.computed.gap_month:
        return f"Money is short by {plan.money(plan.computed.gap)} at most, in {month(plan.computed.gap_month)}."
    return "The balance never falls below zero, if money comes as its sources say."


def years_table(plan: ComputedPlan) -> str:
    """Return the years of operation at likely values; empty where nothing is earned."""
    rows = [
        (
            row.number,
            day(row.first),
            *map(plan.money, (row.earned, row.variable, row.fixed)),
            plan.some(row.carried),
            *map(plan.money, (row.result, row.tied_up)),
        )
        for row in plan.computed.years
    ]
    head = ["Year", "From", "Earned", "Variable cost", "Fixed cost", "Paid by others", "Result", "Tied up"]
    shown = table(head, rows)
    paid_back = plan.computed.break_even
    said = f"Running results have paid the cost back in {month(paid_back)}." if paid_back else ""
    return f"{said}\n\n{shown}".lstrip() if shown else ""


def swings_table(plan: ComputedPlan) -> str:
    """Return what single inputs do to the results between their low and high, the widest first."""
    results = {"end_days": "end, calendar days", "cost": "cost", "year_result": "result of a year"}
    rows = [
        (
            f"{swing.id} {swing.title}",
            results[swing.result],
            *(number(v) if swing.result == "end_days" else plan.money(v) for v in (swing.low, swing.high)),
        )
        for swing in plan.computed.swings[:MOST_SWINGS]
    ]
    return table(["Input, the others at likely", "Moves", "At its low", "At its high"], rows)
