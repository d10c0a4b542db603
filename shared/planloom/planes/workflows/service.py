"""Workflows of all accounts: created, replaced, executed by the owners of nodes, and read."""

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple, get_args
from uuid import NAMESPACE_OID, uuid5

from planloom.approvals.approval import Approval, File, Responded, Response
from planloom.approvals.errors import ApprovalNotFound
from planloom.approvals.service import Approvals
from planloom.core.problems import Problem
from planloom.planes.workflows import facts
from planloom.planes.workflows.advance import advance, attempts_left, new_run
from planloom.planes.workflows.compile import compile_draft
from planloom.planes.workflows.draft import Node
from planloom.planes.workflows.errors import (
    ActiveRunExists,
    ExecutionEnded,
    ExecutionNotFound,
    InvalidDraft,
    NodeClaimed,
    NodeNotFound,
    NodeNotOpen,
    ReplanRequired,
    TooManyWorkstreams,
)
from planloom.planes.workflows.executor import ATTEMPTS, Executor
from planloom.planes.workflows.facts import Fact
from planloom.planes.workflows.ports import (
    Change,
    ExecutionView,
    PartKind,
    RecordKind,
    Records,
    StoredSpec,
    Uploads,
    WorkflowStore,
    Workstream,
)
from planloom.planes.workflows.records import NodeAttempt, ValidationIssue
from planloom.planes.workflows.spec import Spec
from planloom.planes.workflows.states import (
    NODE_DONE,
    NODE_OPEN,
    UPLOADED,
    Artifact,
    Execution,
    NodeRun,
    NodeStatus,
    Result,
    RunStatus,
)

logger = logging.getLogger(__name__)

#: The workstream of calls that name none.
DEFAULT_WORKSTREAM = "default"
#: Workstreams of one account.
MOST_WORKSTREAMS = 500
#: More records than a run has.
EVERY = 10_000_000
#: Seconds that a call waits for a run at most.
LONGEST_WAIT = 20.0


class Submitted(NamedTuple):
    """What a submission came to. ``attempt`` says why where it was not accepted."""

    run: Execution
    attempt: NodeAttempt
    attempts_left: int | None


class OpenNode(NamedTuple):
    """A node of an active run that its owner can work on."""

    run: Execution
    node: Node
    state: NodeRun


