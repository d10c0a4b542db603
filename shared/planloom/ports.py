"""What the services need from the world, as promises; planloom.adapters keeps them on AWS, tests/fakes.py in memory."""

from collections.abc import Collection, Iterable
from datetime import date, datetime
from typing import Protocol

from planloom.domain.artifacts import Artifact, FileVersion
from planloom.domain.credits import LedgerEntry, Reservation
from planloom.domain.event_log import Entry
from planloom.domain.events import PlanEvent
from planloom.domain.implementation_plans import Comment, ImplementationPlan, Revision, RevisionDocument
from planloom.domain.keys import ApiKey
from planloom.domain.plans import Failure, Plan, PlanState
from planloom.domain.shares import Share
from planloom.domain.steps import StepRecord


class PlanStore(Protocol):
    """The view: answers quickly, and is the place of fences. Every write names the run it belongs to."""

    def add(self, plan: Plan) -> bool:
        """Store *plan*; return False, changing nothing, if its id is taken."""
        ...

    def get(self, plan_id: str) -> Plan | None:
        """Return the plan as last written, or None."""
        ...

    def newest_of(self, account: str, limit: int, before: str | None, *, archived: bool = False) -> list[Plan]:
        """Return the account's plans, newest first, at most *limit*, older than the plan *before* if given.

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

    def note_failure(self, plan_id: str, run: int, failure: Failure) -> bool:
        """Keep why run *run* is failing, while it is going; the first one told is kept. The state stays as it is."""
        ...

    def fold(self, event: PlanEvent) -> bool:
        """Log *event* under the next cursors and fold it into progress; return False where it was folded before.

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

    def describe(self, plan_id: str, files: Iterable[Artifact]) -> None:
        """Say anew what the files are that an edit has changed; progress stays as it is."""
        ...

    def steps(self, plan_id: str) -> list[StepRecord]:
        """Return the finished steps in order, without their artifacts and claims."""
        ...

    def get_with_files(self, plan_id: str, limit: int) -> tuple[Plan | None, list[Artifact]]:
        """Return the plan as ``get`` does and what ``newest_files`` returns, from one read."""
        ...

    def newest_files(self, plan_id: str, limit: int) -> list[Artifact]:
        """Return the files of the latest steps of the pipeline, latest first."""
        ...

    def file(self, plan_id: str, path: str) -> Artifact | None:
        """Return the file *path*, or None where the plan has none of that name."""
        ...

    def all_files(self, plan_id: str) -> list[Artifact]:
        """Return all files in order of path."""
        ...


class PlanShelf(Protocol):
    """Plans at rest: archived ones leave their account's list, deleted ones leave everything but a tombstone."""

    def archive(self, plan_id: str, run: int, at: datetime | None) -> bool:
        """Archive the plan, or with None take it back; return False, changing nothing, unless that run has ended."""
        ...

    def delete(self, plan_id: str, run: int, at: datetime) -> bool:
        """Put a tombstone in the plan's place; return False, changing nothing, unless that run has ended."""
        ...

    def owner_of_deleted(self, plan_id: str) -> str | None:
        """Return the account of a plan that was deleted; None where none was, or where it is long ago."""
        ...

    def deleted(self, before: datetime) -> list[str]:
        """Return the ids of all plans that were deleted before that time and not erased for good since."""
        ...

    def erase(self, plan_id: str, *, for_good: bool) -> None:
        """Remove all that the table holds of a deleted plan but its tombstone; *for_good*: it is listed no more."""
        ...


class EventLog(Protocol):
    """What a plan's log holds: written by PlanStore, with what is logged, all or nothing."""

    def events_after(self, plan_id: str, cursor: int, limit: int) -> list[Entry]:
        """Return the entries after *cursor*, oldest first, at most *limit*; 0 is before the first.

        Cursors strictly increase, and an entry that is written later never has a cursor that was read past.
        """
        ...

    def last_events(self, plan_id: str, limit: int) -> list[Entry]:
        """Return the newest entries, oldest first, at most *limit*."""
        ...


