"""The tables of a plan: rows of the spine with what is computed of them, by name.

Without a model they are the main document; otherwise an annex, whose figures change with every edit.
Readers know tasks, decisions and gates by their ids; other rows are called by short names. Amounts are in the currency
of the plan, which a head or the line above the table names.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from planloom.planes.strategic.compute.computed import Odds
from planloom.planes.strategic.compute.found import chance_text
from planloom.planes.strategic.plans import Detail
from planloom.planes.strategic.spine.fields import number_text
from planloom.planes.strategic.spine.rows import (
    KEPT,
    Approval,
    Decision,
    Gate,
    Line,
    Package,
    Risk,
    Role,
    Source,
)
from planloom.planes.strategic.stages.computed_plan import KINDS, ComputedPlan, amount, mark, number, short_day, table
from planloom.planes.strategic.stages.computed_tables import cash_table, in_currency, needs, years_table
from planloom.planes.strategic.stages.labels import Labels
from planloom.planes.strategic.stages.text import bullets

#: What the table of the first steps covers, from the start of the plan.
FIRST = timedelta(days=90)
#: A calendar of more tasks than this is grouped by quarter.
MOST_TASKS = 30
_TASK = ("No.", "Task", "Owner", "Start", "End", "Float (days)")

ENGLISH = Labels()


@dataclass(frozen=True)
class PlanTable:
    """A table of the plan: the chapter that prints it where no model writes, its title, and what renders it.

    A table without rows renders as an empty text. ``brief`` False: a brief plan leaves it out. ``annexed`` False:
    its rows are in other tables, and no annex prints it.
    """

    chapter: str
    title: str
    render: Callable[[ComputedPlan], str]
    brief: bool = True
    annexed: bool = True


def plan_tables(plan: ComputedPlan, detail: Detail = "standard") -> dict[str, str]:
    """Return the tables that have rows, by name, in the order of the chapters."""
    shown = {name: each for name, each in TABLES.items() if each.brief or detail != "brief"}
    return {name: text for name, each in shown.items() if (text := each.render(plan)).strip()}


def tables_of(chapter: str, plan: ComputedPlan) -> str:
    """Return the tables of *chapter* as Markdown below ``##`` headings; empty where it has none."""
    return below_headings({name: text for name, text in plan_tables(plan).items() if TABLES[name].chapter == chapter})


def below_headings(tables: Mapping[str, str], labels: Labels = ENGLISH) -> str:
    """Return *tables*, by name, each below a heading of its own, in the language of *labels*."""
    return "\n".join(f"## {labels.value(TABLES[name].title)}\n\n{labels.table(text)}" for name, text in tables.items())


def _measures(plan: ComputedPlan) -> str:
    rows = ((r.measure, r.baseline, r.target, short_day(r.by), r.read_how) for r in plan.spine.criteria)
    return table(("Measure", "Today", "Target", "By", "Read by, from"), rows)


def _demands(plan: ComputedPlan) -> str:
    found = {odds.what: odds for odds in plan.computed.odds}
    rows: list[tuple[str, ...]] = [
        (row.text, short_day(row.due), *_kept(found.get(row.id)), plan.called(row.met_by) or "nothing yet")
        for row in plan.spine.demands
    ]
    said = [" ".join(row.text.casefold().split()) for row in plan.spine.demands]
    for row in plan.spine.constraints:
        if not any(" ".join(row.text.casefold().split()).rstrip(".") in text for text in said):
            rows.append((row.text, "", "", "", plan.called(row.kept_by)))
    return table(("Demand or limit", "Due", "Computed", "Odds in time", "Met or kept by"), rows)


def _kept(odds: Odds | None) -> tuple[str, str]:
    return (short_day(odds.computed), "" if odds.chance is None else chance_text(odds.chance)) if odds else ("", "")


def _out_of_scope(plan: ComputedPlan) -> str:
    return bullets(plan.spine.frame.out_of_scope)


def _decisions(plan: ComputedPlan) -> str:
    """Return each decision with who decides, and below it a row for each option."""
    rows = (row for decision in plan.spine.decisions for row in _decided(plan, decision))
    cost, end = in_currency("Cost of the whole", plan), "End moves (calendar days)"
    return table(("No.", "Decision, options", "Who decides", "By, or undo by", cost, end, "Effect"), rows)


