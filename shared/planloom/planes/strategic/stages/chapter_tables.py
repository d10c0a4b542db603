"""The tables of the main document, complete: rows of the spine with what is computed of them, by name and chapter."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any

from planloom.planes.strategic.compute.computed import Odds
from planloom.planes.strategic.compute.found import chance_text
from planloom.planes.strategic.plans import Detail
from planloom.planes.strategic.spine.rows import Decision, Line, Option, Risk, Role
from planloom.planes.strategic.stages.anchors import ID
from planloom.planes.strategic.stages.blocks import cells_of
from planloom.planes.strategic.stages.computed_plan import ComputedPlan, day, ids, month, number, short_day, table
from planloom.planes.strategic.stages.computed_tables import (
    CASH,
    cash_cells,
    cash_table,
    gap_text,
    years_table,
)
from planloom.planes.strategic.stages.labels import Labels
from planloom.planes.strategic.stages.text import bullets

#: What the table of the first steps covers, from the start of the plan.
FIRST = timedelta(days=90)
#: Cash of more months than this is shown by quarter.
MOST_MONTHS = 18


@dataclass(frozen=True)
class DocumentTable:
    """A table of the main document: its chapter, its title, and what renders it; empty where it has no rows.

    ``brief`` False: a brief plan leaves it out. ``computed``: most of its columns are computed.
    """

    chapter: str
    title: str
    render: Callable[[ComputedPlan], str]
    brief: bool = True
    computed: bool = False


@dataclass(frozen=True)
class RenderedTable:
    """A table as it is printed: *text* is Markdown without a heading."""

    chapter: str
    title: str
    text: str
    computed: bool = False

    @cached_property
    def ids(self) -> frozenset[str]:
        """The ids of its rows; empty where it shows none, or has computed columns that authors do not write."""
        if self.computed:
            return frozenset()
        heads, _, *rows = [cells_of(line) for line in self.text.splitlines() if line.startswith("|")] or [(), ()]
        at = heads.index("Id") if "Id" in heads else None
        return frozenset(found[0] for cells in rows if at is not None and (found := ID.match(cells[at])))


def document_tables(plan: ComputedPlan, detail: Detail = "standard") -> dict[str, RenderedTable]:
    """Return the tables of the main document that have rows, by name, in the order of its chapters; they are whole."""
    shown = {name: each for name, each in TABLES.items() if each.brief or detail != "brief"}
    texts = {name: text for name, each in shown.items() if (text := each.render(plan)).strip()}
    return {
        name: RenderedTable(shown[name].chapter, shown[name].title, text, shown[name].computed)
        for name, text in texts.items()
    }


def tables_of(chapter: str, plan: ComputedPlan) -> str:
    """Return the tables of *chapter* as Markdown below ``##`` headings; empty where it has none."""
    return below_headings(each for each in document_tables(plan).values() if each.chapter == chapter)


def below_headings(tables: Iterable[RenderedTable], labels: Labels = Labels()) -> str:  # noqa: B008
    """Return *tables* each below a heading of its own, in the language of *labels*."""
    return "\n".join(f"## {labels.term(each.title)}\n\n{labels.table(each.text)}" for each in tables)


def _measures(plan: ComputedPlan) -> str:
    rows = ((r.id, r.measure, r.baseline, r.target, day(r.by), r.read_how) for r in plan.spine.criteria)
    return table(("Id", "Measure", "Today", "Target", "By", "Read by, from"), rows)


def _demands(plan: ComputedPlan) -> str:
    odds = {found.what: found for found in plan.computed.odds}
    rows: list[tuple[object, ...]] = [
        (
            row.id, row.text, day(row.due), ids(row.met_by) or "nothing yet",
            day(odds[row.id].computed) if row.id in odds else "", _chance(odds.get(row.id)),
        )
        for row in plan.spine.demands
    ]  # fmt: skip
    said = [" ".join(row.text.casefold().split()) for row in plan.spine.demands]
    for row in plan.spine.constraints:
        if not any(" ".join(row.text.casefold().split()).rstrip(".") in text for text in said):
            rows.append((row.id, row.text, "", ids(row.kept_by), "", ""))
    return table(("Id", "Demand or limit", "Due", "Met or kept by", "Computed", "Odds in time"), rows)


def _out_of_scope(plan: ComputedPlan) -> str:
    return bullets(plan.spine.frame.out_of_scope)


def _decisions(plan: ComputedPlan) -> str:
    """Return each decision with who decides, and below it a row for each option."""
    rows = (row for decision in plan.spine.decisions for row in _decided(plan, decision))
    head = ("Id", "Decision, options", "Cost of the whole", "End moves (calendar days)", "Effect", "Decide or undo by")
    return table(head, rows)


def _decided(plan: ComputedPlan, decision: Decision) -> Iterator[tuple[object, ...]]:
    who = f"{plan.title(decision.decided_by) or 'nobody named'} decides"
    if_not = f"If nobody decides: {decision.if_not}" if decision.if_not else ""
    yield decision.id, f"**{decision.question}**", "", "", f"{who}. {if_not}".strip(), day(decision.by)
    for option in decision.options:
        yield _option(plan, decision, option)


