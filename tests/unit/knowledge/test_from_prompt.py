"""Every signal of a prompt has rows that speak of it, and every row can be filled."""

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files

import pytest

from planloom.knowledge.brief import Brief, make_brief
from planloom.knowledge.from_prompt import prompt_rows
from planloom.knowledge.signals import signals
from tests.unit.stages.drafting import TODAY
from tests.unit.stages.more_goals import MORE
from tests.unit.stated_facts import stated_facts as read_facts
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

TABLES = ("risks", "assumptions", "premises", "blockers", "stops", "steps", "levers")
#: One prompt for each gap and double meaning that the three goals do not have.
STRANGE = (
    "Build 200 garden sheds.",
    "Move our office by 03/04/2028. The budget is $400,000.",
    "Open a pool in Trondheim by May 2029. The budget is NOK 20 to 30 million. July is closed for holidays.",
    "Move our office to Lyon by May 2028. The budget is $400,000.",
    "Sell 500 loaves a day by May 2028 in Graz. We must keep the old sign.",
    "Found a choir with one grant of CHF 12,000 in Bern. The hall must be cleared by the city.",
    "Open a bakery by June 2030 in Graz. Open a café in three months from now.",
    "Plan a fair in Ulm in eight weeks. The council may stop it.",
)


def brief(prompt: str) -> Brief:
    return make_brief(prompt, read_facts(prompt, TODAY), TODAY)


def rows() -> Iterator[tuple[str, dict[str, object]]]:
    table = tomllib.loads((files("planloom.knowledge") / "from_prompt.toml").read_text(encoding="utf-8"))
    assert tuple(table) == TABLES
    for name in TABLES:
        for row in table[name]:
            yield name, row


@pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP, *MORE.values(), *STRANGE])
def test_every_row_that_is_called_is_filled_and_names_days_that_exist(prompt: str) -> None:
    mine = brief(prompt)
    for table in TABLES:
        for row in prompt_rows(mine, table):
            said = " ".join(str(cell) for cell in row.cells.values())
            assert not re.search(r"\{\w*\}", said), said
            assert {row.cells[name] for name in ("near", "by") if name in row.cells} <= row.signal.days.keys()


def test_every_signal_of_the_tables_is_one_that_a_prompt_can_give() -> None:
    given = {
        s.name for prompt in (CAFE, FLOOD_WALL, NURSE_APP, *MORE.values(), *STRANGE) for s in signals(brief(prompt))
    }
    named = {name for _, row in rows() for name in row["signals"]}  # type: ignore[attr-defined]
    assert named - given == set()


def test_rows_come_by_weight_and_not_more_often_than_they_say() -> None:
    called = [row.signal for row in prompt_rows(brief(FLOOD_WALL), "risks")]
    assert [signal.weight for signal in called] == sorted((signal.weight for signal in called), reverse=True)
    assert [signal.name for signal in called].count("target") == 2
    assert [signal.name for signal in signals(brief(FLOOD_WALL))].count("target") == 3


def test_what_others_decide_comes_before_what_is_only_promised() -> None:
    names = [row.signal.name for row in prompt_rows(brief(CAFE), "risks")]
    assert names.index("approval") < names.index("target") < names.index("ban")
