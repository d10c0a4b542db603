"""The watchdog: it acts on what stopped moving, and says so."""

import pytest

from functions.watchdog.handler import handler
from tests.unit.functions.conftest import Context, Log
from tests.unit.services.walk import begin
from tests.worlds import PROMPT, Fakes


def test_it_returns_and_logs_what_it_did(fakes: Fakes, log: Log) -> None:
    lost, running, dead = begin(fakes), begin(fakes), begin(fakes)
    del fakes.pipeline.runs[lost.plan_id, 1]
    fakes.pipeline.runs[dead.plan_id, 1] = "FAILED"
    fakes.clock.pass_(minutes=1)

    assert handler({}, Context()) == {lost.plan_id: "started", dead.plan_id: "ended"}
    assert fakes.pipeline.status(lost.plan_id, 1) == "RUNNING"
    assert [fakes.plans.plans[plan.plan_id].state for plan in (lost, running, dead)] == ["pending", "pending", "failed"]
    assert [(line["message"], line["acted"]) for line in log.messages()] == [("plans watched", 2)]
    assert PROMPT[:60] not in log.text()


def test_a_plan_that_cannot_be_looked_at_keeps_none_of_the_others_from_it(
    fakes: Fakes, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, dead = begin(fakes), begin(fakes)
    fakes.pipeline.runs[dead.plan_id, 1] = "FAILED"
    status = fakes.pipeline.status

    def look(plan_id: str, run: int) -> str | None:
        if plan_id == broken.plan_id:
            raise ConnectionError("not today")
        return status(plan_id, run)

    monkeypatch.setattr(fakes.pipeline, "status", look)

    with pytest.raises(ExceptionGroup):
        handler({}, Context())
    assert fakes.plans.plans[dead.plan_id].state == "failed"
