from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings

from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.fields import SPREADS
from planloom.planes.strategic.spine.references import REFERENCES, reference_pairs, references
from planloom.planes.strategic.spine.repair import MOST_NOTES, acyclic, repaired
from planloom.planes.strategic.spine.repair_values import clipped
from planloom.planes.strategic.spine.spine import TABLES, Spine
from tests.unit.strategic.spine.spines import TODAY, small_spine, spines


def fixed(**tables: Any) -> Spine:
    return repaired(small_spine().model_copy(update=tables), TODAY)[0]


@settings(max_examples=60)
@given(spines())
def test_any_spine_holds_together_once_it_is_repaired(spine: Spine):
    found, notes = repaired(spine, TODAY)
    rows = found.by_id()
    assert len(rows) == len([*found.rows()])
    assert all(row.id[0] == TABLES[name][0] for name in TABLES for row in getattr(found, name))
    for row in rows.values():
        for path, ref in reference_pairs(row):
            assert ref in rows
            assert ref[0] in REFERENCES[type(row)][path]
        for low, likely, high in SPREADS.get(type(row), ()):
            assert getattr(row, low) <= getattr(row, likely) <= getattr(row, high)
    assert acyclic(found, []) == found
    assert found.packages
    assert found.deliverables
    assert len(notes) <= MOST_NOTES
    assert Spine.model_validate_json(found.model_dump_json()) == found


@settings(max_examples=60)
@given(spines())
def test_what_is_repaired_is_not_changed_again(spine: Spine):
    once, _ = repaired(spine, TODAY)
    assert repaired(once, TODAY) == (once, ())


def test_a_spine_that_holds_together_stays_as_it_is():
    assert repaired(small_spine(), TODAY) == (small_spine(), ())


def test_a_spine_with_nothing_gets_a_package_of_its_objective():
    found, notes = repaired(Spine(frame=r.Frame(title="Hall", objective="Open it", start=TODAY)), TODAY)
    assert [(p.title, p.deliverable) for p in found.packages] == [("Open it", "V1")]
    assert len(notes) == 2


def test_a_title_names_its_role_however_long_it_is():
    roles = (r.Role(id="R1", title="Data analyst"), r.Role(id="R2", title="Data protection officer of the university"))
    packages = (r.Package(id="P1", title="Assess", owner="Data protection officer (university)"),)
    assert fixed(roles=roles, packages=packages).packages[0].owner == "R2"


@pytest.mark.parametrize(
    "written", ["R2", "r 2", "R02", "R-2", "R2 Buyer", "2", "Buyer", "the buyer", "Buyer of works"]
)
def test_a_reference_in_another_form_names_the_row_that_it_means(written: str):
    packages = (r.Package(id="P1", title="Buy", owner=written),)
    assert fixed(packages=packages).packages[0].owner == "R2"


def test_a_cut_title_names_its_role_and_an_unknown_owner_is_the_first_role():
    packages = (
        r.Package(id="P1", title="Build", owner="Site manag"),
        r.Package(id="P2", title="Buy", owner="Astronaut"),
    )
    assert [p.owner for p in fixed(packages=packages).packages] == ["R1", "R1"]


def test_a_reference_to_a_table_that_is_not_allowed_is_removed():
    assert fixed(demands=(r.Demand(id="N1", text="Open", met_by=["R1", "P3"]),)).demands[0].met_by == ["P3"]


def test_a_deliverable_that_fulfils_a_demand_is_replaced_by_its_last_packages():
    assert fixed(demands=(r.Demand(id="N1", text="Open", met_by=["v1", "P3"]),)).demands[0].met_by == ["P2", "P3"]


def test_references_follow_a_row_of_the_wrong_form():
    packages = (r.Package(id="WP-A", title="Dig"), r.Package(id="P9", title="Build", needs=[r.Need(id="wp a")]))
    found = fixed(packages=packages).packages
    assert [(p.id, [n.id for n in p.needs]) for p in found] == [("P10", []), ("P9", ["P10"])]


def test_the_second_row_of_an_id_is_renumbered_and_references_stay_with_the_first():
    packages = (
        r.Package(id="P1", title="Dig"),
        r.Package(id="P1", title="Pour"),
        r.Package(id="P2", title="Build", needs=[r.Need(id="P1")]),
    )
    assert [(p.id, [n.id for n in p.needs]) for p in fixed(packages=packages).packages] == [
        ("P1", []),
        ("P3", []),
        ("P2", ["P1"]),
    ]


def test_rows_that_state_the_same_are_merged_and_references_redirected():
    roles = (
        r.Role(id="R1", title="Buyer"),
        r.Role(id="R2", title="buyer", work="Buys"),
        r.Role(id="R3", title="Clerk"),
    )
    packages = (r.Package(id="P1", title="Buy", owner="R2"), r.Package(id="P2", title="File", owner="R3"))
    found = fixed(roles=roles, packages=packages)
    assert [(role.id, role.work) for role in found.roles] == [("R1", "Buys"), ("R3", "")]
    assert [p.owner for p in found.packages] == ["R1", "R3"]


