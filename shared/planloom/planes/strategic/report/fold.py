"""Large tables as compact data: the first rows stay in the page, page.js adds the others when a section opens."""

import json
import re

#: A table beyond either limit is made compact.
MOST_ROWS = 60
MOST_BYTES = 30_000
#: The rows that are readable without script: at most this many rows and bytes, at least one row.
SHOWN_ROWS = 12
SHOWN_BYTES = 8_000

_TABLE = re.compile(
    r'<div class="table"><table>\s*(<thead>.*?</thead>)\s*<tbody>(.*?)</tbody>\s*</table></div>', re.DOTALL
)
_ROW = re.compile(r"<tr>.*?</tr>", re.DOTALL)
_CELL = re.compile(r"<td[^>]*>(.*?)</td>", re.DOTALL)


def compact(html: str) -> str:
    """Return *html*, which is safe already, with its large tables made compact; the rest is unchanged.

    A compact table is followed by a note, which page.js removes, and by ``[columns, cells, order]`` as JSON: the rows
    left out read row by row are ``cells[n]`` for each ``n`` of ``order``, so that a text that repeats is stored once.
    """
    return _TABLE.sub(_compact_table, html)


def _compact_table(table: re.Match[str]) -> str:
    rows = _ROW.findall(table[2])
    if len(rows) <= MOST_ROWS and len(table[2].encode()) <= MOST_BYTES:
        return table[0]
    shown = _shown(rows)
    cells = [_CELL.findall(row) for row in rows[shown:]]
    columns = {len(row) for row in cells}
    if len(columns) != 1:
        return table[0]
    return (
        f'<div class="table"><table>\n{table[1]}\n<tbody>\n{"".join(rows[:shown])}\n</tbody></table></div>'
        f'<p class="folded">{shown:,} of {len(rows):,} rows; the others need the script of this page.</p>'
        f'<script type="application/json" class="rows">{_packed(columns.pop(), cells)}</script>'
    )


def _shown(rows: list[str]) -> int:
    size = 0
    for count, row in enumerate(rows[:SHOWN_ROWS]):
        size += len(row.encode())
        if size > SHOWN_BYTES:
            return max(count, 1)
    return min(len(rows), SHOWN_ROWS)


def _packed(columns: int, rows: list[list[str]]) -> str:
    places: dict[str, int] = {}
    order = [places.setdefault(cell, len(places)) for row in rows for cell in row]
    text = json.dumps([columns, list(places), order], ensure_ascii=False, separators=(",", ":"))
    # nothing in it may end the element or begin a comment
    return text.replace("<", "\\u003c")