class FileStore(Protocol):
    """The truth: the files of each plan, versioned, each write whole or not at all."""

    def write(self, plan_id: str, path: str, content: bytes, content_type: str) -> None:
        """Store *content*, replacing what was there."""
        ...

    def read(self, plan_id: str, path: str) -> bytes | None:
        """Return the content, or None where there is no such file."""
        ...

    def read_part(self, plan_id: str, path: str, start: int, length: int) -> bytes | None:
        """Return at most *length* (1 or more) bytes from *start*; None where there is no such file.

        A *start* at or behind the end gives no bytes.
        """
        ...

    def describe(self, plan_id: str, path: str) -> Artifact | None:
        """Return what is stored under *path*, without reading it; None where there is no such file."""
        ...

    def remove_all(self, plan_id: str) -> None:
        """Remove every file of the plan with all its earlier versions; no error where there is none."""
        ...

    def paths(self, plan_id: str, prefix: str = "") -> list[str]:
        """Return the paths that begin with *prefix*, sorted."""
        ...

    def sha256(self, plan_id: str, path: str) -> str | None:
        """Return the hash of what is stored, in hex, without reading it; None where there is no such file."""
        ...

    def read_tagged(self, plan_id: str, path: str) -> tuple[bytes, str] | None:
        """Return the content and its tag, for a ``replace`` that must not undo what somebody else wrote; or None."""
        ...

    def replace(self, plan_id: str, path: str, content: bytes, content_type: str, tag: str | None) -> bool:
        """Store *content* where what is there still has *tag* (None: where nothing is there).

        Returns False, changing nothing, otherwise: of many that try at once with the same tag, one succeeds.
        """
        ...

    def copy(self, plan_id: str, path: str, to_plan_id: str) -> bool:
        """Copy a file to the same path of another plan; return False where there is none."""
        ...

    def delete(self, plan_id: str, paths: Iterable[str]) -> None:
        """Take the files away; earlier versions stay readable. No error for one that is not there."""
        ...

    def plans(self) -> list[str]:
        """Return the ids of all plans that have a file, in no order."""
        ...

    def versions(self, plan_id: str, path: str, limit: int) -> list[FileVersion]:
        """Return at most *limit* versions of a file, newest first; empty where there never was one."""
        ...

    def read_version(self, plan_id: str, path: str, version: str) -> bytes | None:
        """Return what the file was in that version, or None where there is none."""
        ...

    def link(self, plan_id: str, path: str, filename: str, seconds: int) -> str:
        """Return an absolute URL that gives the file to whoever holds it, as *filename*, for *seconds*."""
        ...


class Seats(Protocol):
    """For calls that are held open, where few may be at once."""

    def take(self, seats: int, now: datetime, until: datetime) -> int | None:
        """Take one of *seats* until then; None where all are taken by others whose time has not run out."""
        ...

    def leave(self, seat: int, until: datetime) -> None:
        """Give *seat* back, unless it ran out and another has it."""
        ...


class Pipeline(Protocol):
    """The state machine."""

    def start(self, plan_id: str, run: int, target: str) -> None:
        """Start run *run*; starting it twice is starting it once."""
        ...

    def stop(self, plan_id: str, run: int) -> None:
        """Stop run *run* where it is still going; no error where it is not."""
        ...

    def status(self, plan_id: str, run: int) -> str | None:
        """Return RUNNING, SUCCEEDED, FAILED, TIMED_OUT or ABORTED; None where that run was never started."""
        ...


class Bus(Protocol):
    """Where events are told."""

    def put(self, event: PlanEvent) -> None:
        """Tell *event*; raise where the bus did not take it."""
        ...


class KeyStore(Protocol):
    """API keys, by hash: a key itself is shown once and stored nowhere."""

    def add(self, key: ApiKey) -> bool:
        """Store *key*; return False if that hash is taken."""
        ...

    def of_account(self, account: str) -> list[ApiKey]:
        """Return the account's keys, revoked ones too, oldest first."""
        ...

    def revoke(self, digest: str, at: datetime) -> bool:
        """Revoke the key of that hash; return False where there is none. One that is revoked keeps its time."""
        ...

    def use(self, digest: str, day: date) -> None:
        """Note that somebody came with the key of that hash on *day*; an earlier day than is noted changes nothing."""
        ...

    def get(self, digest: str) -> ApiKey | None:
        """Return the key of that hash as last written, or None."""
        ...


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


class ShareStore(Protocol):
    """Shared links, by the hash of their token."""

    def add(self, share: Share) -> None:
        """Store *share*; it goes by itself some time after it has expired."""
        ...

    def get(self, digest: str) -> Share | None:
        """Return the share of that hash, or None where there is none or it was revoked."""
        ...

    def revoke_all(self, plan_id: str) -> int:
        """Revoke every share of the plan; return how many there were."""
        ...


class CreditStore(Protocol):
    """Balances, each with an append-only ledger; every change is whole, and done once under its name."""

    def balance(self, account: str) -> int:
        """Return what the account can spend: what was added less what is reserved and what was paid."""
        ...

    def entries(self, account: str) -> list[LedgerEntry]:
        """Return the account's ledger, oldest first; its amounts add up to the balance."""
        ...

    def add(self, entry: LedgerEntry) -> bool:
        """Add *entry*, of kind ``added``; return False, changing nothing, where one of its id is there."""
        ...

    def reserve(self, reservation: Reservation) -> bool:
        """Hold the amount, also where the same run has reserved before; return False, changing nothing, where the
        balance is too low.
        """
        ...

    def settle(self, plan_id: str, run: int, paid: int, at: datetime) -> bool:
        """Pay *paid* of what the run reserved, at most all of it, and give the rest back.

        Returns False, changing nothing, where nothing is reserved for it or it was settled before.
        """
        ...

    def reserved(self) -> list[Reservation]:
        """Return what is reserved and not settled, of all accounts."""
        ...
