"""A plan never fails for its form: what is too long for the page becomes files beside it, named in its place."""

import re
from dataclasses import replace

import pytest

from planloom.core.artifacts import checked
from planloom.planes.strategic.report import annexes
from planloom.planes.strategic.report.annexes import LIMIT_BYTES, Part, moved, too_long
from planloom.planes.strategic.report.page import Page, Rendered, Section, render
from tests.unit.strategic.report.drawn import chart, page

PROSE = "Some **bold** words" + " and a sentence that goes on" * 40 + ".\n\n- one\n- two\n\n"
ROW = "| {n} | the text of a row that says what is to be done, {n} | Site manager | when it is done |\n"
HEAD = "| id | text | owner | test |\n|---|---|---|---|\n"


def prose_of(size: int) -> str:
    """Return about *size* characters of Markdown."""
    return "# Title\n\nThe first words.\n\n" + PROSE * (size // len(PROSE))


def table_of(rows: int) -> str:
    return "# Title\n\nThe first words.\n\n" + HEAD + "".join(ROW.format(n=n) for n in range(rows))


def plan(*markdowns: str) -> Page:
    """Return a page with one section for each of *markdowns*; the first is open and has a chart."""
    sections = [Section(f"section_{n}", f"{n:03}", f"Section {n}", each) for n, each in enumerate(markdowns)]
    sections[0] = replace(sections[0], gantt=chart(20), open=True)
    return replace(page("Plan"), sections=tuple(sections))


def ids(rendered: Rendered) -> list[str]:
    return re.findall(r'<section id="([a-z_0-9]+)"', rendered.html)


def test_a_plan_that_fits_has_no_annex():
    made = render(plan(prose_of(10_000), prose_of(50_000)))

    assert made.annexes == {}
    assert 'role="note">This section' not in made.html


def test_the_longest_section_becomes_a_file_and_the_page_names_it_in_its_place():
    made = render(plan(prose_of(10_000), prose_of(400_000), prose_of(600_000)))

    assert list(made.annexes) == ["030-3-annex-section_2.html"]
    assert len(made.html.encode()) <= LIMIT_BYTES
    section = made.html.partition('<section id="section_2"')[2].partition("</section>")[0]
    words = len(prose_of(600_000).split())
    assert f"This section has {words:,} words; it is in the file" in section
    assert "<code data-file='030-3-annex-section_2.html'>030-3-annex-section_2.html</code>" in section
    assert '<p dir="auto">The first words.</p>' in section
    assert ids(made) == ["section_0", "goal", "section_1", "section_2", "quality", "claims"]


def test_an_annex_is_a_page_of_its_own_with_the_policy_of_the_report():
    made = render(plan(prose_of(1_000), prose_of(1_200_000) + "\n<script>alert(1)</script>"))
    annex = made.annexes["030-3-annex-section_1.html"]
    policy = re.compile(r'Content-Security-Policy" content="([^"]+)"')

    assert annex.count("<h2 ") == 1
    assert "Section 1</h2>" in annex
    assert "<details open>" in annex
    assert policy.search(annex)[1] == policy.search(made.html)[1]
    assert annex.count("<script") == 1
    assert '<code data-file="030-report.html">' in annex
    assert "alert(1)" in annex


@pytest.mark.parametrize(
    "markdowns",
    [
        [prose_of(360_000)] * 28,
        [prose_of(5_000_000), prose_of(1_000)],
        [prose_of(1_000), prose_of(5_000_000), *[prose_of(60_000)] * 27],
        [prose_of(1_000), table_of(20_000)],
        [prose_of(1_000), "word" * 1_500_000],
        [prose_of(1_000), *[table_of(1_300)] * 10],
    ],
    ids=["10 MB", "5 MB in the first", "5 MB in one", "20,000 rows", "one word of 6 MB", "ten times the tables"],
)
def test_no_size_fails_and_nothing_is_lost(markdowns, monkeypatch):
    # the same rule at a tenth of the cost
    monkeypatch.setattr(annexes, "RENDERED_CHARS", 300_000)
    given = plan(*markdowns)
    made = render(given)

    assert len(made.html.encode()) <= LIMIT_BYTES
    for section in given.sections:
        rendered, plain = (f"030-3-annex-{section.id}.{ending}" for ending in ("html", "md"))
        noted = f"<code data-file='{rendered}'>" in made.html, f"<code data-file='{plain}'>" in made.html
        assert noted == (rendered in made.annexes, plain in made.annexes)
        if plain in made.annexes:
            assert made.annexes[plain] == section.markdown
    assert {checked(path) for path in made.annexes} == set(made.annexes)


def test_twenty_thousand_rows_are_data_of_an_annex():
    made = render(plan(prose_of(1_000), table_of(20_000)))

    assert list(made.annexes) == ["030-3-annex-section_1.html"]
    assert len(made.annexes["030-3-annex-section_1.html"]) < 0.8 * 3_138_000, "of what its rows take as HTML"
    assert made.annexes["030-3-annex-section_1.html"].count("<tr>\n<t") == 13


def test_a_chart_stays_in_the_page_when_its_text_moves():
    text_moved = render(plan(prose_of(1_100_000)))
    long = Section("schedule", "026", "Schedule", "Text.", chart(3000), open=True)
    chart_moved = render(replace(page("Plan"), sections=(long,)))

    assert list(text_moved.annexes) == ["030-3-annex-section_0.html"]
    assert text_moved.html.count("gantt-svg") > 1
    assert list(chart_moved.annexes) == ["030-3-annex-schedule-chart.html"]
    assert "This chart is in the file" in chart_moved.html


def test_a_goal_and_claims_of_any_size_are_shown_or_moved():
    large = replace(plan("Text."), prompt="word " * 300_000, quality=table_of(100))

    assert list(render(large).annexes) == ["030-3-annex-goal.html"]


def test_the_longest_are_too_long_until_the_others_fit():
    assert too_long(["a" * 10, "b" * 20]) == frozenset()
    assert too_long(["a" * 2_000_000, "b" * 2_500_000, "c" * 100]) == {1}
    assert too_long(["a" * 4_000_000]) == {0}


def test_parts_move_longest_first_and_late_ones_last():
    parts = [Part(key, "section", key * size, late=key == "c") for key, size in (("a", 500), ("b", 300), ("c", 400))]
    notes = dict.fromkeys("abc", "note")

    assert moved(parts, notes, 1200) == frozenset()
    assert moved(parts, notes, 1100) == {"a"}
    assert moved([*parts, Part("d", "section", "d" * 350)], notes | {"d": "note"}, 900) == {"a", "d"}, "c is late"
    assert moved(parts, notes, 600) == {"a", "c"}, "c fills half of the page: it is no longer late"
    assert moved(parts, notes, 10) == {"a", "b", "c"}
