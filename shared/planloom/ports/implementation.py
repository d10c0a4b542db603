"""Implementation plans and their revisions."""

from typing import Protocol

from planloom.domain.implementation_plans import Comment, ImplementationPlan, Revision, RevisionDocument


class PlanRegistry(Protocol):
    """Implementation plans: each revision whole in the bucket and never replaced, the view of the last in the table."""

    def save(self, view: ImplementationPlan, document: RevisionDocument) -> bool:
        """Store revision ``view.revision`` of a plan, and *view*, once and for good.

        Return False, changing nothing, unless the plan's current revision is the one before (none, for the first).
        A crash in between is healed by the next ``save`` or ``get``: what the bucket holds is a revision.
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
