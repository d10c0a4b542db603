"""What workflows need from outside: where runs are kept, what makes them act by themselves, content, a judge."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, Protocol

from pydantic import Field

from planloom.core.problems import Problem
from planloom.planes.workflows.draft import Part
from planloom.planes.workflows.effects import NOTHING, Effects
from planloom.planes.workflows.records import Record
from planloom.planes.workflows.states import Execution, RunStatus

#: Kinds of records of a run, as the specification names them.
#: Records that are stored one by one; there can be any number of them.
RecordKind = Literal["planNodeAttempt", "planArtifact", "planCheckpoint", "planValidationIssue", "planEvent"]
#: Records that are parts of the run, its specification and its approvals.
PartKind = Literal["planSpec", "planNodeSpec", "planRun", "planNodeRun", "planApproval"]


class StoredSpec(Part):
    """A compiled specification as it is kept: immutable."""

    spec_id: str
    account: str
    workstream_id: str
    version: int
    draft: dict[str, Any]
    sha256: str
    issues: tuple[Problem, ...] = ()
    created_at: datetime


class Workstream(Part):
    """A line of work with at most one active run. ``specVersion`` counts its specifications."""

    workstream_id: str
    account: str
    active_run_id: str | None = None
    last_run_id: str | None = None
    spec_version: int = 0
    title: str = ""
    parent_run_id: str | None = Field(default=None, description="Set where it holds a subworkflow")
    updated_at: datetime


class ExecutionView(Part):
    """A run without its nodes."""

    run_id: str
    account: str
    workstream_id: str
    spec_id: str
    title: str = ""
    version: int
    status: RunStatus
    reason: str = ""
    counts: dict[str, int]
    created_at: datetime
    updated_at: datetime
    ended_at: datetime | None = None
    replaced_run_id: str | None = None
    replaced_by: str | None = None

    @classmethod
    def of(cls, run: Execution) -> "ExecutionView":
        """Return the view of *run*."""
        known = {name: getattr(run, name) for name in cls.model_fields if name != "counts"}
        return cls(**known, counts=run.counts())


class Change(Part):
    """A run after a fact, the version that it had before, the records of the fact, and what follows from it."""

    run: Execution
    before: int
    records: tuple[Record, ...] = ()
    effects: Effects = NOTHING


class WorkflowStore(Protocol):
    """Runs of workflows. Each change is one conditional write; one that comes too late changes nothing.

    The effects of a change are stored by the same write, until :meth:`carried_out`.
    """

    def put_spec(self, spec: StoredSpec, run_id: str) -> None:
        """Store a specification, before the run that is created of it."""

    def spec(self, spec_id: str) -> StoredSpec:
        """Return a specification. Raises FileNotFoundError."""

    def create(self, created: Change, replaced: Change | None = None) -> bool:
        """Store a new run as the active one of its workstream, together with the end of the run that it replaces.

        Return False, changing nothing, where the workstream has another active run, or *replaced* was changed since.
        """

    def save(self, change: Change) -> bool:
        """Store a run after a fact; return False, changing nothing, where its version is not that before.

        A run that ended is no longer its workstream's active one; the workstream of a subworkflow is deleted with that.
        """

    def get(self, run_id: str) -> Execution | None:
        """Return a run with its nodes."""

    def workstream(self, account: str, workstream_id: str) -> Workstream | None:
        """Return a workstream."""

    def workstreams(self, account: str) -> list[Workstream]:
        """Return the workstreams of *account*, by id."""

    def forget_workstream(self, account: str, workstream_id: str) -> bool:
        """Delete a workstream, whose runs stay; return False, changing nothing, where it has an active run."""

    def newest_of(self, account: str, limit: int, before: str | None = None) -> list[tuple[str, ExecutionView]]:
        """Return runs of *account*, newest first, each with the position that *before* takes for those after it."""

    def records(self, run_id: str, kind: RecordKind, after: int, limit: int) -> list[tuple[int, Record]]:
        """Return the first records of a kind after the cursor *after*, each with its cursor."""

    def newest_records(self, run_id: str, kind: RecordKind, limit: int) -> list[tuple[int, Record]]:
        """Return the last records of a kind, oldest first, each with its cursor."""

    def carried_out(self, run_id: str, version: int) -> None:
        """Forget the effects of the change that gave a run this version; no error where there are none."""

    def left_over(self, before: datetime, limit: int, run_id: str | None = None) -> list[tuple[Execution, Effects]]:
        """Return effects of changes made earlier than *before*, with the run as each change left it, oldest first.

        They are those of *run_id* alone where it is named.
        """

    def delete(self, run: Execution) -> None:
        """Delete a run that has ended with all its records."""

    def delete_orphans(self, before: datetime, limit: int) -> list[str]:
        """Delete specifications stored earlier than *before* whose run was not created; return their ids."""


class Host(Protocol):
    """What makes runs act by themselves: deadlines, calls of tools, subworkflows."""

    def start(self, run: Execution) -> None:
        """Start to look after *run*; starting it again changes nothing."""

    def wake(self, run_id: str) -> None:
        """Let the host look at a run now."""

    def forget(self, run_id: str) -> None:
        """Delete what is kept of the host of a run that has ended, unless it still works."""


class Uploads(Protocol):
    """Content of artifacts that is kept here."""

    def link(self, run_id: str, upload_id: str, kind: str, size: int) -> str:
        """Return a URL that takes *size* bytes of the content type *kind* by PUT, valid for 15 minutes."""

    def keep(self, run_id: str, upload_id: str) -> tuple[str, int] | None:
        """Keep the content that was sent, and return its SHA-256 and bytes; None where none was sent.

        What is sent to the same link later does not replace it.
        """

    def export(self, run_id: str, content: bytes) -> str:
        """Store the export of a run in place of an earlier one; return a URL from which it is read for 15 minutes."""

    def read_link(self, run_id: str, sha256: str, name: str) -> str:
        """Return a URL from which content that is kept is read as a file of about this name, valid for 15 minutes."""


Records = Sequence[tuple[int, Record]]
