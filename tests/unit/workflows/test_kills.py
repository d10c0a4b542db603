"""The process is killed at each write of the specification's example; resumed, it comes to the same end."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest

from planloom.approvals.approval import Decision, Response
from planloom.approvals.service import Approvals
from planloom.core.errors import PlanloomError
from planloom.notifications.approval_messages import approval_event
from planloom.planes.links.progress import RunNotices
from planloom.planes.workflows.executor import Executor
from planloom.planes.workflows.host import RunHost
from planloom.planes.workflows.job import Plugins, workflow_jobs
from planloom.planes.workflows.records import NodeAttempt
from planloom.planes.workflows.service import Workflows
from planloom.planes.workflows.states import Execution, Result
from planloom.runs.control import Runs
from planloom.runs.turn import Pace
from planloom.runs.work import Worker
from tests.thorough import sampled
from tests.unit.approvals.fakes import FakeApprovalStore
from tests.unit.notifications.fakes import Setting
from tests.unit.runs.fakes import FakeEngine, FakeRunEvents, FakeRunFiles, FakeRunStore, Killed, Writes
from tests.unit.workflows.drafts import draft, edge, launch, node
from tests.unit.workflows.fakes import Clock, FakeUploads, FakeWorkflowStore
from tests.unit.workflows.test_advance import ARTIFACT, BRIEF

#: More than a call may take: what is older was left over by a crash.
LONG = 400


@dataclass
class Engine(FakeEngine):
    """Starts and wakes count as writes."""

    writes: Writes = field(default_factory=Writes)

    def start(self, run_id: str, number: int, part: int) -> None:
        self.writes.next(lambda: FakeEngine.start(self, run_id, number, part))

    def wake(self, token: str) -> None:
        self.writes.next(lambda: FakeEngine.wake(self, token))


class Service:
    """Workflows with approvals, uploads, webhooks and their host, on fakes that count their writes together."""

    def __init__(self) -> None:
        self.writes, self.clock = Writes(), Clock()
        self.engine = Engine(writes=self.writes)
        self.parked: dict[tuple[str, int, int], datetime] = {}
        self.store, self.uploads = FakeWorkflowStore(self.writes), FakeUploads(self.writes)
        self.notices = Setting(clock=self.clock, writes=self.writes)
        self.notices.add("ops", account="ann")
        self.runs = Runs(
            store=FakeRunStore(self.writes),
            files=FakeRunFiles(self.writes),
            events=FakeRunEvents(self.writes),
            engine=self.engine,
            now=self.clock,
            new_id=lambda: "1",
            sleep=lambda _: None,
            monotonic=lambda: 0,
        )
        publish = self.notices.webhooks.publish
        self.approvals = Approvals(
            FakeApprovalStore(writes=self.writes),
            (
                lambda each, change: self.executor.on_approval(each, change),
                lambda each, change: publish(approval_event(each, change, self.clock())),
            ),
            self.clock,
            str,
        )
        self.executor = Executor(
            self.store,
            self.approvals,
            RunHost(self.runs),
            self.clock,
            lambda _: None,
            (RunNotices(publish, lambda run: self.executor.spec(run)),),
        )
        self.made = 0
        self.workflows = Workflows(
            executor=self.executor,
            uploads=self.uploads,
            now=self.clock,
            new_id=self.new_id,
            sleep=lambda _: None,
            monotonic=lambda: 0,
        )

    def new_id(self) -> str:
        self.made += 1
        return f"id{self.made}"

    def work(self) -> None:
        """What runs by itself: hosts that are started, woken or due, as the state machine has it, and the queue."""
        for execution in list(self.engine.started):
            run_id, number, part = execution
            token = f"{run_id}-{number}-{part}"
            if token in self.engine.woken or self.parked.get(execution, self.clock()) <= self.clock():
                self.engine.woken = [each for each in self.engine.woken if each != token]
                self.parked.pop(execution, None)
                self._turn(execution)
        self.notices.work(self.clock())

    def _turn(self, execution: tuple[str, int, int]) -> None:
        run_id, number, part = execution
        turn = asyncio.run(self._worker().work(run_id, number, part))
        if turn.next == "wait" and self.runs.park(run_id, number, f"{run_id}-{number}-{part}", turn.seen):
            self.parked[execution] = self.clock() + timedelta(seconds=turn.seconds)

    def _worker(self) -> Worker:
        plugins: Any = Plugins(None, None, None)  # type: ignore[arg-type]
        return Worker(
            store=self.runs.store,
            files=self.runs.files,
            events=self.runs.events,
            now=self.clock,
            open_job=workflow_jobs(lambda: self.workflows, lambda: plugins),
            pace=Pace(lease=2, renew=60, look=60, report=60),
        )

    def watchdog(self) -> None:
        """What the watchdog does after a while."""
        self.clock.pass_(seconds=LONG)
        self.runs.repair()
        self.executor.carry_out_left_over()
        self.executor.delete_orphans()
        self.approvals.publish_left_over()
        self.notices.webhooks.requeue_lost()

    def run(self) -> Execution | None:
        """Return the last run."""
        return next(reversed(self.store.runs.values()), None)

    def story(self) -> None:
        """Rejected by its schema, done again, rejected by a person, replaced, approved; nothing is done twice."""
        flows = self.workflows
        run = self.run() or flows.create("ann", launch())
        self.work()
        self.uploads.content["brief"] = b"# Brief"
        if not run.replaced_run_id:
            for output in ({"channels": 1}, BRIEF):
                given = {"structuredOutput": output, "artifacts": [ARTIFACT | {"pointer": "planloom:brief"}]}
                if output not in self.submitted(run):
                    flows.submit("ann", run.run_id, "draft-brief", Result.model_validate(given))
            self.work()
            self.respond(run, Decision.REJECT)
            run = flows.replace("ann", run.run_id, "rejected", launch(), carry_over=True)
            self.work()
        self.respond(run, Decision.APPROVE)
        self.work()

    def respond(self, run: Execution, decision: Decision) -> None:
        run = self.workflows.get("ann", run.run_id)
        if run.status == "awaiting-human":
            self.workflows.respond("ann", run.approval_ids[-1], Response(by="founder", decision=decision))

    def submitted(self, run: Execution) -> list[Any]:
        records = self.store.kept[run.run_id]
        return [each.structured_output for each in records if isinstance(each, NodeAttempt)]

    def end(self) -> dict[str, Any]:
        """Everything that a caller could see, without times."""
        run, runs = self.run(), list(self.store.runs.values())
        assert run
        flows = self.workflows
        delivered = self.notices.deliveries.deliveries.values()
        hosts = [self.runs.store.get(each.run_id.partition(":")[2]) for each in runs]
        kinds: Any = ("planNodeAttempt", "planArtifact", "planCheckpoint", "planValidationIssue", "planEvent")
        return {
            "run": (run.status, run.version, run.workstream_id),
            "runs": [each.status for each in runs],
            "active": flows.active("ann"),
            "nodes": {name: (each.status, each.output, each.artifacts) for name, each in run.nodes.items()},
            "records": [len(self.store.records(run.run_id, kind, 0, 100)) for kind in kinds],
            "approvals": [(each.state, each.approval_id[-1]) for run in runs for each in flows.approvals_of(run)],
            "artifacts": [content for (_, content) in sorted(self.uploads.kept.items())],
            "events": sorted((each.event.type, each.state.value) for each in delivered),
            "specifications": {run.spec_id for run in runs} ^ set(self.store.specs),
            "hosts": [each and each.state for each in hosts],
            "left": (self.store.left, self.approvals.store.left, self.notices.queue.events),  # type: ignore[attr-defined]
        }


def finished(service: Service) -> dict[str, Any]:
    """Repeat the story until it has an end."""
    for _ in range(4):
        service.watchdog()
        try:
            service.story()
        except PlanloomError:
            # something is still on its way
            continue
    service.watchdog()
    service.work()
    return service.end()


def test_a_process_that_is_killed_between_any_two_writes_is_followed_by_the_same_end() -> None:
    service = Service()
    service.story()
    writes, end = service.writes.count, finished(service)
    assert end["runs"] == ["aborted", "completed"]
    assert set(end["hosts"]) == {"completed"}
    assert end["specifications"] == set()
    assert {kind for kind, _ in end["events"]} == {
        *("approval.ended", "approval.requested", "node.ready", "run.ended", "run.state_changed"),
    }
    assert {state for _, state in end["events"]} == {"delivered"}
    for write in sampled(range(1, writes + 1), every=3):
        service = Service()
        service.writes.die_at, service.writes.after = write, True
        with pytest.raises(Killed):
            service.story()
        service.writes.revive()
        assert finished(service) == end, f"killed after write {write} of {writes}"


def test_a_run_that_waits_for_thirty_days_is_worked_on_at_its_start_and_at_its_deadline_alone() -> None:
    service = Service()
    turns: list[str] = []
    turn = service._turn
    service._turn = lambda execution: (turns.append(execution[0]), turn(execution))[1]  # type: ignore[func-returns-value,method-assign]
    month = {"durationMs": 30 * 86_400_000}
    parts = (node("wait", "wait", wait=month), node("ask", "human-approval"), edge("wait", "ask"))
    run = service.workflows.create("ann", draft(*parts))
    service.work()
    assert [until - service.clock() for until in service.parked.values()] == [timedelta(days=30)]
    for _ in range(29):
        service.clock.pass_(days=1)
        service.work()
        service.watchdog()
        service.clock.pass_(seconds=-LONG)
    assert (len(turns), service.workflows.get("ann", run.run_id).nodes["wait"].status) == (1, "running")
    service.clock.pass_(days=1)
    service.work()
    assert (len(turns), service.workflows.get("ann", run.run_id).nodes["wait"].status) == (2, "completed")
