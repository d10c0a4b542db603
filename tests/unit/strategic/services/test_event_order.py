"""Whatever the bus does to events (late, twice, in any order, lost), the log holds each once, under rising cursors."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from planloom.core.artifacts import artifact
from planloom.planes.strategic.event_log import Entry, shown
from planloom.planes.strategic.events import AnswerKept, PlanEvent, RunEnded, RunStarted, StageFinished, StageStarted
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.steps import StepRecord
from tests.fakes import FakePlanStore

NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)
KEYS = ("001", "002", "003", "016")


def plan() -> Plan:
    return Plan(plan_id="p", account="acme", prompt_excerpt="Goal.", model_profile="baseline", created_at=NOW)


def published(run: int = 1) -> list[PlanEvent]:
    """Return what a run of four steps publishes, as it happens."""
    events: list[PlanEvent] = [RunStarted(plan_id="p", run=run, at=NOW)]
    for number, key in enumerate(KEYS):
        at = NOW + timedelta(minutes=number)
        made = (artifact(f"{key}-1-name.json", b"{}", at),)
        record = StepRecord(key=key, name="name", run=run, fingerprint="f", artifacts=made, started_at=at, ended_at=at)
        events += [
            StageStarted(plan_id="p", run=run, at=at, key=key, name="name", title="Name"),
            AnswerKept(plan_id="p", run=run, at=at, key=key, call="one", answers=1),
            StageFinished(plan_id="p", run=run, at=at, title="Name", record=record),
        ]
    return [*events, RunEnded(plan_id="p", run=run, at=NOW + timedelta(hours=1), state="completed")]


ALL = [*published(1), *published(2)]
deliveries = st.lists(st.sampled_from(ALL), max_size=80)


@given(deliveries, st.data())
@settings(max_examples=200)
def test_a_reader_sees_every_event_once_wherever_it_comes_back(events: list[PlanEvent], data: st.DataObject) -> None:
    store = FakePlanStore()
    store.add(plan())
    seen: list[Entry] = []
    for event in events:
        store.apply(event)
        if data.draw(st.booleans()):
            # a reader that is cut off after any number of entries continues from the last one it saw
            seen += store.events_after("p", seen[-1].cursor if seen else 0, data.draw(st.integers(1, 5)))
    while page := store.events_after("p", seen[-1].cursor if seen else 0, 3):
        seen += page

    cursors = [entry.cursor for entry in seen]
    assert all(before < after for before, after in pairwise(cursors))
    assert seen == store.events_after("p", 0, 10_000)
    different = {event.event_id: event for event in events}
    assert len(seen) == 1 + sum(len(shown(event, () if event.run == 1 else None)) for event in different.values())


@given(deliveries)
@settings(max_examples=200)
def test_progress_never_falls_and_ends_the_same_in_any_order(events: list[PlanEvent]) -> None:
    store = FakePlanStore()
    store.add(plan())
    for event in events:
        store.apply(event)
    percents = [
        entry.data["progress_percentage"]
        for entry in store.events_after("p", 0, 10_000)
        if entry.type == "progress_updated"
    ]
    assert percents == sorted(percents)
    assert all(0 <= percent <= 100 for percent in percents)
    finished = {event.record.key for event in events if isinstance(event, StageFinished) and event.run == 1}
    view = store.get("p")
    assert view
    assert set(view.steps_finished) == finished
    moving = [e.at for e in events if e.run == 1 and isinstance(e, StageStarted | AnswerKept | StageFinished)]
    assert view.last_progress_at == max(moving, default=None)
