"""Any order of calls, each of which may be killed at a write: nothing is lost, nothing is done twice."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from planloom.approvals.approval import Approval, ApprovalState, Decision, Response
from planloom.core.errors import PlanloomError
from planloom.notifications.events import Event
from planloom.planes.links.progress import RunNotices
from planloom.planes.workflows.records import ExecutionEvent
from planloom.planes.workflows.states import NODE_DONE, NODE_OPEN, NODE_TRANSITIONS, Execution, NodeStatus, Result
from tests.unit.runs.fakes import Killed, Writes
from tests.unit.workflows.drafts import draft, edge, node
from tests.unit.workflows.fakes import Services

SCHEMA = {"type": "object", "properties": {"score": {"type": "integer", "required": True}}}
RETRY = {"maxAttempts": 1, "retryOn": ["schema_validation_failed", "timeout"]}
WORKFLOW = draft(
    node("write", outputSchemaRef="s", retryPolicy=RETRY, timeoutMs=900_000, maxIterations=2),
    node("good", "decision"),
    node("check", "human-approval", timeoutMs=600_000, approval={"approvers": ["boss", "chief"], "rule": "any"}),
    node("inner", "subworkflow", subworkflow=draft(node("x"))),
    node("publish", failurePolicy=[{"on": "executor_failed", "action": "escalate", "to": ["chief"]}]),
    edge("write", "good"),
    edge("good", "write", when="input.score < 3"),
    edge("good", "check"),
    edge("good", "inner"),
    edge("check", "publish"),
    edge("inner", "publish"),
    schemas={"s": SCHEMA},
)
WORK = st.sampled_from(["write", "write", "publish", "x"])


class CrashMachine(RuleBasedStateMachine):
    """Calls of agents, people and the host; the watchdog does what is left over."""

    @initialize()
    def start(self) -> None:
        self.writes = Writes()
        self.services = Services(writes=self.writes)
        self.published: dict[str, Event] = {}
        self.expected: dict[str, Event] = {}
        self.won: dict[str, ApprovalState] = {}
        services = self.services
        notices = RunNotices(self._publish, lambda run: services.executor.spec(run))
        services.executor = replace(services.executor, listeners=(notices,))
        services.workflows = replace(services.workflows, executor=services.executor)
        kept = services.store._leave

        def leave(change: Any) -> None:
            kept(change)
            RunNotices(self._expect, lambda run: services.executor.spec(run))(change.run, change.effects)

        services.store._leave = leave  # type: ignore[method-assign]
        services.workflows.create("ann", WORKFLOW)

    def _publish(self, *events: Event) -> None:
        self.writes.next(lambda: self.published.update({each.event_id: each for each in events}))

    def _expect(self, *events: Event) -> None:
        self.expected.update({each.event_id: each for each in events})

    def attempt(self, call: Callable[..., Any], *args: Any, **named: Any) -> None:
        """Make a call that may be refused, or killed."""
        try:
            call(*args, **named)
        except PlanloomError:
            return
        except Killed:
            self.writes.revive()

    def active(self) -> list[Execution]:
        return [run for run in self.services.store.runs.values() if not run.ended]

    @rule(in_writes=st.integers(1, 8), after=st.booleans())
    def crash(self, in_writes: int, after: bool) -> None:
        """The process of the next calls is killed at a write."""
        self.writes.die_at, self.writes.after = self.writes.count + in_writes, after

    @rule(name=WORK, score=st.sampled_from([0, 2, 4, 5]), status=st.sampled_from(["completed", "failed"]))
    def submit(self, name: str, score: int, status: Any) -> None:
        result = Result(status=status, structured_output={"score": score} if score else {})
        for run in self.active():
            self.attempt(self.services.workflows.submit, "ann", run.run_id, name, result)

    @rule(decision=st.sampled_from(list(Decision)), by=st.sampled_from(["boss", "chief"]))
    def respond(self, decision: Decision, by: str) -> None:
        for approval_id in list(self.services.approval_store.approvals):
            response = Response(by=by, decision=decision)
            self.attempt(self.services.workflows.respond, "ann", approval_id, response)

    @rule(minutes=st.sampled_from([0, 1, 6, 20]))
    def host(self, minutes: int) -> None:
        """Time passes, and hosts look at their runs."""
        self.services.clock.pass_(minutes=minutes)
        for run in self.active():
            self.attempt(self._look, run.run_id)

    def _look(self, run_id: str) -> None:
        run = self.services.executor.reconcile(run_id)
        for each in self.services.executor.to_host(run) if run else ():
            self.services.workflows.start_child(run, each)  # type: ignore[arg-type]

    @rule()
    def resume(self) -> None:
        for run in self.active():
            self.attempt(self.services.workflows.resume, "ann", run.run_id)

    @rule(carry_over=st.booleans(), often=st.integers(0, 6))
    def replace(self, carry_over: bool, often: int) -> None:
        run = self.services.workflows.active("ann") if not often else None
        if run:
            self.attempt(
                lambda: self.services.workflows.replace("ann", run.run_id, "", WORKFLOW, carry_over=carry_over)
            )

    @rule(often=st.integers(0, 20))
    def stop(self, often: int) -> None:
        for run in self.active() if not often else ():
            self.attempt(self.services.workflows.stop, "ann", run.run_id, "")

    @invariant()
    def an_approval_has_one_end(self) -> None:
        for approval in self.services.approval_store.approvals.values():
            if approval.state is not ApprovalState.PENDING:
                assert self.won.setdefault(approval.approval_id, approval.state) is approval.state

    @invariant()
    def a_workstream_has_one_active_run(self) -> None:
        streams = [run.workstream_id for run in self.active()]
        assert len(streams) == len(set(streams))

    @invariant()
    def nothing_runs_without_its_needs(self) -> None:
        for run in self.services.store.runs.values():
            incoming = self.services.executor.spec(run).incoming
            for name, found in run.nodes.items():
                edges = [run.edges.get(each.id) for each in incoming[name]]
                if edges and found.status in NODE_OPEN | NODE_DONE - {NodeStatus.SKIPPED}:
                    assert None not in edges
                    assert "taken" in edges

    def teardown(self) -> None:
        """Let the watchdog look: what every change asked for was done."""
        services = self.services
        self.writes.revive()
        for _ in range(3):
            services.clock.pass_(seconds=31)
            services.executor.carry_out_left_over()
            services.executor.approvals.publish_left_over()
            for run in list(services.store.runs.values()):
                services.executor.reconcile(run.run_id)
        assert (services.store.left, services.approval_store.left) == ({}, {})
        assert self.published.keys() == self.expected.keys()
        pending = {each.approval_id for each in self._stored() if each.state is ApprovalState.PENDING}
        assert pending == {name for run in services.store.runs.values() for name in run.approvals}
        for run in services.store.runs.values():
            self._check_transitions(run)
            parent = services.store.runs.get(run.parent_run_id or "")
            assert run.ended or parent is None or not parent.ended

    def _stored(self) -> list[Approval]:
        return list(self.services.approval_store.approvals.values())

    def _check_transitions(self, run: Execution) -> None:
        states = dict.fromkeys(run.nodes, NodeStatus.PENDING)
        for record in self.services.store.kept[run.run_id]:
            if isinstance(record, ExecutionEvent) and record.name.startswith("node_") and record.node_id:
                word = record.name.removeprefix("node_").replace("_", "-")
                if word in set(NodeStatus):
                    assert states[record.node_id] in NODE_TRANSITIONS[NodeStatus(word)]
                    states[record.node_id] = NodeStatus(word)
        assert states == {name: found.status for name, found in run.nodes.items()}


CrashMachine.TestCase.settings = settings(
    max_examples=40, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
test_any_order_of_calls_with_crashes = CrashMachine.TestCase
