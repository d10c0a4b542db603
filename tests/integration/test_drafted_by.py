"""Who drafted a plan: the models whose answers it is made of, and none that only could have been asked."""

import asyncio
from dataclasses import replace

import pytest

from bench.stub_models import StubModels
from planloom.models import retries
from planloom.models.errors import ModelServerError
from planloom.planes.strategic.run_errors import StageAborted
from planloom.planes.strategic.services.run_stage import run_stage
from tests.fake_ports import make_fakes
from tests.integration.modelled import Modelled
from tests.unit.strategic.services.spy import Brief, Spy, SpyModels
from tests.unit.strategic.services.walk import begin, in_order, work

#: Its calls are asked side by side.
STAGE = "draft"
EARLIER = in_order()[:3]


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "FIRST_DELAY", 0.0)


def test_a_report_names_the_model_that_answered_and_not_the_one_that_was_never_asked() -> None:
    with StubModels(answerer=Brief) as stub:
        modelled = Modelled.at(stub)
        first, second = modelled.fakes.ports.models.names("baseline")
        plan = modelled.work(modelled.create("baseline"))

    assert {call.asked.model for call in stub.calls} == {first}
    report = modelled.report(plan)
    assert f"Drafted by language models ({first}; profile baseline)" in report
    assert second not in report


@pytest.mark.parametrize(("share", "models"), [(0.0, {0}), (0.5, {0, 1}), (1.0, {1})])
def test_a_step_names_the_models_that_answered_its_calls(share: float, models: set[int]) -> None:
    """The first of two models falls over in *share* of its requests, of which the stage makes eight and more."""
    with StubModels(answerer=Brief) as stub:
        modelled = Modelled.at(stub)
        names = modelled.fakes.ports.models.names("baseline")
        plan = modelled.create("baseline")
        modelled.work(plan, in_order()[:5])
        stub.calls.clear()
        stub.struck, stub.faults = frozenset({names[0]}), {"refused": share}
        modelled.work(plan, ["spine"])

    answered = {call.asked.model for call in stub.calls if call.fault is None}
    assert answered == {names[n] for n in models}
    assert set(modelled.record(plan, "011").drafted_by) == answered
    assert len(modelled.record(plan, "011").drafted_by) == len(answered), "each once"
    assert modelled.record(plan, "001").drafted_by == (names[0],)


def test_a_step_names_the_model_of_an_answer_that_was_kept_by_a_run_before() -> None:
    made, spy = make_fakes(), Spy()
    fakes = replace(made, ports=replace(made.ports, models=SpyModels(spy)))
    plan = begin(fakes)
    work(fakes, plan, *EARLIER, STAGE)
    last = max(spy.asked[len(EARLIER) :])
    other = begin(fakes)
    work(fakes, other, *EARLIER)
    spy.name, spy.fails = "one", {last: ModelServerError("It is down.")}
    with pytest.raises(StageAborted):
        work(fakes, other, STAGE)
    fakes.plans.plans[other.plan_id] = fakes.plans.plans[other.plan_id].model_copy(update={"failure": None})
    spy.name, spy.fails = "two", {}

    record = asyncio.run(run_stage(fakes.ports.stage_ports, STAGE, other.plan_id, 1))

    assert record.drafted_by == ("one", "two")
