"""The tables under each chapter of the main document: rows of the spine with what is computed of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta

from planloom.compute.computed import Odds
from planloom.compute.found import chance_text
from planloom.spine.markdown import page
from planloom.spine.rows import Decision, Line, Risk
from planloom.stages.computed_plan import Column, ComputedPlan, day, ids, number, rows_table, table
from planloom.stages.computed_tables import cash_table, load_table, swings_table, without_table, years_table
from planloom.stages.text import bullets

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
            kept += ["", f"Rows left out here: {count - most}."]
        count = 0
        kept.append(line)
    return "\n".join(kept).rstrip("\n") + "\n"


def _project_plan(plan: ComputedPlan) -> Tables:
    spine = plan.spine
    odds = {found.what: found for found in plan.computed.odds}
    columns: Mapping[str, Column] = {
        "Id": "id",
        "Demand": "text",
        "Due": lambda row: day(row.due) or "no date found",
        "Fulfilled by": lambda row: ids(row.met_by) or "nothing yet",
        "Computed": lambda row: day(odds[row.id].computed) if row.id in odds else "",
        "Odds": lambda row: _chance(odds.get(row.id)),
    }
    yield "", page(spine, ("criteria",))
    yield DEMANDS, rows_table(plan, spine.demands, columns)
    yield "Out of scope", bullets(spine.frame.out_of_scope)


def _levers(plan: ComputedPlan) -> Tables:
    for decision in plan.spine.decisions:
        yield f"{decision.id} {decision.question}", f"{_options(plan, decision)}\n{_decided(plan, decision)}"


def _options(plan: ComputedPlan, decision: Decision) -> str:
    columns: Mapping[str, Column] = {
        "": lambda option: f"**{option.key}**" if option.key == decision.recommended else option.key,
        "Option": "title",
        "Cost of the whole": lambda option: plan.money(option.cost),
        "End moves by (calendar days)": lambda option: f"{option.days:+d}" if option.days else "0",
        "Effect": "effect",
        "Undo until": "undo_by",
    }
    return rows_table(plan, decision.options, columns)


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
    columns: Mapping[str, Column] = {
        "Gate": lambda gate: plan.named(gate.id),
        "Day": lambda gate: day(found[gate.id].day),
        "Go if": "conditions",
        "Sunk by then": lambda gate: plan.money(found[gate.id].sunk),
        "Owed": lambda gate: plan.money(found[gate.id].owed),
        "Leaving costs": lambda gate: plan.money(found[gate.id].leaving_cost),
        "Who decides": "decided_by",
        "If not": "if_failed",
    }
    yield "Gates", rows_table(plan, [gate for gate in plan.spine.gates if gate.id in found], columns)


def _budget(plan: ComputedPlan) -> Tables:
    yield "Lines of cost, the largest first", _lines(plan)
    yield "", page(plan.spine, ("sources", "streams", "upkeep"))
    yield "Cash by quarter", cash_table(plan)
    yield "Years of operation", years_table(plan)
    yield "What moves the result most", swings_table(plan)


def _lines(plan: ComputedPlan) -> str:
    def row(line: Line) -> tuple[object, ...]:
        each = f"{number(line.quantity)} {line.unit} x {plan.money(line.rate)}".replace("  ", " ")
        return (line.id, line.title, each, plan.money(line.amount), line.package or line.role, line.basis)

    rows = [row(line) for line in sorted(plan.spine.lines, key=lambda line: -line.amount)]
    sums = (("cost", "Without contingency and reserve"), ("total", "All lines"))
    for name, title in sums:
        if plan.sums.get(name):
            rows.append(("", f"**{title}**", "", f"**{plan.money(plan.sums[name])}**", "", "computed"))
    return table(["Id", "Line", "Quantity x rate", "Amount", "For", "From"], rows)


def _approvals(plan: ComputedPlan) -> Tables:
    columns: Mapping[str, Column] = {
        "Id": "id",
        "Approval": "title",
        "Given by": "party",
        "Calendar days": lambda row: f"{row.low}, {row.likely}, {row.high}" if row.high else "",
        "Papers from": "papers",
        "Meeting": "meeting",
        "Answer": lambda row: day(plan.computed.answers.get(row.id)),
        "Releases": "releases",
        "Frees": "frees",
        "From": "basis",
    }
    yield "Approvals", rows_table(plan, plan.spine.approvals, columns)
    heard = [party for party in plan.spine.parties if party.part or party.told or party.meets]
    heads = {"Id": "id", "Party": "name", "What it decides or wants": "part", "Meets": "meets", "Must hear": "told"}
    yield "Parties", rows_table(plan, heard, heads)


def _team(plan: ComputedPlan) -> Tables:
    columns: Mapping[str, Column] = {
        "Id": "id",
        "Role": "title",
        "Filled by": "filled_by",
        "People (FTE)": lambda role: number(role.people),
        "From": "first",
        "Until": "last",
        "A day costs": "day_rate",
        "Stands in": lambda role: role.second or "nobody named",
    }
    yield "Roles", rows_table(plan, plan.spine.roles, columns)
    yield "Heaviest months", load_table(plan)
    yield "Without one role", without_table(plan)


def _risks(plan: ComputedPlan) -> Tables:
    columns: Mapping[str, Column] = {
        "Id": "id",
        "Risk": lambda risk: f"{risk.cause}: {risk.event}" if risk.cause else risk.event,
        "Odds": "odds",
        "Costs": "cost",
        "Days": lambda risk: risk.days or "",
        "Owner": "owner",
        "Begins when": "trigger",
        "By": "trigger_by",
        "Response": lambda risk: f"{risk.response} {risk.package}".strip(),
        "Paid by": lambda risk: _line(plan, risk.line),
        "Odds after": "residual",
    }
    yield "Register of risks, the largest expected loss first", rows_table(plan, largest_risks(plan), columns)


def largest_risks(plan: ComputedPlan) -> list[Risk]:
    """Return the risks by expected loss of money, then of days, the largest first."""
    return sorted(plan.spine.risks, key=lambda risk: (-risk.odds * risk.cost, -risk.odds * risk.days, -risk.odds))


def _line(plan: ComputedPlan, line: str) -> str:
    return f"{line} {plan.money(plan.rows[line].amount)}" if line in plan.rows else "no line"


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


def _chance(odds: Odds | None) -> str:
    return chance_text(odds.chance) if odds and odds.chance is not None else ""


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
