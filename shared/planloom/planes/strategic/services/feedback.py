"""Feedback of callers: kept for the operators, by account, oldest first."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from planloom.core.file_store import FileStore
from planloom.core.frozen import Frozen
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.own_plan import own_plan

Category = Literal["plan", "service", "documentation", "other"]
TEXT_CHARACTERS = 4_000


class Feedback(Frozen):
    """What an account thinks of a plan, or of the service."""

    feedback_id: str
    account: str
    given_at: datetime
    rating: int = Field(ge=1, le=5)
    category: Category
    text: str
    plan_id: str | None


def give_feedback(
    plan_records: PlanRecords,
    feedback_files: FileStore,
    account: str,
    rating: int,
    category: Category,
    text: str,
    plan_id: str | None,
) -> Feedback:
    """Keep feedback of *account*, about its plan *plan_id* or about none. Raises PlanNotFound, PermissionDenied."""
    plan = own_plan(plan_records, account, plan_id) if plan_id is not None else None
    feedback = Feedback(
        feedback_id=plan_records.new_id(),
        account=account,
        given_at=plan_records.now(),
        rating=rating,
        category=category,
        text=text,
        plan_id=plan.plan_id if plan else None,
    )
    # names sort by time
    path = f"{feedback.given_at:%Y%m%dT%H%M%S}-{feedback.feedback_id}.json"
    feedback_files.write(account, path, feedback.model_dump_json().encode(), "application/json")
    return feedback


def list_feedback(files: FileStore, account: str | None = None) -> list[Feedback]:
    """Return the feedback of *account*, or of all accounts, newest first."""
    accounts = files.plans() if account is None else [account]
    found = (files.read(each, path) for each in accounts for path in files.paths(each))
    kept = [Feedback.model_validate_json(content) for content in found if content is not None]
    return sorted(kept, key=lambda each: each.given_at, reverse=True)