def _decided(plan: ComputedPlan, decision: Decision) -> Iterator[tuple[str, ...]]:
    who, by = plan.called([decision.decided_by]), short_day(decision.by)
    if_not = f"If nobody decides: {decision.if_not}" if decision.if_not else ""
    yield decision.id, f"**{decision.question}**", who, by, "", "", if_not
    for each in decision.options:
        title = f"{each.key}: {each.title}{' (chosen)' if each.key == decision.recommended else ''}"
        moved = f"{each.days:+d}" if each.days else ""
        yield "", title, "", short_day(each.undo_by), amount(each.cost), moved, each.effect


def _calendar(plan: ComputedPlan) -> str:
    """Return all tasks by their start; many of them by the quarter in which they start."""
    waits = _waits(plan)
    rows = [(*cells, _after(plan, task, waits.get(task.id, ())), task.done_when) for cells, task in _by_start(plan)]
    return table((*_TASK, "After", "Done when"), _by_quarter(plan, rows))


def _by_start(plan: ComputedPlan) -> Iterator[tuple[tuple[object, ...], Package]]:
    for task in plan.in_order:
        found = plan.dated.get(task.id)
        days = (short_day(found.start), short_day(found.end), found.slack) if found else ("", "", "")
        yield (task.id, task.title, plan.called([task.owner]), *days), task


def _by_quarter(plan: ComputedPlan, rows: Sequence[tuple[object, ...]]) -> Iterator[tuple[object, ...]]:
    """Yield *rows*, of many below the quarter in which they start."""
    at = ""
    for row in rows:
        found = plan.dated.get(str(row[0]))
        if found and len(rows) > MOST_TASKS and _quarter(found.start) != at:
            at = _quarter(found.start)
            yield ("", f"**{at}**", *[""] * (len(row) - 2))
        yield row


def _quarter(first: date) -> str:
    return f"{first.year} Q{(first.month + 2) // 3}"


def _after(plan: ComputedPlan, task: Package, waits: Iterable[str]) -> str:
    """Return what *task* waits for: other tasks, gates, decisions and approvals, and the day before which it is not."""
    needed = {need.id for need in task.needs}
    day = f"{'fixed day' if task.fixed else 'not before'} {short_day(task.not_before)}" if task.not_before else ""
    return ", ".join(filter(None, (needs(plan, task), plan.called(n for n in waits if n not in needed), day)))


def _waits(plan: ComputedPlan) -> dict[str, list[str]]:
    """Return the approvals, gates and decisions that free each task."""
    found: dict[str, list[str]] = {}
    rows: tuple[Gate | Decision | Approval, ...] = (*plan.spine.gates, *plan.spine.decisions, *plan.spine.approvals)
    for row in rows:
        for task in row.frees:
            found.setdefault(task, []).append(row.id)
    return found


def _gates(plan: ComputedPlan) -> str:
    found = {gate.id: gate for gate in plan.computed.gates}
    rows = (
        (
            gate.id, f"{gate.title}, {short_day(money.day)}",
            "; ".join(f"{each.measure}: {each.value}" for each in gate.conditions),
            amount(money.sunk) or "0", amount(money.owed), amount(money.leaving_cost),
            "; ".join(filter(None, (plan.called([gate.decided_by]), gate.if_failed))),
        )
        for gate in plan.spine.gates
        if (money := found.get(gate.id))
    )  # fmt: skip
    moneys = [in_currency(head, plan) for head in ("Sunk by then", "Owed by then", "Leaving costs")]
    return table(("No.", "Gate", "Go if", *moneys, "Who decides; if not passed"), rows)


def _lines(plan: ComputedPlan) -> str:
    """Return the lines by kind, the largest first, with the sum of each kind."""
    heads = ("Line", "Quantity × rate", in_currency("Amount", plan), "Paid by", "Mark", "Paid when")
    rows: list[tuple[str, ...]] = []
    kinds = {kind: [line for line in plan.spine.lines if line.kind == kind] for kind in KINDS}
    costs = sum(bool(lines) for kind, lines in kinds.items() if kind not in KEPT)
    for kind, lines in kinds.items():
        if kind == KEPT[0] and rows:
            rows.append(_sum("Without contingency and reserve", plan.sums.get("cost", 0)))
        if len(lines) > 1 if kind in KEPT else lines and costs > 1:
            rows.append(_sum(KINDS[kind], sum(line.amount for line in lines)))
        rows += [_line(plan, line) for line in sorted(lines, key=lambda line: -line.amount)]
    if rows:
        rows.append(_sum("All lines", plan.sums.get("total", 0)))
    assumed = any(line.basis == "assumed" for line in plan.spine.lines)
    shown = table(heads, rows)
    return f"{'Amounts without a mark are assumed.' if assumed else ''}\n\n{shown}".lstrip()


