"""A run in memory to which a test applies facts, checked against the tables of transitions after each."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from planloom.approvals.approval import Decision, Response, respond, settled
from planloom.planes.workflows import facts
from planloom.planes.workflows.advance import advance, new_run
from planloom.planes.workflows.compile import compile_draft
from planloom.planes.workflows.records import ExecutionEvent, NodeAttempt, Record, ValidationIssue
from planloom.planes.workflows.states import (
    NODE_TRANSITIONS,
    RUN_TRANSITIONS,
    Execution,
    NodeRun,
    NodeStatus,
    Result,
    RunStatus,
)

START = datetime(2027, 1, 1, 9, tzinfo=UTC)


class Bench:
    """One run; *at* is its clock."""

    def __init__(self, document: dict[str, Any], carried: Mapping[str, NodeRun] | None = None) -> None:
        spec, problems = compile_draft(document)
        assert spec, problems
        self.spec = spec
        self.at = START
        self.records: list[Record] = []
        empty = Execution(
            run_id="planRun:1",
            account="ann",
            workstream_id="default",
            spec_id="planSpec:1",
            created_at=START,
            updated_at=START,
        )
        self.run = new_run(spec, empty)
        self.apply(facts.Started(at=START, carried=carried or {}))

    def apply(self, fact: facts.Fact) -> Execution:
        """Apply *fact*; its errors are raised, and the run stays as it was."""
        after, records = advance(self.spec, self.run, fact)
        assert after.version == self.run.version + 1
        assert after.status is self.run.status or self.run.status in RUN_TRANSITIONS[after.status]
        self._check_events(records)
        self.run = after
        self.records += records
        return after

    def _check_events(self, records: tuple[Record, ...]) -> None:
        states = {name: node.status for name, node in self.run.nodes.items()}
        for record in records:
            if isinstance(record, ExecutionEvent) and record.name.startswith("node_") and record.node_id:
                word = record.name.removeprefix("node_").replace("_", "-")
                if word in set(NodeStatus):
                    assert states[record.node_id] in NODE_TRANSITIONS[NodeStatus(word)]
                    states[record.node_id] = NodeStatus(word)

    def submit(self, node: str, output: Any = None, **more: Any) -> Execution:
        given = {name: more.pop(name) for name in ("by", "key", "token", "verdicts") if name in more}
        result = Result.model_validate({"structuredOutput": output, **more})
        return self.apply(facts.Submitted(at=self.at, node=node, result=result, **given))

    def claim(self, node: str, by: str = "one", token: str = "", seconds: int = 60, **more: Any) -> Execution:
        return self.apply(facts.Claimed(at=self.at, node=node, by=by, token=token or by, seconds=seconds, **more))

    def answer(self, node: str, decision: str, by: str = "boss", comment: str = "") -> Execution:
        approval = self.run.approvals[self.run.nodes[node].approval_id or ""]
        after, _ = respond(approval, Response(by=by, decision=Decision(decision), comment=comment), self.at)
        return self.apply(facts.ApprovalChanged(at=self.at, approval=after))

    def later(self, **delta: float) -> Execution:
        """Let time pass; approvals expire first, as their own timer does it."""
        self.at += timedelta(**delta)
        for approval in list(self.run.approvals.values()):
            if (after := settled(approval, self.at)) != approval:
                self.apply(facts.ApprovalChanged(at=self.at, approval=after))
        return self.run if self.run.ended else self.apply(facts.TimePassed(at=self.at))

    def states(self) -> dict[str, str]:
        return {name: str(node.status) for name, node in self.run.nodes.items()}

    def attempts(self) -> list[NodeAttempt]:
        return [each for each in self.records if isinstance(each, NodeAttempt)]

    def issues(self) -> list[tuple[str, str, str, str]]:
        return [
            (each.code, each.path, each.message, each.hint)
            for each in self.records
            if isinstance(each, ValidationIssue)
        ]

    @property
    def status(self) -> RunStatus:
        return self.run.status
