"""The tables of a plan hold every row that a reader needs, and are short."""

import re
from datetime import timedelta

from planloom.planes.strategic.quality.words import count_words
from planloom.planes.strategic.stages.annex_tables import ANNEX_TABLES, annex_table
from planloom.planes.strategic.stages.chapter_tables import document_tables
from tests.unit.strategic.compute.spines import realistic
from tests.unit.strategic.stages.computed_plans import a_plan, a_spine


def test_every_row_of_the_plan_is_in_a_table() -> None:
    document = "\n".join(table.text for table in document_tables(a_plan()).values())
    annexes = "\n".join(annex_table(name, a_plan()) for name in ANNEX_TABLES)
    rows = {row.id for row in a_spine().rows()}

    assert rows - set(re.findall(r"(?m)(?:^## |\| )(\w+)(?= |$)", document + annexes)) == set()


def test_a_plan_of_eighty_packages_has_tables_that_a_reader_can_take() -> None:
    tables = document_tables(a_plan(realistic(10)))

    assert len(tables["calendar"].text.splitlines()) > 80
    assert count_words("".join(table.text for table in tables.values())) < 4500


def test_the_first_ninety_days_begin_on_the_first_day_and_hold_all_that_ends_in_them() -> None:
    plan = a_plan()
    rows = [line.split(" | ")[-1].strip("| ") for line in document_tables(plan)["first_days"].text.splitlines()[2:]]
    until = plan.computed.start + timedelta(days=90)

    assert {row for row in rows if row[0] == "P"} == {p.id for p in plan.computed.packages if p.end < until}
