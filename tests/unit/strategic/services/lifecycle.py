"""Plans under whatever callers, workers and messages do, in whatever order and how often: states, cursors, progress.

A Hypothesis state machine over create, stop, resume, retry, edit, invalidate, archive and delete, with workers of any
run, with events and ends that come late, repeated and reordered, and with calls that are overtaken by others, or cut
by a crash, between any two of their reads and writes. It knows no more of plans than the ports promise.
"""

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from planloom.accounts.rules import Rules
from planloom.core.artifacts import REPORT
from planloom.core.errors import PlanloomError
from planloom.planes.strategic.event_log import Entry
from planloom.planes.strategic.events import StageFinished, StageStarted
from planloom.planes.strategic.plans import TERMINAL, TRANSITIONS, Plan
from planloom.planes.strategic.progress import progress_percentage
from planloom.planes.strategic.services.archive_plan import archive_plan
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.services.credits import add_credits, settle_ended
from planloom.planes.strategic.services.delete_plan import delete_plan, erase_deleted
from planloom.planes.strategic.services.edit_artifact import edit_artifact
from planloom.planes.strategic.services.end_run import end_run
from planloom.planes.strategic.services.invalidate_plan import invalidate_plan
from planloom.planes.strategic.services.repair_plan import repair_plan
from planloom.planes.strategic.services.resume_plan import resume_plan
from planloom.planes.strategic.services.retry_plan import retry_plan
from planloom.planes.strategic.services.run_stage import run_stage
from planloom.planes.strategic.services.stop_plan import stop_plan
from planloom.planes.strategic.services.valid_steps import check_steps
from planloom.planes.strategic.services.watch_plans import watch_plans
from planloom.planes.strategic.watch_settings import WatchSettings
from tests.fake_ports import PROMPT, Fakes

#: The first stages are enough: what matters here is who commits what under which run.
STAGES = ("start", "screening", "premise_attack")
KEYS = ("001", "002", "003")
FILES = ("001-3-start.md", "002-2-screening.md", "003-2-premise_attack.md")
TEXTS = st.sampled_from(("One.\n", "Another.\n"))
#: Which plan, of those that there are; there are seldom more.
WHICH = st.integers(0, 2)
BALANCE = 100_000


class Crashed(ConnectionError):
    """The process was lost before one of its calls."""


@dataclass
class Between:
    """Wraps a port: *before* is called before each call, and may do something else first."""

    target: Any
    before: Callable[[], None]

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.target, name)
        if not callable(found):
            return found

        def call(*args: Any, **options: Any) -> Any:
            self.before()
            return found(*args, **options)

        return call


@dataclass
class Known:
    """What was seen of one plan so far."""

    plan: Plan | None = None
    log: list[Entry] = field(default_factory=list)
    percent: dict[int, float] = field(default_factory=dict)
    finished: set[tuple[int, str]] = field(default_factory=set)


def assert_entry_may_follow(known: Known, entry: Entry) -> None:
    """Cursors rise, states follow each other, progress of a run never falls, and each event counts once."""
    assert not known.log or entry.cursor > known.log[-1].cursor
    data = entry.data
    if entry.type == "state_changed":
        states = [each.data for each in known.log if each.type == "state_changed"]
        assert data.get("previous") == (states[-1]["state"] if states else None)
        if states:
            assert data["state"] in TRANSITIONS[data["previous"]]
            assert data["run"] == states[-1]["run"] + (data["state"] == "pending")
    if entry.type == "progress_updated":
        assert known.percent.get(data["run"], 0.0) <= data["progress_percentage"] <= 100.0
        known.percent[data["run"]] = data["progress_percentage"]
    if entry.type in ("stage_finished", "stage_skipped"):
        assert (data["run"], data["step"]) not in known.finished
        known.finished.add((data["run"], data["step"]))


