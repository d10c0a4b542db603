"""The figures that texts name: their values by name, as writers are shown them and as they are rendered."""

from collections.abc import Mapping
from datetime import date

from planloom.planes.strategic.compute.computed import Computed
from planloom.planes.strategic.compute.values import computed_values
from planloom.planes.strategic.spine.figures import Rendered, render, spine_values
from planloom.planes.strategic.spine.rows import Decision
from planloom.planes.strategic.spine.spine import TABLES, Spine
from planloom.planes.strategic.stages.computed_plan import ComputedPlan

#: A table of more rows than this gives its names once, without values.
MOST_ROWS = 15
#: Names given as examples of how figures are written, where they exist, and their meaning. No values: an edit of
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
    plan = ComputedPlan(spine, computed)
    found |= {f"{row.id}.cost": plan.money(plan.cost_of(row)) for row in spine.packages}
    return {name: value for name, value in found.items() if name.count(".") <= 1}


def rendered(text: str, values: Mapping[str, str]) -> Rendered:
    """Return *text* with each ``{{name}}`` replaced by its value; unknown names are listed in the result."""
    return render(text, values)


def listed(plan: ComputedPlan, values: Mapping[str, str]) -> str:
    """Return the names of days and numbers, a line for each row with today's values: ``P12 Tender: P12.days 4``.

    A table of more than MOST_ROWS rows gives its names once: the values are in the rows and in the computed tables.
    Names of texts and of zeros are left out.
    """
    rows: dict[str, dict[str, str]] = {}
    computed = computed_values(plan.spine, plan.computed)
    for name, value in values.items():
        if name in computed or _counts(plan, name):
            rows.setdefault(name.partition(".")[0], {})[name] = value
    large = [name for name in TABLES if len(getattr(plan.spine, name)) > MOST_ROWS]
    long = {row.id for name in large for row in getattr(plan.spine, name)}
    lines = [_pattern(rows, name) for name in large]
    for row, found in rows.items():
        if row not in long:
            said = "; ".join(f"{name} {value}" for name, value in found.items())
            lines.append(f"{plan.named(row)}: {said}" if row in plan.rows else said)
    return "\n".join(lines)


def _pattern(rows: Mapping[str, Mapping[str, str]], table: str) -> str:
    letter = TABLES[table][0]
    mine = [row for row in rows if row.rstrip("0123456789") == letter]
    fields = dict.fromkeys(name.partition(".")[2] for row in mine for name in rows[row])
    shown = ", ".join(f"{mine[0]}.{field}" for field in fields) if mine else ""
    return f"Each of the {table}, as for {mine[0]} (values in the tables): {shown}" if mine else ""


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