@pytest.mark.parametrize(
    ("first", "second", "rows"),
    [
        ("Tender the construction works", "Tender construction work", 1),
        ("Tender the hall, lot 1", "Tender the hall, lot 2", 2),
        ("Build the platform on the north side", "Build the platform on the south side", 2),
        ("Council session", "Council session", 1),
    ],
)
def test_packages_are_merged_where_their_titles_differ_in_endings_only(first: str, second: str, rows: int):
    packages = (r.Package(id="P1", title=first, owner="R1"), r.Package(id="P2", title=second, owner="R1", likely=9))
    assert len(fixed(packages=packages).packages) == rows


def test_packages_of_one_title_that_need_each_other_are_two():
    packages = (
        r.Package(id="P1", title="Review"),
        r.Package(id="P2", title="Change", needs=[r.Need(id="P1")]),
        r.Package(id="P3", title="Review", needs=[r.Need(id="P2")]),
    )
    assert len(fixed(packages=packages).packages) == 3


def test_a_cycle_is_broken_at_the_reference_that_closes_it():
    spine = small_spine()
    gate = spine.gates[0].model_copy(update={"needs": ["P3"], "frees": ["P1"]})
    found, notes = repaired(spine.model_copy(update={"gates": (gate,)}), TODAY)
    assert (found.gates[0].needs, found.gates[0].frees) == (["P3"], [])
    assert len(notes) == 1


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ((5, 3, 1), (1, 3, 5)),
        ((1, 10, 1), (10, 10, 10)),
        ((5, 1, 10), (1, 5, 10)),
        ((8, 10, 1), (8, 10, 10)),
        ((0, 0, 0), (0.5,) * 3),
    ],
)
def test_durations_are_brought_into_order(given: tuple[float, ...], kept: tuple[float, ...]):
    low, likely, high = given
    found = fixed(packages=(r.Package(id="P1", title="Dig", low=low, likely=likely, high=high),)).packages[0]
    assert (found.low, found.likely, found.high) == kept


def test_days_outside_the_years_of_a_plan_are_removed():
    party = r.Party(
        id="B1", name="Board", meeting_days=[date(2027, 3, 1), date(1987, 1, 1), date(2027, 2, 1), date(2027, 3, 1)]
    )
    frame = r.Frame(title="Hall", objective="Open", start=date(1999, 1, 1), end=date(2026, 1, 1), currency="eur")
    found = fixed(parties=(party,), frame=frame)
    assert found.parties[0].meeting_days == [date(2027, 2, 1), date(2027, 3, 1)]
    assert (found.frame.start, found.frame.end, found.frame.currency) == (TODAY, None, "EUR")


def test_options_have_keys_of_their_own_and_the_recommended_one_is_among_them():
    options = [r.Option(key="a", title="Rent"), r.Option(key="A", title="Buy"), r.Option(key="B", title="Wait")]
    decision = r.Decision(id="D1", question="What?", options=options, recommended="Z")
    found = fixed(decisions=(decision,)).decisions[0]
    assert ([o.key for o in found.options], found.recommended) == (["A", "C", "B"], "")


def test_numbers_are_finite_and_a_fixed_package_has_a_day():
    gate = r.Gate(id="G1", title="Go", leaving_cost=float("inf"))
    found = fixed(gates=(gate,), packages=(r.Package(id="P1", title="Dig", fixed=True),))
    assert (found.gates[0].leaving_cost, found.packages[0].fixed) == (0, False)


def test_texts_end_at_a_sentence_or_a_word():
    assert clipped("One is here. Two is there. Three", 28) == "One is here. Two is there."
    assert clipped("One two three four", 12) == "One two…"


def test_references_are_those_of_all_fields():
    assert references(small_spine().packages[1]) == {"V1", "R1", "R2", "P1"}


def test_the_days_of_a_line_keep_their_shares():
    days = [date(2027, 9, 1), date(2027, 3, 1), date(1900, 1, 1), date(2027, 9, 1)]
    line = r.Line(id="L1", title="Rent", rate=1_000, paid="on_days", days=days, shares=[0.2, 0.5, 0.1, 0.2])
    spine = small_spine().model_copy(update={"lines": (line,)})
    (found,) = repaired(spine, TODAY)[0].lines
    assert (found.days, found.shares) == ([date(2027, 3, 1), date(2027, 9, 1)], [0.5, 0.4])


def test_a_source_can_depend_on_a_package():
    source = r.Source(id="F1", title="Grant", amount=1_000, after="p 2")
    spine = small_spine().model_copy(update={"sources": (source,)})
    assert repaired(spine, TODAY)[0].sources[0].after == "P2"
