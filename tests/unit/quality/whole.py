"""Whole drafts as the checks read them, each made once: what a test plants its faults in."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from planloom.quality.draft import Draft
from planloom.stages.parts.checked_draft import checked_draft
from tests.unit.stages.drafting import desk_for, stage
from tests.unit.stages.finished import finished


@cache
def whole(prompt: str) -> Draft:
    """Return the finished outline plan of *prompt* with nothing planted in it."""
    desk = desk_for(prompt, stage("report"), finished(prompt))
    return checked_draft(desk, desk.texts)


def with_text(draft: Draft, file: str, old: str, new: str) -> Draft:
    """Return *draft* with *new* in place of the first *old* of the page *file*."""
    assert old in draft.pages[file], f"{file} does not hold {old!r}"
    return with_pages(draft, {file: draft.pages[file].replace(old, new, 1)})


def with_line(draft: Draft, file: str, line: str) -> Draft:
    """Return *draft* with the paragraph *line* at the end of the page *file*."""
    return with_pages(draft, {file: f"{draft.pages[file].rstrip()}\n\n{line}\n"})


def with_pages(draft: Draft, pages: Mapping[str, str]) -> Draft:
    """Return *draft* with *pages* in place of those of the same names."""
    return replace(draft, pages={**draft.pages, **pages})
