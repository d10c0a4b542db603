"""The door of the stages: what it logs and measures."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from functions.stage import handler as door
from planloom import wiring
from planloom.domain.errors import StageAborted
from planloom.settings import Settings
from tests.unit.api.calling import Context
from tests.unit.services.walk import begin, work
from tests.worlds import Fakes, make_fakes


@pytest.fixture(scope="module", autouse=True)
def lambda_process() -> Iterator[None]:
    """End what lives as long as the Lambda's process does."""
    yield
    door._loop().close()
    door._loop.cache_clear()


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    made = make_fakes()
    monkeypatch.setattr(door.metrics.provider, "namespace", "planloom")
    monkeypatch.setattr(wiring, "world", lambda: made.world)
    monkeypatch.setattr(wiring, "settings", lambda: Settings.read({"PLAN_STAGE": "purpose"}))
    return made


@pytest.fixture
def logged(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    log = io.StringIO()
    monkeypatch.setattr(door.logger.registered_handler, "stream", log)
    return log


def lines(log: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in log.getvalue().splitlines()]


def test_what_made_a_stage_fail_is_in_the_log_with_its_cause(fakes: Fakes, logged: io.StringIO) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    fakes.files.write(plan.plan_id, "steps/004.json", b"{", "application/json")
    with pytest.raises(StageAborted), pytest.warns(UserWarning, match="No application metrics"):
        door.handler({"plan_id": plan.plan_id, "run": 1}, Context())
    failed = lines(logged)[-1]
    assert (failed["message"], failed["plan_id"], failed["stage"]) == ("stage failed", plan.plan_id, "purpose")
    assert "ValidationError" in failed["exception"]


def test_a_stage_that_an_earlier_run_made_is_not_measured_again(
    fakes: Fakes, logged: io.StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = begin(fakes)
    work(fakes, plan, "start")
    door.handler({"plan_id": plan.plan_id, "run": 1}, Context())
    assert "ModelCalls" in capsys.readouterr().out
    fakes.plans.plans[plan.plan_id] = fakes.plans.get(plan.plan_id).model_copy(update={"run": 2})
    with pytest.warns(UserWarning, match="No application metrics"):
        door.handler({"plan_id": plan.plan_id, "run": 2}, Context())
    assert [line["skipped"] for line in lines(logged) if "skipped" in line] == [False, True]
