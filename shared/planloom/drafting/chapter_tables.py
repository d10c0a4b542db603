"""The tables under each chapter of the main document: rows of the spine with what is computed of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta

from planloom.compute.computed import GateMoney
from planloom.compute.values import chance_text
from planloom.drafting.computed_plan import ComputedPlan, day, ids, number, percent, table
from planloom.drafting.computed_tables import cash_table, load_table, swings_table, without_table, years_table
from planloom.drafting.text import bullets
from planloom.spine.markdown import page
from planloom.spine.rows import Approval, Decision, Gate, Line, Risk, Role

#: What the next steps cover.
NEAR = timedelta(days=90)
#: So many rows a table of the main document has at most: the spine and the files have all of them.
MOST_ROWS = 10
MOST_ROWS_BRIEF = 4
#: A table of three times as many rows: a reader looks for each demand of the goal.
DEMANDS = "What the goal demands, and what fulfils it"
#: Titles and texts of tables; a text without a title has its own headings, one without rows is empty.
Tables = Iterable[tuple[str, str]]


def tables_of(chapter: str, plan: ComputedPlan, most: int = MOST_ROWS) -> str:
    """Return the tables of *chapter* as Markdown below ``##`` headings, *most* rows each; empty where it has none."""
    made = CHAPTER_TABLES[chapter](plan) if chapter in CHAPTER_TABLES else ()
    blocks = []
    for title, text in made:
        if text.strip():
            shown = _shortened(text, most * 3 if title == DEMANDS else most)
            blocks.append(f"## {title}\n\n{shown}" if title else shown)
    return "\n".join(blocks)


def _shortened(markdown: str, most: int) -> str:
    """Return *markdown* whose tables have *most* rows, besides those of sums: they have no id. Says how many more."""
    kept: list[str] = []
    count = 0
    for line in [*markdown.splitlines(), ""]:
        if line.startswith("|"):
            count = 0 if line.startswith("|---") else count + (not line.startswith("|  |"))
            if count <= most or line.startswith("|  |"):
                kept.append(line)
            continue
        if count > most:
            kept += ["", f"{count - most} more rows are left out here."]
        count = 0
        kept.append(line)
    return "\n".join(kept).rstrip("\n") + "\n"


def _project_plan(plan: ComputedPlan) -> Tables:
    spine = plan.spine
    odds = {found.what: found for found in plan.computed.odds}
    yield "", page(spine, ("criteria",))
    yield (
        DEMANDS,
        table(
            ["Id", "Demand", "Due", "Fulfilled by", "Computed", "Odds"],
            [
                (
                    demand.id,
                    demand.text,
                    day(demand.due) or "no date found",
                    ids(demand.met_by) or "nothing yet",
                    day(odds[demand.id].computed) if demand.id in odds else "",
                    _chance(odds[demand.id].chance) if demand.id in odds else "",
                )
                for demand in spine.demands
            ],
        ),
    )
    yield "Out of scope", bullets(spine.frame.out_of_scope)


def _levers(plan: ComputedPlan) -> Tables:
    for decision in plan.spine.decisions:
        yield f"{decision.id} {decision.question}", f"{_options(plan, decision)}\n{_decided(plan, decision)}"


def _options(plan: ComputedPlan, decision: Decision) -> str:
    return table(
        ["", "Option", "Cost of the whole", "End moves by (calendar days)", "Effect", "Undo until"],
        [
            (
                f"**{option.key}**" if option.key == decision.recommended else option.key,
                option.title,
                plan.money(option.cost),
                f"{option.days:+d}" if option.days else "0",
                option.effect,
                day(option.undo_by),
            )
            for option in decision.options
        ],
    )


def _decided(plan: ComputedPlan, decision: Decision) -> str:
    said = [
        f"Recommended: {decision.recommended}." if decision.recommended else "",
        f"Decided by {plan.title(decision.decided_by)}." if decision.decided_by else "Nobody is named to decide.",
        f"By {day(decision.by)}." if decision.by else "",
        f"Frees {ids(decision.frees)}." if decision.frees else "",
        f"If nobody decides: {decision.if_not}" if decision.if_not else "",
    ]
    return " ".join(sentence for sentence in said if sentence)


def _calendar(plan: ComputedPlan) -> Tables:
    found = {gate.id: gate for gate in plan.computed.gates}
    yield (
        "Gates",
        table(
            ["Gate", "Day", "Go if", "Sunk by then", "Owed", "Leaving costs", "Who decides", "If not"],
            [_gate(plan, gate, found[gate.id]) for gate in plan.spine.gates if gate.id in found],
        ),
    )


def _gate(plan: ComputedPlan, gate: Gate, found: GateMoney) -> tuple[object, ...]:
    go = "; ".join(f"{condition.measure}: {condition.value}" for condition in gate.conditions)
    money = (plan.money(amount) for amount in (found.sunk, found.owed, found.leaving_cost))
    return (plan.named(gate.id), day(found.day), go, *money, plan.title(gate.decided_by), gate.if_failed)


def _budget(plan: ComputedPlan) -> Tables:
    yield "Lines of cost, the largest first", _lines(plan)
    yield "", page(plan.spine, ("sources", "streams", "upkeep"))
    yield "Cash by quarter", cash_table(plan)
    yield "Years of operation", years_table(plan)
    yield "What moves the result most", swings_table(plan)


