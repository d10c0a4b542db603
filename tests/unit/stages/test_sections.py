"""What holds for every section from the project plan to the pitch, whatever the goal."""

import re
from datetime import date
from itertools import combinations

import pytest

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult
from tests.unit.stages.drafting import TODAY, draft, stage
from tests.unit.stages.more_goals import GAP, MARATHON, MORE, NO_BUDGET
from tests.unit.stages.planned import SECTIONS, page, planned
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, **MORE}
EVERY_SECTION = pytest.mark.parametrize("name", SECTIONS)
EVERY_GOAL = pytest.mark.parametrize("prompt", GOALS.values(), ids=GOALS)

FILLER = re.compile(r"\b(?:robust|holistic|leverag(?:e[sd]?|ing)|ensur(?:e[sd]?|ing)|seamless(?:ly)?|synerg)\w*", re.I)


def lines(text: str) -> set[str]:
    """The lines of a page that say something: no headings, no heads of tables."""
    found = {line.strip() for line in text.splitlines()}
    return {line for line in found if len(line) > 40 and not line.startswith(("#", "|---"))}


@EVERY_SECTION
def test_two_goals_share_less_than_a_quarter_of_their_lines(name):
    for one, other in combinations((CAFE, FLOOD_WALL, NURSE_APP, GAP, NO_BUDGET), 2):
        mine, theirs = lines(page(one, name)), lines(page(other, name))
        shared = mine & theirs
        assert len(shared) < 0.25 * min(len(mine), len(theirs)), sorted(shared)


@EVERY_GOAL
def test_no_page_uses_a_word_that_fills_space(prompt):
    for name in SECTIONS:
        assert FILLER.findall(page(prompt, name)) == [], name


@EVERY_GOAL
def test_no_cell_is_empty_of_words_or_left_open(prompt):
    for name in SECTIONS:
        text = page(prompt, name)
        assert "TODO" not in text
        assert "None (" not in text
        assert not re.search(r"\{\w+\}", text), re.findall(r"\{\w+\}", text)


def test_words_that_the_goal_bans_are_printed_nowhere():
    for name in SECTIONS:
        text = page(CAFE, name).lower()
        assert "artisanal" not in text
        assert "curated" not in text


def test_a_sentence_with_a_banned_word_is_not_quoted():
    prompt = CAFE.replace("Bread is baked on site", "Artisanal bread is baked on site")

    for name, result in draft(prompt, *SECTIONS).items():
        if name in SECTIONS:
            assert "artisanal" not in stage(name).markdown(result).lower(), name


@EVERY_SECTION
def test_15_2_the_sections_say_the_same_of_the_same_goal(name):
    again = draft(MARATHON, name)[name]

    assert stage(name).files(again) == stage(name).files(planned(MARATHON)[name])


def days(value: object) -> list[date]:
    """All dates in a result, at any depth."""
    if isinstance(value, date):
        return [value]
    if isinstance(value, Answer | StageResult):
        return [d for field in type(value).model_fields for d in days(getattr(value, field))]
    if isinstance(value, list | tuple):
        return [d for item in value for d in days(item)]
    return []


@EVERY_GOAL
def test_no_action_is_dated_before_the_work_starts(prompt):
    for name in SECTIONS:
        assert all(day >= TODAY for day in days(planned(prompt)[name])), name


def test_nothing_is_due_in_the_month_that_the_cafe_is_closed():
    for name in SECTIONS:
        assert [d for d in days(planned(CAFE)[name]) if d.month == 8] == [], name


@EVERY_GOAL
def test_each_claim_is_made_once_and_named_for_its_stage(prompt):
    for name in SECTIONS:
        ids = [claim.id for claim in planned(prompt)[name].claims]
        assert len(ids) == len(set(ids))
        assert all(claim_id.startswith(f"{name}.") for claim_id in ids)


@EVERY_GOAL
def test_a_result_reads_back_from_its_file_as_it_was(prompt):
    for name in SECTIONS:
        result = planned(prompt)[name]
        assert stage(name).result.model_validate_json(result.model_dump_json()) == result
