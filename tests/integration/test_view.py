"""The view of a plan under any order of writes, and under writes that come between the reads and writes of another.

A Hypothesis state machine over the promises of PlanStore, PlanArchive and EventLog, kept alike by the fakes and by
DynamoDB; what callers and workers make of them is lived in tests/unit/strategic/services/test_lifecycle.py.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any

import boto3
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from planloom.adapters.dynamodb_archive import DynamoPlanArchive
from planloom.adapters.dynamodb_log import DynamoEventLog
from planloom.adapters.dynamodb_plans import DynamoPlanStore
from planloom.core.artifacts import artifact
from planloom.planes.strategic.events import (
    AnswerKept,
    ArtifactEdited,
    PlanEvent,
    RunStarted,
    StageFailed,
    StageStarted,
)
from planloom.planes.strategic.plans import TERMINAL, TRANSITIONS, Plan, PlanState
from planloom.planes.strategic.ports.log import EventLog
from planloom.planes.strategic.ports.plans import PlanArchive, PlanStore
from tests.fakes import FakePlanArchive, FakePlanStore
from tests.integration.conftest import TABLE
from tests.integration.test_plan_store import FAILURE, NOW, finished, plan
from tests.thorough import THOROUGH
from tests.unit.strategic.services.lifecycle import Between, Known, assert_entry_may_follow

KEYS = ("001", "002", "003", "004")
RUNS = st.integers(0, 1)
EVENTS = ("begun", "kept", "finished", "failed", "edited")
STATES = st.sampled_from(tuple(TRANSITIONS))


@dataclass
class Stores:
    plans: PlanStore
    shelf: PlanArchive
    log: EventLog


class View(RuleBasedStateMachine):
    """One plan; each write may find that another has come between its reads and its writes."""

    def make(self, before: Callable[[], None]) -> Stores:
        raise NotImplementedError

    def __init__(self) -> None:
        super().__init__()
        self.coming: tuple[int, Callable[[], object]] | None = None
        self.acting = False
        self.stores = self.make(self.before_a_call)
        self.one = plan()
        self.minutes = 0
        self.known = Known()
        self.gone = False
        self.folded: set[str] = set()
        #: What may count as finished in a run: what it continued from, and what was published of it.
        self.may_count: dict[int, set[str]] = {1: set()}
        self.may_start: set[tuple[int, str]] = set()

    @initialize()
    def add(self) -> None:
        assert self.stores.plans.add(self.one)

    @rule(to=STATES, older=RUNS)
    def move(self, to: PlanState, older: int) -> None:
        self.do(self.moving(to, older))

    @rule(key=st.sampled_from(KEYS), older=RUNS, what=st.sampled_from(EVENTS))
    def apply(self, key: str, older: int, what: str) -> None:
        self.do(self.folding(key, older, what))

    @rule(kept=st.sets(st.sampled_from(KEYS), max_size=3), anew=st.booleans())
    def restart(self, kept: set[str], anew: bool) -> None:
        self.do(self.restarting(kept, anew))

    @rule(keys=st.sets(st.sampled_from(KEYS), max_size=3))
    def rewrite(self, keys: set[str]) -> None:
        self.do(self.rewriting(keys))

    @rule(archived=st.booleans())
    def archive(self, archived: bool) -> None:
        self.do(lambda: self.stores.shelf.archive(self.one.plan_id, self.run(), NOW if archived else None))

    @rule(one_in_ten=st.integers(0, 9))
    def delete(self, one_in_ten: int) -> None:
        if one_in_ten == 0:
            self.do(self.deleting)

    @rule(
        after=st.integers(0, 2),
        what=st.sampled_from(("fold", "move", "restart", "rewrite", "archive")),
        key=st.sampled_from(KEYS),
        to=st.sampled_from(("processing", "stopped", "failed")),
    )
    def let_another_write_come_between(self, after: int, what: str, key: str, to: PlanState) -> None:
        self.coming = (
            after,
            {
                "fold": self.folding(key, 0, "finished"),
                "move": self.moving(to, 0),
                "restart": self.restarting({key}, anew=False),
                "rewrite": self.rewriting({key}),
                "archive": lambda: self.stores.shelf.archive(self.one.plan_id, self.run(), NOW),
            }[what],
        )

    def moving(self, to: PlanState, older: int) -> Callable[[], object]:
        at = self.now()
        return lambda: self.stores.plans.move(self.one.plan_id, self.run() - older, to, at)

    def folding(self, key: str, older: int, what: str) -> Callable[[], object]:
        at = self.now()

        def apply() -> None:
            run = self.run() - older
            event = event_of(self.one, key, run, what, at)
            if what == "finished":
                self.may_count.setdefault(run, set()).add(key)
            if what == "begun":
                self.may_start.add((run, key))
            if self.stores.plans.apply(event):
                assert event.event_id not in self.folded, "an event counts once"
                self.folded.add(event.event_id)

        return apply

    def restarting(self, kept: set[str], anew: bool) -> Callable[[], object]:
        at = self.now()

        def restart() -> None:
            run = self.run() + 1
            begun = {"state": "pending", "run": run, "started_at": None, "ended_at": None, "last_progress_at": None}
            counts = {} if anew else dict.fromkeys(sorted(kept), 2)
            more = {"first_run": run, "retried_at": at} if anew else {"resumed_at": at}
            self.may_count.setdefault(run, set()).update(counts)
            self.stores.plans.restart(
                self.one.model_copy(update={**begun, **more, "steps_started": {}, "steps_finished": counts})
            )

        return restart

    def rewriting(self, keys: set[str]) -> Callable[[], object]:
        def rewrite() -> None:
            found = self.stores.plans.get(self.one.plan_id)
            if found:
                self.may_count.setdefault(found.run, set()).update(keys)
                self.stores.plans.rewrite(found, [finished(found, key, run=found.run).record for key in sorted(keys)])

        return rewrite

    def deleting(self) -> None:
        if self.stores.shelf.delete(self.one.plan_id, self.run(), NOW):
            self.gone = True
            self.stores.shelf.erase(self.one.plan_id, for_good=True)

    def do(self, write: Callable[[], object]) -> None:
        self.acting = True
        try:
            write()
        finally:
            self.acting = False

    def before_a_call(self) -> None:
        if self.coming is None or not self.acting:
            return
        left, write = self.coming
        self.coming = (left - 1, write) if left else None
        if not left:
            write()

    def run(self) -> int:
        return self.known.plan.run if self.known.plan else 1

    def now(self) -> Any:
        self.minutes += 1
        return NOW + timedelta(minutes=self.minutes)

    @invariant()
    def what_is_seen_holds(self) -> None:
        one, known = self.one.plan_id, self.known
        found = self.stores.plans.get(one)
        assert (found is None) == self.gone
        if found is None:
            return
        for entry in self.stores.log.events_after(one, known.log[-1].cursor if known.log else 0, 10_000):
            assert_entry_may_follow(known, entry)
            known.log.append(entry)
        if known.plan is None or known.plan.state != found.state:
            assert (one in self.stores.plans.active()) == (found.state not in TERMINAL)
        self.assert_view_may_follow(found)
        known.plan = found

    def teardown(self) -> None:
        expected = [] if self.gone else self.known.log
        assert self.stores.log.events_after(self.one.plan_id, 0, 10_000) == expected, (
            "what was published stays as it was"
        )
        if self.gone:
            assert self.stores.plans.all_files(self.one.plan_id) == []

    def assert_view_may_follow(self, found: Plan) -> None:
        before = self.known.plan
        state = next(each.data for each in reversed(self.known.log) if each.type == "state_changed")
        assert (found.state, found.run) == (state["state"], state["run"])
        assert found.steps_finished.keys() <= self.may_count[found.run]
        assert {(found.run, key) for key in found.steps_started} <= self.may_start
        if before and before.run == found.run:
            assert before.steps_finished.keys() <= found.steps_finished.keys()
            assert before.last_progress_at is None or found.last_progress_at >= before.last_progress_at
        if before and before.archived_at and found.archived_at:
            assert before.run == found.run, "an archived plan begins no run"


def event_of(of: Plan, key: str, run: int, what: str, at: Any) -> PlanEvent:
    """Return an event of a step and a run; *at* is when it is published, not its identity."""
    about: dict[str, Any] = {"plan_id": of.plan_id, "run": run, "at": at}
    if what == "begun":
        return StageStarted(**about, key=key, name="name", title="Name")
    if what == "kept":
        return AnswerKept(**about, key=key, call="one", answers=1)
    if what == "failed":
        return StageFailed(**about, key=key, failure=FAILURE)
    if what == "edited":
        file = artifact(f"{key}-1-name.md", b"mine", NOW)
        return ArtifactEdited(**about, edit="first", key=key, files=(file,), reason="plan_artifact_edit")
    return finished(of, key, files=1, run=run, at=at) if run > 0 else RunStarted(**about)


class InMemory(View):
    def make(self, before: Callable[[], None]) -> Stores:
        plans = FakePlanStore()
        return Stores(plans, FakePlanArchive(plans), plans)


@cache
def client() -> Any:
    """One client for all examples: it costs more to make than what it is used for."""
    return boto3.client("dynamodb")


class OnDynamo(View):
    def make(self, before: Callable[[], None]) -> Stores:
        table = Between(client(), before)
        return Stores(DynamoPlanStore(table, TABLE), DynamoPlanArchive(table, TABLE), DynamoEventLog(table, TABLE))


@pytest.mark.parametrize(("view", "examples"), [(InMemory, 60 if THOROUGH else 20), (OnDynamo, 10 if THOROUGH else 3)])
def test_15_1_in_any_order_and_between_any_two_requests_the_view_of_a_plan_holds(
    aws: None, view: type[View], examples: int
) -> None:
    run_state_machine_as_test(
        view,
        settings=settings(
            max_examples=examples, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
