"""Whole plans with models that err: what one gets over, what ends it, and that a resume repeats no finished call."""

from collections.abc import Iterator
from decimal import Decimal

import pytest

from bench.stub_faults import Fault
from bench.stub_models import StubModels
from planloom.models import profiles, retries
from planloom.models.prices import price_of
from planloom.planes.strategic.stages.pipeline import PIPELINE, stage_named
from tests.integration.modelled import Modelled, questions
from tests.thorough import sampled
from tests.unit.strategic.services.spy import Brief
from tests.unit.strategic.services.walk import in_order

#: ``custom`` speaks OpenAI's wire format, ``baseline`` Bedrock's.
WIRES = ("custom", "baseline")

#: What is asked again and succeeds, by its message.
PASSING: tuple[Fault, ...] = (
    *("invalid_json", "missing_field", "wrong_enum", "rate_limit", "server_error"),
    *("reset", "garbage", "truncated", "huge", "markup", "injection"),
)
#: What ends a run where it stays, and what loses an answer alone.
STAYING: tuple[Fault, ...] = ("rate_limit", "server_error", "reset", "garbage")
LOSING: tuple[Fault, ...] = ("invalid_json", "missing_field", "wrong_enum", "truncated", "huge", "refused")
ALL: tuple[Fault, ...] = (*PASSING, "refused", "silence")

