"""Bus to view: each event of a batch for itself."""

import json
from datetime import UTC, datetime
from typing import Any

from functions.on_plan_event.handler import handler
from planloom.planes.strategic.events import PlanEvent, RunStarted, StageStarted
from tests.fake_ports import PROMPT, Fakes
from tests.unit.functions.conftest import Context, Log, batch, failed
from tests.unit.strategic.services.walk import begin

AT = datetime(2026, 11, 2, 9, tzinfo=UTC)


def envelope(event: PlanEvent, **changes: Any) -> dict[str, Any]:
    detail = json.loads(event.model_dump_json()) | changes
    return {"source": "planloom", "detail-type": type(event).__name__, "detail": detail}


def started(plan_id: str, key: str) -> StageStarted:
    return StageStarted(plan_id=plan_id, run=1, at=AT, key=key, name="n", title="T")


def test_a_batch_is_folded_into_progress_and_log(fakes: Fakes, log: Log) -> None:
    plan = begin(fakes)
    events = [RunStarted(plan_id=plan.plan_id, run=1, at=AT), started(plan.plan_id, "001")]

    answer = handler(batch(*(envelope(event) for event in events)), Context())

    assert answer == failed()
    assert fakes.plans.log[plan.plan_id] == events
    assert set(fakes.plans.plans[plan.plan_id].steps_started) == {"001"}
    applied = [(line["event"], line["first"]) for line in log.messages() if line["message"] == "event applied"]
    assert applied == [("RunStarted", True), ("StageStarted", True)]
    assert PROMPT[:60] not in log.text()


def test_one_bad_record_does_not_block_the_others(fakes: Fakes) -> None:
    plan = begin(fakes)
    good = started(plan.plan_id, "001")
    unknown = envelope(good) | {"detail-type": "StageExploded"}
    later = started(plan.plan_id, "002")

    answer = handler(batch("no json", envelope(good), unknown, envelope(good, at="never"), envelope(later)), Context())

    assert answer == failed(0, 2, 3)
    assert set(fakes.plans.plans[plan.plan_id].steps_started) == {"001", "002"}


def test_a_record_that_comes_again_is_taken_and_changes_nothing(fakes: Fakes) -> None:
    plan = begin(fakes)
    event = envelope(started(plan.plan_id, "001"))
    handler(batch(event), Context())
    before = fakes.plans.plans[plan.plan_id]

    assert handler(batch(event, event), Context()) == failed()
    assert (fakes.plans.plans[plan.plan_id], len(fakes.plans.log[plan.plan_id])) == (before, 1)


def test_an_event_of_a_plan_that_nobody_knows_is_taken_and_forgotten(fakes: Fakes) -> None:
    assert handler(batch(envelope(started("nobody's", "001"))), Context()) == failed()
    assert fakes.plans.log.get("nobody's", []) == []