@dataclass(frozen=True)
class Workflows:
    """The workflows of all accounts; methods that name an account check it."""

    executor: Executor
    uploads: Uploads
    now: Callable[[], datetime]
    new_id: Callable[[], str]
    sleep: Callable[[float], None]
    monotonic: Callable[[], float]
    #: Whether a model is set up for checks.
    judges: Callable[[], bool] = bool

    @property
    def store(self) -> WorkflowStore:
        """Where runs are kept."""
        return self.executor.store

    @property
    def approvals(self) -> Approvals:
        """The approvals of all planes."""
        return self.executor.approvals

    # --- plans

    def validate(self, document: Any) -> tuple[Spec | None, list[Problem]]:
        """Return the specification that *document* compiles to, None where it does not, and what was found."""
        return compile_draft(document, judge=self.judges())

    def create(
        self,
        account: str,
        document: Any,
        workstream_id: str | None = None,
        parent: tuple[str, str] | None = None,
        run_id: str | None = None,
    ) -> Execution:
        """Compile *document* and start a run of it. Raises InvalidDraft, ActiveRunExists, TooManyWorkstreams."""
        stream = workstream_id or DEFAULT_WORKSTREAM
        known = self.store.workstream(account, stream)
        if known is None and parent is None and len(self.workstreams(account)) >= MOST_WORKSTREAMS:
            raise TooManyWorkstreams(
                f"The account has {MOST_WORKSTREAMS} workstreams. Use one of them, or delete one with deleteWorkstream."
            )
        if known and known.active_run_id:
            raise self._active(stream, known.active_run_id)
        change = self._first(account, document, stream, known, {}, None, parent, run_id or self.new_run_id())
        if not self.store.create(change):
            known = self.store.workstream(account, stream)
            raise self._active(stream, known.active_run_id if known else None)
        self.executor.carry_out(change.run, change.effects)
        return change.run

    def new_run_id(self) -> str:
        """Return the id of a run that is to be created."""
        return f"planRun:{self.new_id()}"

    def replace(self, account: str, run_id: str, reason: str, document: Any, *, carry_over: bool = False) -> Execution:
        """Abort a run and start one of *document* in its place; *carry_over* keeps finished work of equal nodes.

        Raises InvalidDraft, ExecutionNotFound, ExecutionEnded, ExecutionBusy.
        """
        for attempt in range(ATTEMPTS):
            before = self.get(account, run_id)
            if before.ended:
                raise ExecutionEnded(
                    f"The run {run_id} is {before.status}: it cannot be replaced. Use createExecutionPlan."
                )
            stream = self.store.workstream(account, before.workstream_id)
            carried = self._carried(before, document) if carry_over else {}
            parent = (before.parent_run_id, before.parent_node_id or "") if before.parent_run_id else None
            new_id = self.new_run_id()
            change = self._first(account, document, before.workstream_id, stream, carried, run_id, parent, new_id)
            stopped = facts.Stopped(at=self.now(), reason=reason or "replaced", replaced_by=change.run.run_id)
            ended = self.executor.change(before, *advance(self.spec(before), before, stopped))
            if self.store.create(change, ended):
                self.executor.carry_out(ended.run, ended.effects)
                self.executor.carry_out(change.run, change.effects)
                return change.run
            self.executor.pause(attempt)
        raise self.executor.busy()

    def _carried(self, before: Execution, document: Any) -> dict[str, NodeRun]:
        after, _ = self.validate(document)
        old = self.spec(before)
        if after is None:
            return {}
        return {
            name: node
            for name, node in before.nodes.items()
            if node.status in NODE_DONE - {NodeStatus.SKIPPED}
            and name in after.nodes
            and after.contract_hash(name) == old.contract_hash(name)
        }

    def _first(
        self,
        account: str,
        document: Any,
        stream: str,
        known: Workstream | None,
        carried: Mapping[str, NodeRun],
        replaced: str | None,
        parent: tuple[str, str] | None,
        run_id: str,
    ) -> Change:
        spec, problems = self.validate(document)
        if spec is None:
            shown = [ValidationIssue.of(each).model_dump(mode="json") for each in problems]
            first = next(each for each in problems if each.severity == "error")
            raise InvalidDraft(
                f"The draft does not compile: {first.path or '/'}: {first.message} {first.hint}".rstrip()
                + (f" There are {len(problems) - 1} more issues." if len(problems) > 1 else ""),
                issues=shown,
            )
        now = self.now()
        version = (known.spec_version if known else 0) + 1
        stored = StoredSpec(
            spec_id=f"planSpec:{self.new_id()}",
            account=account,
            workstream_id=stream,
            version=version,
            draft=spec.draft.model_dump(mode="json", exclude_unset=True),
            sha256=spec.sha256,
            issues=tuple(problems),
            created_at=now,
        )
        self.store.put_spec(stored, run_id)
        empty = Execution(
            run_id=run_id,
            account=account,
            workstream_id=stream,
            spec_id=stored.spec_id,
            spec_version=version,
            created_at=now,
            updated_at=now,
            replaced_run_id=replaced,
            parent_run_id=parent[0] if parent else None,
            parent_node_id=parent[1] if parent else None,
        )
        run, records = advance(spec, new_run(spec, empty), facts.Started(at=now, carried=carried))
        issues = tuple(ValidationIssue.of(each) for each in problems)
        return self.executor.change(None, run, (*issues, *records))

    # --- reading

    def get(self, account: str, run_id: str, workstream_id: str | None = None) -> Execution:
        """Return a run, of *workstream_id* where it is named. Raises ExecutionNotFound, also for another account's."""
        run = self.store.get(run_id)
        if run is None or run.account != account:
            raise ExecutionNotFound(f"No run has the id {run_id[:80]}. listExecutionRuns names your runs.")
        if workstream_id not in (None, run.workstream_id):
            raise ExecutionNotFound(f"The run {run_id} is of the workstream {run.workstream_id}, not {workstream_id}.")
        return run

    def spec(self, run: Execution) -> Spec:
        """Return the specification of *run*."""
        return self.executor.spec(run)

    def stored_spec(self, run: Execution) -> StoredSpec:
        """Return the specification of *run* as it is kept."""
        return self.store.spec(run.spec_id)

    def active(self, account: str, workstream_id: str | None = None) -> Execution | None:
        """Return the active run of a workstream, None where it has none."""
        known = self.store.workstream(account, workstream_id or DEFAULT_WORKSTREAM)
        run = self.store.get(known.active_run_id) if known and known.active_run_id else None
        if run is None:
            return None
        self.executor.repair(run)
        return self.store.get(run.run_id)

    def workstreams(self, account: str) -> list[Workstream]:
        """Return the workstreams of *account*, those of subworkflows left out."""
        return [each for each in self.store.workstreams(account) if each.parent_run_id is None]

    def forget_workstream(self, account: str, workstream_id: str) -> None:
        """Delete a workstream; its runs stay. No error where there is none. Raises ActiveRunExists."""
        if not self.store.forget_workstream(account, workstream_id):
            known = self.store.workstream(account, workstream_id)
            raise ActiveRunExists(
                f"The workstream {workstream_id} has an active run. Stop it first with stopExecutionRun.",
                run_id=known.active_run_id if known else None,
            )

    def runs(self, account: str, limit: int, before: str | None = None) -> list[tuple[str, ExecutionView]]:
        """Return the runs of *account*, newest first, each with the position for *before*."""
        return self.store.newest_of(account, limit, before)

    def records(self, account: str, run_id: str, kind: RecordKind, after: int, limit: int) -> Records:
        """Return the first records of a kind after the cursor *after*."""
        self.get(account, run_id)
        return self.store.records(run_id, kind, after, limit)

    def records_as_json(
        self, account: str, run_id: str, kind: RecordKind | PartKind, after: int, limit: int
    ) -> list[tuple[int, dict[str, Any]]]:
        """Return the first records of any kind after the cursor *after*, as they are exported, each with its cursor."""
        run = self.get(account, run_id)
        match kind:
            case "planSpec" | "planNodeSpec" | "planRun" | "planNodeRun" | "planApproval":
                return list(enumerate(self._parts(run, kind), 1))[after : after + limit]
            case _:
                found = self.store.records(run_id, kind, after, limit)
        if kind == "planEvent":
            found = [(cursor, record.model_copy(update={"cursor": cursor})) for cursor, record in found]
        return [(cursor, record.model_dump(mode="json")) for cursor, record in found]

    def newest_records(self, account: str, run_id: str, kind: RecordKind, limit: int) -> Records:
        """Return the last records of a kind, oldest first."""
        self.get(account, run_id)
        return self.store.newest_records(run_id, kind, limit)

    def approvals_of(self, run: Execution, most: int = 100) -> list[Approval]:
        """Return the approvals of a run, the newest ones, oldest first."""
        found = []
        for approval_id in run.approval_ids[-most:]:
            try:
                found.append(self.approvals.get(run.account, approval_id))
            except ApprovalNotFound:
                if approval_id in run.approvals:  # requested in a moment
                    found.append(run.approvals[approval_id])
        return found

    def open_nodes(
        self,
        account: str,
        workstream_id: str | None = None,
        run_id: str | None = None,
        owner: str | None = None,
        statuses: frozenset[NodeStatus] = NODE_OPEN,
        *,
        every: bool = False,
    ) -> list[OpenNode]:
        """Return nodes of active runs, by default those that are open, of *owner* where it is named.

        Of a run that has ended and is named no node is open, whatever its state; *every* lists such nodes as well.
        """
        if run_id:
            runs = [self.get(account, run_id)]
        elif workstream_id:
            active = self.active(account, workstream_id)
            runs = [active] if active else []
        else:
            ids = [each.active_run_id for each in self.store.workstreams(account) if each.active_run_id]
            runs = [run for run in map(self.store.get, ids) if run]
        return [
            OpenNode(run, node, run.nodes[name])
            for run in runs
            for name, node in self.spec(run).nodes.items()
            if run.nodes[name].status in statuses
            and owner in (None, node.owner.ref)
            and (every or not run.ended or run.nodes[name].status not in NODE_OPEN)
        ]

    def wait(self, account: str, run_id: str, seconds: float, version: int | None = None) -> Execution:
        """Return the run when it is no longer running, or has another version than *version*, or after *seconds*."""
        until = self.monotonic() + min(seconds, LONGEST_WAIT)
        pause = 0.1
        self.executor.repair(self.get(account, run_id))
        while True:
            run = self.get(account, run_id)
            left = until - self.monotonic()
            changed = run.status is not RunStatus.RUNNING if version is None else run.version > version
            if changed or run.ended or left <= 0:
                return run
            self.sleep(min(pause, left))
            pause = min(pause * 1.5, 1.0)

    def events_after(self, account: str, run_id: str, after: int, limit: int, seconds: float = 0) -> Records:
        """Return events after a cursor; where there are none yet, wait for them at most *seconds*."""
        until = self.monotonic() + min(seconds, LONGEST_WAIT)
        while True:
            run = self.get(account, run_id)
            found = self.store.records(run_id, "planEvent", after, limit)
            left = until - self.monotonic()
            if found or run.ended or left <= 0:
                return found
            self.sleep(min(0.5, left))

    # --- executors

    def submit(
        self,
        account: str,
        run_id: str,
        node_id: str,
        result: Result,
        *,
        by: str = "",
        key: str = "",
        token: str = "",
    ) -> Submitted:
        """Apply a result. A rejected one is no error: its attempt says why, and how many attempts are left.

        Raises ExecutionNotFound, ExecutionEnded, ReplanRequired, NodeNotFound, NodeNotOpen, NodeClaimed,
        InvalidSubmission, ExecutionBusy.
        """
        run = self.get(account, run_id)
        checked = result.model_copy(update={"artifacts": tuple(self._artifact(run_id, a) for a in result.artifacts)})
        ask_model, verdicts = self._asks_model(run, node_id)

        def fact(_: Execution) -> Fact:
            return facts.Submitted(
                at=self.now(),
                node=node_id,
                result=checked,
                by=by,
                key=key,
                token=token,
                verdicts=verdicts,
                ask_model=ask_model,
            )

        after, records = self.executor.apply(run, fact)
        attempt = next(each for each in records if isinstance(each, NodeAttempt))
        node = self.spec(after).nodes[node_id]
        state = after.nodes[node_id]
        return Submitted(after, attempt, attempts_left(node, state))

    def _artifact(self, run_id: str, artifact: Artifact) -> Artifact:
        """Return *artifact* with hash and size of its content where that is kept here; else as unverified."""
        if not artifact.pointer.startswith(UPLOADED):
            return artifact.model_copy(update={"verified": False})
        found = self.uploads.keep(run_id, artifact.pointer.removeprefix(UPLOADED))
        if found is None:
            return artifact.model_copy(update={"verified": False, "sha256": None, "size": None})
        return artifact.model_copy(update={"verified": True, "sha256": found[0], "size": found[1]})

    def _asks_model(self, run: Execution, node_id: str) -> tuple[bool, dict[int, tuple[bool, str]]]:
        """Return whether a model is asked about results of a node, and the verdicts where none is there to be asked."""
        node = self.spec(run).nodes.get(node_id)
        checks = enumerate(node.completion_checks if node else ())
        numbers = {number: check for number, check in checks if check.type == "model-judge"}
        if not numbers or self.judges():
            return bool(numbers), {}
        why = "No model is set up here any more. Ask the operator, or replace the plan."
        return False, {number: (False, why) for number, check in numbers.items() if check.blocking}

    def new_upload(self, account: str, run_id: str, kind: str, size: int) -> tuple[str, str]:
        """Return the pointer of an artifact and the URL to which its content, of *size* bytes, is sent."""
        self.get(account, run_id)
        upload_id = self.new_id()
        return f"{UPLOADED}{upload_id}", self.uploads.link(run_id, upload_id, kind, size)

    def approved_files(self, approval: Approval) -> list[tuple[File, str]]:
        """Return the files of what is approved, with URLs of their content; those that were deleted are left out."""
        found = []
        for file in approval.subject.files:
            with suppress(ExecutionNotFound, NodeNotFound):
                url = self.read_artifact(approval.account, approval.subject.run_id, file.pointer, file.sha256)
                found.append((file, url))
        return found

    def read_artifact(self, account: str, run_id: str, pointer: str, sha256: str | None = None) -> str:
        """Return a URL from which the content of an artifact that is kept here is read; *sha256* names a version."""
        run = self.get(account, run_id)
        held = [
            (node, each)
            for node in run.nodes.values()
            for each in node.artifacts
            if each.pointer == pointer and sha256 in (None, each.sha256)
        ]
        if not pointer.startswith(UPLOADED) or not held:
            raise NodeNotFound(f"No artifact of the run is kept here under {pointer[:100]}.")
        if run.replaced_run_id and all(node.carried for node, _ in held):
            # its content stayed with the run that it was carried over from
            return self.read_artifact(account, run.replaced_run_id, pointer, sha256)
        artifact = held[-1][1]
        if artifact.sha256 is None:
            raise NodeNotFound(f"Nothing was sent for {pointer[:100]} before it was submitted.")
        return self.uploads.read_link(run_id, artifact.sha256, artifact.name)

    def claim(
        self,
        account: str,
        *,
        by: str,
        seconds: int,
        run_id: str | None = None,
        node_id: str | None = None,
        role: str | None = None,
        workstream_id: str | None = None,
        token: str | None = None,
    ) -> OpenNode | None:
        """Claim a node, or renew the claim *token*; without *node_id* the first that is ready for *role*.

        None: nothing is ready for the role. Raises the errors of :meth:`submit`.
        """
        if run_id and node_id:
            return self._claim_one(account, run_id, node_id, by, seconds, token)
        ready = self.open_nodes(account, workstream_id, run_id, role, frozenset({NodeStatus.READY}))
        for found in ready:
            if found.node.owner.executor_type == "agent" and not found.run.reason:
                try:
                    return self._claim_one(account, found.run.run_id, found.node.id, by, seconds, None)
                except (NodeClaimed, NodeNotOpen, ExecutionEnded, ReplanRequired):
                    continue
        return None

    def _claim_one(self, account: str, run_id: str, node_id: str, by: str, seconds: int, token: str | None) -> OpenNode:
        run = self.get(account, run_id)
        node = self.spec(run).nodes.get(node_id)
        if node and node.owner.executor_type == "plugin":
            raise NodeNotOpen(
                f"Node {node_id} is executed by planloom itself, with {node.owner.ref}: it is not claimed."
            )
        own = token or self.new_id()

        def fact(_: Execution) -> Fact:
            return facts.Claimed(
                at=self.now(), node=node_id, by=by, token=own, seconds=seconds, renews=token is not None
            )

        run, _ = self.executor.apply(run, fact)
        return OpenNode(run, self.spec(run).nodes[node_id], run.nodes[node_id])

    # --- people

    def respond(self, account: str, approval_id: str, response: Response) -> tuple[Responded, Execution | None]:
        """Count a response to an approval, and advance the run where that decided it; None for one of another plane.

        Raises ApprovalNotFound and what planloom.approvals.approval.respond does.
        """
        responded = self.approvals.respond(account, approval_id, response)
        subject = responded.approval.subject
        return responded, self.get(account, subject.run_id) if subject.plane == "workflows" else None

    # --- the whole run

    def start_child(self, run: Execution, node: Node) -> None:
        """Create the run of a subworkflow; one that was created before a crash is taken instead."""
        assert node.subworkflow is not None, "a subworkflow has a draft"
        found = run.nodes[node.id]
        stream = f"{run.run_id.partition(':')[2]}.{node.id}.{found.iteration}.{found.attempts}"
        given = found.input if isinstance(found.input, dict) else {}
        draft = node.subworkflow.model_dump(mode="json", exclude_unset=True)
        draft["input"] = {**draft.get("input", {}), **given}
        child_id = f"planRun:{uuid5(NAMESPACE_OID, stream)}"
        if self.store.get(child_id) is None:
            with suppress(ActiveRunExists):
                self.create(run.account, draft, stream, (run.run_id, node.id), child_id)
        started = facts.ChildStarted(at=self.now(), node=node.id, run_id=child_id)
        self.executor.apply_to(run.run_id, started)
        self.executor.reconcile(run.run_id)

    def stop(self, account: str, run_id: str, reason: str) -> Execution:
        """Abort a run; one that has ended stays as it is."""
        run = self.get(account, run_id)
        if run.ended:
            return run
        try:
            return self.executor.apply(run, lambda _: facts.Stopped(at=self.now(), reason=reason or "stopped"))[0]
        except ExecutionEnded:
            return self.get(account, run_id)

    def resume(self, account: str, run_id: str, by: str = "") -> Execution:
        """Continue an interrupted run from its latest checkpoint: what is due happens, blocked nodes are reopened.

        Raises ExecutionNotFound, ExecutionEnded, ReplanRequired.
        """
        run, _ = self.executor.apply(self.get(account, run_id), lambda _: facts.Resumed(at=self.now(), by=by))
        run = self.executor.reconcile(run.run_id, timedelta(0)) or run
        self.executor.host.start(run)
        self.executor.host.wake(run_id)
        return run

    def delete(self, account: str, run_id: str) -> None:
        """Delete a run that has ended, with its records and approvals. Raises NodeNotOpen while it is active."""
        run = self.get(account, run_id)
        if not run.ended:
            raise NodeNotOpen(f"The run {run_id} is {run.status}. Stop it first with stopExecutionRun.")
        self.approvals.delete(account, run.approval_ids)
        self.executor.host.forget(run_id)
        self.store.delete(run)

    def _active(self, stream: str, run_id: str | None) -> ActiveRunExists:
        return ActiveRunExists(
            f"The workstream {stream} has an active run already: {run_id}. "
            "Continue it, replace it with replaceExecutionPlan, or name another workstreamId.",
            run_id=run_id,
        )

    def export(self, account: str, run_id: str) -> dict[str, list[dict[str, Any]]]:
        """Return all records of a run by their kinds."""
        run = self.get(account, run_id)
        stored: tuple[RecordKind, ...] = get_args(RecordKind)
        return {str(kind): self._parts(run, kind) for kind in get_args(PartKind)} | {
            str(kind): [record.model_dump(mode="json") for _, record in self.store.records(run_id, kind, 0, EVERY)]
            for kind in stored
        }

    def _parts(self, run: Execution, kind: PartKind) -> list[dict[str, Any]]:
        match kind:
            case "planSpec":
                return [self.stored_spec(run).model_dump(mode="json")]
            case "planNodeSpec":
                return [node.model_dump(mode="json") for node in self.spec(run).nodes.values()]
            case "planRun":
                return [ExecutionView.of(run).model_dump(mode="json")]
            case "planNodeRun":
                return [{"nodeId": n, **s.model_dump(mode="json", exclude={"claim"})} for n, s in run.nodes.items()]
            case "planApproval":
                return [each.model_dump(mode="json") for each in self.approvals_of(run, EVERY)]
