"""A spine as CSV, one text for each table."""

import csv
from io import StringIO
from typing import Any

from planloom.planes.strategic.spine.markdown import item_text
from planloom.planes.strategic.spine.spine import TABLES, Spine

#: What begins a formula in a spreadsheet.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def csv_tables(spine: Spine) -> dict[str, str]:
    """Return CSV by name of each table with rows: a column for each field, lists joined with ``; ``.

    Numbers have no unit, days are ISO dates. A text that begins like a formula is preceded by an apostrophe.
    """
    return {name: _text(spine, name) for name in TABLES if getattr(spine, name)}


def _text(spine: Spine, name: str) -> str:
    fields = [*TABLES[name][1].model_fields, *(["amount"] if name == "lines" else [])]
    made = StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(fields)
    for row in getattr(spine, name):
        writer.writerow([_cell(getattr(row, field), spine.frame.currency) for field in fields])
    return made.getvalue()


def _cell(value: Any, currency: str) -> str:
    if isinstance(value, bool | int | float):
        return f"{value:.12g}" if isinstance(value, float) else str(value).lower()
    if isinstance(value, list):
        value = "; ".join(item_text(item, currency) for item in value)
    text = " ".join(str(value or "").split())
    return f"'{text}" if text.startswith(_FORMULA) else text
