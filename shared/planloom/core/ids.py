"""Ids as callers send them, and the refusal of what belongs to another account."""

from uuid import UUID

from planloom.core.errors import InvalidArgument, PermissionDenied


def checked_id(plan_id: str, field: str = "plan_id", source: str = "plan_create") -> str:
    """Return *plan_id* as it is stored, however the UUID was written. Raises InvalidArgument."""
    try:
        return str(UUID(plan_id))
    except ValueError:
        raise InvalidArgument(
            f"{field} must be the UUID that {source} returned, not '{plan_id[:60]}'. Check where it came from, and do "
            "not poll it.",
            field=field,
        ) from None


def plan_of_another_account() -> PermissionDenied:
    """Return the refusal of a plan that belongs to another account."""
    return PermissionDenied(
        "This plan belongs to another account: use an API key of that account, or an id that your own list shows."
    )
