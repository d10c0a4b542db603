"""How one fact moves a run: nodes become ready, end, are skipped, loop, or fail, until nothing more follows."""

import json
from collections import deque
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Literal

from planloom.approvals.approval import (
    LONGEST_CONTENT,
    MOST_FILES,
    Approval,
    Escalation,
    File,
    Rule,
    Subject,
    pin,
    request,
)
from planloom.approvals.errors import InvalidApproval
from planloom.core.expressions import parse
from planloom.core.paths import PathNotFound, parts_of, value_at
from planloom.planes.workflows.checks import people_who_check, schema_findings
from planloom.planes.workflows.draft import Cause, Edge, FailureRule, Node
from planloom.planes.workflows.facts import INPUT_BYTES, json_bytes
from planloom.planes.workflows.records import ExecutionEvent, PlanCheckpoint, Record, ValidationIssue
from planloom.planes.workflows.spec import Spec, is_system
from planloom.planes.workflows.states import (
    NODE_BLOCKED,
    NODE_DONE,
    NODE_OPEN,
    NODE_TRANSITIONS,
    REPLAN_REQUIRED,
    RUN_TRANSITIONS,
    Claim,
    EdgeState,
    Execution,
    NodeRun,
    NodeStatus,
    Result,
    RunStatus,
)

#: How often people may request changes of one node before it is blocked.
MOST_ROUNDS = 20