def _sum(title: str, whole: float) -> tuple[str, ...]:
    return f"**{title}**", "", f"**{amount(whole) or 0}**", "", "", ""


def _line(plan: ComputedPlan, line: Line) -> tuple[str, ...]:
    values = f"{number_text(line.quantity, '', '')} {line.unit} × {number_text(line.rate, '', '')}"
    quantity = " ".join(values.split()) if line.quantity != 1 else ""
    giver = plan.called([line.paid_by])
    return line.title, quantity, amount(line.amount), giver, mark(line.basis), _paid(plan, line)


def _paid(plan: ComputedPlan, line: Line) -> str:
    """Return when *line* is paid, by the tasks that it pays for or its own days."""
    if line.kind in KEPT or line.in_kind:
        return "in kind" if line.in_kind else ""
    shares = line.shares if len(line.shares) == len(line.days) else [0.0] * len(line.days)
    parts = [f"{short_day(day)} {share:.0%}".removesuffix(" 0%") for day, share in zip(line.days, shares, strict=True)]
    if line.paid == "on_days" and parts:
        return ", ".join(parts)
    tasks = plan.called(line.all_packages)
    span = " – ".join(map(short_day, (line.first, line.last))) if line.first or line.last else tasks
    if line.paid == "even" or (line.kind == "staff" and not tasks and line.paid == "end"):
        return f"evenly over {span}" if span else "evenly"
    rest = f"at the {line.paid} of {tasks}" if tasks else f"at the {line.paid}"
    return ", ".join((*parts, rest)) if 0 < sum(shares) < 1 else rest


def _sources(plan: ComputedPlan) -> str:
    rows: list[tuple[str, ...]] = [_source(plan, row) for row in plan.spine.sources]
    if len(rows) > 1 and plan.sums.get("sources"):
        rows.append(("**All sources**", f"**{amount(plan.sums['sources'])}**", "", "", ""))
    head = ("Source", in_currency("Amount", plan), "On the account", "Depends on", "Status")
    return table(head, rows)


def _source(plan: ComputedPlan, row: Source) -> tuple[str, ...]:
    there = row.day or plan.computed.answers.get(row.after)
    depends = "; ".join(filter(None, (plan.called([row.after]), row.condition)))
    status = "in kind" if row.in_kind else row.status.replace("_", " ")
    return row.title, amount(row.amount), short_day(there), depends, status


def _running(plan: ComputedPlan) -> str:
    """Return what is earned and what it costs by the year, low / likely / high."""
    rows: list[tuple[object, ...]] = [
        (
            row.title, f"{_spread(row.volume_low, row.volume, row.volume_high)} {row.unit}".strip(),
            _spread(row.price_low, row.price, row.price_high), number(row.unit_cost), short_day(row.first), "",
        )
        for row in plan.spine.streams
    ]  # fmt: skip
    rows += [
        (row.title, "", _spread(row.low, row.likely, row.high), "", short_day(row.first), plan.called([row.paid_by]))
        for row in plan.spine.upkeep
    ]
    price = in_currency("Price, or cost", plan)
    return table(("Earned, or cost of a year", "Units a year", price, "Cost of a unit", "From", "Paid by"), rows)


def _spread(*values: float) -> str:
    return " / ".join(dict.fromkeys(map(number, values)) if len({*values}) == 1 else map(number, values))


def _approvals(plan: ComputedPlan) -> str:
    lead = {party.id: timedelta(days=party.papers_days) for party in plan.spine.parties}
    head = ("Approval", "Given by", "Papers from", "Papers by", "Meeting", "Answer", "What waits")
    return table(head, (_approval(plan, row, lead.get(row.party, timedelta())) for row in plan.spine.approvals))


