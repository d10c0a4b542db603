"""The figures that texts name: their values by name, as writers are shown them and as they are rendered."""

from collections.abc import Mapping
from datetime import date

from planloom.compute.computed import Computed
from planloom.compute.values import computed_values
from planloom.drafting.computed_plan import ComputedPlan
from planloom.spine.figures import Rendered, render, spine_values
from planloom.spine.rows import Decision
from planloom.spine.spine import Spine

#: Names given as examples of how figures are written, where they exist, and what they stand for. No values: an edit of
#: a row must leave instructions alike, so that kept answers to them are used again.
EXAMPLES = {
    "P1.end": "the day on which P1 ends",
    "L1.amount": "the amount of L1",
    "total_cost": "the sum of all lines",
    "end.p80": "the day by which four in five runs end",
    "end.chance": "the odds of the date of the whole",
}


def figures(spine: Spine, computed: Computed) -> dict[str, str]:
    """Return each figure by its name; where both give one, the computed value.

    Options are named as the spine does (``D1.a_cost``): a name has one dot at most.
    """
    found = {**spine_values(spine), **computed_values(spine, computed)}
    return {name: value for name, value in found.items() if name.count(".") <= 1}


def rendered(text: str, values: Mapping[str, str]) -> Rendered:
    """Return *text* with each ``{{name}}`` replaced by its value; unknown names are listed in the result."""
    return render(text, values)


def listed(plan: ComputedPlan, values: Mapping[str, str]) -> str:
    """Return the names of days and numbers with today's values, a line for each row: ``P12 Tender: P12.days 4``.

    Names of texts and of zeros are left out: writers have them in the rows.
    """
    lines: dict[str, list[str]] = {}
    computed = computed_values(plan.spine, plan.computed)
    for name, value in values.items():
        if name in computed or _counts(plan, name):
            lines.setdefault(name.partition(".")[0], []).append(f"{name} {value}")
    return "\n".join(
        f"{plan.named(row)}: {'; '.join(found)}" if row in plan.rows else "; ".join(found)
        for row, found in lines.items()
    )


def _counts(plan: ComputedPlan, name: str) -> bool:
    row, _, field = name.partition(".")
    model = plan.spine.frame if row == "frame" else plan.rows.get(row)
    if isinstance(model, Decision):
        key, _, part = field.partition("_")
        option = next((option for option in model.options if option.key.lower() == key), None)
        model, field = (option, part) if option else (model, field)
    value = getattr(model, field, None)
    return isinstance(value, date) or (isinstance(value, int | float) and not isinstance(value, bool) and bool(value))


def syntax(values: Mapping[str, str]) -> str:
    """Return how a figure is written, with examples that exist in *values*; an id alone gives the words of its row."""
    shown = [f"{{{{{name}}}}} for {said}" for name, said in EXAMPLES.items() if name in values]
    return f"Write {', '.join([*shown, '{{P1}} for the title of P1'])}."