def _lines(plan: ComputedPlan) -> str:
    def row(line: Line) -> tuple[object, ...]:
        each = f"{number(line.quantity)} {line.unit} x {plan.money(line.rate)}".replace("  ", " ")
        return (line.id, line.title, each, plan.money(line.amount), line.package or line.role, _basis(line.basis))

    rows = [row(line) for line in sorted(plan.spine.lines, key=lambda line: -line.amount)]
    sums = (("cost", "Without contingency and reserve"), ("total", "All lines"))
    for name, title in sums:
        if plan.sums.get(name):
            rows.append(("", f"**{title}**", "", f"**{plan.money(plan.sums[name])}**", "", "computed"))
    return table(["Id", "Line", "Quantity x rate", "Amount", "For", "From"], rows)


def _approvals(plan: ComputedPlan) -> Tables:
    yield (
        "Approvals",
        table(
            [
                "Id",
                "Approval",
                "Given by",
                "Calendar days",
                "Papers from",
                "Meeting",
                "Answer",
                "Frees",
                "From",
            ],
            [_approval(plan, approval) for approval in plan.spine.approvals],
        ),
    )
    heard = [party for party in plan.spine.parties if party.part or party.told or party.meets]
    yield (
        "Parties",
        table(
            ["Id", "Party", "What it decides or wants", "Meets", "Must hear"],
            [(party.id, party.name, party.part, party.meets, party.told) for party in heard],
        ),
    )


def _approval(plan: ComputedPlan, approval: Approval) -> tuple[object, ...]:
    lead = f"{approval.low}, {approval.likely}, {approval.high}" if approval.high else ""
    title = f"{approval.title}; releases {plan.money(approval.releases)}" if approval.releases else approval.title
    return (
        approval.id,
        title,
        plan.title(approval.party),
        lead,
        ids(approval.papers),
        day(approval.meeting),
        day(plan.computed.answers.get(approval.id)),
        ids(approval.frees),
        _basis(approval.basis),
    )


def _team(plan: ComputedPlan) -> Tables:
    yield (
        "Roles",
        table(
            ["Id", "Role", "Filled by", "People (FTE)", "From", "Until", "A day costs", "Stands in"],
            [_role(plan, role) for role in plan.spine.roles],
        ),
    )
    yield "Heaviest months", load_table(plan)
    yield "Without one role", without_table(plan)


def _role(plan: ComputedPlan, role: Role) -> tuple[object, ...]:
    return (
        role.id, role.title, role.filled_by, number(role.people), day(role.first), day(role.last),
        plan.some(role.day_rate), role.second or "nobody named",
    )  # fmt: skip


def _risks(plan: ComputedPlan) -> Tables:
    risks = sorted(plan.spine.risks, key=lambda risk: (-risk.odds * (risk.cost or 1), -risk.odds * risk.days, risk.id))
    yield (
        "Register of risks, the largest expected loss first",
        table(
            ["Id", "Risk", "Odds", "Costs", "Days", "Owner", "Begins when", "Response", "Paid by", "Odds after"],
            [_risk(plan, risk) for risk in risks],
        ),
    )


def _risk(plan: ComputedPlan, risk: Risk) -> tuple[object, ...]:
    event = f"{risk.cause}: {risk.event}" if risk.cause else risk.event
    trigger = f"{risk.trigger}{f' (by {day(risk.trigger_by)})' if risk.trigger_by else ''}"
    package = f" ({risk.package})" if risk.package else ""
    line = f"{risk.line} {plan.money(plan.rows[risk.line].amount)}" if risk.line in plan.rows else "no line"
    return (
        risk.id, event, percent(risk.odds), plan.some(risk.cost), risk.days or "", plan.title(risk.owner), trigger,
        f"{risk.response}{package}", line, percent(risk.residual),
    )  # fmt: skip


def _next_steps(plan: ComputedPlan) -> Tables:
    rows = sorted(_steps(plan, plan.computed.start + NEAR), key=lambda row: (row[0], row[1]))
    yield (
        "Steps by day",
        table(["By", "What", "Who", "Done when", "Slack"], [(day(row[0]), *row[1:]) for row in rows]),
    )


def _steps(plan: ComputedPlan, until: date) -> Iterator[tuple[date, str, str, str, object]]:
    for package in plan.spine.packages:
        found = plan.dated.get(package.id)
        if found and found.start <= until:
            title = f"{plan.named(package.id)} (from {day(found.start)})"
            slack = "critical" if found.critical else found.slack
            yield found.end, title, plan.title(package.owner), package.done_when, slack
    for decision in plan.spine.decisions:
        if decision.by and decision.by <= until:
            done = f"An option is chosen; recommended {decision.recommended}" if decision.recommended else "Chosen"
            yield decision.by, f"Decide {plan.named(decision.id)}", plan.title(decision.decided_by), done, ""


def _basis(basis: str) -> str:
    return "to verify" if basis == "verify" else basis


def _chance(chance: float | None) -> str:
    return "" if chance is None else chance_text(chance)


CHAPTER_TABLES: Mapping[str, Callable[[ComputedPlan], Tables]] = {
    "project_plan": _project_plan,
    "levers": _levers,
    "calendar": _calendar,
    "budget": _budget,
    "approvals": _approvals,
    "team": _team,
    "risks": _risks,
    "next_steps": _next_steps,
}
