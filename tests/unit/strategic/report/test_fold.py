"""A large table keeps its first rows, and all its cells once, as data that the page opens."""

import json
import re

import pytest

from planloom.planes.strategic.report.fold import MOST_BYTES, MOST_ROWS, SHOWN_ROWS, compact
from planloom.planes.strategic.report.prose import prose


def table(rows: int, cell: str = "cell") -> str:
    lines = [f"| {n} | {cell} {n} | owner {n % 3} |" for n in range(rows)]
    return prose("\n".join(("| id | text | owner |", "|---|---|---|", *lines)))


def data(html: str) -> list[tuple[int, list[str], list[int]]]:
    found = re.findall(r'<script type="application/json" class="rows">(.*?)</script>', html, re.DOTALL)
    return [tuple(json.loads(each)) for each in found]


def opened(html: str) -> list[list[str]]:
    """Return the rows that page.js makes of the data."""
    ((columns, cells, order),) = data(html)
    texts = [cells[each] for each in order]
    return [texts[at : at + columns] for at in range(0, len(texts), columns)]


@pytest.mark.parametrize("text", ["no table at all", "<p>none</p>", ""])
def test_what_holds_no_table_stays(text):
    assert compact(text) == text


def test_a_table_of_as_many_rows_as_are_allowed_stays():
    assert compact(table(MOST_ROWS)) == table(MOST_ROWS)


def test_of_a_longer_one_the_first_rows_are_shown_and_the_others_kept_as_data():
    html = compact(table(MOST_ROWS + 1))

    assert re.findall(r"cell (\d+)</td>", html) == [str(n) for n in range(SHOWN_ROWS)]
    assert "12 of 61 rows; the others need the script of this page." in html
    assert opened(html) == [[str(n), f"cell {n}", f"owner {n % 3}"] for n in range(SHOWN_ROWS, MOST_ROWS + 1)]


def test_a_text_that_repeats_is_stored_once():
    ((_, cells, _),) = data(compact(table(1000)))

    assert cells.count("owner 1") == 1


def test_a_table_of_few_wide_rows_is_folded_too_and_keeps_one_at_least():
    html = compact(table(3, "word " * (MOST_BYTES // 5)))

    assert "1 of 3 rows" in html
    assert len(opened(html)) == 2


def test_nothing_in_the_data_ends_its_element_or_is_markup_that_was_not_there():
    html = compact(table(100, "</script><!-- <b>x</b> `<i>` **bold**"))
    inside = re.search(r'class="rows">(.*)</script>', html, re.DOTALL)[1]

    assert "<" not in inside
    assert opened(html)[0][1] == (
        "&lt;/script&gt;&lt;!-- &lt;b&gt;x&lt;/b&gt; <code>&lt;i&gt;</code> <strong>bold</strong> 12"
    )


def test_several_tables_are_folded_apart_and_what_is_between_them_stays():
    html = compact(f"<p>before</p>{table(100)}<p>between</p>{table(2)}<p>after</p>")

    assert len(data(html)) == 1
    assert [html.count(f"<p>{each}</p>") for each in ("before", "between", "after")] == [1, 1, 1]


def test_data_take_less_than_two_thirds_of_what_the_rows_took():
    assert len(compact(table(2000))) < len(table(2000)) * 2 / 3