def _option(plan: ComputedPlan, decision: Decision, option: Option) -> tuple[object, ...]:
    chosen = " (chosen)" if option.key == decision.recommended else ""
    moved = f"{option.days:+d}" if option.days else "0"
    title, undo = f"{option.title}{chosen}", day(option.undo_by)
    return f"{decision.id} {option.key}", title, plan.money(option.cost), moved, option.effect, undo


def _calendar(plan: ComputedPlan) -> str:
    """Return all packages by the quarter in which they start, with what lines of their own pay."""
    rows: list[tuple[object, ...]] = []
    at = ""
    for package in plan.in_order:
        found = plan.dated.get(package.id)
        if found and _quarter(found.start) != at:
            at = _quarter(found.start)
            rows.append((f"**{at}**", "", "", "", "", ""))
        days = (short_day(found.start), short_day(found.end)) if found else ("", "")
        rows.append((package.title, plan.title(package.owner), *days, plan.some(plan.cost_of(package)), package.id))
    return table(("Work", "Owner", "Start", "End", "Own lines", "Id"), rows)


def _quarter(first: date) -> str:
    return f"{first.year} Q{(first.month + 2) // 3}"


def _gates(plan: ComputedPlan) -> str:
    found = {gate.id: gate for gate in plan.computed.gates}
    rows = (
        (
            gate.id, f"{gate.title}, {day(found[gate.id].day)}", _conditions(gate.conditions),
            plan.money(found[gate.id].sunk), plan.money(found[gate.id].owed),
            plan.money(found[gate.id].leaving_cost), _gate_decision(plan, gate.decided_by, gate.if_failed),
        )
        for gate in plan.spine.gates
        if gate.id in found
    )  # fmt: skip
    head = ("Id", "Gate", "Go if", "Sunk by then", "Owed", "Leaving costs", "Who decides; if not passed")
    return table(head, rows)


def _conditions(conditions: Iterable[Any]) -> str:
    return "; ".join(f"{each.measure}: {each.value}" for each in conditions)


def _gate_decision(plan: ComputedPlan, decided_by: str, if_failed: str) -> str:
    return "; ".join(filter(None, (plan.title(decided_by), if_failed)))


def _lines(plan: ComputedPlan) -> str:
    rows: list[tuple[object, ...]] = [
        _line(plan, line) for line in sorted(plan.spine.lines, key=lambda line: -line.amount)
    ]
    sums = {"cost": "Without contingency and reserve", "contingency": "Contingency", "reserve": "Reserve"}
    for name, title in {**sums, "total": "All lines"}.items():
        if plan.sums.get(name):
            rows.append(("", f"**{title}**", "", f"**{plan.money(plan.sums[name])}**", "", "computed"))
    return table(("Id", "Line", "Quantity x rate", "Amount", "For", "From"), rows)


def _line(plan: ComputedPlan, line: Line) -> tuple[object, ...]:
    quantity = f"{number(line.quantity)} {line.unit} × {plan.money(line.rate)}".replace("  ", " ")
    basis = "to verify" if line.basis == "verify" else line.basis
    return line.id, line.title, quantity, plan.money(line.amount), ids(line.all_packages) or line.role, basis


def _sources(plan: ComputedPlan) -> str:
    rows: list[tuple[object, ...]] = [
        (row.id, row.title, plan.money(row.amount), day(row.day), row.condition, row.after,
         row.status.replace("_", " "))
        for row in plan.spine.sources
    ]  # fmt: skip
    if rows and plan.sums.get("sources"):
        rows.append(("", "**All sources**", f"**{plan.money(plan.sums['sources'])}**", "", "", "", ""))
    return table(("Id", "Source", "Amount", "On the account", "Condition", "After", "Status"), rows)


def _cash(plan: ComputedPlan) -> str:
    moving = [each for each in plan.computed.months if each.paid or each.received]
    if not moving or len(moving) > MOST_MONTHS:
        return cash_table(plan)
    rows = ((month(m.first), *cash_cells(plan, [m])) for m in moving)
    shown = table(("Month", *CASH), rows)
    return f"{gap_text(plan)}\n\n{shown}"


def _running(plan: ComputedPlan) -> str:
    """Return what is earned and what it costs by the year, low / likely / high."""
    rows: list[tuple[object, ...]] = [
        (
            row.id, row.title, f"{_spread(row.volume_low, row.volume, row.volume_high)} {row.unit}".strip(),
            _spread(row.price_low, row.price, row.price_high), number(row.unit_cost), day(row.first), "",
        )
        for row in plan.spine.streams
    ]  # fmt: skip
    rows += [
        (row.id, row.title, "", _spread(row.low, row.likely, row.high), "", day(row.first), plan.title(row.paid_by))
        for row in plan.spine.upkeep
    ]
    money = plan.spine.frame.currency
    cost = f"Price, or cost ({money})"
    head = ("Id", "Earned, or cost of a year", "Units a year", cost, "Cost of a unit", "From", "Paid by")
    return table(head, rows)


def _spread(*values: float) -> str:
    return " / ".join(number(value) for value in values)


