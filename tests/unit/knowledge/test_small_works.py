"""A very small goal gets a small breakdown that fits its frame."""

import pytest

from planloom.knowledge.small_works import is_very_small
from planloom.knowledge.timetable import outline_timetable, outline_works
from tests.unit.knowledge.planning import brief
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

SMALL = [
    "Paint my kitchen within two weeks for under 300 euros.",
    "Organise a birthday party for 20 children in our garden on 12 December 2026 for 200 euros.",
    "Write a one-page website for our choir within four weeks.",
]


@pytest.mark.parametrize("prompt", SMALL)
def test_a_goal_of_a_few_weeks_has_few_packages_of_days(prompt: str) -> None:
    planned = brief(prompt)
    made = outline_works(planned)
    assert is_very_small(planned)
    assert 8 <= len(made) <= 16
    assert {"charter", "procurement", "acceptance", "handover"} <= {work.row.id for work in made}
    frame = (planned.end_assumed - planned.start).days
    assert max(work.row.days[1] for work in made if not work.row.fixed) <= frame / 5


def test_a_kitchen_is_painted_in_time() -> None:
    planned = brief(SMALL[0])
    assert outline_timetable(planned).solved.end <= planned.end_assumed
    assert "Room finished in coats or rows" in {work.row.title for work in outline_works(planned)}


@pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP, "Paint my kitchen."])
def test_a_longer_or_open_frame_keeps_the_whole_breakdown(prompt: str) -> None:
    assert not is_very_small(brief(prompt))
