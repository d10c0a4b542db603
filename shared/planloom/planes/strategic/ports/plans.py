"""Plans as the table shows them: the view that answers quickly, the place of fences, and where plans rest."""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import Protocol

from planloom.core.artifacts import Artifact
from planloom.planes.strategic.events import PlanEvent
from planloom.planes.strategic.plans import Failure, ListedPlan, Plan, PlanState
from planloom.planes.strategic.steps import StepRecord


class PlanStore(Protocol):
    """The view: answers quickly, and is the place of fences. Every write names the run it belongs to, and files of an
    older run are returned to nobody.
    """

    def add(self, plan: Plan, reason: str | None = None) -> bool:
        """Store *plan* and log that, with *reason*; return False, changing nothing, if its id is taken."""
        ...

    def get(self, plan_id: str) -> Plan | None:
        """Return the plan as last written, or None."""
        ...

    def newest_of(self, account: str, limit: int, before: Plan | None, *, archived: bool = False) -> list[ListedPlan]:
        """Return the account's plans, and those made on its behalf, newest first, at most *limit*, older than the plan
        *before* if given.

        Those that are archived, or those that are not: never both.
        """
        ...

    def active(self) -> list[str]:
        """Return the ids of all plans that are pending or processing, of every account."""
        ...

    def move(
        self,
        plan_id: str,
        run: int,
        to: PlanState,
        now: datetime,
        failure: Failure | None = None,
        reason: str | None = None,
    ) -> bool:
        """Change the state and log that, with *reason*; return False, changing nothing, where the plan has another
        run or must not move there.
        """
        ...

    def record_failure(self, plan_id: str, run: int, failure: Failure) -> bool:
        """Store why run *run* fails, while it is active; the first failure is kept. The state stays as it is."""
        ...

    def apply(self, event: PlanEvent) -> bool:
        """Log *event* under the next cursors and apply it to progress and files; return False where it was applied
        before.

        Events of another run than the plan's are logged alone. Progress of a run never falls.
        """
        ...

    def restart(self, plan: Plan) -> bool:
        """Begin the next run: set RUN_FIELDS as *plan*, pending, has them; forget all steps and files where it starts
        from nothing, which ``first_run`` says.

        Returns False, changing nothing, unless the run before it is there, has failed or was stopped, and is not
        archived.
        """
        ...

    def restore(self, plan: Plan) -> bool:
        """Put *plan*, as the bucket has it, in the place of one that lost writes: of an earlier run, or of the same run
        that does not know its end. Returns False, changing nothing, where what is there is as new; adds it if absent.
        """
        ...

    def rewrite(self, plan: Plan, records: Iterable[StepRecord], done: Collection[str] | None = None) -> None:
        """Replace steps and files by what *records* say, and add what they say to the progress of *plan*'s run, which
        never falls; its state is left to ``move``.

        Only those whose keys *done* holds, by default all, count as progress: the others will be made again.
        """
        ...

    def steps(self, plan_id: str) -> list[StepRecord]:
        """Return the finished steps in order, without their artifacts and claims."""
        ...

    def file(self, plan_id: str, path: str) -> Artifact | None:
        """Return the file *path*, or None where the plan has none of that name."""
        ...

    def all_files(self, plan_id: str) -> list[Artifact]:
        """Return all files in order of path."""
        ...


class PlanArchive(Protocol):
    """Ended plans that were archived, which leave their account's list, or deleted, of which a tombstone is left."""

    def expect(self, plan_id: str, at: datetime) -> None:
        """Count the plan as deleted until it is added: its files come first, and a crash may leave them without it.

        Changes nothing where it is there already, or was deleted.
        """
        ...

    def archive(self, plan_id: str, run: int, at: datetime | None) -> bool:
        """Archive the plan, or with None take it back; return False, changing nothing, unless that run has ended."""
        ...

    def delete(self, plan_id: str, run: int, at: datetime) -> bool:
        """Put a tombstone in the plan's place; return False, changing nothing, unless that run has ended."""
        ...

    def owner_of_deleted(self, plan_id: str) -> str | None:
        """Return the account of a plan that was deleted; None where none was."""
        ...

    def deleted(self, before: datetime) -> list[str]:
        """Return the ids of all plans that were deleted, or expected, before that time and not erased completely."""
        ...

    def erase(self, plan_id: str, *, for_good: bool) -> None:
        """Remove all that the table holds of a deleted plan but its tombstone; *for_good*: it is listed no more."""
        ...
