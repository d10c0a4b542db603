"""A figure of the report's first page; not in page.py, whose libraries only the report stage has."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Card:
    """A figure of page one: what it is, its value, and what it means."""

    label: str
    value: str
    note: str = ""
    tone: str = field(default="", metadata={"one of": "good, warn, bad or empty"})
