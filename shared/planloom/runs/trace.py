"""A run as a trace of OpenTelemetry, in the JSON of OTLP: a span for the run, one for each step and each item."""

import hashlib
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from planloom.runs.records import Run, RunState, StepRecord, Unit

#: Spans of one trace at most: steps first, then items.
MOST_SPANS = 10_000
#: Kinds and status codes of OTLP.
_INTERNAL, _CLIENT = 1, 3
_OK, _ERROR = 1, 2


def trace(run: Run, records: Iterable[StepRecord], title: Callable[[str], str], now: datetime) -> dict[str, Any]:
    """Return the trace of *run*, which ends *now* where it has not ended; *title* names a step."""
    root = _span_id(run.run_id)
    ordered = sorted(records, key=lambda record: (record.part != "", record.started_at))
    spans = [_of_run(run, root, now), *(_of_record(run, record, title, root) for record in ordered[: MOST_SPANS - 1])]
    resource = {"attributes": [_attribute("service.name", "planloom"), _attribute("planloom.plane", run.plane)]}
    scope = {"name": "planloom.runs"}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": spans}]}]}


def _of_run(run: Run, root: str, now: datetime) -> dict[str, Any]:
    failed = run.state in (RunState.FAILED, RunState.BLOCKED)
    attributes: dict[str, str | int] = {
        "planloom.run_id": run.run_id,
        "planloom.subject": run.subject,
        "planloom.revision": run.revision,
        "planloom.state": str(run.state),
        "planloom.calls": run.progress.calls,
    }
    return {
        "traceId": _trace_id(run),
        "spanId": root,
        "name": run.title or run.subject,
        "kind": _INTERNAL,
        "startTimeUnixNano": _nanoseconds(run.created_at),
        "endTimeUnixNano": _nanoseconds(run.ended_at or now),
        "attributes": [_attribute(name, value) for name, value in attributes.items()],
        "status": _status(run.failure.message if run.failure else "", failed, run.state is RunState.COMPLETED),
    }


def _of_record(run: Run, record: StepRecord, title: Callable[[str], str], root: str) -> dict[str, Any]:
    attributes = {
        "planloom.step": record.step,
        "planloom.part": record.part,
        "planloom.state": record.state,
        "planloom.number": record.number,
        "planloom.attempt": record.attempt,
        "planloom.calls": record.calls,
        "planloom.bytes": record.value_bytes,
        "planloom.tool": record.detail.get("tool", ""),
        "error.type": record.code,
    }
    name = title(record.step)
    return {
        "traceId": _trace_id(run),
        "spanId": _of_unit(run, record.unit),
        "parentSpanId": _of_unit(run, Unit(record.step)) if record.part else root,
        "name": f"{name} {record.part}".strip(),
        "kind": _CLIENT,
        "startTimeUnixNano": _nanoseconds(record.started_at),
        "endTimeUnixNano": _nanoseconds(record.ended_at),
        "attributes": [_attribute(name, value) for name, value in attributes.items() if value != ""],
        "status": _status(record.error, record.state in ("failed", "unknown"), record.state == "completed"),
    }


def _status(message: str, failed: bool, done: bool) -> dict[str, Any]:
    if failed:
        return {"code": _ERROR, "message": message[:500]}
    return {"code": _OK} if done else {}


def _attribute(name: str, value: str | int) -> dict[str, Any]:
    # 64-bit integers are texts in OTLP's JSON
    return {"key": name, "value": {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}}


def _nanoseconds(time: datetime) -> str:
    return str(int(time.timestamp() * 1_000_000) * 1000)


def _trace_id(run: Run) -> str:
    return hashlib.sha256(run.run_id.encode()).hexdigest()[:32]


def _span_id(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[32:48]


def _of_unit(run: Run, unit: Unit) -> str:
    return _span_id(f"{run.run_id} {unit.text}")
