"""Rows of the kind of project and of its topics in turn, so that a short list holds both."""

from dataclasses import replace
from itertools import chain, zip_longest
from typing import TypeVar

from planloom.knowledge.brief import Brief
from planloom.knowledge.tables import Row

T = TypeVar("T", bound=Row)


def mixed_rows(brief: Brief, table: str, kind: type[T]) -> tuple[T, ...]:
    """Return the rows of :meth:`Brief.rows`, the archetype's and the topics' alternating, each in its own order."""
    own = replace(brief, topics=()).rows(table, kind)
    added = [row for row in brief.rows(table, kind) if row not in own]
    pairs = chain.from_iterable(zip_longest(own, added))
    return tuple(row for row in pairs if row is not None)
