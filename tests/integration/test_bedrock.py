"""Amazon Bedrock by the SDK's own client, against a stub of Converse: what is sent, and each fault's own answer."""

from decimal import Decimal

import pytest

from bench.stub_faults import Fault
from bench.stub_models import StubModels
from planloom.core.usage import Bill
from planloom.models.errors import ModelError
from planloom.models.prices import price_of
from planloom.models.profiles import all_profiles
from tests.unit.models.asking import STAYING, Asking, question

HAIKU = "global.anthropic.claude-haiku-5-5"
NOVA = "global.amazon.nova-2-lite-v1:0"
OURS = sorted({f"global.{e.model}" for p in all_profiles().values() for e in p.models if e.provider == "bedrock"})


def asking(stub: StubModels, **options: object) -> Asking:
    defaults: dict[str, object] = {"models": (HAIKU,), "output": ("tool",), "provider": "bedrock"}
    return Asking(stub, **(defaults | options))  # type: ignore[arg-type]


def failed(asked: Asking) -> ModelError:
    with pytest.raises(ModelError) as found:
        asked.ask()
    return found.value


@pytest.mark.parametrize("model", OURS)
@pytest.mark.parametrize("mode", ["tool", "prompted"])
def test_each_model_of_the_profiles_answers_with_a_limit_on_its_length(model: str, mode: str) -> None:
    with StubModels() as stub:
        ((answer, usage),) = asking(stub, models=(model,), output=(mode,)).ask()

    (call,) = stub.calls
    assert [row.size for row in answer.rows] == ["small", "large", "small"]
    assert (call.asked.model, call.asked.mode, call.asked.limit) == (model, mode, 777)
    assert (usage.calls, usage.input_tokens, usage.output_tokens) == (1, call.tokens.input, call.tokens.output)


def test_shared_text_is_cached_and_counted_to_the_token() -> None:
    asked = [question(instructions=f"Number {n}.") for n in range(3)]
    with StubModels() as stub:
        answers = asking(stub, concurrency=1).ask(*asked)

    assert [call.tokens.written > 0 for call in stub.calls] == [True, False, False]
    for (_, usage), call in zip(answers, sorted(stub.calls, key=lambda call: call.asked.shown), strict=True):
        assert (usage.input_tokens, usage.cached_tokens) == (call.tokens.input, call.tokens.cached)
        assert usage.price == price_of(
            "bedrock",
            HAIKU,
            input_tokens=call.tokens.input,
            cached_tokens=call.tokens.cached,
            written_tokens=call.tokens.written,
            output_tokens=call.tokens.output,
        )
        assert usage.price_known


@pytest.mark.parametrize(("fault", "kind", "requests"), STAYING)
def test_a_permanent_fault_ends_with_its_own_error(fault: Fault, kind: type[ModelError], requests: int) -> None:
    with StubModels(faults={fault: 1.0}, silence=3) as stub:
        error = failed(asking(stub, timeout=0.4 if fault == "silence" else 5.0))

    assert type(error) is kind
    assert error.usage.calls == requests, "the SDK repeats nothing by itself"
    assert error.message.startswith(f"{HAIKU}: ")
    assert "sk-secret" not in error.message + repr(error)
    assert error.__suppress_context__, "logs would show what the provider said"


def test_throttling_without_retry_after_backs_off() -> None:
    with StubModels(faults={"rate_limit": 1.0}, once=True, retry_after="7") as stub:
        asked = asking(stub)
        asked.ask()
    assert len(asked.pauses) == 1


def test_the_next_model_answers_after_invalid_answers_and_both_are_counted() -> None:
    with StubModels(faults={"invalid_json": 1.0}, struck=frozenset({HAIKU})) as stub:
        ((_, usage),) = asking(stub, models=(HAIKU, NOVA)).ask()

    assert [call.asked.model for call in stub.calls] == [HAIKU] * 3 + [NOVA]
    assert stub.calls[3].asked.messages == stub.calls[0].asked.messages, "the second model starts afresh"
    assert isinstance(usage, Bill)
    assert [(each.model, each.outcome) for each in usage.requests] == [(HAIKU, "invalid")] * 3 + [(NOVA, "answered")]
    assert usage.price == sum((each.price or Decimal(0) for each in usage.requests), Decimal(0))
    assert (usage.calls, usage.retries, usage.unpriced) == (4, 3, 0)


def test_requests_run_together_up_to_the_bound_beyond_the_librarys_own_limits() -> None:
    asked = [question(instructions=f"Number {n}.") for n in range(60)]
    with StubModels(latency=1.0) as stub:
        answers = asking(stub, concurrency=50).ask(*asked)

    assert len(answers) == len(stub.calls) == 60
    assert stub.most_at_once == 50
