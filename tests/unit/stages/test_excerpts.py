"""What stages read of each other: every section and column that an excerpt names is there, and limits hold."""

import re
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise

import pytest

from planloom.domain.sections import sections
from planloom.stages import PIPELINE
from planloom.stages.excerpt import Excerpt, Pick
from planloom.stages.lenses import Lens
from planloom.stages.stage import Stage
from tests.unit.stages.finished import text_of
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP}


def excerpts_in(value: object) -> Iterator[Excerpt]:
    if isinstance(value, Excerpt):
        yield value
    elif isinstance(value, Lens):
        yield from value.reads
    elif isinstance(value, tuple):
        for each in value:
            yield from excerpts_in(each)


def excerpts_of(stage: Stage) -> list[Excerpt]:
    module = import_module(f"planloom.stages.{stage.name}")
    return [excerpt for value in vars(module).values() for excerpt in excerpts_in(value)]


EVERY = [(stage, excerpt) for stage in PIPELINE for excerpt in excerpts_of(stage)]


def test_stages_declare_excerpts_and_only_of_what_they_need() -> None:
    assert len(EVERY) > 40
    assert {(s.name, e.stage) for s, e in EVERY if e.stage not in s.needs} == set()


@pytest.mark.parametrize("prompt", GOALS.values(), ids=GOALS)
def test_an_excerpt_holds_to_its_limit_and_says_something(prompt: str) -> None:
    for stage, excerpt in EVERY:
        text = excerpt.of(text_of(prompt, excerpt.stage))
        assert 20 < len(text) <= excerpt.limit, f"{stage.name}: {excerpt}"


def test_every_section_and_column_that_an_excerpt_names_is_on_a_page() -> None:
    missing = set()
    for _, excerpt in EVERY:
        for pick in excerpt.picks:
            found = [s for goal in GOALS.values() for s in sections(text_of(goal, excerpt.stage))]
            fitting = [s for s in found if s.heading.startswith(pick.heading)]
            heads = {head for section in fitting for head in table_heads(section.body)}
            missing |= {(excerpt.stage, pick.heading, name) for name in {*pick.columns} - heads}
            missing |= set() if fitting else {(excerpt.stage, pick.heading, "")}
    assert missing == set()


def table_heads(body: str) -> set[str]:
    """Return the heads of all columns of the tables in *body*."""
    rows = pairwise(body.splitlines())
    return {cell.strip() for head, rule in rows if re.fullmatch(r"\|[-:| ]+\|", rule) for cell in head.split("|")}


def test_a_page_that_lost_every_section_is_shown_from_its_beginning() -> None:
    excerpt = Excerpt("team", 60, (Pick("Roles"),))

    assert excerpt.of("# Somebody's own page\n\nTwo bakers.") == "# Somebody's own page\n\nTwo bakers."


def test_a_long_section_leaves_a_short_one_its_room() -> None:
    page = "## Long\n\n" + "One more word. " * 100 + "\n\n## Short\n\nThree bakers.\n"

    text = Excerpt("team", 200, (Pick("Long"), Pick("Short"))).of(page)

    assert text.endswith("[shortened]\n\nShort:\nThree bakers.")
    assert len(text) <= 200
