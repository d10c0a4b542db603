"""usage.json: every request of a plan, adding up to what the stub counted; failed answers and unknown prices said."""

import json
from typing import Any

import pytest

from bench.stub_models import StubModels
from planloom.models import retries
from planloom.planes.strategic.services.usage_file import usage_file
from tests.integration.modelled import Modelled
from tests.unit.strategic.services.spy import Brief
from tests.unit.strategic.services.walk import in_order

COUNTS = ("input_tokens", "cached_tokens", "output_tokens")


def drafted(stub: StubModels, profile: str) -> dict[str, Any]:
    modelled = Modelled.at(stub)
    plan = modelled.work(modelled.create(profile), in_order()[:9])
    paths = modelled.fakes.files.paths(plan.plan_id)
    files = {path: modelled.fakes.files.read(plan.plan_id, path) or b"" for path in paths}
    content = usage_file(plan, files)
    assert content == usage_file(plan, dict(reversed(files.items()))), "the same files give the same bytes"
    return json.loads(content)


@pytest.mark.parametrize("profile", ["custom", "baseline"])
def test_every_request_is_a_row_and_all_add_up_to_what_the_stub_counted(
    profile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retries, "FIRST_DELAY", 0.0)
    with StubModels(faults={"invalid_json": 0.2, "server_error": 0.3}, answerer=Brief) as stub:
        found = drafted(stub, profile)

    requests = [request for call in found["calls"] for request in call["requests"]]
    assert len(requests) == found["total"]["calls"] == len(stub.calls)
    assert {request["outcome"] for request in requests} == {"answered", "invalid", "server_error"}
    for name in COUNTS:
        counted = sum(getattr(call.tokens, name.removesuffix("_tokens")) for call in stub.calls)
        assert sum(request[name] for request in requests) == found["total"][name] == counted
        for part in ("stages", "models"):
            assert sum(each[name] for each in found[part].values()) == counted
    assert found["total"]["retries"] == len(stub.calls) - len(found["calls"])
    assert set(found["models"]) == {call.asked.model for call in stub.calls}


def test_prices_have_a_source_and_a_date_and_sum_up_where_they_are_known() -> None:
    with StubModels(answerer=Brief) as stub:
        found = drafted(stub, "baseline")

    assert found["currency"] == "USD"
    assert set(found["prices"]) == {"source", "date"}
    assert found["total"]["price_known"]
    total = sum(request["price"] for call in found["calls"] for request in call["requests"])
    assert found["total"]["price"] == pytest.approx(total)
    assert total > 0


def test_a_price_that_is_not_known_is_null_and_said_to_be_unknown() -> None:
    with StubModels(answerer=Brief) as stub:
        found = drafted(stub, "custom")

    assert not found["total"]["price_known"]
    assert {request["price"] for call in found["calls"] for request in call["requests"]} == {None}
