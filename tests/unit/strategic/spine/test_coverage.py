from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.coverage import DraftRow, draft_rows, missing
from planloom.planes.strategic.spine.markdown import markdown
from planloom.planes.strategic.spine.spine import Spine
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


def test_rows_and_figures_that_the_spine_does_not_have_are_found():
    found = missing(DRAFT, small_spine())
    assert [row.cells[:2] for row in found.rows] == [("3", "Train the ushers"), ("Insurance of visitors", "1")]
    assert [(figure.kind, figure.text) for figure in found.figures] == [
        ("amount", "EUR 31,500"),
        ("date", "24 December 2028"),
    ]
    assert found.figures[0].sentence == "We keep EUR 31,500 back for repairs."


def test_a_row_has_its_heading_and_the_head_of_its_table():
    found = next(draft_rows("## Work\n\nText | of no table\n\n| A | B |\n|---|---|\n| `x` | a \\| [b](c) |\n"))
    assert found == DraftRow(heading="Work", head=("A", "B"), cells=("x", "a | b"))


@pytest.mark.parametrize("spine", [small_spine(), large_spine()])
def test_a_spine_has_all_of_itself(spine: Spine):
    assert missing(markdown(spine), spine) == missing("", spine)


def test_a_draft_in_another_language_is_compared_too():
    spine = Spine(
        frame=r.Frame(title="Halle", objective="Die Halle öffnen", currency="EUR", start=date(2027, 1, 4)),
        packages=(r.Package(id="P1", title="Halle ausschreiben", not_before=date(2027, 5, 4)),),
        lines=(r.Line(id="L1", title="Miete", quantity=12, rate=1200.5),),
    )
    draft = (
        "Die Miete der Halle ist 14.406 € und wird nicht am 4. Mai 2027 gezahlt, sondern am 9. Mai 2027.\n\n"
        "| Aufgabe | Tage |\n|---|---|\n| Ausschreibung der Halle | 10 |\n| Einlasskräfte schulen | 3 |\n"
    )
    found = missing(draft, spine)
    assert [row.cells[0] for row in found.rows] == ["Einlasskräfte schulen"]
    assert [figure.text for figure in found.figures] == ["9. Mai 2027"]


def test_rows_in_other_words_are_there_by_their_label_numbers_or_amount():
    spine = Spine(
        frame=r.Frame(title="Planning of exams", objective="Plan all exams", currency="EUR", start=date(2027, 1, 4)),
        roles=(r.Role(id="R1", title="Business analyst"),),
        packages=(
            r.Package(id="P1", title="Run the tender", low=40, likely=55, high=80),
            r.Package(id="P2", title="Data protection impact assessment", low=10, likely=15, high=30),
            r.Package(id="P3", title="Migrate exam data of three terms", low=8, likely=9, high=21, owner="R1"),
        ),
        lines=(r.Line(id="L1", title="Licence and hosting", rate=95_000),),
    )
    draft = (
        "| Id | Task | Who | Days |\n|---|---|---|---|\n"
        "| T1 | Tender procedure (open) | Lead | 40/55/80 |\n"
        "| T2 | DPIA | DPO | 10 - 15 - 30 |\n"
        "| T3 | Migration of data from exams | Analyst | 12 |\n"
        "| T4 | Licences of the product from its vendor | | EUR 95,000 |\n"
        "| T5 | Training of 40 clerks | Trainer | 5/8/12 |\n"
    )
    assert [row.cells[0] for row in missing(draft, spine).rows] == ["T5"]


@given(st.text(st.sampled_from("|-# \nab1€.`"), max_size=60))
def test_any_text_can_be_compared(text: str):
    assert len(missing(text, small_spine()).rows) <= text.count("\n")


def test_an_amount_that_shows_its_own_sum_needs_no_row():
    said = "Sources bring GBP 1,630,000 (computed: 640,000 + 6 x 165,000); a pump costs GBP 4,321 (12 to 14 weeks)."
    assert [figure.text for figure in missing(said, small_spine()).figures] == ["GBP 4,321"]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("By June EUR 31,500 are paid (computed: three instalments).", []),
        ("Bis Juni sind 31.500 € bezahlt (berechnet).", []),
        ("Without the hall of P1 it is EUR 31,500.", []),
        ("Without the hall of P99 it is EUR 31,500.", ["EUR 31,500"]),
        ("We pay EUR 31,500 and EUR 500, together EUR 32,000.", ["EUR 31,500", "EUR 500"]),
        ("We pay EUR 4,000, EUR 7,000 and EUR 1,000, together EUR 12,000.", []),
    ],
)
def test_an_amount_that_follows_from_rows_needs_none(said: str, left: list[str]):
    assert [figure.text for figure in missing(said, small_spine()).figures] == left