def _approvals(plan: ComputedPlan) -> str:
    lead = {party.id: timedelta(days=party.papers_days) for party in plan.spine.parties}
    rows = (
        (
            row.id, f"{row.title} (only if {row.only_if})" if row.only_if else row.title, plan.title(row.party),
            day(row.meeting - lead.get(row.party, timedelta())) if row.meeting else ids(row.papers),
            day(row.meeting), day(plan.computed.answers.get(row.id)), _waits(plan, row.frees, row.releases),
        )
        for row in plan.spine.approvals
    )  # fmt: skip
    head = ("Id", "What", "Given by", "Papers by, or from", "Meeting", "Answer", "What waits")
    return table(head, rows)


def _waits(plan: ComputedPlan, packages: Iterable[str], money: float) -> str:
    return ", ".join(filter(None, (ids(packages), plan.some(money))))


def _people(role: Role) -> str:
    times = (
        f"{number(p.people)} {short_day(p.first)} – {short_day(p.last)}" for p in role.periods if p.first and p.last
    )
    return "; ".join((number(role.people), *times))


def _roles(plan: ComputedPlan) -> str:
    rows = (
        (
            role.id, role.title, role.filled_by, _people(role),
            " – ".join((day(role.first) or "the start", day(role.last) or "the end")),
            plan.some(role.day_rate), role.second or "nobody named",
        )
        for role in plan.spine.roles
    )  # fmt: skip
    return table(("Id", "Role", "Filled by", "People (FTE)", "There from, until", "A day costs", "Stands in"), rows)


def _risks(plan: ComputedPlan) -> str:
    rows = (
        (
            risk.id, f"{risk.cause}: {risk.event}" if risk.cause else risk.event,
            f"{risk.odds:.0%} → {risk.residual:.0%}",
            ", ".join(filter(None, (plan.some(risk.cost), _lost(risk)))),
            "; ".join(filter(None, (risk.trigger, day(risk.trigger_by)))),
            " ".join(filter(None, (risk.response, risk.package, *risk.all_lines))), plan.title(risk.owner),
        )
        for risk in largest_risks(plan)
    )  # fmt: skip
    head = (
        "Id",
        "Risk",
        "Odds, after response",
        "Costs",
        "Response begins when",
        "Response, its work and line",
        "Owner",
    )
    return table(head, rows)


def largest_risks(plan: ComputedPlan) -> list[Risk]:
    """Return the risks by expected loss of money, then of days, the largest first."""
    return sorted(plan.spine.risks, key=lambda risk: (-risk.odds * risk.cost, -risk.odds * risk.days, -risk.odds))


def _first_days(plan: ComputedPlan) -> str:
    """Return what is done or decided within ninety days of the start, by day; answers and gates have their tables."""
    until = plan.computed.start + FIRST
    rows = sorted(_steps(plan), key=lambda row: (row[0], row[1]))
    shown = [(short_day(last), *rest, id_) for last, id_, first, *rest in rows if last < until]
    return table(("By", "What", "Who", "Done when", "Id"), shown)


def _steps(plan: ComputedPlan) -> Iterator[tuple[date, str, date | None, str, str, str]]:
    for package in plan.spine.packages:
        if found := plan.dated.get(package.id):
            done = package.done_when
            yield found.end, package.id, found.start, package.title, plan.title(package.owner), done
    for decision in plan.spine.decisions:
        if decision.by:
            yield decision.by, decision.id, None, decision.question, plan.title(decision.decided_by), "Decided"


def _lost(risk: Risk) -> str:
    """Return the calendar days that a risk costs, without and with its response."""
    if not risk.days:
        return ""
    after = f", {risk.residual_days} with its response" if risk.residual_days else ""
    return f"{risk.days} calendar day{'' if risk.days == 1 else 's'}{after}"


def _chance(odds: Odds | None) -> str:
    return chance_text(odds.chance) if odds and odds.chance is not None else ""


TABLES: Mapping[str, DocumentTable] = {
    "measures": DocumentTable("project_plan", "Measures of success", _measures),
    "demands": DocumentTable("project_plan", "What the goal demands, and what meets it", _demands),
    "out_of_scope": DocumentTable("project_plan", "Out of scope", _out_of_scope, brief=False),
    "decisions": DocumentTable("levers", "Decisions and their options", _decisions),
    "calendar": DocumentTable("calendar", "Calendar of all work", _calendar),
    "gates": DocumentTable("calendar", "Gates", _gates, computed=True),
    "lines": DocumentTable("budget", "Lines of cost, the largest first", _lines),
    "sources": DocumentTable("budget", "Sources of money", _sources),
    "cash": DocumentTable("budget", "Cash", _cash, computed=True),
    "running": DocumentTable("budget", "Earnings and costs of a year, low / likely / high", _running),
    "years": DocumentTable("budget", "Years of operation", years_table, brief=False, computed=True),
    "approvals": DocumentTable("approvals", "Approvals", _approvals, computed=True),
    "roles": DocumentTable("team", "Roles", _roles),
    "risks": DocumentTable("risks", "Risks, the largest expected loss first", _risks),
    "first_days": DocumentTable("next_steps", "The first ninety days", _first_days),
}
