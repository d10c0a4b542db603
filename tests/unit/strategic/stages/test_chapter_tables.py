"""The tables of a plan hold every row that a reader needs, and are short."""

from datetime import date, timedelta
from typing import Any

import pytest

from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.fields import ID, title
from planloom.planes.strategic.stages.annex_tables import ANNEX_TABLES, annex_table
from planloom.planes.strategic.stages.chapter_tables import plan_tables
from planloom.planes.strategic.stages.computed_plan import short_day
from tests.unit.strategic.compute.sound import added, changed
from tests.unit.strategic.compute.spines import realistic
from tests.unit.strategic.stages.computed_plans import a_plan, a_spine


def rows_of(table: str) -> list[list[str]]:
    """Return the cells of each row below the head; the first cell is at 1."""
    lines = [line for line in table.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.split("|")] for line in lines[2:]]


def test_every_row_of_the_plan_is_in_a_table() -> None:
    plan = a_plan()
    shown = "\n".join((*plan_tables(plan).values(), *(annex_table(n, plan) for n in ANNEX_TABLES)))

    assert [row.id for row in a_spine().rows() if title(row) not in shown] == []


def test_tasks_decisions_and_gates_alone_are_called_by_ids() -> None:
    plan = a_plan(realistic(10))
    annexes = (annex_table(name, plan) for name in ANNEX_TABLES)
    shown = "\n".join((*plan_tables(plan).values(), *annexes))

    quarters = {"Q1", "Q2", "Q3", "Q4"}
    assert {id_[0] for id_ in set(ID.findall(shown)) - quarters} == {"P", "D", "G"}


def test_a_task_has_its_days_its_float_what_it_waits_for_and_its_check() -> None:
    spine = changed(a_spine(), "P8", done_when="The order is signed", needs=[r.Need(id="P7", lag=3), r.Need(id="P5")])
    spine = changed(spine, "P13", needs=[r.Need(id="P11", kind="start_start"), r.Need(id="A3", lag=-1)])
    rows = {cells[1]: cells for cells in rows_of(plan_tables(a_plan(spine))["calendar"])}

    found = a_plan(spine).dated["P8"]
    assert rows["P8"][2:8] == [
        "Order the kitchen", "Project lead", short_day(found.start), short_day(found.end), str(found.slack),
        "P7 + 3 working days, P5, D1, Vote on the grant",
    ]  # fmt: skip
    assert rows["P8"][8] == "The order is signed"
    assert rows["P10"][7] == "not before 2 Nov 2026"
    assert rows["P13"][7] == "P11 (start), Licence of the café – 1 working day"


def test_a_long_calendar_is_grouped_by_quarter() -> None:
    assert "**" not in plan_tables(a_plan())["calendar"]
    assert "**2027 Q2**" in plan_tables(a_plan(realistic(10)))["calendar"]


def test_lines_are_grouped_by_kind_and_add_up() -> None:
    rows = [cells[1:] for cells in rows_of(plan_tables(a_plan())["lines"])]
    titles = [cells[0] for cells in rows]

    assert titles[:2] == ["**One-off**", "Works of the hall"]
    assert titles.index("Contingency") == titles.index("**Without contingency and reserve**") + 1
    assert [cells[2] for cells in rows if cells[0].startswith("**")] == [
        "**261,500**", "**15,770**", "**3,000**", "**280,270**", "**380,270**"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("paid", "said"),
    [
        ({"package": "P5", "other_packages": ["P6"]}, "at the end of P5, P6"),
        ({"package": "P5", "days": [date(2026, 9, 1)], "shares": [0.4]}, "1 Sep 2026 40%, at the end of P5"),
        ({"paid": "on_days", "days": [date(2026, 9, 1), date(2026, 10, 1)]}, "1 Sep 2026, 1 Oct 2026"),
        ({"paid": "even", "first": date(2026, 9, 1), "last": date(2026, 10, 1)}, "evenly over 1 Sep 2026 – 1 Oct 2026"),
        ({"kind": "staff", "role": "R1"}, "evenly"),
        ({"in_kind": True}, "in kind"),
        ({"kind": "reserve"}, ""),
    ],
)
def test_a_line_says_when_it_is_paid(paid: dict[str, Any], said: str) -> None:
    spine = added(a_spine(), r.Line(id="L90", title="The line", rate=10, **paid))

    assert [cells[4] for cells in rows_of(plan_tables(a_plan(spine))["lines"]) if cells[1] == "The line"] == [said]


def test_years_of_operation_that_are_alike_are_one_row() -> None:
    years = [cells[1] for cells in rows_of(plan_tables(a_plan())["years"])]

    assert years == ["1", "2 – 5"]


def test_cash_of_many_months_is_shown_by_quarter() -> None:
    spine = changed(a_spine(), "L1", paid="even", first=date(2026, 1, 12), last=date(2028, 1, 12))

    assert "| Month |" in plan_tables(a_plan())["cash"]
    assert "| Quarter |" in plan_tables(a_plan(spine))["cash"]


def test_the_first_ninety_days_begin_on_the_first_day_and_hold_all_that_ends_in_them() -> None:
    plan = a_plan()
    rows = [cells[2] for cells in rows_of(plan_tables(plan)["first_days"])]
    until = plan.computed.start + timedelta(days=90)

    assert {row for row in rows if row[0] == "P"} == {p.id for p in plan.computed.packages if p.end < until}
