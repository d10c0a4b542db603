"""No id is printed without its meaning, and what only looks like one stays as it is."""

import pytest

from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.stages.row_names import with_names

ROWS = {
    row.id: row
    for row in (
        r.Role(id="R1", title="Site manager"),
        r.Role(id="R2", title="Cook"),
        r.Party(id="B4", name="Building office"),
        r.Package(id="P3", title="Order the ovens"),
        r.OpenQuestion(id="Q2", text="Who pays?"),
        r.Approval(id="A4", title="Licence of the kitchen"),
    )
}


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("R1 calls R2.", "Site manager calls Cook."),
        ("The site manager (R1) calls.", "The site manager calls."),
        ("R1 Site manager and Cook (R2)", "Site manager and Cook"),
        ("Signed (R2).", "Signed (Cook)."),
        ("P3 waits; P3 is late.", "P3 (Order the ovens) waits; P3 is late."),
        ("Late (P3, R2).", "Late (P3 Order the ovens, Cook)."),
        ("Order the ovens: P3", "Order the ovens: P3"),
        (
            "Two sheets of A4, steel to ASTM R1, R1-R2, R1–R2, P99",
            "Two sheets of A4, steel to ASTM R1, R1-R2, R1–R2, P99",
        ),
        ("It waits for A4, on A4.", "It waits for Licence of the kitchen, on A4."),
        ("Open in Q2 2027 (Q2).", "Open in Q2 2027 (Who pays?)."),
        ("> R2 brings P3.", "> Cook brings P3."),
        ("| P3 | Ovens | R1; R2 3 | B4 | P3 |", "| P3 | Ovens | Site manager; Cook 3 | Building office | P3 |"),
        ("| R1 | 12 days |", "| Site manager | 12 days |"),
        ("```\nR1\n```", "```\nR1\n```"),
    ],
)
def test_ids_have_names(text: str, printed: str) -> None:
    assert with_names(text, ROWS) == printed


def test_what_the_goal_calls_so_is_no_id() -> None:
    assert with_names("R1 and R2", ROWS, goal="Repair engine R2.") == "Site manager and R2"


def test_a_cell_of_many_digits_is_read_at_once() -> None:
    line = f"| P1 | R1 {'1' * 200}x |"
    assert with_names(line, ROWS) == line.replace("R1", "Site manager")


@pytest.mark.parametrize("goal", ["It sells at R349.", "Tooling is R740 000.", "About R1.8 million."])
def test_a_letter_with_which_the_goal_writes_amounts_is_no_id(goal: str) -> None:
    said = "A sole costs R2, the tool R1.50, and P3 waits."
    assert with_names(said, ROWS, goal) == "A sole costs R2, the tool R1.50, and P3 (Order the ovens) waits."


def test_an_amount_with_decimals_is_no_id() -> None:
    assert with_names("A sole costs R2.50 or R1,200.", ROWS) == "A sole costs R2.50 or R1,200."
