import csv
from datetime import date

from hypothesis import given, settings

from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.csv_tables import csv_tables
from planloom.planes.strategic.spine.markdown import HEADINGS, for_model, markdown, page
from planloom.planes.strategic.spine.repair import repaired
from planloom.planes.strategic.spine.spine import TABLES, Spine
from tests.unit.strategic.spine.spines import TODAY, small_spine, spines


def large_spine() -> Spine:
    """As large as a plan is: 80 packages, 31 lines, 25 demands, 12 risks, with texts of usual length."""
    text = "The owner has read the papers of the meeting and signed the list of what is missing, with a day for each. "
    packages = tuple(
        r.Package(
            id=f"P{n}",
            title=f"Prepare the documents of building part number {n}",
            deliverable=f"V{n % 9 + 1}",
            owner=f"R{n % 12 + 1}",
            kind="tender",
            low=n,
            likely=n + 3,
            high=n + 20,
            effort=n,
            done_when=text[:100],
            before=text[:90],
            needs=[r.Need(id=f"P{m}", lag=2) for m in range(max(1, n - 2), n)],
            also=[r.Share(role="R3", days=2)],
        )
        for n in range(1, 81)
    )
    return Spine(
        frame=r.Frame(title="Hall", objective=text * 3, concept=text * 10, currency="EUR", start=TODAY),
        packages=packages,
        lines=tuple(r.Line(id=f"L{n}", title=text[:60], rate=n * 1000, package=f"P{n}") for n in range(1, 32)),
        demands=tuple(r.Demand(id=f"N{n}", text=text, due=date(2027, 5, 4), met_by=[f"P{n}"]) for n in range(1, 26)),
        risks=tuple(
            r.Risk(id=f"K{n}", cause=text, event=text, effect=text, trigger=text, response=text * 2, hits=[f"P{n}"])
            for n in range(1, 13)
        ),
    )


@settings(max_examples=25)
@given(spines())
def test_each_row_is_on_one_line_of_its_table(spine: Spine):
    found, _ = repaired(spine, TODAY)
    text, compact = markdown(found).splitlines(), for_model(found).splitlines()
    for row in found.rows():
        assert len([line for line in text if line.startswith(f"| {row.id} |")]) == 1
        assert len([line for line in compact if line.startswith(f"{row.id} | ")]) == 1


@settings(max_examples=25)
@given(spines())
def test_csv_has_all_fields_and_no_formulas(spine: Spine):
    found, _ = repaired(spine, TODAY)
    tables = csv_tables(found)
    for name, text in tables.items():
        lines = list(csv.DictReader(text.splitlines()))
        assert [line["id"] for line in lines] == [row.id for row in getattr(found, name)]
        assert {*TABLES[name][1].model_fields} <= {*lines[0]}
        cells = [cell for line in lines for cell in line.values()]
        assert not [cell for cell in cells if cell.startswith(("=", "@", "+"))]


def test_a_page_has_the_tables_that_are_asked_for():
    text = page(small_spine(), ("lines", "streams", "roles"))
    assert [line for line in text.splitlines() if line.startswith("#")] == ["## Cost lines", "## Roles"]
    assert "EUR 12,000" in text


def test_every_table_has_a_heading():
    assert set(HEADINGS) == set(TABLES)


def test_a_large_spine_fits_the_context_of_a_model_whole():
    spine = large_spine()
    text = for_model(spine)
    assert len(text) < 100_000
    assert all(row.done_when in text and row.before in text for row in spine.packages)
    assert for_model(spine, ("roles",)).count("\n## ") == 0


def test_a_row_has_the_names_of_its_fields_and_nothing_empty():
    lines = for_model(small_spine()).splitlines()
    assert (
        "P2 | Tender the hall | deliverable V1 | owner R2 | 10/12/20 d | also R1 2 person-days | needs P1 SS+5" in lines
    )
    assert (
        "P3 | Open the doors | deliverable V2 | owner R1 | 1/1/1 d | needs P2 | not_before 2027-08-30 | fixed" in lines
    )
