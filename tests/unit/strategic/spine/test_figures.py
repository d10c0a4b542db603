import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.planes.strategic.spine.figures import Rendered, render, spine_values, typed_by_hand, unknown_rows
from tests.unit.strategic.spine.spines import small_spine

VALUES = {"P1.title": "Dig", "P1.end": "4 May 2027", "P1.days": "12 working days", "total_cost": "EUR 12,400"}


@given(st.text(st.sampled_from("{}P1.endtotal_cost \n"), max_size=40))
def test_no_braces_are_left(text: str):
    found = render(text, VALUES | {"P1.note": "a {b}"})
    assert "{" not in found.text
    assert "}" not in found.text


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("Done on {{P1.end}}.", "Done on 4 May 2027."),
        ("Done on { p1 . End }.", "Done on 4 May 2027."),
        ("Done on {{P1.end_date}}.", "Done on 4 May 2027."),
        ("{{P1}} costs EUR {{total_cost}}", "Dig costs EUR 12,400"),
        ("It costs {{total_cost}} EUR.", "It costs EUR 12,400."),
        ("It takes {{P1.days}} working days.", "It takes 12 working days."),
    ],
)
def test_a_name_is_replaced_by_its_value(text: str, rendered: str):
    found = render(text, VALUES)
    assert (found.text, found.unknown) == (rendered, ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{total_costs}}", Rendered(text="EUR 12,400", unknown=("total_costs",), used=("total_cost",))),
        ("{{P1.p80}}", Rendered(text="Dig", unknown=("P1.p80",), used=("P1.title",))),
        ("{{P9.end}}", Rendered(text="(not known)", unknown=("P9.end",))),
    ],
)
def test_an_unknown_name_is_listed_and_replaced_by_the_nearest(text: str, expected: Rendered):
    assert render(text, VALUES) == expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It costs {{total_cost}} by {P1.end}.", ()),
        ("It costs 12.400 € bis zum 4. Mai 2027 und nicht mehr.", ()),
        ("It costs EUR 12.4k by 2027-05-04.", ()),
        ("It costs EUR 12,500 by 5 May 2027, on 12 days in May 2027.", ("EUR 12,500", "5 May 2027")),
        ("Between EUR 12,400 and 13,000.", ("EUR 12,400 and 13,000",)),
        (
            "It costs EUR 70 a day (assumed), EUR 71 (zu prüfen: beim Amt), EUR 72 (in 2026) and EUR 73.",
            ("EUR 72", "EUR 73"),
        ),
        ("EUR 74 and EUR 75, 2.5 days more (computed: 12 x {{P1.days}}). EUR 76.", ("EUR 76",)),
    ],
)
def test_amounts_and_dates_that_are_typed_are_found(text: str, found: tuple[str, ...]):
    assert typed_by_hand(text, VALUES.values()) == found


def test_ids_that_no_row_has_are_found_outside_braces_and_are_no_percentiles_and_quarters():
    text = "P1, P7 and {{P8.end}} by Q3; P80 is later than P50. See P9, K12; not AP3, P1.5 or P07."

    assert unknown_rows(text, {"P1"}) == ("P7", "P9", "K12")


def test_values_of_a_spine_are_formatted_for_readers():
    values = spine_values(small_spine())
    expected: dict[str, str | None] = {
        "P1.title": "Design the hall",
        "P1.likely": "8 working days",
        "P1.owner": "Site manager",
        "P3.not_before": "30 August 2027",
        "P2.effort": None,
        "G1.leaving_cost": "EUR 0",
        "P3.fixed": "yes",
        "L1.amount": "EUR 12,000",
        "D1.b_days": "30 calendar days",
        "D1.a_cost": "EUR 12,000",
        "B1.name": "Town council",
        "A1.party": "Town council",
        "K1.odds": "20%",
        "frame.budget": "EUR 250,000",
        "frame.end": "1 September 2027",
    }
    assert {key: values.get(key) for key in expected} == expected
