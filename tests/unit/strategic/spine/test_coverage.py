from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.coverage import DraftRow, draft_rows, missing
from planloom.planes.strategic.spine.markdown import markdown
from planloom.planes.strategic.spine.spine import Spine
from tests.unit.strategic.spine.free_plans import (
    HEATING,
    HEATING_SPINE,
    SHOP,
    SHOP_SPINE,
    STREET,
    STREET_SPINE,
)
from tests.unit.strategic.spine.spines import small_spine
from tests.unit.strategic.spine.test_markdown import large_spine

DRAFT = """# The hall
The council votes on 1 February 2027 on EUR 250,000. Renting costs EUR 12k a year, EUR 1,000 a month.
We keep EUR 31,500 back for repairs. The keys are returned on 24 December 2028.

## Work
| No | Task | Who | Days | After |
|----|:-----|-----|-----:|-------|
| 1 | **Designing the hall** and its yard | site manager | 5 - 8 - 15 | - |
| 2 | Tender for the hall | buyer | 10/12/20 | 1 |
| 3 | Train the ushers | volunteers | 2 | 2 |
| 4 | Second tender for the hall | buyer | 10 | 2 |

## Money
| Item | Quantity | Rate | Amount |
|---|---|---|---|
| Hall rent | 12 months | 1,000 | 12,000 |
| Insurance of visitors | 1 | 800 | 800 |
| **Total cost** without tax | | | 12,800 |

| Month | Paid |
|---|---|
| May 2027 | 1,000 |
"""


def test_rows_of_tables_of_work_and_cost_that_the_spine_does_not_have_are_found():
    assert [row.cells[:2] for row in missing(DRAFT, small_spine())] == [("3", "Train the ushers")]


PLANS = {"heating": (HEATING, HEATING_SPINE), "shop": (SHOP, SHOP_SPINE), "street": (STREET, STREET_SPINE)}


@pytest.mark.parametrize("name", PLANS)
def test_of_a_plan_in_free_form_that_was_transcribed_whole_nothing_is_asked_for(name: str):
    assert missing(*PLANS[name]) == ()


@pytest.mark.parametrize(
    ("name", "table", "id_", "row"),
    [
        ("heating", "packages", "P4", "Faculty application to the diocese"),
        ("heating", "packages", "P9", "Training of the two caretakers"),
        ("heating", "lines", "L5", "Electrical supply to the plant room"),
        ("heating", "risks", "K3", "Ground conducts worse than assumed"),
        ("shop", "packages", "P5", "Elektrik und Kühlleitungen"),
        ("shop", "packages", "P8", "Probeverkauf mit 40 Mitgliedern"),
        ("shop", "lines", "L7", "Unvorhergesehenes"),
        ("shop", "approvals", "A2", "Mietvertrag mit der Bahn"),
        ("street", "lines", "L2", "Liability insurance for one day"),
    ],
)
def test_a_row_of_a_table_in_free_form_that_was_left_out_is_asked_for(name: str, table: str, id_: str, row: str):
    draft, spine = PLANS[name]
    rows = tuple(each for each in getattr(spine, table) if each.id != id_)
    found = missing(draft, spine.model_copy(update={table: rows}))
    assert [each.cells[0] for each in found] == [row]


def test_a_row_has_its_heading_and_the_head_of_its_table():
    found = next(draft_rows("## Work\n\nText | of no table\n\n| A | B |\n|---|---|\n| `x` | a \\| [b](c) |\n"))
    assert found == DraftRow(heading="Work", head=("A", "B"), cells=("x", "a | b"))


@pytest.mark.parametrize("spine", [small_spine(), large_spine()])
def test_a_spine_has_all_of_itself(spine: Spine):
    assert missing(markdown(spine), spine) == missing("", spine)


def test_rows_in_other_words_are_there_by_their_label_or_by_a_word_and_numbers():
    spine = Spine(
        frame=r.Frame(title="Planning of exams", objective="Plan all exams", currency="EUR", start=date(2027, 1, 4)),
        packages=(
            r.Package(id="P1", title="Run the tender", low=40, likely=55, high=80),
            r.Package(id="P2", title="Data protection impact assessment", low=10, likely=15, high=30),
            r.Package(id="P3", title="Migrate exam data of three terms", low=8, likely=9, high=21),
        ),
        lines=(r.Line(id="L1", title="Licence and hosting", rate=95_000),),
    )
    draft = (
        "| Id | Task | Who | Days |\n|---|---|---|---|\n"
        "| T1 | Tender procedure (open) | Lead | 40/55/80 |\n"
        "| T2 | Assessment of impact (DPIA) | DPO | 10 - 15 - 30 |\n"
        "| T3 | Migration of exam data | Analyst | 12 |\n"
        "| T5 | Training of 40 clerks | Trainer | 5/8/12 |\n"
    )
    assert [row.cells[0] for row in missing(draft, spine)] == ["T5"]


@given(st.text(st.sampled_from("|-# \nab1€.`"), max_size=60))
def test_any_text_can_be_compared(text: str):
    assert len(missing(text, small_spine())) <= text.count("\n")
