"""Talk about an implementation plan: comments on it and on its steps."""

import unicodedata

from planloom.domain.errors import InvalidArgument
from planloom.domain.implementation_errors import StepNotFound
from planloom.domain.implementation_plans import Comment
from planloom.services.own_plan import own_implementation_plan
from planloom.services.read_implementation_plan import document_of
from planloom.services.world import World

TEXT_CHARACTERS = 4_000


def comment_on_plan(world: World, account: str, plan_id: str, text: str, step_id: str | None = None) -> Comment:
    """Keep a comment on the plan, or on one of its steps, and return it.

    Raises InvalidArgument for a text that is empty, too long or none; StepNotFound, PlanNotFound, PermissionDenied.
    """
    view = own_implementation_plan(world, account, plan_id)
    plan = document_of(world, view, view.revision).plan if step_id is not None else {"steps": []}
    if step_id is not None and not any(step["id"] == step_id for step in plan["steps"]):
        raise StepNotFound(f"The plan has no step {step_id[:40]}. Take the id from get_plan.")
    comment = Comment(
        comment_id=world.new_id(),
        step_id=step_id,
        text=_checked(text),
        author=account,
        created_at=world.now(),
        revision=view.revision,
    )
    world.registry.add_comment(view.plan_id, comment)
    return comment


def plan_comments(world: World, account: str, plan_id: str, step_id: str | None = None) -> list[Comment]:
    """Return the comments, oldest first, those of one step if asked. Raises PlanNotFound, PermissionDenied."""
    view = own_implementation_plan(world, account, plan_id)
    return [each for each in world.registry.comments(view.plan_id) if step_id in (None, each.step_id)]


def _checked(text: str) -> str:
    words = text.strip()
    bad = any(unicodedata.category(char) in {"Cc", "Cs"} and char not in "\n\r\t" for char in words)
    if not words or len(words) > TEXT_CHARACTERS or bad:
        raise InvalidArgument(
            f"A comment is a text of 1 to {TEXT_CHARACTERS:,} characters, without control characters.", field="text"
        )
    return words
