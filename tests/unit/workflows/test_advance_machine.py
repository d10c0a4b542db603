"""Any order of facts, late, doubled and reordered: only allowed transitions, one winner per approval, needs first."""

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from planloom.approvals.approval import ApprovalState, Decision, Outcome, Response, respond
from planloom.core.errors import PlanloomError
from planloom.planes.workflows import facts
from planloom.planes.workflows.records import ExecutionEvent
from planloom.planes.workflows.states import NODE_DONE, NODE_OPEN, RUN_ENDED, NodeStatus, Result, RunStatus, next_wake
from tests.unit.workflows.bench import Bench
from tests.unit.workflows.drafts import draft, edge, node

SCHEMAS = {"s": {"type": "object", "properties": {"score": {"type": "integer", "required": True}}}}
RETRY = {"maxAttempts": 2, "retryOn": ["schema_validation_failed", "executor_failed"]}
POLICIES = [
    {"on": "timeout", "action": "skip"},
    {"on": "schema_validation_failed", "action": "escalate", "to": ["chief"]},
]
WORKFLOW = draft(
    node("write", outputSchemaRef="s", retryPolicy=RETRY, failurePolicy=POLICIES, maxIterations=3, timeoutMs=900_000),
    node("good", "decision"),
    node(
        "check",
        "human-approval",
        timeoutMs=600_000,
        approval={"approvers": ["boss", "chief"], "rule": "any"},
        failurePolicy=[{"on": "human_rejected", "action": "skip"}],
    ),
    node("fetch", owner="plugin:web/fetch", retryPolicy={"maxAttempts": 1, "retryOn": ["tool_failed"]}),
    node("pause", "wait", wait={"durationMs": 300_000}),
    node("ask", "human-input"),
    node("first", "join", join={"mode": "any"}),
    node("publish", failurePolicy=[{"on": "executor_failed", "action": "fail"}]),
    edge("write", "good"),
    edge("good", "write", when="input.score < 3"),
    edge("good", "check"),
    edge("good", "fetch"),
    edge("check", "publish"),
    edge("fetch", "first"),
    edge("good", "pause"),
    edge("pause", "first"),
    edge("first", "publish"),
    edge("good", "ask"),
    edge("ask", "publish", onSkip="continue"),
    schemas=SCHEMAS,
)
NODES = st.sampled_from([each["id"] for each in WORKFLOW["nodes"]])
WORK = st.sampled_from(["write", "write", "publish", "ask", "fetch", "check"])


class RunMachine(RuleBasedStateMachine):
    """Applies facts as callers and timers would; refusals must change nothing."""

    sent = Bundle("sent")

    @initialize()
    def start(self) -> None:
        self.bench = Bench(WORKFLOW)
        self.won: dict[str, ApprovalState] = {}

    def send(self, fact: facts.Fact) -> facts.Fact:
        before = self.bench.run
        try:
            self.bench.apply(fact)
        except PlanloomError:
            assert self.bench.run is before
        else:
            assert before.status not in RUN_ENDED
        return fact

    @rule(target=sent, name=WORK, score=st.integers(0, 6), status=st.sampled_from(["completed", "failed", "partial"]))
    def submit(self, name: str, score: int, status: Any) -> facts.Fact:
        output: dict[str, Any] = {"score": score} if score else {"score": "none"}
        result = Result(status=status, structured_output=output)
        return self.send(facts.Submitted(at=self.bench.at, node=name, result=result))

    @rule(target=sent, name=WORK, by=st.sampled_from(["one", "two"]), renews=st.booleans())
    def claim(self, name: str, by: str, renews: bool) -> facts.Fact:
        made = facts.Claimed(at=self.bench.at, node=name, by=by, token=by, seconds=60, renews=renews, repeatable=False)
        return self.send(made)

    @rule(target=sent, by=st.sampled_from(["one", "two"]), error=st.sampled_from(["", "404"]))
    def tool(self, by: str, error: str) -> facts.Fact:
        ended = facts.ToolEnded(at=self.bench.at, node="fetch", token=by, value={"x": 1}, error=error)
        return self.send(ended)

    @rule(target=sent, decision=st.sampled_from(list(Decision)), by=st.sampled_from(["boss", "chief"]))
    def answer(self, decision: Decision, by: str) -> facts.Fact:
        for approval in self.bench.run.approvals.values():
            try:
                after, outcome = respond(approval, Response(by=by, decision=decision), self.bench.at)
            except PlanloomError:
                continue
            if outcome is Outcome.DECIDED:
                assert approval.approval_id not in self.won
                fact = facts.ApprovalChanged(at=self.bench.at, approval=after)
                if self.bench.run.status not in RUN_ENDED:
                    self.won[approval.approval_id] = after.state
                return self.send(fact)
        return facts.TimePassed(at=self.bench.at)

    @rule(minutes=st.sampled_from([0.5, 2, 6, 20]))
    def wait(self, minutes: float) -> None:
        if self.bench.run.status not in RUN_ENDED:
            self.bench.later(minutes=minutes)

    @rule(fact=sent)
    def again(self, fact: facts.Fact) -> None:
        """The same message comes twice, late, or after others."""
        self.send(fact)

    @rule()
    def resume(self) -> None:
        self.send(facts.Resumed(at=self.bench.at))

    @rule(often=st.integers(0, 20))
    def stop(self, often: int) -> None:
        if not often:
            self.send(facts.Stopped(at=self.bench.at, reason="stopped"))

    @invariant()
    def nothing_runs_without_its_needs(self) -> None:
        spec, run = self.bench.spec, self.bench.run
        for name, found in run.nodes.items():
            edges = [run.edges.get(each.id) for each in spec.incoming[name]]
            if found.status in NODE_OPEN | NODE_DONE - {NodeStatus.SKIPPED} and edges:
                taken = [each for each in edges if each in ("taken", "bypassed")]
                assert taken
                assert name == "first" or None not in edges

    @invariant()
    def what_needs_a_skipped_node_is_skipped(self) -> None:
        spec, run = self.bench.spec, self.bench.run
        # "first" runs after any of its sources
        for each in spec.draft.edges:
            if run.nodes[each.source].cause and each.on_skip == "propagate" and each.target != "first":
                skipped = run.nodes[each.source].status is NodeStatus.SKIPPED
                assert not skipped or each.id in spec.loops or run.nodes[each.target].status is NodeStatus.SKIPPED

    @invariant()
    def the_status_is_that_of_the_nodes(self) -> None:
        run = self.bench.run
        found = {each.status for each in run.nodes.values()}
        if run.status is RunStatus.COMPLETED:
            assert found <= NODE_DONE
        if run.status is RunStatus.RUNNING:
            assert found & {NodeStatus.READY, NodeStatus.RUNNING}
        if run.status is RunStatus.AWAITING_HUMAN:
            assert NodeStatus.AWAITING_HUMAN in found

    @invariant()
    def approvals_are_pending_and_nothing_is_overdue(self) -> None:
        run = self.bench.run
        waiting = {each.approval_id for each in run.nodes.values() if each.approval_for}
        assert all(each.state is ApprovalState.PENDING for each in run.approvals.values())
        if not run.ended:
            assert set(run.approvals) <= waiting
        assert run.nodes["write"].iteration <= 3 + run.nodes["write"].granted + run.nodes["check"].rounds + sum(
            each.name == "run_resumed" for each in self.bench.records if isinstance(each, ExecutionEvent)
        )
        wake = next_wake(run)
        assert wake is None or run.status not in RUN_ENDED


RunMachine.TestCase.settings = settings(
    max_examples=40, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)
test_any_order_of_facts = RunMachine.TestCase
