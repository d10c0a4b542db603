"""What holds for every section from the start to the pre-project assessment, whatever the goal."""

import re
from datetime import date
from itertools import combinations, pairwise

import pytest

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult
from tests.unit.stages.drafting import TODAY, draft, stage
from tests.unit.stages.more_goals import GAP, MORE, NO_BUDGET
from tests.unit.stages.opened import FIRST_TEN, opened, opened_page
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, **MORE}
EVERY_SECTION = pytest.mark.parametrize("name", FIRST_TEN)
EVERY_GOAL = pytest.mark.parametrize("prompt", GOALS.values(), ids=GOALS)

FILLER = re.compile(r"\b(?:robust|holistic|leverag(?:e[sd]?|ing)|ensur(?:e[sd]?|ing)|seamless(?:ly)?|synerg)\w*", re.I)


def lines(text: str) -> set[str]:
    """The lines of a page that say something: no headings, no heads of tables."""
    rows = [line.strip() for line in text.splitlines()]
    heads = {one for one, below in pairwise(rows) if below.startswith("|---")}
    found = {line for line in rows if line not in heads}
    return {line for line in found if len(line) > 40 and not line.startswith(("#", "|---"))}


@EVERY_SECTION
def test_two_goals_share_less_than_a_quarter_of_their_lines(name: str) -> None:
    for one, other in combinations((CAFE, FLOOD_WALL, NURSE_APP, GAP, NO_BUDGET), 2):
        mine, theirs = lines(opened_page(one, name)), lines(opened_page(other, name))
        shared = mine & theirs
        assert len(shared) < 0.25 * min(len(mine), len(theirs)), sorted(shared)


@EVERY_GOAL
def test_no_page_uses_a_word_that_fills_space(prompt: str) -> None:
    for name in FIRST_TEN:
        assert FILLER.findall(opened_page(prompt, name)) == [], name


@EVERY_GOAL
def test_no_placeholder_is_left_open(prompt: str) -> None:
    for name in FIRST_TEN:
        text = opened_page(prompt, name)
        assert re.findall(r"\{\w+\}|TODO|\bNone\b|the the |the my ", text) == [], name


@EVERY_GOAL
def test_every_table_has_as_many_cells_in_a_row_as_in_its_head(prompt: str) -> None:
    for name in FIRST_TEN:
        for block in re.findall(r"(?:^\|.*\|$\n?)+", opened_page(prompt, name), re.MULTILINE):
            widths = {len(re.findall(r"(?<!\\)\|", row)) for row in block.strip().splitlines()}
            assert len(widths) == 1, (name, block)


@EVERY_GOAL
def test_every_heading_has_something_below_it(prompt: str) -> None:
    for name in FIRST_TEN:
        text = opened_page(prompt, name)
        assert re.findall(r"^##.*\n+(?=##|\Z)", text, re.MULTILINE) == [], name


def test_words_that_the_goal_bans_are_printed_nowhere() -> None:
    prompt = CAFE.replace("Bread is baked", "Artisanal bread is baked").replace("'curated'", "'curated' or 'written'")
    for name, result in draft(prompt, *FIRST_TEN).items():
        if name != "start":
            assert re.findall(r"artisanal|curated|\bwritten\b", stage(name).markdown(result), re.IGNORECASE) == [], name


@pytest.mark.parametrize(
    ("prompt", "figures"),
    [
        (CAFE, ["EUR 240,000", "EUR 90,000", "EUR 150,000", "EUR 3,200", "48", "180", "62%", "14 months", "7 am"]),
        (FLOOD_WALL, ["DKK 186,000,000", "1.4 km", "12 %", "1.1 m", "20%", "+2.1 m", "2.5 m3/s", "three closures"]),
        (NURSE_APP, ["USD 420,000", "60 nurses", "900", "90 seconds", "two weeks", "1%", "2 GB", "18 months"]),
    ],
    ids=["cafe", "flood wall", "nurse app"],
)
def test_every_figure_that_binds_the_plan_appears(prompt: str, figures: list[str]) -> None:
    said = "\n".join(opened_page(prompt, name) for name in FIRST_TEN)
    assert [figure for figure in figures if figure not in said] == []


@EVERY_SECTION
def test_15_2_the_first_ten_steps_say_the_same_of_the_same_goal(name: str) -> None:
    again = draft(GAP, name)[name]
    assert stage(name).files(again) == stage(name).files(opened(GAP)[name])


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
def test_nothing_is_due_before_the_work_starts(prompt: str) -> None:
    for name in FIRST_TEN:
        assert all(day >= TODAY for day in days(opened(prompt)[name])), name


def test_nothing_is_due_in_the_month_that_is_closed() -> None:
    prompt = CAFE.replace("1 May 2027", "1 December 2027")
    for name, result in draft(prompt, *FIRST_TEN).items():
        assert [day for day in days(result) if day.month == 8] == [], name


@EVERY_GOAL
def test_each_claim_is_made_once_and_named_for_its_stage(prompt: str) -> None:
    for name in FIRST_TEN:
        ids = [claim.id for claim in opened(prompt)[name].claims]
        assert len(ids) == len(set(ids))
        assert all(claim_id.startswith(f"{name}.") for claim_id in ids)


@EVERY_GOAL
def test_a_result_reads_back_from_its_file_as_it_was(prompt: str) -> None:
    for name in FIRST_TEN:
        result = opened(prompt)[name]
        assert stage(name).result.model_validate_json(result.model_dump_json()) == result


@pytest.mark.parametrize(
    "prompt", ["x", "Plan.", "?", "Eröffne ein Café in Wien.", "我们想在上海开一家书店。", "a " * 400]
)
def test_a_prompt_that_says_next_to_nothing_still_gets_every_section(prompt: str) -> None:
    drafted = draft(prompt, *FIRST_TEN)
    assert [name for name in FIRST_TEN if len(stage(name).markdown(drafted[name])) < 60] == []
