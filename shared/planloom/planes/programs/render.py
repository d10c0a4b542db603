"""Results of programs as Markdown: tables of what fits, and the names of what is left out."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from planloom.planes.programs.evaluate import Returned
from planloom.planes.programs.plan import PAGE_ROWS, ProgramPlan

#: Characters of a cell, columns of a table, and rows of an aggregate, which has no pages.
CELL, COLUMNS, AGGREGATE_ROWS = 80, 12, 100


def is_aggregate(plan: ProgramPlan, node: str) -> bool:
    """Return whether the rows of *node* are those of an aggregate, which has no pages."""
    found = plan.by_id.get(node)
    while found is not None and found.op in ("sort", "project", "filter", "limit"):
        found = plan.by_id.get(found.inputs[0])
    return found is not None and found.op == "aggregate"


def rows_shown(plan: ProgramPlan, node: str) -> int:
    """Return how many rows of a returned node are shown at once."""
    return AGGREGATE_ROWS if is_aggregate(plan, node) else PAGE_ROWS


def render(plan: ProgramPlan, returned: Sequence[Returned], pages: Mapping[int, str]) -> tuple[str, bool]:
    """Return what a program returns as Markdown, and whether something of it is left out.

    *pages* are the handles of the pages that follow, by the place of what is returned.
    """
    parts: list[str] = []
    cut = False
    for place, each in enumerate(returned):
        rows = each.value.rows
        shown = rows[: rows_shown(plan, each.node)]
        title = each.name or plan.labels.get(each.node, each.node)
        if len(returned) > 1 or each.name:
            parts.append(f"### {title}")
        table, shortened = _table(shown, one=each.value.one)
        parts.append(table)
        left = _left_out(len(rows) - len(shown), pages.get(place, ""), shortened)
        # what only the backend has is left out of the whole result too
        cut = cut or len(rows) > len(shown) or bool(shortened)
        if left:
            parts.append(left)
    return "\n\n".join(parts), cut


def _left_out(more: int, page: str, shortened: Sequence[str]) -> str:
    """Return what a table leaves out, empty where it leaves out nothing."""
    said = []
    if more > 0:
        said.append(f"{more:,} more rows{f': `page({page})`' if page else ''}.")
    elif page:
        said.append(f"More rows: `page({page})`.")
    if shortened:
        said.append(f"Shortened: {', '.join(shortened)}.")
    return " ".join(said)


def _table(rows: Sequence[Any], one: bool) -> tuple[str, list[str]]:
    """Return rows as a table, one row as a list of its fields; and what had to be shortened."""
    if not rows:
        return "No rows.", []
    names = list(dict.fromkeys(name for row in rows for name in _row(row)))
    shortened: list[str] = []
    if one and len(rows) == 1:
        lines = []
        for name in names:
            text = _cell(_row(rows[0]).get(name), 20 * CELL)
            lines.append(f"- {name}: {text[0]}")
            shortened += [name] if text[1] else []
        return "\n".join(lines), shortened
    shown = names[:COLUMNS]
    lines = [f"| {' | '.join(shown)} |", f"|{'---|' * len(shown)}"]
    for row in rows:
        cells = [_cell(_row(row).get(name), CELL) for name in shown]
        shortened += [name for name, (_, short) in zip(shown, cells, strict=True) if short and name not in shortened]
        lines.append(f"| {' | '.join(text for text, _ in cells)} |")
    left = [f"{name} (column)" for name in names[COLUMNS:]]
    return "\n".join(lines), [*shortened, *left]


def _row(row: Any) -> Mapping[str, Any]:
    return row if isinstance(row, Mapping) else {"value": row}


def _cell(value: Any, most: int) -> tuple[str, bool]:
    """Return a value as the text of a cell, and whether it was shortened; what is in it cannot leave the cell."""
    if value is None:
        return "", False
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    text = " ".join(text.split()).replace("|", "\\|").replace("`", "\\`")
    return (text, False) if len(text) <= most else (text[: most - 1] + "…", True)


def render_plan(plan: ProgramPlan, ref: str) -> str:
    """Return a dry run as Markdown: what would be read, called and changed, its bounds and its verdict."""
    lines = [f"**Verdict: {plan.verdict}**" + (f" · plan `{ref}`" if ref else "")]
    lines += [f"- {reason}" for reason in plan.reasons]
    lines += _section("Reads", plan.reads) + _section("Calls", plan.calls) + _section("Changes", plan.changes)
    if plan.verdict in ("ok", "review") and plan.nodes:
        steps = [_node(plan, number, node) for number, node in enumerate(plan.topological_order, 1)]
        lines += _section("Steps", steps)
        bounds = [
            f"{plan.names.get(node) or plan.labels[node]}: "
            + (f"at most {bound:,} rows" if bound is not None else "not bounded")
            for node, bound in plan.bounds.items()
        ]
        lines += _section("Returns", bounds)
    return "\n".join(lines)


def _section(title: str, lines: Iterable[str]) -> list[str]:
    found = list(lines)
    more = [f"- … and {len(found) - 30} more"] if len(found) > 30 else []
    return ["", f"{title}:", *(f"- {line}" for line in found[:30]), *more] if found else []


def _node(plan: ProgramPlan, number: int, node: str) -> str:
    places = {each: place for place, each in enumerate(plan.topological_order, 1)}
    needs = ", ".join(str(places[each]) for each in plan.graph.needs.get(node, ()))
    return f"{number}. {plan.labels[node]}" + (f" (after {needs})" if needs else "")
