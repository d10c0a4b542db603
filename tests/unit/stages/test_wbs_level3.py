"""Stage 023 with the outline, and with tasks that a language model might give."""

from collections import defaultdict

import pytest

from planloom.stages.wbs_level3 import STAGE, WbsLevel3Answer, settled
from tests.unit.stages.drafted import drafted
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP], ids=["cafe", "flood wall", "nurse app"])


def by_package(level3):
    found = defaultdict(list)
    for leaf in level3.leaves:
        found[leaf.package].append(leaf)
    return found


@GOALS
def test_the_tasks_of_a_package_are_all_of_it(prompt):
    made = drafted(prompt)
    found = by_package(made["wbs_level3"])
    assert list(found) == [p.id for p in made["wbs"].packages]
    for package, leaves in found.items():
        assert sum(leaf.share for leaf in leaves) == pytest.approx(1, abs=0.001)
        assert [leaf.id for leaf in leaves] == [f"{package}.{n}" for n in range(1, len(leaves) + 1)]
        assert all(leaf.owner and leaf.test for leaf in leaves)


@GOALS
def test_tasks_last_three_to_thirty_days_where_the_work_is_ours(prompt):
    made = drafted(prompt)
    days = {e.task: e.mean for e in made["task_durations"].estimates}
    ours = {p.id for p in made["wbs"].packages if not p.fixed}
    for package, leaves in by_package(made["wbs_level3"]).items():
        if package in ours:
            assert len(leaves) == 1 or min(leaf.share * days[package] for leaf in leaves) >= 1.5
            assert max(leaf.share * days[package] for leaf in leaves) <= 33


def test_joined_tasks_keep_what_they_held():
    made = drafted(CAFE)
    charter = by_package(made["wbs_level3"])["1.1"]
    assert len(charter) == 1
    assert charter[0].title.count(";") == 2


def test_a_package_without_tasks_is_a_task_of_its_own_and_strangers_are_left_out():
    wbs = drafted(CAFE)["wbs"]
    task = {"package": "1.1", "title": "Write the charter", "owner": "Partner", "share": 30, "test": "Signed by both"}
    answer = WbsLevel3Answer.model_validate({"tasks": [task, {**task, "share": 60}, {**task, "package": "88.1"}]})
    found = by_package(settled(wbs, [answer]))
    assert [leaf.share for leaf in found["1.1"]] == pytest.approx([1 / 3, 2 / 3], abs=0.001)
    assert len(found["1.2"]) == 1
    assert found["1.2"][0].test == wbs.packages[1].test
    assert "88.1" not in found


def test_markdown_shows_every_task():
    level3 = drafted(CAFE)["wbs_level3"]
    text = STAGE.markdown(level3)
    assert all(f"| {leaf.id} |" in text for leaf in level3.leaves)
