"""What decisions change in what is computed: a table before and after, and what got worse."""

from collections.abc import Iterator

from planloom.planes.strategic.compute.computed import Computed, Load, Odds
from planloom.planes.strategic.compute.found import chance_text
from planloom.planes.strategic.stages.computed_plan import ComputedPlan, day, month, number, table

#: A chance that falls by less than this share is no change: inputs are judged.
FALL = 0.05
#: The number of months of roles that are compared, those with the least spare time after the decisions first.
MOST_LOADS = 6


def before_after(before: ComputedPlan, after: ComputedPlan) -> str:
    """Return as a Markdown table what is computed of both: end, money, findings; days and loads that changed."""
    rows = [
        *_whole(before, after),
        *(row for row in (*_dated(before, after), *_loads(before, after)) if row[1] != row[2]),
    ]
    return table(("What", "Before", "After"), rows)


def got_worse(before: Computed, after: Computed) -> bool:
    """Return whether there are more findings of high or medium severity, a lower chance or a deeper gap."""
    old, new = _chances(before), _chances(after)
    return (
        any(count(after, severity) > count(before, severity) for severity in ("high", "medium"))
        or any(chance < old.get(what, 0) - FALL for what, chance in new.items())
        or after.gap > before.gap
    )


def worse(before: Computed, after: Computed) -> str:
    """Return in what *after* is worse; empty where it is not.

    It is worse with more findings of high severity, or with as many and a deeper gap or a lower lowest chance.
    """
    old, new = count(before, "high"), count(after, "high")
    if new > old:
        known = {finding.id for finding in before.findings}
        first = next((f" ({each.text})" for each in after.findings if each.id not in known), "")
        return f"findings of high severity: {new}, not {old}{first}"
    if new == old and after.gap > before.gap + 1:
        return f"the funding gap is {number(after.gap)}, not {number(before.gap)}"
    if new == old and lowest_chance(after) < lowest_chance(before) - FALL:
        return f"the lowest chance is {chance_text(lowest_chance(after))}, not {chance_text(lowest_chance(before))}"
    return ""


def lowest_chance(computed: Computed) -> float:
    """Return the lowest chance of all that is due; 1 where nothing is."""
    return min(_chances(computed).values(), default=1.0)


def count(computed: Computed, severity: str) -> int:
    """Return how many findings of *severity* there are."""
    return sum(finding.severity == severity for finding in computed.findings)


def _chances(computed: Computed) -> dict[str, float]:
    return {odds.what: odds.chance for odds in computed.odds if odds.chance is not None}


def _whole(before: ComputedPlan, after: ComputedPlan) -> Iterator[tuple[object, ...]]:
    plans = (before, after)
    yield "End of all work", *(day(plan.computed.end) for plan in plans)
    yield "Contingency", *(plan.money(plan.sums.get("contingency", 0)) for plan in plans)
    yield "Sum of all lines", *(plan.money(plan.sums.get("total", 0)) for plan in plans)
    if budget := after.spine.frame.budget:
        yield "Budget less all lines", *(plan.money(budget - plan.sums.get("total", 0)) for plan in plans)
    yield "Lowest cash", *(_lowest(plan) for plan in plans)
    for severity in ("high", "medium"):
        yield f"Findings of {severity} severity", *(str(count(plan.computed, severity)) for plan in plans)


def _lowest(plan: ComputedPlan) -> str:
    if not plan.computed.months:
        return "-"
    lowest = min(plan.computed.months, key=lambda row: row.balance)
    return f"{plan.money(lowest.balance)} in {month(lowest.first)}"


def _dated(before: ComputedPlan, after: ComputedPlan) -> Iterator[tuple[str, str, str]]:
    old, new = ({odds.what: _odds(odds) for odds in plan.computed.odds if odds.due} for plan in (before, after))
    for what in dict.fromkeys((*old, *new)):
        plan = after if what in after.rows else before
        yield "The end" if what == "end" else plan.named(what), old.get(what, "-"), new.get(what, "-")


def _odds(odds: Odds) -> str:
    chance = f"{chance_text(odds.chance)}, " if odds.chance is not None else ""
    return f"{chance}computed for {day(odds.computed)}"


def _loads(before: ComputedPlan, after: ComputedPlan) -> Iterator[tuple[str, str, str]]:
    old = {(load.role, load.first): load for load in before.computed.loads}
    for load in sorted(after.computed.loads, key=lambda row: (-_share(row), row.role, row.first))[:MOST_LOADS]:
        was = old.get((load.role, load.first))
        yield f"Load of {after.named(load.role)}, {month(load.first)}", _load(was) if was else "-", _load(load)


def _share(load: Load) -> float:
    """Return the needed share of what is there; of nothing, the needed days are worse than any share."""
    return load.needed / load.there if load.there else load.needed * 1e6


def _load(load: Load) -> str:
    return f"{number(load.needed)} of {number(load.there)} person-days"
