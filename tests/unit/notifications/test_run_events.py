"""The end of a run as an event."""

from typing import Any

from planloom.notifications.run_events import run_ended_event
from planloom.runs.records import Run, RunFailure, RunState
from tests.unit.notifications.fakes import NOW


def a_run(**fields: Any) -> Run:
    given = {
        "run_id": "r1",
        "plane": "graphs",
        "account": "acme",
        "subject": "g1",
        "title": "Nightly",
        "work": "w",
        "steps": 1,
        "state": RunState.COMPLETED,
        "created_at": NOW,
        "ended_at": NOW,
    }
    return Run.model_validate(given | fields)


def test_a_run_that_ended_is_an_event_that_says_how() -> None:
    failure = RunFailure(code="STEP_FAILED", message="Step 2 failed.")
    event = run_ended_event(a_run(state=RunState.FAILED, failure=failure))
    assert event is not None
    assert (event.account, event.type, event.at) == ("acme", "run.ended", NOW)
    assert event.data == {
        "plane": "graphs",
        "run_id": "r1",
        "title": "Nightly",
        "state": "failed",
        "reason": "Step 2 failed.",
    }


def test_each_number_of_a_run_has_one_end() -> None:
    ends = [run_ended_event(a_run(number=number)) for number in (1, 1, 2)]
    assert len({each.event_id for each in ends if each}) == 2


def test_a_run_that_has_not_ended_or_publishes_its_end_itself_is_no_event() -> None:
    found = [run_ended_event(each) for each in (None, a_run(state=RunState.WAITING), a_run(plane="workflows"))]
    assert found == [None, None, None]
