"""The executor: applies facts to stored runs under a check of their version, and does what follows from each."""

import logging
import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache

from planloom.approvals.approval import Approval, ApprovalState, due
from planloom.approvals.errors import ApprovalNotFound
from planloom.approvals.service import Approvals
from planloom.planes.workflows import facts
from planloom.planes.workflows.advance import advance
from planloom.planes.workflows.compile import stored_spec
from planloom.planes.workflows.draft import Node
from planloom.planes.workflows.effects import NOTHING, Effects, effects_of
from planloom.planes.workflows.errors import (
    ExecutionBusy,
    ExecutionEnded,
    ExecutionNotFound,
    NodeNotFound,
    NodeNotOpen,
    ReplanRequired,
)
from planloom.planes.workflows.facts import OUTPUT_BYTES, Fact, json_bytes
from planloom.planes.workflows.ports import Change, Host, WorkflowStore
from planloom.planes.workflows.records import Record
from planloom.planes.workflows.spec import Spec
from planloom.planes.workflows.states import Execution, NodeStatus, next_wake

logger = logging.getLogger(__name__)

#: How often a fact is applied again because another one was written first.
ATTEMPTS = 60
#: Called with a run after each change, and what follows from the change. It may be called again after a crash.
Listener = Callable[[Execution, Effects], None]
#: A call ends within this time: effects of an older change are left over from a crash.
SETTLED = timedelta(seconds=30)
#: Changes whose effects are carried out by one look at what is left over.
MOST_LEFT_OVER = 200
#: Errors of a fact that a run no longer waits for.
LATE = (NodeNotOpen, NodeNotFound, ExecutionEnded, ReplanRequired)


