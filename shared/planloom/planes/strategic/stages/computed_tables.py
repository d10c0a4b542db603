"""What is computed of a plan, as tables that readers see: odds, load, cash, years, and what moves the result."""

from planloom.planes.strategic.compute.computed import Month, Year
from planloom.planes.strategic.compute.found import chance_text, verdict
from planloom.planes.strategic.facts.quoting import clip
from planloom.planes.strategic.spine.rows import Need, Package
from planloom.planes.strategic.stages.computed_plan import ComputedPlan, amount, ids, month, number, short_day, table

#: Cash of more months than this is shown by quarter.
MOST_CASH = 18
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
    head = (
        "What", "Shown by", "Due", "Computed", "Half of the runs by", "Four in five by", "Odds", "", "All 25% longer",
        "The odds rest on",
    )  # fmt: skip
    rows = [
        (
            clip(plan.known_as(odds.what), MOST_WORDS) if odds.what != "end" else "end asked by the goal",
            ids(odds.of),
            short_day(odds.due) or "no date found",
            short_day(odds.computed),
            short_day(odds.p50),
            short_day(odds.p80),
            "" if odds.chance is None else chance_text(odds.chance),
            "" if odds.chance is None else verdict(odds.chance),
            short_day(odds.stressed),
            odds.rests_on.partition(";")[0],
        )
        for odds in plan.computed.odds
        if odds.due or odds.what == "end"
    ]
    return table(head, rows)


def in_currency(head: str, plan: ComputedPlan) -> str:
    """Return the head of a column of amounts with the currency of the plan."""
    currency = plan.spine.frame.currency
    return f"{head} ({currency})" if currency else head


def needs(plan: ComputedPlan, package: Package) -> str:
    """Return what *package* waits for: ``P3, P7 (start) + 5 working days``."""
    return ", ".join(_need(plan, need) for need in package.needs)


def _need(plan: ComputedPlan, need: Need) -> str:
    start = " (start)" if need.kind == "start_start" else ""
    unit = f"{'calendar' if need.calendar_days else 'working'} day{'' if abs(need.lag) == 1 else 's'}"
    lag = f" {'+' if need.lag > 0 else '–'} {abs(need.lag)} {unit}" if need.lag else ""
    until = f" (at the latest {short_day(need.or_day)})" if need.or_day else ""
    return f"{plan.called([need.id])}{start}{lag}{until}"


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
            rows.append((plan.title(load.role), month(load.first), number(load.needed), number(load.there), over))
    return table(["Role", "Month", "Person-days needed", "There", ""], rows)


def without_table(plan: ComputedPlan) -> str:
    """Return what twenty missing working days of each role do to the end, the worst first."""
    rows = sorted(plan.computed.without, key=lambda row: (-row.days_later, row.role))
    return table(
        ["Role, absent for twenty working days at its heaviest", "The end is", "Later by (calendar days)"],
        [(plan.title(row.role), short_day(row.end), row.days_later) for row in rows[:MOST_ROLES] if row.days_later],
    )


def cash_table(plan: ComputedPlan) -> str:
    """Return cash by month, by quarter where there are many, below the gap in a sentence; empty where nothing moves."""
    moving = [each for each in plan.computed.months if each.paid or each.received]
    by_month = len(moving) <= MOST_CASH
    spans: dict[str, list[Month]] = {}
    for each in moving if by_month else plan.computed.months:
        quarter = f"{each.first.year} Q{(each.first.month + 2) // 3}"
        spans.setdefault(month(each.first) if by_month else quarter, []).append(each)
    heads = ("From sources", "Paid by lines", "Earned", "Costs of operation", "Lowest balance", "Committed by its end")
    span = "Month" if by_month else "Quarter"
    shown = table((span, *heads), [(name, *_cash(months)) for name, months in spans.items()])
    kept = "Contingency and reserve are in no month until they are spent."
    if plan.sums.get("contingency"):
        left = plan.money(plan.computed.all_spent)
        kept += f" If all contingency is spent, {left} are left after the last payment."
    return f"{_amounts(plan)}{gap_text(plan)}\n{kept}\n\n{shown}" if shown else ""


def _cash(months: list[Month]) -> tuple[str, ...]:
    """Return the amounts of *months*: money of sources and lines apart from that of operation."""
    earned, running = sum(row.earned for row in months), sum(row.running for row in months)
    received, paid = sum(row.received for row in months) - earned, sum(row.paid for row in months) - running
    balance, committed = min(row.balance for row in months), months[-1].committed
    return *map(amount, (received, paid, earned, running)), amount(balance) or "0", amount(committed)


def _amounts(plan: ComputedPlan) -> str:
    currency = plan.spine.frame.currency
    return f"Amounts in {currency}.\n" if currency else ""


def gap_text(plan: ComputedPlan) -> str:
    """Return whether the money is there in every month."""
    if plan.computed.gap and plan.computed.gap_month:
        return f"Money is short by {plan.money(plan.computed.gap)} at most, in {month(plan.computed.gap_month)}."
    return "The balance never falls below zero, if money comes as its sources say."


def years_table(plan: ComputedPlan) -> str:
    """Return the years of operation at likely values, like ones as one row; empty where nothing is earned."""
    spans: list[tuple[Year, Year]] = []
    for year in plan.computed.years:
        first = spans[-1][0] if spans and _of_year(spans[-1][0]) == _of_year(year) else year
        spans = [*(spans[:-1] if first is not year else spans), (first, year)]
    rows = [
        (
            f"{first.number} – {last.number}" if first is not last else first.number,
            short_day(first.first),
            *_of_year(first),
        )
        for first, last in spans
    ]
    heads = ("Earned", "Variable cost", "Fixed cost", "Paid by others", "Result", "Tied up")
    shown = table(("Year", "From", *heads), rows)
    paid_back = plan.computed.break_even
    said = f"Running results have paid the cost back in {month(paid_back)}.\n" if paid_back else ""
    return f"{_amounts(plan)}{said}\n{shown}" if shown else ""


def _of_year(year: Year) -> tuple[str, ...]:
    values = (year.earned, year.variable, year.fixed, year.carried, year.result, year.tied_up)
    return tuple(map(amount, values))


def swings_table(plan: ComputedPlan) -> str:
    """Return what single inputs do to the results between their low and high, the widest first."""
    results = {"end_days": "end, calendar days", "cost": "cost", "year_result": "result of a year"}
    rows = [
        (
            plan.known_as(swing.id),
            results[swing.result],
            *(number(v) if swing.result == "end_days" else plan.money(v) for v in (swing.low, swing.high)),
        )
        for swing in plan.computed.swings[:MOST_SWINGS]
    ]
    return table(["Input, the others at likely", "Moves", "At its low", "At its high"], rows)
