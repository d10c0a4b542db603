"""What takes place on a day takes place on that day, and its set-up, release and take-down around it."""

from datetime import date

import pytest

from planloom.knowledge.targets import FixedDay, fixed_day
from planloom.knowledge.timetable import outline_timetable, outline_works
from tests.unit.knowledge.planning import brief

JUNE = date(2027, 6, 5)
JULY = FixedDay(date(2027, 7, 9), date(2027, 7, 11))

HELD = [
    ("We are getting married on Saturday 5 June 2027 at a farm near Cork, with 120 guests.", FixedDay(JUNE, JUNE)),
    ("Organise our wedding in Cork. The wedding is on Saturday 5 June 2027. Invitations must be out by 1 March 2027.",
     FixedDay(JUNE, JUNE)),
    ("Organise our wedding on 5 June 2027 near Cork. The caterer must be chosen by 1 February 2027.",
     FixedDay(JUNE, JUNE)),
    ("Organise a book festival in Stavanger from 9 to 11 July 2027 with 40 authors.", JULY),
    ("Organise a book festival in Stavanger from 9 July 2027 to 11 July 2027. Sponsors must sign by 1 March 2027.",
     JULY),
]  # fmt: skip


def packages(prompt: str):
    times = outline_timetable(brief(prompt))
    return {work.row.id: times.solved.tasks[work.id] for work in outline_works(brief(prompt))}


@pytest.mark.parametrize(("prompt", "held"), HELD)
def test_the_date_of_an_event_is_its_deadline_and_not_its_start(prompt: str, held: FixedDay) -> None:
    mine = brief(prompt)
    assert (fixed_day(mine), mine.deadline, mine.start) == (held, held.last, mine.today)


@pytest.mark.parametrize(("prompt", "held"), HELD)
def test_an_event_stands_on_its_day_with_the_work_around_it(prompt: str, held: FixedDay) -> None:
    placed = packages(prompt)
    event = placed.get("event_days") or placed["the_day"]
    assert (event.start, event.end) == (held.first, held.last)
    assert placed["setup"].end <= placed["acceptance"].start
    assert 0 < (held.first - placed["acceptance"].end).days <= 5
    after = placed.get("takedown") or placed["returns"]
    assert 0 < (after.start - held.last).days <= 3


def test_what_the_goal_wants_before_the_event_does_not_wait_for_it() -> None:
    placed = packages(HELD[2][0])
    assert placed["x_the_caterer_must_be_chosen"].end < date(2027, 3, 1)


def test_the_success_of_an_event_is_read_after_it() -> None:
    placed = packages(f"{HELD[3][0]} It is a success if 85% of tickets are sold and visitors rate it 4 of 5.")
    assert placed["success_read_1"].start > JULY.last


def test_a_start_that_is_no_event_stays_a_start() -> None:
    mine = brief("Open a bookshop in Porto with 40 seats. Work starts on 4 January 2027. It opens by 1 December 2027.")
    assert (mine.start, mine.deadline, fixed_day(mine)) == (date(2027, 1, 4), date(2027, 12, 1), None)
