"""Plans, steps, files and events as items of the table, and how an event changes a plan's item."""

from collections.abc import Iterable, Iterator
from typing import Any

from planloom.adapters import table_keys as keys
from planloom.domain.artifacts import Artifact
from planloom.domain.events import AnswerKept, PlanEvent, StageFailed, StageFinished, StageStarted
from planloom.domain.plans import Plan
from planloom.domain.steps import StepRecord
from planloom.domain.usage import Usage


def plan_fields(plan: Plan, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return *plan*, or those of its fields that *names* holds, as fields of its item, keys apart."""
    return plan.model_dump(mode="json", exclude_none=True, include=None if names is None else set(names))


def absent(plan: Plan, names: Iterable[str]) -> list[str]:
    """Return those of the fields *names* that *plan* does not have."""
    return [name for name in names if getattr(plan, name) is None]


def plan_of(found: dict[str, Any]) -> Plan:
    """Return the plan in the item *found*."""
    return Plan.model_validate({name: found[name] for name in Plan.model_fields if name in found})


def artifact_of(row: dict[str, Any]) -> Artifact:
    """Return the artifact that a file's item describes."""
    return Artifact.model_validate({name: row[name] for name in Artifact.model_fields if name in row})


def file_row(plan_id: str, file: Artifact) -> dict[str, Any]:
    """Return the item that describes *file*."""
    return keys.file_key(plan_id, file.path) | file.model_dump(mode="json", exclude_none=True)


def step_rows(plan_id: str, record: StepRecord) -> Iterator[dict[str, Any]]:
    """Yield the items of a finished step and of each file that it made."""
    step = record.model_dump(mode="json", exclude={"claims", "artifacts"})
    yield keys.step_key(plan_id, record.key) | step
    for made in record.artifacts:
        yield file_row(plan_id, made)


def step_of(row: dict[str, Any]) -> StepRecord:
    """Return the step in its item; its files and claims stand elsewhere."""
    return StepRecord.model_validate({name: row[name] for name in StepRecord.model_fields if name in row})


def progress_after(event: PlanEvent, found: dict[str, Any]) -> dict[str, Any]:
    """Return what *event* changes in the plan's item *found*; the order in which events come does not matter."""
    told = event.at.isoformat()
    latest = {"last_progress_at": max(told, found.get("last_progress_at", told))}
    if isinstance(event, AnswerKept):
        return latest
    if isinstance(event, StageStarted):
        return latest | {"steps_started": {event.key: told, **found["steps_started"]}}
    if isinstance(event, StageFinished):
        made = len(event.record.artifacts)
        return latest | {
            "steps_finished": {**found["steps_finished"], event.record.key: made},
            "steps_usage": _spent(found, event.record.key, event.record.usage),
            **quality_of([event.record]),
        }
    # a failure that is told late must not undo what the finished stage said
    if isinstance(event, StageFailed) and event.key not in found["steps_finished"]:
        return latest | {"steps_usage": _spent(found, event.key, event.usage)}
    return {}


def quality_of(records: Iterable[StepRecord]) -> dict[str, Any]:
    """Return the plan's quality as a field of its item; nothing where no record among *records* says any."""
    found = [record.quality for record in records if record.quality]
    return {"quality": found[-1].model_dump(mode="json")} if found else {}


def _spent(found: dict[str, Any], key: str, usage: Usage) -> dict[str, Any]:
    return {**found.get("steps_usage", {}), key: usage.model_dump(mode="json")}