@dataclass(frozen=True)
class Executor:
    """Runs of all accounts, for the service and for the host; it checks no account."""

    store: WorkflowStore
    approvals: Approvals
    host: Host
    now: Callable[[], datetime]
    sleep: Callable[[float], None]
    listeners: tuple[Listener, ...] = ()
    _specs: Callable[[str], Spec] = field(init=False)

    def __post_init__(self) -> None:
        # specifications never change
        object.__setattr__(self, "_specs", lru_cache(maxsize=64)(self._read_spec))

    def spec(self, run: Execution) -> Spec:
        """Return the specification of *run*."""
        return self._specs(run.spec_id)

    def _read_spec(self, spec_id: str) -> Spec:
        return stored_spec(self.store.spec(spec_id).draft)

    def apply(
        self, run: Execution, fact: Callable[[Execution], Fact], *, wake: bool = True
    ) -> tuple[Execution, tuple[Record, ...]]:
        """Apply a fact, which is made from the run as it is stored; return the run after it, and its records.

        Raises what ``advance`` does, and ExecutionBusy. The host itself does not *wake* the host.
        """
        for attempt in range(ATTEMPTS):
            change = self.change(run, *advance(self.spec(run), run, fact(run)), wake=wake)
            if self.store.save(change):
                self.carry_out(change.run, change.effects)
                return change.run, change.records
            self.pause(attempt)
            run = self.store.get(run.run_id) or run
        raise self.busy()

    def apply_to(self, run_id: str, fact: Fact) -> Execution:
        """Apply a fact of the host. Raises ExecutionNotFound and what :meth:`apply` does."""
        run = self.store.get(run_id)
        if run is None:
            raise ExecutionNotFound(f"No run has the id {run_id[:80]}.")
        return self.apply(run, lambda _: fact, wake=False)[0]

    def change(
        self, before: Execution | None, after: Execution, records: tuple[Record, ...], *, wake: bool = True
    ) -> Change:
        """Return what the store is to keep of a change, with what follows from it."""
        wakes = wake and before is not None and self._needs_host(before, after)
        effects = effects_of(before, after, wakes=wakes)
        return Change(run=after, before=before.version if before else 0, records=records, effects=effects)

    def carry_out(self, run: Execution, effects: Effects, current: Execution | None = None) -> None:
        """Do what follows from the change that led to *run*; after a crash, *current* is the run as it is now."""
        if effects == NOTHING:
            return
        if effects.starts:
            self.host.start(current or run)
        self._update_approvals(current or run, effects)
        for child in effects.orphaned:
            self._stop_child(child)
        if run.ended and run.parent_run_id:
            self._report_child(run)
        if effects.wakes:
            self.host.wake(run.run_id)
        for listener in self.listeners:
            listener(run, effects)
        self.store.carried_out(run.run_id, run.version)

    def carry_out_left_over(self, run_id: str | None = None, older: timedelta = SETTLED) -> list[str]:
        """Do what calls have left undone that crashed; return the ids of the runs."""
        found = self.store.left_over(self.now() - older, MOST_LEFT_OVER, run_id)
        for run, effects in found:
            self.carry_out(run, effects, self.store.get(run.run_id) or run)
        return [run.run_id for run, _ in found]

    def delete_orphans(self) -> list[str]:
        """Delete specifications of runs that were not created, because another call was first or the call crashed."""
        return self.store.delete_orphans(self.now() - SETTLED, MOST_LEFT_OVER)

    def _update_approvals(self, run: Execution, effects: Effects) -> None:
        for approval_id in effects.asked:
            # one that is no longer waited for is not asked for
            if approval := run.approvals.get(approval_id):
                self._ask(run, approval)
        for approval_id in effects.withdrawn:
            self._withdraw(run, approval_id)

    def _ask(self, run: Execution, approval: Approval) -> None:
        self.approvals.request(approval)
        current = self.store.get(run.run_id)
        if current is None or approval.approval_id not in current.approvals:
            # another call withdrew it before it was stored
            self._withdraw(run, approval.approval_id)

    def _withdraw(self, run: Execution, approval_id: str) -> None:
        stored = self.approvals.store.get(approval_id)
        if stored and stored.state is ApprovalState.PENDING:
            self.approvals.withdraw(run.account, approval_id, run.reason or "no longer needed")

    def _follow_approvals(self, run: Execution) -> None:
        """Advance *run* by approvals that have changed since, by themselves or by a call that crashed."""
        for approval in run.approvals.values():
            with suppress(ApprovalNotFound):
                stored = self.approvals.get(run.account, approval.approval_id)
                if stored.state is not ApprovalState.PENDING or stored.version != approval.version:
                    self.on_approval(self.approvals.settle(run.account, approval.approval_id), "ended")

    def repair(self, run: Execution) -> None:
        """Do what a call that changed *run* may have left undone because it crashed; others than it call this."""
        if run.updated_at + SETTLED >= self.now():
            return
        self.carry_out_left_over(run.run_id)
        if run.ended:
            return
        self._follow_approvals(run)
        due = self.due(run)
        if self.to_host(run) or (due is not None and due + SETTLED < self.now()):
            # its host may have failed
            self.host.start(run)
            self.host.wake(run.run_id)

    def _needs_host(self, before: Execution, after: Execution) -> bool:
        sooner, sooner_before = self.due(after), self.due(before)
        earlier = sooner is not None and (sooner_before is None or sooner < sooner_before)
        return after.ended or earlier or bool(self.to_host(after))

    def on_approval(self, approval: Approval, change: str) -> None:
        """Advance the run of an approval that changed; a listener of the approvals."""
        if approval.subject.plane != "workflows" or change == "requested":
            return
        run = self.store.get(approval.subject.run_id)
        if run is None or run.approvals.get(approval.approval_id) in (None, approval):
            return
        try:
            self.apply(run, lambda _: facts.ApprovalChanged(at=self.now(), approval=approval))
        except LATE:
            logger.info("approval came too late", extra={"approval_id": approval.approval_id})

    # --- what happens by itself

    def reconcile(self, run_id: str, older: timedelta = SETTLED) -> Execution | None:
        """Let everything happen that is due, and do what a crash left undone *older* ago. None: no such run."""
        self.carry_out_left_over(run_id, older)
        run = self.store.get(run_id)
        if run is None or run.ended:
            return run
        self._follow_approvals(run)
        for child_id in [node.child_run_id for node in run.nodes.values() if node.child_run_id]:
            child = self._newest(child_id)
            if child and child.ended:
                self._report_child(child)
        return self._let_time_pass(run_id)

    def _let_time_pass(self, run_id: str) -> Execution | None:
        run = self.store.get(run_id)
        wake = next_wake(run) if run else None
        if run is None or run.ended or wake is None or wake > self.now():
            return run
        try:
            return self.apply(run, lambda _: facts.TimePassed(at=self.now()), wake=False)[0]
        except ExecutionEnded:
            return self.store.get(run_id)

    def due(self, run: Execution) -> datetime | None:
        """Return when something happens to *run* by itself next."""
        if run.ended:
            return None
        times = [next_wake(run), *(due(each) for each in run.approvals.values())]
        return min((at for at in times if at is not None), default=None)

    def to_host(self, run: Execution) -> list[Node]:
        """Return the nodes that the host is to execute now: calls of tools, subworkflows, and checks by a model."""
        if run.ended or run.reason:
            return []
        return [
            node
            for name, node in self.spec(run).nodes.items()
            if run.nodes[name].judging
            or (
                run.nodes[name].status is NodeStatus.READY
                and (node.owner.executor_type == "plugin" or node.type == "subworkflow")
            )
        ]

    def _newest(self, run_id: str) -> Execution | None:
        """Return a run, or the one that is there in its place after it was replaced."""
        run = self.store.get(run_id)
        while run and run.replaced_by:
            run = self.store.get(run.replaced_by)
        return run

    def _first_id(self, run: Execution) -> str:
        """Return the id of the run that *run* replaced, and so on: what its parent knows."""
        first, before = run.run_id, run.replaced_run_id
        while before:
            first, replaced = before, self.store.get(before)
            before = replaced.replaced_run_id if replaced else None
        return first

    def _stop_child(self, run_id: str) -> None:
        child = self._newest(run_id)
        if child and not child.ended:
            reason = "the run that started it no longer needs it"
            try:
                self.apply(child, lambda _: facts.Stopped(at=self.now(), reason=reason))
            except ExecutionEnded:
                return

    def _report_child(self, child: Execution) -> None:
        """Pass the end of a subworkflow to the run that started it."""
        parent = self.store.get(child.parent_run_id or "")
        # a run that was replaced ends, its parent waits for the new one
        if parent is None or parent.ended or child.replaced_by is not None:
            return
        spec = self.spec(child)
        last = {name: node.output for name, node in child.nodes.items() if not spec.outgoing[name]}
        output = next(iter(last.values())) if len(last) == 1 else last
        if json_bytes(output) > OUTPUT_BYTES:
            output = {"runId": child.run_id, "outputsOmitted": True}
        ended = facts.ChildEnded(
            at=self.now(),
            node=child.parent_node_id or "",
            run_id=self._first_id(child),
            status=str(child.status),
            output=output,
            reason=child.reason,
        )
        try:
            self.apply(parent, lambda _: ended)
        except LATE:
            logger.info("subworkflow ended too late", extra={"run_id": child.run_id})

    def pause(self, attempt: int) -> None:
        """Wait with jitter before a further attempt."""
        self.sleep(random.uniform(0, min(0.3, 0.01 * 1.5**attempt)))  # noqa: S311 - no secret

    def busy(self) -> ExecutionBusy:
        """Return the error of a run that too many calls change."""
        return ExecutionBusy("Many calls change this run at the moment. Try again in a second.")
