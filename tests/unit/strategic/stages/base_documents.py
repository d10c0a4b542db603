"""The base document that an author would have written for a spine: the strict tables of whole_plan, and some prose."""

from planloom.planes.strategic.spine.markdown import item_text
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.text import table

TASKS = (
    "No.",
    "Task",
    "Result",
    "Owner (role)",
    "Working days",
    "Person-days",
    "After",
    "Not before",
    "Done when",
    "Line",
)
LINES = ("No.", "Line", "Quantity", "Unit", "Rate", "Amount", "Kind", "Task or role", "Paid when", "Mark")


def base_of(spine: Spine) -> str:
    """Return the document in eight sections."""
    return "\n\n".join(
        part.strip()
        for part in (
            "# The café in the fire station",
            "## 1. The plan in short",
            f"A café with sixty seats. It costs {spine.frame.currency} {_total(spine):,.0f} in all (computed).",
            "## 2. How it works on its hardest day",
            "Sixty guests in ninety minutes; the narrowest point is the till, with forty guests an hour (assumed).",
            table(("No.", "Measure", "Today", "Target"), [(r.id, r.measure, "0", r.target) for r in spine.criteria]),
            table(("No.", "What binds the plan"), [(r.id, r.text) for r in spine.constraints]),
            "## 3. Decisions and gates",
            *(_decision(row) for row in spine.decisions),
            table(
                ("No.", "Gate", "Day", "Go if"),
                [(r.id, r.title, r.day, "; ".join(c.value for c in r.conditions)) for r in spine.gates],
            ),
            "## 4. Who must agree",
            table(
                ("No.", "Approval", "Body", "Calendar days low / likely / high", "If refused"),
                [(r.id, r.title, r.party, f"{r.low} / {r.likely} / {r.high}", r.if_refused) for r in spine.approvals],
            ),
            "## 5. The work and its calendar",
            "Tasks that do not need each other run in parallel.",
            table(TASKS, [_task(row) for row in spine.packages]),
            "## 6. People",
            table(("No.", "Role", "Filled from where"), [(r.id, r.title, r.filled_by or "hired") for r in spine.roles]),
            "## 7. Money",
            table(LINES, [*(_line(row) for row in spine.lines), ("", "**Total**", *[""] * 3, f"{_total(spine):,.0f}")]),
            *(f"{row.id} brings {spine.frame.currency} {row.amount:,.0f}." for row in spine.sources[:1]),
            "## 8. Risks, assumptions and the next ninety days",
            table(("No.", "Event", "Odds"), [(r.id, r.event, f"{r.odds:.0%}") for r in spine.risks]),
            table(("No.", "Demand", "Due"), [(r.id, r.text, r.due or "none") for r in spine.demands]),
            "The next ninety days:",
            table(("Week", "What", "Role"), [("1", "Measure the hall", "R1"), ("2", "Ask for bids", "R1")]),
        )
        if part.strip()
    )


def _total(spine: Spine) -> float:
    return sum(line.amount for line in spine.lines)


def _decision(row):  # type: ignore[no-untyped-def]
    options = [(o.key, o.title, f"{o.cost:,.0f}", o.days, o.effect, o.undo_by or "none") for o in row.options]
    return f"### {row.id}. {row.question}\n\n" + table(("Option", "What", "Cost", "Days", "Effect", "Undo by"), options)


def _task(row):  # type: ignore[no-untyped-def]
    needs = ", ".join(item_text(need, "EUR") for need in row.needs) or "none"
    days = f"{row.low:g} / {row.likely:g} / {row.high:g}"
    return (row.id, row.title, row.deliverable, row.owner, days, row.effort or row.likely, needs,
            row.not_before or "none", row.done_when or "done", "none")  # fmt: skip


def _line(row):  # type: ignore[no-untyped-def]
    return (row.id, row.title, f"{row.quantity:g}", row.unit, f"{row.rate:,.0f}", f"{row.amount:,.0f}", row.kind,
            row.package or row.role, row.paid, row.basis)  # fmt: skip
