"""Figures of the base document follow the rows that hold them, in the form in which they are printed."""

from datetime import date
from typing import Any

import pytest

from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.stages.anchors import anchored, figures_of, old_values, put_in, stating
from planloom.planes.strategic.stages.blocks import blocks_of, joined
from tests.unit.strategic.compute.sound import added, changed, sound

SPINE = added(
    changed(sound(), "L2", quantity=1, rate=120_000),
    r.Line(id="L40", title="Rent", quantity=12, rate=1_250.5),
    r.Gate(id="G9", title="Stop", day=date(2027, 3, 1)),
)
HEAD = "| No. | What | A | B | C |\n|---|---|---|---|---|\n"


def named(markdown: str, language: str = "en") -> str:
    return joined(anchored(blocks_of(markdown), SPINE, language)).removeprefix(HEAD).strip()


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("| L40 | Rent | 12 | 1,250.5 | 15,006 |",
         "| L40 | Rent | {{L40.quantity=12}} | {{L40.rate=1,250.5}} | {{L40.amount=15,006}} |"),
        ("| L2 | Hall | 1 | 120,000 | 120,000 |",
         "| L2 | Hall | {{L2.quantity=1}} | {{L2.rate=120,000}} | {{L2.amount=120,000}} |"),
        ("| **K1** | 20 trucks | 20% | P6 +5 | none |", "| **K1** | 20 trucks | {{K1.odds=20%}} | P6 +5 | none |"),
        ("| G9 | Stop | 1 March 2027 | 2027-03-01 | 7 |",
         "| G9 | Stop | {{G9.day=1 March 2027}} | {{G9.day=2027-03-01}} | 7 |"),
    ],
)  # fmt: skip
def test_a_row_names_its_figures(row: str, found: str) -> None:
    assert named(f"{HEAD}{row}") == found


def test_equal_fields_of_one_row_are_named_in_order_only_as_often_as_they_are_there() -> None:
    assert named(f"{HEAD}| L2 | Hall | 2 | 7 | 120,000 |") == "| L2 | Hall | 2 | 7 | 120,000 |"


def test_a_sentence_names_the_figure_of_its_row_and_no_other_number() -> None:
    text = "For L40 we pay EUR 15,006, twelve times in 12 months. EUR 15,006 is not named here."

    assert named(text) == text.replace("pay EUR 15,006", "pay EUR {{L40.amount=15,006}}")


def test_options_are_named_below_their_decision_and_totals_below_their_lines() -> None:
    total = f"{sum(line.amount for line in SPINE.lines):,.0f}"
    lines = f"{HEAD}| L40 | Rent | - | - | - |\n| Total | - | - | - | {total} |"
    text = f"### D1 Which kitchen?\n\n{HEAD}| A | Used | 60,000 | 0 | - |\n\n{lines}"

    assert "| A | Used | {{D1.a_cost=60,000}} | 0 | - |" in named(text)
    assert f"| Total | - | - | - | {{{{total_cost={total}}}}} |" in named(text)


@pytest.mark.parametrize(
    ("hint", "value", "language", "printed"),
    [
        ("12,400", 12_400.0, "en", "12,400"),
        ("12,400", 13_000.0, "en", "13,000"),
        ("12 400", 1_234_567.0, "fr", "1 234 567"),
        ("12.400", 13_000.5, "de", "13.000,5"),
        ("12400", 13_000.0, "en", "13000"),
        ("950", 1_250.0, "de", "1.250"),
        ("20 %", 0.35, "fr", "35 %"),
        ("2027-03-01", date(2027, 4, 2), "en", "2027-04-02"),
        ("01.03.2027", date(2027, 4, 2), "de", "02.04.2027"),
        ("1er mars 2027", date(2027, 4, 2), "fr", "2 avril 2027"),
        ("1 Mar 2027", date(2027, 3, 1), "en", "1 Mar 2027"),
    ],
)
def test_a_figure_is_printed_in_the_form_that_it_had(hint: str, value: Any, language: str, printed: str) -> None:
    assert put_in(f"a {{{{L1.rate={hint}}}}} b", {"L1.rate": value}, language) == (f"a {printed} b", ())


def test_a_figure_that_is_gone_leaves_what_was_printed_and_is_said() -> None:
    assert put_in("{{P99.low=8}} days", {}, "en") == ("8 days", ("P99.low",))


def test_old_values_are_found_where_they_have_no_name() -> None:
    after = changed(SPINE, "L40", rate=2_000)
    old = old_values(figures_of(SPINE), figures_of(after))
    text = "The rent is EUR 15,006 in all; {{L40.amount=15,006}} of it for L40."

    assert {"L40.rate", "L40.amount", "total_cost"} <= set(old)
    assert list(stating(text, ((name, was) for name, (was, _) in old.items()), "en")) == [("15,006", ["L40.amount"])]
