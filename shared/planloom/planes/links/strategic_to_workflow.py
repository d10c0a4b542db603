"""A workflow draft from a finished strategic plan: work packages, and decisions, gates and approvals as nodes.

Every node has the id of its row (``P12``, ``G1``), so that links lead from the run to the plan. Dates become deadlines
that count from the moment at which a node is ready: a plan that starts late does not fail for that.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from math import ceil
from typing import Literal

from planloom.core.wording import day_text
from planloom.planes.links.drafted import Drafted
from planloom.planes.strategic.compute.computed import Dated
from planloom.planes.strategic.spine.rows import Approval, Decision, Gate, Package
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.results import Schedule
from planloom.planes.workflows.draft import (
    ApprovalRule,
    CompletionCheck,
    Deliverable,
    Edge,
    FailureRule,
    Node,
    Owner,
    WaitRule,
    WorkflowPlanDraft,
)

DAY_MS = 86_400_000
#: Who owns what names nobody.
NOBODY = "owner"


def workflow_of(schedule: Schedule, title: str, now: datetime, executor: Literal["user", "agent"] = "user") -> Drafted:
    """Return a draft in which roles, as *executor*, carry out the packages and their people decide."""
    return _Drafting(schedule, now, executor).drafted(title)


@dataclass
class _Drafting:
    schedule: Schedule
    now: datetime
    executor: Literal["user", "agent"]
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[tuple[str, str], Edge] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def spine(self) -> Spine:
        return self.schedule.spine

    def drafted(self, title: str) -> Drafted:
        self.dated: dict[str, Dated] = {each.id: each for each in self.schedule.computed.packages}
        self.packages = {each.id: each for each in self.spine.packages if each.id in self.dated}
        self.names = {row.id: getattr(row, "title", None) or getattr(row, "name", "") for row in self.spine.rows()}
        self.last_of = self._last_packages()
        for package in self.packages.values():
            self.nodes[package.id] = self._package(package)
        rows: tuple[Decision | Gate | Approval, ...] = (
            *self.spine.decisions,
            *self.spine.gates,
            *self.spine.approvals,
        )
        for row in rows:
            self.nodes[row.id] = self._approval_node(row)
        # the order of packages is certain; what decisions free is added as far as it closes no cycle
        for source, target in self._between_packages():
            self._edge(source, target)
        for source, target in self._from_decisions():
            self._edge(source, target)
        self._add_waits()
        targets = {edge.target for edge in self.edges.values()}
        frame = self.spine.frame
        draft = WorkflowPlanDraft(
            title=title[:500] or frame.title,
            objective=frame.objective,
            nodes=tuple(self.nodes.values()),
            edges=tuple(self.edges.values()),
            entry_node_ids=tuple(name for name in self.nodes if name not in targets),
        )
        return Drafted(draft, {name: name.partition("-")[0] for name in self.nodes}, tuple(self.notes))

    def _last_packages(self) -> dict[str, str]:
        """Return by deliverable the package that ends last: it has to bring the deliverable."""
        last: dict[str, str] = {}
        for package in sorted(self.packages.values(), key=lambda each: (self.dated[each.id].end, each.id)):
            last[package.deliverable] = package.id
        return last

    def _package(self, package: Package) -> Node:
        dated = self.dated[package.id]
        documents = list(self._documents(package))
        return Node(
            id=package.id,
            type="action",
            label=package.title,
            owner=Owner(executor_type=self.executor, ref=self._name(package.owner)),
            objective=f"{package.title}. Done when: {package.done_when}" if package.done_when else package.title,
            instructions="\n".join(self._instructions(package)),
            success_criteria=tuple(filter(None, [package.done_when])),
            deliverables=tuple(documents),
            completion_checks=tuple(
                CompletionCheck(type="deliverable", description=f"{each.name} is attached", config={"name": each.name})
                for each in documents
            ),
            timeout_ms=min(366, (dated.end - dated.start).days + 1 + _calendar(dated.slack)) * DAY_MS,
            failure_policy=(
                FailureRule(
                    on="timeout",
                    action="escalate",
                    to=(self._name(package.owner),),
                    note=f"The plan has its end on {day_text(dated.end)} and {dated.slack} working days of slack.",
                ),
            ),
        )

    def _documents(self, package: Package) -> Iterator[Deliverable]:
        """Yield what the package has to leave behind: papers for approvals, and the deliverable that it completes."""
        for approval in self.spine.approvals:
            if package.id in approval.papers:
                yield Deliverable(
                    name=f"Papers for {approval.id}", kind="document", description=f"Papers for: {approval.title}"
                )
        row = next((each for each in self.spine.deliverables if each.id == package.deliverable), None)
        if row is not None and self.last_of[row.id] == package.id:
            description = f"Done when: {row.done_when}" if row.done_when else "Evidence that it is done"
            yield Deliverable(name=row.title, kind="document", description=description)

    def _instructions(self, package: Package) -> Iterator[str]:
        dated = self.dated[package.id]
        yield f"Planned from {day_text(dated.start)} to {day_text(dated.end)}, {dated.effort:g} person-days."
        if dated.critical:
            yield "It is on the critical path: every day of delay moves the end."
        if package.before:
            yield f"Before it starts: {package.before}"
        for share in package.also:
            yield f"{self._name(share.role)} helps with {share.days:g} person-days."

    def _approval_node(self, row: Decision | Gate | Approval) -> Node:
        if isinstance(row, Decision):
            label, who, by = row.question, row.decided_by, row.by
            needs: list[str] = []
            texts = _of_decision(row)
            replan = row.if_not
        elif isinstance(row, Gate):
            label, who, by, needs = row.title, row.decided_by, row.day, row.needs
            texts = _of_gate(row)
            replan = row.if_failed
        else:
            label, who, by, needs = row.title, row.party, row.meeting, row.papers
            texts = _of_approval(row)
            replan = row.if_refused
        return Node(
            id=row.id,
            type="human-approval",
            label=label[:500],
            owner=Owner(executor_type="user", ref=self._name(who)),
            objective=label,
            instructions="\n".join(texts),
            approval=ApprovalRule(approvers=(self._name(who),)),
            timeout_ms=self._until(by, needs),
            failure_policy=(
                FailureRule(on="human_rejected", action="replan", note=replan or "Revise the plan."),
                FailureRule(on="approval_expired", action="block", note=f"It was due {day_text(by)}." if by else ""),
            ),
        )

    def _until(self, day: date | None, needs: Iterable[str]) -> int | None:
        """Return milliseconds to the end of *day* from when *needs* end as planned; None where that is no time."""
        if day is None:
            return None
        ready = max([self.now.date(), *(self.dated[name].end for name in needs if name in self.dated)])
        left = (day - ready).days + 1
        return left * DAY_MS if 0 < left <= 366 else None

    def _between_packages(self) -> Iterator[tuple[str, str]]:
        for package in self.packages.values():
            for need in package.needs:
                if need.id not in self.packages:
                    continue
                if need.kind == "finish_start":
                    yield need.id, package.id
                    continue
                # what may start with another package waits for what that waits for
                self.notes.append(f"{package.id} may start with {need.id}; in the workflow it starts when that may.")
                for before in self.packages[need.id].needs:
                    if before.kind == "finish_start" and before.id in self.packages:
                        yield before.id, package.id

    def _from_decisions(self) -> Iterator[tuple[str, str]]:
        for decision in self.spine.decisions:
            yield from ((decision.id, each) for each in decision.frees)
        for approval in self.spine.approvals:
            yield from ((each, approval.id) for each in approval.papers)
            yield from ((approval.id, each) for each in approval.frees)
        for gate in self.spine.gates:
            yield from ((each, gate.id) for each in gate.needs)
            yield from ((gate.id, each) for each in gate.frees)

    def _edge(self, source: str, target: str) -> None:
        if source not in self.nodes or target not in self.nodes or (source, target) in self.edges:
            return
        if source == target or self._leads(target, source):
            self.notes.append(
                f"{target} waits for {source} in the plan, which waits for it: the workflow leaves it out."
            )
            return
        self.edges[source, target] = Edge(id=f"{source}-to-{target}", source=source, target=target)

    def _leads(self, start: str, end: str) -> bool:
        after: dict[str, list[str]] = {}
        for source, target in self.edges:
            after.setdefault(source, []).append(target)
        seen, todo = {start}, [start]
        while todo:
            for name in after.get(todo.pop(), ()):
                if name not in seen:
                    seen.add(name)
                    todo.append(name)
        return end in seen

    def _add_waits(self) -> None:
        """Put a wait before what must not start before a day, and between packages with a lag."""
        for package in list(self.packages.values()):
            lags = {need.id: need for need in package.needs if need.kind == "finish_start" and need.lag > 0}
            for name, need in lags.items():
                if (name, package.id) in self.edges:
                    days = need.lag if need.calendar_days else _calendar(need.lag)
                    self._wait(f"{package.id}-after-{name}", package.id, WaitRule(duration_ms=days * DAY_MS), [name])
            if package.not_before and package.not_before > self.now.date():
                until = datetime.combine(package.not_before, time.min, UTC)
                if until - self.now > timedelta(days=366):
                    self.notes.append(f"{package.id} starts in more than a year: start its workflow later.")
                    continue
                sources = [source for source, target in self.edges if target == package.id]
                self._wait(f"{package.id}-not-before", package.id, WaitRule(until=until), sources)

    def _wait(self, name: str, target: str, rule: WaitRule, sources: Iterable[str]) -> None:
        self.nodes[name] = Node(
            id=name,
            type="wait",
            label=f"Wait for {target}",
            owner=Owner(executor_type="system", ref="timer"),
            wait=rule,
        )
        for source in sources:
            del self.edges[source, target]
            self._edge(source, name)
        self._edge(name, target)

    def _name(self, row: str) -> str:
        """Return the title of a role or the name of a party; what a row names in words stays as it is."""
        return (self.names.get(row) or row or NOBODY)[:200]


def _calendar(working_days: int) -> int:
    """Return about how many calendar days so many working days take; none for fewer than none."""
    return max(0, ceil(working_days * 7 / 5))


def _of_decision(row: Decision) -> Iterator[str]:
    for option in row.options:
        undo = f"; can be undone until {day_text(option.undo_by)}" if option.undo_by else ""
        yield f"{option.key}. {option.title} (cost {option.cost:,.0f}, {option.days:+d} days). {option.effect}{undo}"
    if row.recommended:
        yield f"Recommended: {row.recommended}. {row.because} Approve it, or request changes and name another option."
    if row.if_not:
        yield f"If nobody decides: {row.if_not}"


def _of_gate(row: Gate) -> Iterator[str]:
    yield "Approve if these conditions are met:"
    yield from (f"- {each.measure}: {each.value}" for each in row.conditions)
    if row.leaving_cost:
        yield f"Stopping here costs {row.leaving_cost:,.0f} beside what is spent."
    if row.if_failed:
        yield f"If it is not passed: {row.if_failed}"


def _of_approval(row: Approval) -> Iterator[str]:
    if row.only_if:
        yield f"Needed only if: {row.only_if}. If it is not needed, approve and say so in the comment."
    if row.likely:
        yield f"An answer takes {row.likely} calendar days from the papers ({row.low} to {row.high})."
    if row.if_refused:
        yield f"If it is refused: {row.if_refused}"
