"""Conversion of plans, steps and files to items of the table and back."""

from collections.abc import Iterable, Iterator
from typing import Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item
from planloom.core.artifacts import Artifact
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.steps import StepRecord
from planloom.planes.strategic.view_changes import Changes


def plan_fields(plan: Plan, names: Iterable[str] | None = None) -> dict[str, Any]:
    """Return *plan*, or only its fields *names*, as attributes of its item, without the keys."""
    return plan.model_dump(mode="json", exclude_none=True, include=None if names is None else set(names))


def plan_row(plan: Plan) -> dict[str, Any]:
    """Return the item of a new plan; the first entry of its log has cursor 1."""
    return {**keys.plan_key(plan.plan_id), **index_key(plan), **plan_fields(plan), "cursor": 1}


def index_key(plan: Plan) -> dict[str, str]:
    """Return the index key that lists *plan* under its account, or under the archived plans of its account."""
    archived = plan.archived_at is not None
    return keys.plan_index_key(plan.account, plan.created_at, plan.plan_id, archived=archived)


def user_writes(plan: Plan) -> list[dict[str, Any]]:
    """Return the writes that list *plan* for the account that it was made for, if that is another than its own."""
    if plan.user_account in (None, plan.account):
        return []
    archived = plan.archived_at is not None
    listed = keys.plan_index_key(plan.user_account, plan.created_at, plan.plan_id, archived=archived)
    # the item has nothing else of the plan, which would have to be written with each event
    return [{"Put": {"Item": item({**keys.user_key(plan.plan_id), **listed, "plan_id": plan.plan_id})}}]


def changed_fields(plan: Plan, changes: Changes) -> dict[str, Any]:
    """Return *changes* of *plan* as attributes of its item."""
    return plan_fields(plan.model_copy(update=changes), changes)


def absent(plan: Plan, names: Iterable[str]) -> list[str]:
    """Return those of the fields *names* that are None in *plan*."""
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
    """Return the step without its files and claims, which are not in its item."""
    return StepRecord.model_validate({name: row[name] for name in StepRecord.model_fields if name in row})