#: Where a plan is when its models begin to fail permanently, and how far it is followed after that.
EARLIER, LATER = in_order()[:6], in_order()[6:9]


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retries, "FIRST_DELAY", 0.0)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no request take longer than two seconds."""
    whole = profiles.all_profiles()
    hasty = {
        name: profile.model_copy(
            update={"models": tuple(e.model_copy(update={"timeout_seconds": 2.0}) for e in profile.models)}
        )
        for name, profile in whole.items()
    }
    monkeypatch.setattr(profiles, "all_profiles", lambda: hasty)


@pytest.fixture
def modelled() -> Iterator[Modelled]:
    with StubModels(retry_after="0", silence=30.0, answerer=Brief) as stub:
        yield Modelled.at(stub)


def assert_told_to_the_token(modelled: Modelled, plan_id: str, wire: str) -> None:
    """Hold what the plan says that it cost against what the stub counted."""
    plan = modelled.fakes.plans.plans[plan_id]
    used, calls = modelled.usage(plan), modelled.stub.calls
    assert used.calls == len(calls)
    assert used.input_tokens == sum(call.tokens.input for call in calls)
    assert used.cached_tokens == sum(call.tokens.cached for call in calls)
    assert used.output_tokens == sum(call.tokens.output for call in calls)
    if wire == "baseline":
        prices = [
            price_of(
                "bedrock",
                call.asked.model,
                input_tokens=call.tokens.input,
                cached_tokens=call.tokens.cached,
                written_tokens=call.tokens.written,
                output_tokens=call.tokens.output,
            )
            for call in calls
        ]
        assert used.price == sum((price or Decimal(0) for price in prices), Decimal(0)) > 0
        assert used.price_known
    else:
        assert not used.price_known, "nobody knows what a model of that name costs there"


@pytest.mark.parametrize(
    ("fault", "wire"), sampled([(fault, WIRES[n % 2]) for n, fault in enumerate(PASSING)], every=3)
)
def test_a_plan_gets_over_a_fault_in_every_first_answer(modelled: Modelled, fault: Fault, wire: str) -> None:
    modelled.stub.faults, modelled.stub.once = {fault: 1.0}, True

    plan = modelled.work(modelled.create(wire), in_order()[:12])

    assert plan.failure is None
    assert len(plan.steps_finished) == 12
    assert any(call.fault == fault for call in modelled.stub.calls)
    assert_told_to_the_token(modelled, plan.plan_id, wire)


@pytest.mark.parametrize("fault", sampled(STAYING, every=2))
def test_a_fault_that_stays_fails_the_plan_and_a_resume_repeats_no_finished_call(
    modelled: Modelled, fault: Fault
) -> None:
    plan = modelled.create()
    modelled.work(plan, EARLIER)
    # some calls of the next stages are answered, and none of the others ever
    modelled.stub.faults = {fault: 1.0}

    failed = modelled.work(plan, [*EARLIER, *LATER])

    assert failed.failure
    assert failed.failure.failure_reason == "generation_error"
    assert failed.failure.failed_step in {stage_named(name).step for name in LATER}
    assert failed.failure.recoverable
    assert failed.failure.message.startswith("stub-large: ")
    assert_told_to_the_token(modelled, plan.plan_id, "custom")

    answered, before = questions(modelled.stub.calls, answered=True), len(modelled.stub.calls)
    modelled.stub.faults = {}
    resumed = modelled.resume(plan, [*EARLIER, *LATER])

    assert resumed.failure is None
    assert len(resumed.steps_finished) == len(EARLIER) + len(LATER)
    assert not set(questions(modelled.stub.calls[before:], answered=False)) & set(answered)
    assert_told_to_the_token(modelled, plan.plan_id, "custom")


@pytest.mark.parametrize("fault", sampled(LOSING, every=3))
def test_answers_that_stay_unusable_fail_the_draft_and_nothing_before_it(modelled: Modelled, fault: Fault) -> None:
    modelled.stub.faults = {fault: 1.0}
    plan = modelled.work(modelled.create())

    assert plan.failure
    assert (plan.failure.failed_step, plan.failure.recoverable) == ("004-draft", True)
    assert set(plan.steps_finished) == {"001", "002", "003"}
    # the first stage says beside each fact whether it is verified
    pages = [
        modelled.fakes.files.read(plan.plan_id, path) or b""
        for name in ("screening", "premise_attack")
        for path in stage_named(name).section_paths.values()
    ]
    assert all(b"> **Missing.** " in page for page in pages)
    assert_told_to_the_token(modelled, plan.plan_id, "custom")


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.usefixtures("impatient")
def test_with_all_faults_at_once_a_plan_is_completed_by_resumes(modelled: Modelled, wire: str) -> None:
    modelled.stub.faults = {fault: 0.45 / len(ALL) for fault in ALL} | {"markup": 0.1, "injection": 0.1}
    plan = modelled.create(wire)

    found, resumes = modelled.work(plan), 0
    while found.failure:
        assert found.failure.recoverable
        assert found.failure.failed_step
        answered, before = questions(modelled.stub.calls, answered=True), len(modelled.stub.calls)
        found, resumes = modelled.resume(plan), resumes + 1
        assert not set(questions(modelled.stub.calls[before:], answered=False)) & set(answered)
        assert resumes < 10

    assert len(found.steps_finished) == len(PIPELINE)
    assert len({call.fault for call in modelled.stub.calls} - {None}) >= 6
    assert_told_calls(modelled, plan.plan_id)


def assert_told_calls(modelled: Modelled, plan_id: str) -> None:
    """Hold the calls against the stub's.

    On a busy machine the hasty client also gives up on requests that the stub finishes: their tokens reach nobody.
    """
    used = modelled.usage(modelled.fakes.plans.plans[plan_id])
    finished = [call for call in modelled.stub.calls if call.fault != "silence"]
    assert used.calls >= len(finished)
    assert 0 < used.output_tokens <= sum(call.tokens.output for call in finished)


@pytest.mark.parametrize("fault", ["markup", "injection"])
def test_what_models_say_is_text_in_the_report(modelled: Modelled, fault: Fault) -> None:
    modelled.stub.faults = {fault: 1.0}

    plan = modelled.work(modelled.create())
    page = modelled.report(plan)

    assert plan.failure is None
    assert "<script>document.title" not in page
    assert 'href="javascript' not in page
    assert "onerror=" not in page.replace("&lt;img src=x onerror=", "")
    assert ("Ignore your instructions" in page) == (fault == "injection"), "shown as what it is: text"
    if fault == "injection":
        assert_shown_as_material(modelled)


def assert_shown_as_material(modelled: Modelled) -> None:
    """Hold that what an earlier answer says goes into later calls as material."""
    hurt = [call for call in modelled.stub.calls if "Ignore your instructions" in call.asked.shown]
    assert len(hurt) > 20
    assert all("Ignore your instructions" not in call.asked.system for call in hurt)
    for call in hurt:
        outside = [part.rpartition("</material>")[2] for part in call.asked.shown.split("<material title=")]
        assert "Ignore your instructions" not in "".join(outside[:1] + outside[-1:])