class Progress:
    """A run while one fact is applied to it; *carried* holds finished nodes of the run that it replaces."""

    def __init__(self, spec: Spec, run: Execution, at: datetime, carried: Mapping[str, NodeRun] | None = None) -> None:
        self.spec = spec
        self.run = run
        self.at = at
        self.nodes = dict(run.nodes)
        self.edges = dict(run.edges)
        self.approvals = dict(run.approvals)
        self.approval_ids = run.approval_ids
        self.records: list[Record] = []
        self.status = run.status
        self.reason = run.reason
        self._carried = carried or {}
        self._todo: deque[str] = deque()
        self._loops: deque[Edge] = deque()
        self._moved = False

    # --- what is recorded

    def event(self, name: str, node: str | None = None, **data: Any) -> None:
        """Record an event."""
        self.records.append(ExecutionEvent(name=name, at=self.at, node_id=node, data=data))

    def issue(self, code: str, node: str, message: str, path: str = "", hint: str = "") -> None:
        """Record what prevents a node from advancing."""
        self.records.append(
            ValidationIssue(severity="blocking", code=code, path=path, message=message, hint=hint, node_id=node)
        )

    def change(self, node: str, **changes: Any) -> NodeRun:
        """Change a node without a transition."""
        self.nodes[node] = self.nodes[node].model_copy(update=changes)
        return self.nodes[node]

    def move(self, node: str, status: NodeStatus, **changes: Any) -> NodeRun:
        """Move a node to a status that the table of transitions allows."""
        before = self.nodes[node].status
        if before not in NODE_TRANSITIONS[status]:
            raise AssertionError(f"node {node}: {before} to {status}")
        if status not in NODE_OPEN:
            ended = {"claim": None, "deadline": None, "wake_at": None, "judging": None, "submitted": None}
            changes = {**ended, **changes}
        found = self.change(node, status=status, **changes)
        data = {name: getattr(found, name) for name in ("reason", "cause") if getattr(found, name)}
        self.event(f"node_{status.value.replace('-', '_')}", node, **data)
        self._moved = True
        return found

    # --- forward

    def start(self) -> None:
        """Begin at the entry nodes."""
        for node in self.spec.draft.entry_node_ids:
            self.enter(node, dict(self.spec.draft.input))
        self.follow()

    def enter(self, node: str, given: Any) -> None:
        """Make *node* ready with its input, and let it go as far as it goes by itself."""
        contract, before = self.spec.nodes[node], self.nodes[node]
        if self._take_over(node, given):
            return
        deadline = self.at + timedelta(milliseconds=contract.timeout_ms) if contract.timeout_ms else None
        self.move(
            node,
            NodeStatus.READY,
            input=given,
            iteration=before.iteration + 1,
            retries=0,
            ready_at=self.at,
            started_at=None,
            ended_at=None,
            deadline=deadline,
            reason="",
            cause=None,
            carried=False,
        )
        if (size := json_bytes(given)) > INPUT_BYTES:
            message = f"The input has {size:,} bytes; at most {INPUT_BYTES:,} are passed on."
            self.issue("INPUT_TOO_LARGE", node, message, "/input", "Map single fields on the edges to this node.")
            self.fail(node, "schema_validation_failed", message, retry=False)
            return
        ref = contract.input_schema_ref
        misfit = next(schema_findings(self.spec, ref, given, "/input"), None) if ref else None
        if misfit:
            message = f"{misfit.message} Needed: {misfit.expected}"
            self.issue("INPUT_DOES_NOT_FIT", node, message, misfit.path, "Correct the map of the edge to this node.")
            self.fail(node, "schema_validation_failed", f"input {misfit.path}: {message}", retry=False)
            return
        self.begin(node)

    def begin(self, node: str) -> None:
        """Do what a ready node does by itself."""
        contract = self.spec.nodes[node]
        if contract.type == "wait":
            self._wait(node, contract)
        elif contract.type == "human-approval":
            self.ask(node, "node")
        elif is_system(contract) and contract.type != "subworkflow":
            self.move(node, NodeStatus.RUNNING, started_at=self.at)
            self.complete(node, self.nodes[node].input)
        elif contract.owner.executor_type == "user":
            self.move(node, NodeStatus.AWAITING_HUMAN)

    def _wait(self, node: str, contract: Node) -> None:
        rule = contract.wait
        assert rule is not None, "a wait without a rule does not compile"
        times = [] if rule.until is None else [rule.until]
        if rule.duration_ms:
            times.append(self.at + timedelta(milliseconds=rule.duration_ms))
        self.move(node, NodeStatus.RUNNING, started_at=self.at, wake_at=min(times, default=None))
        if times and min(times) <= self.at:
            self.complete(node, self.nodes[node].input)

    def _take_over(self, node: str, given: Any) -> bool:
        """Complete *node* with what the replaced run made of equal input; return whether that was done."""
        before = self._carried.get(node)
        sources = [edge.source for edge in self.spec.incoming[node] if self.edges.get(edge.id) == "taken"]
        if before is None or before.input != given or not all(self.nodes[each].carried for each in sources):
            return False
        # another version of what was approved needs another approval
        approved = before.output.get("sha256") if isinstance(before.output, dict) else None
        if self.spec.nodes[node].type == "human-approval" and approved != self.subject(node, given).sha256:
            return False
        self.move(node, NodeStatus.READY, input=given, iteration=1, ready_at=self.at)
        self.move(node, NodeStatus.RUNNING, started_at=self.at)
        self.change(node, artifacts=before.artifacts, executor=before.executor, key=before.key, carried=True)
        self.complete(node, before.output, NodeStatus(before.status))
        return True

    def accept(self, node: str, result: Result) -> None:
        """Keep a *result* that has passed the checks without people, and ask the people of the others."""
        partial = result.status == "partial"
        self.change(node, output=result.structured_output, artifacts=result.artifacts, partial=partial, checked=0)
        self.ask_or_complete(node)

    def ask_or_complete(self, node: str) -> None:
        """Ask the people of the next check by people; complete *node* where all have approved."""
        found = self.nodes[node]
        if found.checked < len(people_who_check(self.spec.nodes[node])):
            self.ask(node, "check")
        else:
            self.complete(node, found.output, NodeStatus.PARTIAL if found.partial else NodeStatus.COMPLETED)

    def complete(self, node: str, output: Any, status: NodeStatus = NodeStatus.COMPLETED) -> None:
        """End *node* with *output*, and take or leave its edges."""
        before = self.nodes[node]
        taken = self._chosen(node, before.input, output)
        for edge in taken:
            if edge.id in self.spec.loops and not self._may_loop(edge.target):
                self._exhausted(node, edge)
                return
        self.move(node, status, output=output, ended_at=self.at, reason="", cause=None, feedback=(), approval_for="")
        chosen = {edge.id for edge in taken}
        for edge in self.spec.outgoing[node]:
            if edge.id not in self.spec.loops:
                self.edges[edge.id] = "taken" if edge.id in chosen else "dead"
                self._todo.append(edge.target)
        self._loops.extend(edge for edge in taken if edge.id in self.spec.loops)

    def _chosen(self, node: str, given: Any, output: Any) -> list[Edge]:
        edges = self.spec.outgoing[node]
        if self.spec.nodes[node].type != "decision":
            return list(edges)
        values = {"input": given, "output": output, "outputs": self.outputs(), "artifacts": {}}
        holding = [edge for edge in edges if edge.when and parse(edge.when).holds(values)]
        return holding or [edge for edge in edges if not edge.when]

    def outputs(self) -> dict[str, Any]:
        """Return the results of the nodes that are done, by node."""
        return {name: node.output for name, node in self.nodes.items() if node.status in NODE_DONE}

    def skip(self, node: str, reason: str, cause: Cause | None = None, state: EdgeState = "skipped") -> None:
        """Skip *node*; its edges say whether what follows is skipped too, *state* is that of those that say it."""
        self.move(node, NodeStatus.SKIPPED, ended_at=self.at, reason=reason, cause=cause)
        for edge in self.spec.outgoing[node]:
            if edge.id not in self.spec.loops:
                self.edges[edge.id] = "bypassed" if edge.on_skip == "continue" else state
                self._todo.append(edge.target)

    def follow(self) -> None:
        """Let every node start or be skipped whose edges now say so."""
        while self._todo or self._loops:
            if self._loops:
                self._loop(self._loops.popleft())
                continue
            node = self._todo.popleft()
            if self.nodes[node].status is not NodeStatus.PENDING:
                continue
            verdict = self._verdict(node)
            if verdict == "ready":
                self.enter(node, self._input(node))
            elif verdict == "skip":
                self._pass_over(node)

    def _pass_over(self, node: str) -> None:
        """Skip *node* because of its edges: a source was skipped, or no decision before it chose it."""
        edges = self.spec.incoming[node]
        source = next((edge.source for edge in edges if self.edges.get(edge.id) == "skipped"), None)
        if source is None:
            self.skip(node, "no path to it was taken", state="dead")
        else:
            self.skip(node, f"“{source}” before it was skipped")

    def _verdict(self, node: str) -> Literal["ready", "skip", "wait"]:
        edges = self.spec.incoming[node]
        states = [self.edges.get(edge.id) for edge in edges]
        taken = sum(state in ("taken", "bypassed") for state in states)
        still_open = states.count(None)
        rule = self.spec.nodes[node].join
        if rule is None or rule.mode == "all":
            if "skipped" in states:
                return "skip"
            if still_open:
                return "wait"
            return "ready" if taken else "skip"
        needed = 1 if rule.mode == "any" else rule.count
        if taken >= needed:
            return "ready"
        return "skip" if taken + still_open < needed else "wait"

    def _input(self, node: str) -> dict[str, Any]:
        given: dict[str, Any] = {}
        for edge in self.spec.incoming[node]:
            if self.edges.get(edge.id) == "taken":
                _mapped(edge, self.nodes[edge.source].output, given)
        return given

    # --- loops

    def _may_loop(self, head: str) -> bool:
        most = self.spec.nodes[head].max_iterations
        assert most is not None, "a loop without a bound does not compile"
        return self.nodes[head].iteration < most + self.nodes[head].granted

    def _exhausted(self, node: str, edge: Edge) -> None:
        message = f"“{edge.target}” has run {self.nodes[edge.target].iteration} times, as maxIterations allows."
        self.issue("ITERATIONS_EXHAUSTED", node, message, hint="Resume the run for one more, or replace the plan.")
        self.block(node, f"iterations_exhausted: {message}")

    def _loop(self, edge: Edge) -> None:
        if self.nodes[edge.source].status not in NODE_DONE:
            # another loop has set it back
            return
        output = self.nodes[edge.source].output
        self.reset({edge.target}, f"loop over {edge.id}")
        given = self._input(edge.target) or dict(self._first_input(edge.target))
        _mapped(edge, output, given)
        self.enter(edge.target, given)

    def _first_input(self, node: str) -> Mapping[str, Any]:
        return self.spec.draft.input if node in self.spec.draft.entry_node_ids else {}

    def reset(self, heads: set[str], reason: str) -> None:
        """Set *heads* and everything after them back to pending: their results no longer count."""
        body = set().union(*(self.spec.after(head) for head in heads))
        for node in self.spec.nodes:
            if node not in body:
                continue
            self.withdraw(node, reason)
            if self.nodes[node].status is not NodeStatus.PENDING:
                self.move(
                    node,
                    NodeStatus.PENDING,
                    reason="",
                    cause=None,
                    approval_for="",
                    approval_id=None,
                    child_run_id=None,
                    carried=False,
                )
            for edge in self.spec.outgoing[node]:
                self.edges.pop(edge.id, None)

    def rework(self, node: str, comment: str) -> bool:
        """Let the work be done again that *node* was to approve; return whether there is any, and rounds are left."""
        sources = self._workers_before(node)
        rounds = self.nodes[node].rounds + 1
        if not sources or rounds > MOST_ROUNDS:
            return False
        given = {each: self.nodes[each].input for each in sources}
        self.reset(sources, "changes were requested")
        self.change(node, rounds=rounds)
        for each in sorted(sources, key=list(self.spec.nodes).index):
            self.change(each, feedback=(f"Changes were requested: {comment or 'no comment'}",))
            self.enter(each, given[each])
        return True

    def _workers_before(self, node: str) -> set[str]:
        """Return the nearest nodes before *node* that were worked on."""
        found: set[str] = set()
        todo = [edge.source for edge in self.spec.incoming[node] if self.edges.get(edge.id) == "taken"]
        while todo:
            source = todo.pop()
            if is_system(self.spec.nodes[source]) or self.spec.nodes[source].type == "human-approval":
                todo += [edge.source for edge in self.spec.incoming[source] if self.edges.get(edge.id) == "taken"]
            else:
                found.add(source)
        return {each for each in found if not any(each in self.spec.after(other) for other in found - {each})}

    # --- people

    def subject(self, node: str, given: Any, failure: str = "", asked: str = "") -> Subject:
        """Return what an approver of *node* is shown, its content pinned by its hash.

        *failure* is what was escalated, *asked* what the approver is asked to check in place of the instructions.
        """
        contract = self.spec.nodes[node]
        before = [edge.source for edge in self.spec.incoming[node]]
        sources = before if contract.type == "human-approval" else [node]
        artifacts = [each for source in sources for each in self.nodes[source].artifacts]
        shown = {
            "content": given,
            "artifacts": [each.model_dump(mode="json", exclude_defaults=True) for each in artifacts],
        }
        files = [
            File(name=each.name, pointer=each.pointer, sha256=each.sha256, size=each.size or 0)
            for each in artifacts
            if each.verified and each.sha256
        ]
        if failure:
            shown = {"failure": failure, **shown}
        text = json.dumps(shown, ensure_ascii=False, indent=1)
        return Subject(
            plane="workflows",
            run_id=self.run.run_id,
            node_id=node,
            title=(contract.label or node)[:500],
            sha256=pin(shown),
            objective=contract.objective,
            instructions=asked or contract.instructions,
            content=text[:LONGEST_CONTENT],
            complete=len(text) <= LONGEST_CONTENT,
            files=tuple(files[:MOST_FILES]),
        )

    def escalate(self, node: str, failure: str, to: tuple[str, ...]) -> None:
        """Ask *to* whether what was submitted last is accepted in spite of *failure*."""
        result = self.nodes[node].submitted or Result()
        self.change(node, output=result.structured_output, artifacts=result.artifacts)
        self.ask(node, "escalation", to, failure)

    def ask(
        self, node: str, why: Literal["node", "check", "escalation"], to: tuple[str, ...] = (), failure: str = ""
    ) -> None:
        """Request an approval for *node*, and let it wait for people."""
        contract, found = self.spec.nodes[node], self.nodes[node]
        number = found.approvals + 1
        asked = people_who_check(contract)[found.checked].description if why == "check" else ""
        given = found.input if contract.type == "human-approval" else found.output
        made_by = {found.executor} if why != "node" else {self.nodes[n].executor for n in self._workers_before(node)}
        keys = {found.key} if why != "node" else {self.nodes[n].key for n in self._workers_before(node)}
        approval = Approval(
            approval_id=f"planApproval:{self.run.run_id.partition(':')[2]}-{node}-{number}",
            account=self.run.account,
            subject=self.subject(node, given, failure, asked),
            made_by=tuple(sorted(made_by - {""})),
            made_with=tuple(sorted(key for key in keys if len(key) == 64)),
            requested_at=self.at,
            **self._people(contract, why, to, found),
        )
        try:
            request(approval)
        except InvalidApproval as error:
            self.issue("APPROVAL_IMPOSSIBLE", node, error.message)
            self.block(node, f"approval_impossible: {error.message}")
            return
        self.approvals[approval.approval_id] = approval
        self.approval_ids = (*self.approval_ids, approval.approval_id)
        changes = {
            "approval_id": approval.approval_id,
            "approval_for": why,
            "approvals": number,
            # an approval of a node has an expiry of its own, and people to whom it was escalated have none
            "deadline": found.deadline if why == "check" else None,
            "claim": None,
            "judging": None,
        }
        if found.status is NodeStatus.AWAITING_HUMAN:
            self.change(node, **changes)
        else:
            self.move(node, NodeStatus.AWAITING_HUMAN, **changes)
        self.event("approval_requested", node, approvalId=approval.approval_id, approvers=list(approval.approvers))

    def _people(self, contract: Node, why: str, to: tuple[str, ...], found: NodeRun) -> dict[str, Any]:
        if why == "escalation":
            return {"approvers": to}
        if why == "check":
            config = people_who_check(contract)[found.checked].config
            expires = config.get("expiresAfterMs")
            return {
                "approvers": tuple(dict.fromkeys(config["approvers"])),
                "rule": Rule(kind=config.get("rule", "any"), count=config.get("count", 1)),
                "expires_at": self.at + timedelta(milliseconds=expires) if expires else None,
            }
        rule = contract.approval
        if rule is None:
            return {"approvers": (contract.owner.ref,), "expires_at": found.deadline}
        escalation = None
        if rule.escalate_after_ms:
            later = self.at + timedelta(milliseconds=rule.escalate_after_ms)
            escalation = Escalation(at=later, to=rule.escalate_to)
        return {
            "approvers": rule.approvers or (contract.owner.ref,),
            "rule": Rule(kind=rule.rule, count=rule.count),
            "separate_duties": rule.separate_duties,
            "expires_at": found.deadline,
            "escalation": escalation,
        }

    def withdraw(self, node: str, reason: str) -> None:
        """Forget the approval that *node* waits for."""
        approval_id = self.nodes[node].approval_id
        if approval_id and self.approvals.pop(approval_id, None):
            self.event("approval_withdrawn", node, approvalId=approval_id, reason=reason)

    # --- what goes wrong

    def fail(self, node: str, cause: Cause, why: str, *, retry: bool = True) -> None:
        """Do what the policies of *node* say about *cause*: retry, or the action of the rule."""
        policy, found = self.spec.nodes[node].retry_policy, self.nodes[node]
        by_people = cause in ("changes_requested", "human_rejected")
        used = found.rounds if by_people else found.retries
        left = retry and used < policy.max_attempts
        self.withdraw(node, cause)
        self.change(node, cause=cause, feedback=(*found.feedback, why)[-5:] if why else found.feedback)
        rule = self._rule(node, cause)
        action = "retry" if left and cause in policy.retry_on else rule.action if rule else _usual(cause, found.claim)
        if action == "retry":
            action = "rework" if by_people else "retry" if left else "block"
        self.event("failure_policy_applied", node, cause=cause, action=action, note=rule.note if rule else "")
        self._act(node, action, cause, why, rule.to if rule else ())

    def _rule(self, node: str, cause: Cause) -> FailureRule | None:
        """Return the rule for *cause*; what a person says of work may have its rule where the work was done."""
        places = [node, *sorted(self._workers_before(node))] if self.nodes[node].approval_for == "node" else [node]
        rules = (rule for place in places for rule in self.spec.nodes[place].failure_policy)
        return next((rule for rule in rules if rule.on == cause), None)

    def _act(self, node: str, action: str, cause: Cause, why: str, to: tuple[str, ...]) -> None:
        said = f"{cause}: {why}" if why else cause
        if action == "retry":
            self.retry(node)
        elif action == "rework":
            self._rework_or_block(node, cause, said, why)
        elif action == "reopen":
            self.reopen(node)
        elif action == "skip":
            self.skip(node, said, cause)
        elif action == "fail":
            self.move(node, NodeStatus.FAILED, reason=said, ended_at=self.at)
        elif action == "escalate":
            self.escalate(node, said, to)
        else:
            self.block(node, said)
            if action == "replan":
                self.reason = REPLAN_REQUIRED

    def _rework_or_block(self, node: str, cause: Cause, said: str, why: str) -> None:
        if self.nodes[node].approval_for == "check":
            # the node's own work is to be changed
            self.change(node, rounds=self.nodes[node].rounds + 1)
            if self.nodes[node].rounds <= MOST_ROUNDS:
                self.reopen(node)
                return
        elif self.rework(node, why):
            return
        self.block(node, said)
        self.issue("ROUNDS_EXHAUSTED", node, f"{cause}: nothing is left to be changed, or {MOST_ROUNDS} rounds passed.")

    def retry(self, node: str) -> None:
        """Give *node* a further attempt."""
        self.change(node, retries=self.nodes[node].retries + 1)
        self.reopen(node, keep_claim=True)

    def reopen(self, node: str, *, keep_claim: bool = False) -> None:
        """Let *node* be executed again; an executor that has claimed it keeps its claim with *keep_claim*."""
        contract, found = self.spec.nodes[node], self.nodes[node]
        deadline = self.at + timedelta(milliseconds=contract.timeout_ms) if contract.timeout_ms else None
        changes = {"reason": "", "deadline": deadline, "approval_for": "", "approval_id": None, "wake_at": None}
        changes["judging"] = None
        agent = contract.owner.executor_type == "agent"
        claimed = keep_claim and agent and found.claim is not None and found.claim.until > self.at
        if found.status is NodeStatus.RUNNING and claimed:
            self.change(node, **changes)
            return
        if found.status is NodeStatus.READY:
            self.change(node, **changes, claim=None)
            return
        self.move(node, NodeStatus.READY, **changes, claim=None, ended_at=None)
        self.begin(node)

    def block(self, node: str, reason: str) -> None:
        """Block *node* until the run is resumed or replaced."""
        self.move(node, NodeStatus.BLOCKED, reason=reason)

    # --- the end

    def finished(self) -> Execution:
        """Return the run after the fact, its status derived from its nodes."""
        self.follow()
        self.settle()
        ended = self.status in (RunStatus.COMPLETED, RunStatus.FAILED, RunStatus.ABORTED)
        if ended:
            for node in self.nodes:
                self.withdraw(node, f"the run is {self.status}")
        if self._moved or self.status is not self.run.status:
            self.records.append(self._checkpoint())
        return self.run.model_copy(
            update={
                "version": self.run.version + 1,
                "status": self.status,
                "reason": self.reason,
                "nodes": self.nodes,
                "edges": self.edges,
                "approvals": {} if ended else self.approvals,
                "approval_ids": self.approval_ids,
                "updated_at": self.at,
                "ended_at": self.at if ended else None,
            }
        )

    def settle(self) -> None:
        """Derive the status of the run from its nodes."""
        if self.status is RunStatus.ABORTED:
            return
        found = {node.status for node in self.nodes.values()}
        if self.reason == REPLAN_REQUIRED:
            for node in self.nodes:
                self.withdraw(node, REPLAN_REQUIRED)
            self.to(RunStatus.BLOCKED, REPLAN_REQUIRED)
        elif NodeStatus.FAILED in found:
            failed = next(name for name, node in self.nodes.items() if node.status is NodeStatus.FAILED)
            self.to(RunStatus.FAILED, f"node {failed}: {self.nodes[failed].reason}"[:2_000])
        elif found <= NODE_DONE:
            self.to(RunStatus.COMPLETED, "")
        elif found & {NodeStatus.READY, NodeStatus.RUNNING}:
            self.to(RunStatus.RUNNING, "")
        elif NodeStatus.BLOCKED in found:
            self.to(RunStatus.BLOCKED, NODE_BLOCKED)
        else:
            self.to(RunStatus.AWAITING_HUMAN, "")

    def to(self, status: RunStatus, reason: str) -> None:
        """Move the run to a status that the table of transitions allows."""
        self.reason = reason
        if status is self.status:
            return
        if self.status not in RUN_TRANSITIONS[status]:
            raise AssertionError(f"run {self.run.run_id}: {self.status} to {status}")
        self.status = status
        self.event("run_status_changed", status=str(status), **({"reason": reason} if reason else {}))

    def _checkpoint(self) -> PlanCheckpoint:
        version = self.run.version + 1
        states = [(name, node.status) for name, node in self.nodes.items()]
        return PlanCheckpoint(
            id=f"planCheckpoint:{self.run.run_id.partition(':')[2]}-{version}",
            version=version,
            status=self.status,
            reason=self.reason,
            completed=sum(status in NODE_DONE for _, status in states),
            open_node_ids=tuple([name for name, status in states if status in NODE_OPEN][:50]),
            created_at=self.at,
        )


def _usual(cause: Cause, claim: Claim | None) -> str:
    """Return what happens after *cause* where no rule says so."""
    if cause == "changes_requested":
        return "rework"
    # a lost agent's work is offered again; a lost call is repeated only where that does no harm
    return "reopen" if cause == "executor_lost" and (claim is None or claim.repeatable) else "block"


def _mapped(edge: Edge, output: Any, given: dict[str, Any]) -> None:
    """Put the fields that *edge* maps from *output* into *given*; an empty map passes all of them on."""
    if not edge.map:
        given.update(output if isinstance(output, dict) else {} if output is None else {edge.source: output})
        return
    for target, path in edge.map.items():
        try:
            value = value_at(output if isinstance(output, dict) else {}, path)
        except PathNotFound:
            continue
        *parts, last = parts_of(target)
        inner = given
        for part in parts:
            held = inner.get(part)
            # copied: a part of another node's output must not be changed
            inner[part] = dict(held) if isinstance(held, dict) else {}
            inner = inner[part]
        inner[last] = value
