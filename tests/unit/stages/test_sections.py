"""What holds for every section from the start to the pitch, whatever the goal."""

import re
from datetime import date
from itertools import combinations, pairwise

import pytest

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult
from tests.unit.stages.drafting import TODAY, draft, draft_anew, stage
from tests.unit.stages.more_goals import GAP, MORE, NO_BUDGET
from tests.unit.stages.sections import FIRST_TEN, SECTIONS, page_of, section
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, **MORE}
EVERY_SECTION = pytest.mark.parametrize("name", SECTIONS)
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
        mine, theirs = lines(page_of(one, name)), lines(page_of(other, name))
        shared = mine & theirs
        assert len(shared) < 0.25 * min(len(mine), len(theirs)), sorted(shared)


@EVERY_GOAL
def test_no_page_uses_a_word_that_fills_space(prompt: str) -> None:
    for name in SECTIONS:
        assert FILLER.findall(page_of(prompt, name)) == [], name


@EVERY_GOAL
def test_no_placeholder_is_left_open(prompt: str) -> None:
    for name in SECTIONS:
        text = page_of(prompt, name)
        assert re.findall(r"\{\w+\}|TODO|\bNone\b(?! in the goal)|the the |the my ", text) == [], name


@EVERY_GOAL
def test_every_table_has_as_many_cells_in_a_row_as_in_its_head(prompt: str) -> None:
    for name in SECTIONS:
        for block in re.findall(r"(?:^\|.*\|$\n?)+", page_of(prompt, name), re.MULTILINE):
            widths = {len(re.findall(r"(?<!\\)\|", row)) for row in block.strip().splitlines()}
            assert len(widths) == 1, (name, block)


@EVERY_GOAL
def test_every_heading_has_something_below_it(prompt: str) -> None:
    for name in SECTIONS:
        text = page_of(prompt, name)
        empty = re.findall(r"^(#{2,}) .*\n+(?=\1(?!#)|\Z)|^### .*\n+(?=## )", text, re.MULTILINE)
        assert empty == [], name


def test_words_that_the_goal_bans_are_printed_nowhere_and_no_sentence_with_one_is_quoted() -> None:
    prompt = CAFE.replace("Bread is baked", "Artisanal bread is baked").replace("'curated'", "'curated' or 'written'")
    for name in SECTIONS:
        if name != "start":
            # the heads of columns are the page's own
            text = re.sub(r"^\|.*\|\n(?=\|---)", "", page_of(prompt, name), flags=re.MULTILINE)
            assert re.findall(r"artisanal|curated|\bwritten\b", text, re.IGNORECASE) == [], name


@pytest.mark.parametrize(
    ("prompt", "figures"),
    [
        (CAFE, ["EUR 240,000", "EUR 90,000", "EUR 150,000", "EUR 3,200", "48", "180", "62%", "14 months", "7 am"]),
        (FLOOD_WALL, ["DKK 186,000,000", "1.4 km", "12 %", "1.1 m", "20%", "+2.1 m", "2.5 m3/s", "three closures"]),
        (NURSE_APP, ["USD 420,000", "60 nurses", "900", "90 seconds", "two weeks", "1%", "2 GB", "18 months"]),
    ],
    ids=["cafe", "flood wall", "nurse app"],
)
def test_every_figure_that_binds_the_plan_appears_before_the_plan_itself(prompt: str, figures: list[str]) -> None:
    said = "\n".join(page_of(prompt, name) for name in FIRST_TEN)
    assert [figure for figure in figures if figure not in said] == []


def test_15_2_every_section_up_to_the_pitch_says_the_same_of_the_same_goal() -> None:
    again = draft_anew(GAP, *SECTIONS)
    for name in SECTIONS:
        assert again[name] is not section(GAP, name)
        assert stage(name).files(again[name]) == stage(name).files(section(GAP, name))


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
    for name in SECTIONS:
        assert all(day >= TODAY for day in days(section(prompt, name))), name


@pytest.mark.parametrize("opening", ["1 May 2027", "1 December 2027"])
def test_nothing_is_due_in_the_month_that_is_closed(opening: str) -> None:
    prompt = CAFE.replace("1 May 2027", opening)
    for name in SECTIONS:
        assert [day for day in days(section(prompt, name)) if day.month == 8] == [], name


@EVERY_GOAL
def test_each_claim_is_made_once_and_named_for_its_stage(prompt: str) -> None:
    for name in SECTIONS:
        ids = [claim.id for claim in section(prompt, name).claims]
        assert len(ids) == len(set(ids))
        assert all(claim_id.startswith(f"{name}.") for claim_id in ids)


@EVERY_GOAL
def test_a_result_reads_back_from_its_file_as_it_was(prompt: str) -> None:
    for name in SECTIONS:
        result = section(prompt, name)
        assert stage(name).result.model_validate_json(result.model_dump_json()) == result


@pytest.mark.parametrize(
    "prompt", ["x", "Plan.", "?", "Eröffne ein Café in Wien.", "我们想在上海开一家书店。", "a " * 400]
)
def test_a_prompt_that_says_next_to_nothing_still_gets_every_section(prompt: str) -> None:
    drafted = draft(prompt, *SECTIONS)
    assert [name for name in SECTIONS if len(stage(name).markdown(drafted[name])) < 60] == []
