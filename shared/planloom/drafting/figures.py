"""The figures that texts name: their values by name, as writers are shown them and as they are rendered."""

from collections.abc import Mapping
from datetime import date

from planloom.compute.computed import Computed
from planloom.compute.values import computed_values
from planloom.drafting.computed_plan import ComputedPlan
from planloom.spine.figures import Rendered, render, spine_values
from planloom.spine.rows import Decision
from planloom.spine.spine import Spine

#: So many names are given as examples of how figures are written.
EXAMPLES = ("P1.end", "L1.amount", "end.p80", "end", "total_cost")


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
    """Return how a figure is written, with examples that exist in *values*."""
    names = [name for name in EXAMPLES if name in values] or list(values)[:3]
    shown = ", ".join(f"{{{{{name}}}}} for {values[name]}" for name in names)
    return f"Write {shown}." if shown else "No figure is known yet."
