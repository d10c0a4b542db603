"""Talk about an implementation plan: comments on it and on its steps."""

import unicodedata

from planloom.core.errors import InvalidArgument
from planloom.planes.implementation.errors import StepNotFound
from planloom.planes.implementation.ports import ImplementationPlans, PlanRegistry
from planloom.planes.implementation.records import Comment
from planloom.planes.implementation.services.own_plan import own_implementation_plan
from planloom.planes.implementation.services.read_implementation_plan import document_of

TEXT_CHARACTERS = 4_000


def comment_on_plan(
    implementation_plans: ImplementationPlans, account: str, plan_id: str, text: str, step_id: str | None = None
) -> Comment:
    """Keep a comment on the plan, or on one of its steps, and return it.

    Raises InvalidArgument for a text that is empty, too long or none; StepNotFound, PlanNotFound, PermissionDenied.
    """
    view = own_implementation_plan(implementation_plans.registry, account, plan_id)
    plan = (
        document_of(implementation_plans.registry, view, view.revision).plan if step_id is not None else {"steps": []}
    )
    if step_id is not None and not any(step["id"] == step_id for step in plan["steps"]):
        raise StepNotFound(f"The plan has no step {step_id[:40]}. Take the id from get_plan.")
    comment = Comment(
        comment_id=implementation_plans.new_id(),
        step_id=step_id,
        text=_checked(text),
        author=account,
        created_at=implementation_plans.now(),
        revision=view.revision,
    )
    implementation_plans.registry.add_comment(view.plan_id, comment)
    return comment


def plan_comments(registry: PlanRegistry, account: str, plan_id: str, step_id: str | None = None) -> list[Comment]:
    """Return the comments, oldest first, those of one step if asked. Raises PlanNotFound, PermissionDenied."""
    view = own_implementation_plan(registry, account, plan_id)
    return [each for each in registry.comments(view.plan_id) if step_id in (None, each.step_id)]


def _checked(text: str) -> str:
    words = text.strip()
    bad = any(unicodedata.category(char) in {"Cc", "Cs"} and char not in "\n\r\t" for char in words)
    if not words or len(words) > TEXT_CHARACTERS or bad:
        raise InvalidArgument(
            f"A comment is a text of 1 to {TEXT_CHARACTERS:,} characters, without control characters.", field="text"
        )
    return words
