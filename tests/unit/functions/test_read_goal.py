"""The Lambda that reads goals: it records what came of it, and its log says nothing of the goal."""

import asyncio
from collections.abc import Iterator

import pytest

from functions.read_goal import handler as read_goal
from planloom import wiring
from planloom.core.errors import FactsNotFound
from planloom.models.errors import ModelRejected
from planloom.planes.strategic.services.plan_facts import find_facts, plan_facts
from tests.fake_ports import Fakes
from tests.fakes import FakeGoalReader
from tests.unit.functions.conftest import Context, Log
from tests.unit.strategic.services.goal_reading import GOAL, ReaderModel, with_model


@pytest.fixture
def model() -> ReaderModel:
    return ReaderModel()


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch, model: ReaderModel) -> Iterator[Fakes]:
    """Ports whose model is asked by the Lambda alone."""
    made, runner = with_model(model, FakeGoalReader()), asyncio.Runner()
    monkeypatch.setattr(wiring, "ports", lambda: made.ports)
    monkeypatch.setattr(read_goal, "_loop", lambda: runner)
    monkeypatch.setattr(read_goal.metrics.provider, "namespace", "planloom")
    yield made
    runner.close()


def test_a_reading_is_recorded_logged_and_measured(fakes: Fakes, model: ReaderModel, log: Log) -> None:
    facts_id = plan_facts(fakes.ports.goal_readings, fakes.ports.models, "acme", GOAL).facts_id

    read_goal.handler({"facts_id": facts_id}, Context())

    found = find_facts(fakes.ports.goal_readings, "acme", facts_id)
    assert (found.state, found.facts.read_by) == ("ready", "model")
    lines = [(line["message"], line["facts_id"]) for line in log.messages()]
    assert lines == [("reading started", facts_id), ("reading ended", facts_id)]
    (metrics,) = log.metrics()
    assert (metrics["GoalsRead"], metrics["ModelCalls"]) == ([1.0], [float(len(model.asked))])
    assert "savings" not in log.text()


def test_a_model_that_fails_is_no_error_of_the_lambda(fakes: Fakes, model: ReaderModel, log: Log) -> None:
    model.error = ModelRejected("Check the key.")
    facts_id = plan_facts(fakes.ports.goal_readings, fakes.ports.models, "acme", GOAL).facts_id

    read_goal.handler({"facts_id": facts_id}, Context())

    assert find_facts(fakes.ports.goal_readings, "acme", facts_id).state == "failed"
    (metrics,) = log.metrics()
    assert metrics["ReadingsFailed"] == [1.0]


def test_what_nobody_foresaw_is_an_error_of_the_lambda_and_counted(fakes: Fakes, log: Log) -> None:
    with pytest.raises(FactsNotFound):
        read_goal.handler({"facts_id": "7f1c1c52-1111-4222-8333-444455556666"}, Context())
    (metrics,) = log.metrics()
    assert metrics["ReadingsFailed"] == [1.0]
