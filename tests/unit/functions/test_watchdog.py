"""The watchdog: it acts on what stopped moving, and says so."""

import pytest

from functions.watchdog import handler as watchdog
from functions.watchdog.handler import handler
from tests.fake_ports import PROMPT, Fakes
from tests.unit.functions.conftest import Context, Log
from tests.unit.strategic.services.walk import begin


@pytest.fixture(autouse=True)
def namespace(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment of every Lambda."""
    monkeypatch.setattr(watchdog.metrics.provider, "namespace", "planloom")


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


def test_what_it_did_is_counted(fakes: Fakes, log: Log) -> None:
    silent, dead = begin(fakes), begin(fakes)
    fakes.pipeline.runs[dead.plan_id, 1] = "FAILED"
    fakes.clock.pass_(minutes=12)

    assert handler({}, Context()) == {silent.plan_id: "stalled", dead.plan_id: "ended"}
    (counted,) = log.metrics()
    names = ("PlansStarted", "PlansEnded", "PlansStalled", "PlansInactive")
    assert [counted[name] for name in names] == [[0.0], [1.0], [1.0], [0.0]]


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
