"""Implementation plans and their revisions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from planloom.core.clock import Clock, NewId
from planloom.planes.implementation.records import Comment, ImplementationPlan, Revision, RevisionDocument


class PlanRegistry(Protocol):
    """Implementation plans: each revision whole in the bucket and never replaced, the view of the last in the table."""

    def save(self, view: ImplementationPlan, document: RevisionDocument) -> bool:
        """Store revision ``view.revision`` of a plan, and *view*, once and permanently.

        Return False, changing nothing, unless the plan's current revision is the one before (none, for the first).
        A crash in between is repaired by the next ``save`` or ``get``: what the bucket holds is a revision.
        """
        ...

    def get(self, plan_id: str) -> ImplementationPlan | None:
        """Return the view as last saved, or None; rebuilt from the bucket where the table has lost it."""
        ...

    def document(self, plan_id: str, number: int) -> RevisionDocument | None:
        """Return one revision with its plan, or None."""
        ...

    def revisions(self, plan_id: str) -> list[Revision]:
        """Return all revisions, newest first."""
        ...

    def newest_of(self, account: str, limit: int, before: str | None) -> list[tuple[str, ImplementationPlan]]:
        """Return views of the account's plans, last saved first, at most *limit*, each with its place in the list.

        *before* is such a place: what follows it is returned.
        """
        ...

    def made_from(self, plan_id: str) -> list[str]:
        """Return the ids of the implementation plans made from the strategic plan *plan_id*, sorted."""
        ...

    def add_comment(self, plan_id: str, comment: Comment) -> None:
        """Keep *comment*."""
        ...

    def comments(self, plan_id: str) -> list[Comment]:
        """Return all comments, oldest first."""
        ...


@dataclass(frozen=True)
class ImplementationPlans:
    """The plans of all accounts. ``strategic_plan_exists`` says whether what a plan was made from is still there."""

    registry: PlanRegistry
    strategic_plan_exists: Callable[[str], bool]
    now: Clock
    new_id: NewId