class Lifecycle(RuleBasedStateMachine):
    """Refusals are part of the game, anything else that is raised is a fault."""

    #: With 1, plans have to wait for each other.
    runs_at_once = 0

    def make(self, before: Callable[[], None]) -> Fakes:
        """Return empty ports; *before* is called before each call."""
        raise NotImplementedError

    def __init__(self) -> None:
        super().__init__()
        self.coming: tuple[int, Callable[[], None]] | None = None
        self.crashed = False
        self.thread = threading.current_thread()
        self.acting = 0
        self.fakes = self.make(self.before_a_call)
        watching = WatchSettings(runs_at_once=self.runs_at_once)
        self.ports = replace(self.fakes.ports, rules=Rules(credits=True), watch_settings=watching)
        self.known: dict[str, Known] = {}
        self.gone: set[str] = set()
        self.heard: set[tuple[str, int]] = set()
        add_credits(self.ports.billing, self.ports.new_id, "acme", BALANCE)

    @initialize()
    def begin(self) -> None:
        self.add(create_plan(self.ports.run_control, self.ports.models, "acme", PROMPT))

    @rule(request=st.sampled_from((None, "once")))
    def create(self, request: str | None) -> None:
        if len(self.known) < 2:
            self.add(
                self.ask(
                    lambda: create_plan(
                        self.ports.run_control, self.ports.models, "acme", PROMPT, client_request_id=request
                    )
                )
            )

    @rule(which=WHICH, name=st.sampled_from(STAGES), older=st.integers(0, 1))
    def let_a_worker_run_a_stage(self, which: int, name: str, older: int) -> None:
        plan = self.plan(which)
        if plan and plan.run > older:
            self.work(plan, plan.run - older, name)

    @rule(which=WHICH)
    def let_all_run_to_the_end(self, which: int) -> None:
        self.run_to_the_end(self.id(which))

    @rule(which=WHICH)
    def stop(self, which: int) -> None:
        self.ask(lambda: stop_plan(self.ports.run_control, "acme", self.id(which)))

    @rule(which=WHICH, request=st.sampled_from((None, "once")))
    def resume(self, which: int, request: str | None) -> None:
        self.ask(
            lambda: resume_plan(
                self.ports.run_control, self.ports.models, "acme", self.id(which), client_request_id=request
            )
        )

    @rule(which=WHICH, request=st.sampled_from((None, "once")))
    def retry(self, which: int, request: str | None) -> None:
        self.ask(
            lambda: retry_plan(
                self.ports.run_control, self.ports.models, "acme", self.id(which), client_request_id=request
            )
        )

    @rule(which=WHICH, path=st.sampled_from(FILES), text=TEXTS)
    def edit(self, which: int, path: str, text: str) -> None:
        plan_id = self.id(which)
        expected = self.fakes.files.sha256(plan_id, path) or ""
        done = self.ask(
            lambda: edit_artifact(
                self.ports.run_control, self.ports.models, "acme", plan_id, path, text, expected, start=False
            )
        )
        self.add(done.plan if done else None)

    @rule(which=WHICH, name=st.sampled_from(STAGES), dry_run=st.booleans())
    def invalidate(self, which: int, name: str, dry_run: bool) -> None:
        plan_id = self.id(which)
        done = self.ask(
            lambda: invalidate_plan(
                self.ports.run_control, self.ports.models, "acme", plan_id, [name], dry_run=dry_run, start=False
            )
        )
        self.add(done.plan if done else None)

    @rule(which=WHICH, archived=st.booleans())
    def archive(self, which: int, archived: bool) -> None:
        self.ask(lambda: archive_plan(self.ports.plan_records, "acme", self.id(which), archived=archived))

    @rule(which=WHICH, one_in_ten=st.integers(0, 9))
    def delete(self, which: int, one_in_ten: int) -> None:
        # a deleted plan has little more to tell
        if one_in_ten == 0:
            self.coming = None
            plan_id = self.id(which)
            if self.ask(
                lambda: delete_plan(self.ports.plan_records, self.ports.shares, self.ports.billing, "acme", plan_id)
            ):
                self.gone.add(plan_id)
                self.assert_nothing_is_left(plan_id)

    @rule(which=WHICH, after=st.integers(0, 14), what=st.sampled_from(("resume", "retry", "stop", "edit", "discard")))
    def let_another_call_come_between(self, which: int, after: int, what: str) -> None:
        plan_id = self.id(which)
        others: dict[str, Callable[[], object]] = {
            "resume": lambda: (
                resume_plan(self.ports.run_control, self.ports.models, "acme", plan_id),
                self.run_to_the_end(plan_id),
            ),
            "retry": lambda: retry_plan(self.ports.run_control, self.ports.models, "acme", plan_id),
            "stop": lambda: stop_plan(self.ports.run_control, "acme", plan_id),
            "edit": lambda: edit_artifact(
                self.ports.run_control,
                self.ports.models,
                "acme",
                plan_id,
                FILES[0],
                "Quick.\n",
                self.fakes.files.sha256(plan_id, FILES[0]) or "",
                start=False,
            ),
            "discard": lambda: invalidate_plan(
                self.ports.run_control, self.ports.models, "acme", plan_id, STAGES[:1], start=False
            ),
        }
        self.coming = after, lambda: self.other(others[what])

    @rule(which=WHICH, after=st.integers(0, 12), discard=st.booleans())
    def change_a_plan_while_another_resumes_it(self, which: int, after: int, discard: bool) -> None:
        plan_id = self.id(which)
        plan = self.fakes.plans.get(plan_id)
        if plan and plan.state not in TERMINAL:
            self.work(plan, plan.run, *STAGES)
            self.stop(which)
        self.let_another_call_come_between(which, after, "resume")
        if discard:
            self.invalidate(which, STAGES[0], dry_run=False)
        else:
            self.edit(which, FILES[0], "Slow.\n")

    @rule(which=WHICH, after=st.integers(0, 14), status=st.sampled_from(("FAILED", "ABORTED")))
    def hear_of_the_end_of_a_stopped_run_while_a_retry_begins(self, which: int, after: int, status: str) -> None:
        self.stop(which)
        self.let_another_call_come_between(which, after, "retry")
        if plan := self.plan(which):
            self.hear_of_an_end(which, plan.run, status)

    @rule(after=st.integers(0, 9), data=st.data())
    def let_events_come_between(self, after: int, data: st.DataObject) -> None:
        events = self.some_events(data)
        self.coming = after, lambda: [self.fakes.plans.apply(event) for event in events] and None

    @rule(after=st.integers(0, 14))
    def let_the_next_call_crash(self, after: int) -> None:
        def crash() -> None:
            self.crashed = True
            raise Crashed("the process was lost")

        self.coming = after, crash

    @rule(data=st.data())
    def deliver_any_events_in_any_order(self, data: st.DataObject) -> None:
        for event in self.some_events(data):
            self.try_(lambda event=event: self.ports.plans.apply(event))

    @rule()
    def deliver_all_events(self) -> None:
        for event in self.fakes.bus.published:
            self.try_(lambda event=event: self.ports.plans.apply(event))

    @rule(which=WHICH, run=st.integers(1, 4), status=st.sampled_from(("FAILED", "TIMED_OUT", "ABORTED")))
    def hear_of_an_end(self, which: int, run: int, status: str) -> None:
        plan_id = self.id(which)
        if found := self.fakes.pipeline.status(plan_id, run):
            self.heard.add((plan_id, run))
            self.try_(
                lambda: end_run(self.ports.run_control, plan_id, run, "SUCCEEDED" if found == "SUCCEEDED" else status)
            )

    @rule(which=WHICH)
    def repair(self, which: int) -> None:
        self.ask(lambda: repair_plan(self.ports.plan_records, self.id(which)))

    @rule(seconds=st.sampled_from((5, 60, 4000)))
    def watch(self, seconds: int) -> None:
        self.fakes.clock.pass_(seconds=seconds)
        self.try_(
            lambda: (watch_plans(self.ports.run_control), settle_ended(self.ports.plan_records, self.ports.billing))
        )
        self.try_(lambda: erase_deleted(self.ports.plan_records, self.ports.shares))

    # ---- what the rules do ----

    def before_a_call(self) -> None:
        if self.coming is None or not self.acting or threading.current_thread() is not self.thread:
            return
        left, what = self.coming
        self.coming = (left - 1, what) if left else None
        if not left:
            what()

    def other(self, what: Callable[[], object]) -> None:
        """Do what another caller asks for; in a thread, since the call that it overtakes may be one of a worker."""
        other = threading.Thread(target=lambda: self.try_(what))
        other.start()
        other.join()

    def ask(self, what: Callable[[], Any]) -> Any:
        """Do what a caller asked; return None where it was refused or cut by a crash."""
        with self.act(), suppress(PlanloomError, Crashed):
            return what()
        return None

    @contextmanager
    def act(self) -> Iterator[None]:
        """Let the calls that are made be overtaken or cut."""
        self.acting += 1
        try:
            yield
        finally:
            self.acting -= 1

    def try_(self, what: Callable[[], object]) -> None:
        try:
            self.ask(what)
        except* Crashed:
            pass

    def work(self, plan: Plan, run: int, *names: str) -> bool:
        """Let workers run stages, one after the other; return whether all were finished."""
        try:
            with self.act():
                for name in names:
                    asyncio.run(run_stage(self.ports.stage_ports, name, plan.plan_id, run))
        except (PlanloomError, Crashed):
            return False
        return True

    def run_to_the_end(self, plan_id: str) -> None:
        plan = self.fakes.plans.get(plan_id)
        if plan is None or plan.state in TERMINAL or self.fakes.pipeline.status(plan_id, plan.run) != "RUNNING":
            return
        if ended := self.work(plan, plan.run, *STAGES):
            self.fakes.files.write(plan_id, REPORT, b"<html>", "text/html")
        status = "SUCCEEDED" if ended else "FAILED"
        if self.fakes.pipeline.status(plan_id, plan.run) == "RUNNING":
            self.fakes.pipeline.runs[plan_id, plan.run] = status
            self.try_(lambda: end_run(self.ports.run_control, plan_id, plan.run, status))

    def some_events(self, data: st.DataObject) -> list[Any]:
        published = self.fakes.bus.published
        numbers = data.draw(st.lists(st.integers(0, len(published) - 1), max_size=8)) if published else []
        return [published[number] for number in numbers]

    def id(self, which: int) -> str:
        return list(self.known)[which % len(self.known)]

    def plan(self, which: int) -> Plan | None:
        return self.fakes.plans.get(self.id(which))

    def add(self, plan: Plan | None) -> None:
        if plan:
            self.known.setdefault(plan.plan_id, Known())

    def find(self) -> None:
        """Get to know the plans that calls made which were cut before they could say so."""
        for archived in (False, True):
            for plan in self.fakes.plans.newest_of("acme", 50, None, archived=archived):
                self.known.setdefault(plan.plan_id, Known())

    # ---- what must hold after each of them ----

    @invariant()
    def what_is_seen_of_plans_holds(self) -> None:
        self.find()
        for plan_id, known in self.known.items():
            plan = self.fakes.plans.get(plan_id)
            assert (plan is None) == (plan_id in self.gone)
            if plan:
                new = self.fakes.ports.log.events_after(plan_id, known.log[-1].cursor if known.log else 0, 10_000)
                for entry in new:
                    assert_entry_may_follow(known, entry)
                    self.assert_ended_by_its_own(plan_id, entry)
                    known.log.append(entry)
                self.assert_view_may_follow(known, plan)
                known.plan = plan

    @invariant()
    def those_that_are_going_are_watched_and_no_others(self) -> None:
        self.find()
        plans = [self.fakes.plans.get(plan_id) for plan_id in self.known]
        going = {plan.plan_id for plan in plans if plan and plan.state not in TERMINAL}
        assert set(self.fakes.plans.active()) == going

    @invariant()
    def no_credit_is_lost_or_made(self) -> None:
        credits = self.ports.credits
        assert credits.balance("acme") == sum(entry.amount for entry in credits.entries("acme"))

    def assert_ended_by_its_own(self, plan_id: str, entry: Entry) -> None:
        """A run comes to an end by a stop, by its own end or by its own silence."""
        if entry.type != "state_changed" or entry.data["state"] not in ("completed", "failed"):
            return
        run = entry.data["run"]
        over = self.fakes.pipeline.status(plan_id, run) not in (None, "RUNNING")
        silent = entry.data.get("error", {}).get("failure_reason") == "inactivity_timeout"
        assert over or silent or (plan_id, run) in self.heard

    def assert_view_may_follow(self, known: Known, plan: Plan) -> None:
        before = known.plan
        state = next(each.data for each in reversed(known.log) if each.type == "state_changed")
        assert (plan.state, plan.run) == (state["state"], state["run"])
        assert 0.0 <= progress_percentage(plan.steps_finished) <= 100.0
        assert {path[:3] for path in plan.latest_files} <= plan.steps_finished.keys()
        if before and before.run == plan.run:
            assert before.steps_finished.keys() <= plan.steps_finished.keys()
            assert before.steps_usage.keys() <= plan.steps_usage.keys()
            assert before.last_progress_at is None or plan.last_progress_at >= before.last_progress_at
        # nothing is finished or started in a run but by its own workers, and what it went on from
        mine = [each for each in self.fakes.bus.published if (each.plan_id, each.run) == (plan.plan_id, plan.run)]
        began = {each.key for each in mine if isinstance(each, StageStarted)}
        finished = {each.record.key for each in mine if isinstance(each, StageFinished)}
        assert plan.steps_started.keys() <= began
        if plan.first_run == plan.run:
            assert plan.steps_finished.keys() <= finished
        if not self.crashed:
            recorded = Plan.model_validate_json(self.fakes.files.read(plan.plan_id, "plan.json"))
            assert (recorded.run, recorded.state in TERMINAL) == (plan.run, plan.state in TERMINAL)
        if plan.state == "completed" and (before is None or before.state != "completed"):
            self.assert_made_from_what_is_there(plan)

    def assert_made_from_what_is_there(self, plan: Plan) -> None:
        stale = check_steps(self.fakes.ports.files, plan).stale
        assert {key: stale[key] for key in KEYS if key in stale} == {}

    def assert_nothing_is_left(self, plan_id: str) -> None:
        files = self.fakes.files
        assert files.paths(plan_id) == []
        assert [files.versions(plan_id, path, 9) for path in FILES] == [[], [], []]
        assert self.fakes.plans.all_files(plan_id) == []

    # ---- what must hold once everything has come to rest ----

    def teardown(self) -> None:
        self.coming = None
        if self.runs_at_once:
            self.let_nobody_wait()
        for plan_id, known in self.known.items():
            if plan_id not in self.gone:
                assert self.fakes.ports.log.events_after(plan_id, 0, 10_000)[: len(known.log)] == known.log
                self.settle_down(plan_id)
        self.fakes.clock.pass_(hours=3)
        watch_plans(self.ports.run_control)
        erase_deleted(self.ports.plan_records, self.ports.shares)
        settle_ended(self.ports.plan_records, self.ports.billing)
        for plan_id in self.gone:
            self.assert_nothing_is_left(plan_id)
        assert self.ports.queue.read() == (frozenset(), ())
        assert self.ports.credits.reserved() == []
        settled = [entry.entry_id for entry in self.ports.credits.entries("acme") if entry.kind == "settled"]
        assert {f"{plan_id}-{run}#settled" for plan_id, run, _ in self.fakes.pipeline.started} <= set(settled)
        assert len(settled) == len(set(settled))
        for plan_id, run, _ in self.fakes.pipeline.started:
            mine = [
                each for each in self.ports.credits.entries("acme") if each.entry_id.startswith(f"{plan_id}-{run}#")
            ]
            assert sum(each.amount for each in mine if each.kind in ("reserved", "released")) < 0, "no run is free"

    def let_nobody_wait(self) -> None:
        """Stop all plans; the watchdog ends the turns that a crash left taken."""
        for plan_id in self.known:
            if plan_id not in self.gone:
                stop_plan(self.ports.run_control, "acme", plan_id)
        watch_plans(self.ports.run_control)

    def settle_down(self, plan_id: str) -> None:
        """Let a plan continue from what was left of it, and see that everything fits."""
        archive_plan(self.ports.plan_records, "acme", plan_id, archived=False) if self.rests(plan_id) else None
        stop_plan(self.ports.run_control, "acme", plan_id)
        plan = self.fakes.plans.get(plan_id)
        if plan.state == "completed":
            # an end whose event a crash prevented is published again
            end_run(self.ports.run_control, plan_id, plan.run, "SUCCEEDED")
        else:
            plan = resume_plan(self.ports.run_control, self.ports.models, "acme", plan_id)
            assert self.work(plan, plan.run, *STAGES)
            for event in self.fakes.bus.published:
                self.fakes.plans.apply(event)
        self.assert_made_from_what_is_there(plan)
        shown = {file.path: file.sha256 for file in self.fakes.plans.all_files(plan_id)}
        assert {path: shown.get(path) for path in FILES} == {
            path: self.fakes.files.sha256(plan_id, path) for path in FILES
        }
        stop_plan(self.ports.run_control, "acme", plan_id)

    def rests(self, plan_id: str) -> bool:
        return self.fakes.plans.get(plan_id).state in TERMINAL
