"""Whole prompts: every fact that is read from each of nine goals, compared with what stands in ``read/``."""

import json
from datetime import date
from pathlib import Path

import pytest

from planloom.reading.facts import read_facts
from tests.unit import three_goals
from tests.unit.reading import goals
from tests.unit.reading.summary import summary

TODAY = date(2026, 11, 20)
READ = Path(__file__).parent / "read"
PROMPTS = {
    "cafe": three_goals.CAFE,
    "flood_wall": three_goals.FLOOD_WALL,
    "nurse_app": three_goals.NURSE_APP,
    "glacier": goals.GLACIER,
    "claims_migration": goals.CLAIMS_MIGRATION,
    "wedding": goals.WEDDING,
    "vaccines": goals.VACCINES,
    "podcast": goals.PODCAST,
    "bibliothek": goals.BIBLIOTHEK,
}


@pytest.mark.parametrize("name", PROMPTS)
def test_a_whole_prompt_is_read(name: str) -> None:
    read = json.loads(json.dumps(summary(read_facts(PROMPTS[name], TODAY)), default=str))

    assert read == json.loads((READ / f"{name}.json").read_text(encoding="utf-8"))


def test_the_first_sentence_is_the_objective_where_nothing_else_says_one() -> None:
    facts = read_facts("A red bridge. It crosses the brook.", TODAY)

    assert facts.objective.text == "A red bridge."
    assert [s.text for s in facts.sentences] == ["A red bridge.", "It crosses the brook."]


def test_what_stands_behind_the_first_hundred_and_twenty_thousand_characters_is_not_read() -> None:
    annex = "x" * 120_000

    assert read_facts(f"Build a pier. {annex} The budget is €5,000.", TODAY).money == ()
