"""Write usage.json: what a plan cost, in all, by stage, by model and request by request."""

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from planloom.core.usage import CURRENCY, Request, Usage
from planloom.models.prices import price_table
from planloom.planes.strategic.kept_answer import KeptAnswer
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.step_paths import is_call, step_of

USAGE = "usage.json"


def usage_file(plan: Plan, files: Mapping[str, bytes]) -> bytes:
    """Return the file, made of the model calls among *files* (path to content); the same files give the same bytes.

    Money is in US dollars; null where the price table does not know a model.
    """
    calls = list(_calls(files))
    table = price_table()
    found = {
        "plan_id": plan.plan_id,
        "model_profile": plan.model_profile,
        "currency": CURRENCY,
        "prices": {"source": table.source, "date": table.date.isoformat()},
        "total": _shown(sum((kept.usage for _, kept in calls), Usage())),
        "stages": {key: _shown(spent) for key, spent in sorted(_by_stage(calls).items())},
        "models": {model: _shown(spent) for model, spent in sorted(_by_model(calls).items())},
        "calls": [_row(step, kept) for step, kept in calls],
    }
    return (json.dumps(found, indent=2) + "\n").encode()


def _calls(files: Mapping[str, bytes]) -> Iterator[tuple[str, KeptAnswer]]:
    for path in sorted(files):
        if is_call(path):
            yield step_of(path), KeptAnswer.model_validate_json(files[path])


def _by_stage(calls: list[tuple[str, KeptAnswer]]) -> dict[str, Usage]:
    found: dict[str, Usage] = {}
    for step, kept in calls:
        found[step] = found.get(step, Usage()) + kept.usage
    return found


def _by_model(calls: list[tuple[str, KeptAnswer]]) -> dict[str, Usage]:
    found: dict[str, Usage] = {}
    for _, kept in calls:
        for n, request in enumerate(kept.requests):
            found[request.model] = found.get(request.model, Usage()) + request.usage(again=n > 0)
    return found


def _row(step: str, kept: KeptAnswer) -> dict[str, Any]:
    return {
        "stage": step,
        "call": kept.call,
        "answered": bool(kept.fingerprint),
        **_shown(kept.usage),
        "requests": [_request(request) for request in kept.requests],
    }


def _request(request: Request) -> dict[str, Any]:
    return request.model_dump(exclude={"price"}) | {"price": _money(request.price)}


def _shown(spent: Usage) -> dict[str, Any]:
    counts = spent.model_dump(exclude={"price", "unpriced", "requests"})
    return counts | {"price": _money(spent.price), "price_known": spent.price_known}


def _money(price: Decimal | None) -> float | None:
    return None if price is None else float(price)