def _approval(plan: ComputedPlan, row: Approval, lead: timedelta) -> tuple[str, ...]:
    title = f"{row.title} (only if {row.only_if})" if row.only_if else row.title
    papers = short_day(row.meeting - lead) if row.meeting else ""
    answer = short_day(plan.computed.answers.get(row.id))
    waits = ", ".join(filter(None, (plan.called(row.frees), plan.some(row.releases))))
    party = plan.called([row.party])
    return title, party, plan.called(row.papers), papers, short_day(row.meeting), answer, waits


def _roles(plan: ComputedPlan) -> str:
    rows = (
        (row.title, row.filled_by, _people(row), _span(row.first, row.last), amount(row.day_rate), row.second)
        for row in plan.spine.roles
    )
    rate = in_currency("A day costs", plan)
    return table(("Role", "Filled by", "People (FTE)", "There", rate, "Stands in"), rows)


def _people(role: Role) -> str:
    times = (f"{number(p.people)} ({_span(p.first, p.last)})" for p in role.periods if p.first and p.last)
    return "; ".join((number(role.people), *times))


def _span(first: date | None, last: date | None) -> str:
    return f"{short_day(first)} – {short_day(last)}".strip() if first or last else ""


def _risks(plan: ComputedPlan) -> str:
    rows = (
        (
            f"{risk.cause}: {risk.event}" if risk.cause else risk.event,
            f"{risk.odds:.0%} → {risk.residual:.0%}", amount(risk.cost), _lost(risk),
            "; ".join(filter(None, (risk.trigger, short_day(risk.trigger_by)))),
            "; ".join(filter(None, (risk.response, plan.called((risk.package, *risk.all_lines))))),
            plan.called([risk.owner]),
        )
        for risk in largest_risks(plan)
    )  # fmt: skip
    cost = in_currency("Costs", plan)
    odds, days = "Odds → after response", "Calendar days lost → after response"
    return table(("Risk", odds, cost, days, "Response begins when", "Response", "Owner"), rows)


def _lost(risk: Risk) -> str:
    after = f" → {risk.residual_days:,}" if risk.residual_days else ""
    return f"{risk.days:,}{after}" if risk.days else ""


def largest_risks(plan: ComputedPlan) -> list[Risk]:
    """Return the risks by expected loss of money, then of days, the largest first."""
    return sorted(plan.spine.risks, key=lambda risk: (-risk.odds * risk.cost, -risk.odds * risk.days, -risk.odds))


def _first_days(plan: ComputedPlan) -> str:
    """Return what is done or decided within ninety days of the start, by day; answers and gates have their tables."""
    until = plan.computed.start + FIRST
    shown = [(short_day(last), *rest) for last, *rest in sorted(_steps(plan)) if last < until]
    return table(("By", "No.", "What", "Who", "Done when"), shown)


def _steps(plan: ComputedPlan) -> Iterator[tuple[date, str, str, str, str]]:
    for task in plan.spine.packages:
        if found := plan.dated.get(task.id):
            yield found.end, task.id, task.title, plan.called([task.owner]), task.done_when
    for row in plan.spine.decisions:
        if row.by:
            yield row.by, row.id, row.question, plan.called([row.decided_by]), "Decided"


TABLES: Mapping[str, PlanTable] = {
    "measures": PlanTable("project_plan", "Measures of success", _measures),
    "demands": PlanTable("project_plan", "What the goal demands, and what meets it", _demands),
    "out_of_scope": PlanTable("project_plan", "Out of scope", _out_of_scope, brief=False),
    "decisions": PlanTable("levers", "Decisions and their options", _decisions),
    "calendar": PlanTable("calendar", "Calendar of all work", _calendar),
    "gates": PlanTable("calendar", "Gates", _gates),
    "lines": PlanTable("budget", "Lines of cost", _lines),
    "sources": PlanTable("budget", "Sources of money", _sources),
    "cash": PlanTable("budget", "Cash", cash_table),
    "running": PlanTable("budget", "Earnings and costs of a year, low / likely / high", _running),
    "years": PlanTable("budget", "Years of operation", years_table, brief=False),
    "approvals": PlanTable("approvals", "Approvals", _approvals),
    "roles": PlanTable("team", "Roles", _roles),
    "risks": PlanTable("risks", "Risks, the largest expected loss first", _risks),
    "first_days": PlanTable("next_steps", "The first ninety days", _first_days, annexed=False),
}
