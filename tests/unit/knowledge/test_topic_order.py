"""A topic's work comes before the work of the archetype that rests on it."""

from datetime import date

from planloom.knowledge.brief import make_brief
from planloom.knowledge.sequence import orders
from planloom.knowledge.work_breakdown import works
from tests.unit.stated_facts import stated_facts as read_facts

FLOOD_WALL = (
    "The municipality of Aalborg will build 1.4 km of flood wall against a storm surge at the fjord by 30 September "
    "2029 for DKK 186 million. Residents must keep access, and birds are nesting there from April on."
)


def test_surveys_and_talks_come_before_the_permits_that_ask_for_them() -> None:
    today = date(2026, 11, 2)
    brief = make_brief(FLOOD_WALL, read_facts(FLOOD_WALL, today), today)
    planned = works(brief)
    ids = {work.row.id: work.id for work in planned}

    waited_for = {order.after for order in orders(brief, planned) if order.task == ids["permits"]}

    assert {ids["water_basis"], ids["nature_baseline"]} <= waited_for
