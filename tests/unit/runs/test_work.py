"""A worker's turn: fences, kills between any two writes, lost leases, stops, deadlines, approvals."""

import asyncio
import random
from collections import Counter
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from planloom.core.step_graph import StepGraph
from planloom.runs import turn
from planloom.runs.control import Value
from planloom.runs.errors import OutcomeUnknown, RunActive, RunNotFound, RunNotResumable
from planloom.runs.records import RunState, RunWork, Unit
from planloom.runs.turn import Pace, Turn
from tests.unit.runs.fakes import Killed
from tests.unit.runs.jobs import DIAMOND, QUICK, Bench, Steps, chain


def until_ended(bench: Bench, most: int = 20) -> Turn:
    for _ in range(most):
        turn = bench.turn()
        if turn.next in ("ended", "failed"):
            return turn
    raise AssertionError(f"not ended after {most} turns")


def test_a_run_completes_with_each_step_called_once_and_its_end_logged_once() -> None:
    bench = Bench(Steps(DIAMOND))

    assert bench.turn().next == "ended"
    assert bench.turn().next == "ended"

    run = bench.now()
    assert (run.state, run.progress.completed, run.progress.calls) == (RunState.COMPLETED, 4, 4)
    assert bench.steps.calls == dict.fromkeys("1234", 1)
    assert bench.names()[0] == "run_started"
    assert bench.names().count("run_completed") == 1
    assert bench.names().count("step_completed") == 4
    assert bench.files.runs["r1"].state is RunState.COMPLETED


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("repeatable", [True, False])
def test_a_kill_at_any_write_loses_no_finished_step_and_repeats_no_call_unasked(after: bool, repeatable: bool) -> None:
    quiet = replace(QUICK, report=60)  # the order of writes is the same in every run
    for die_at in range(1, 60):
        steps = Steps(DIAMOND, repeatable=frozenset("1234") if repeatable else frozenset())
        bench = Bench(steps, pace=quiet)
        bench.writes.die_at, bench.writes.after = die_at, after
        try:
            bench.turn()
        except Killed:
            pass
        else:
            assert die_at > 8
            return
        finished = {unit for _, unit, *_ in bench.files.kept}
        before = dict(steps.calls)
        bench.revive()
        until_ended(bench)
        for unit in finished:
            step = Unit.of(unit).step
            assert steps.calls[step] == before[step], f"finished step {step} was called again, write {die_at}"
        if repeatable:
            assert bench.now().state is RunState.COMPLETED
        else:
            assert set(steps.calls.values()) <= {1}, f"a call was repeated, write {die_at}"
            if bench.now().state is RunState.BLOCKED:
                with pytest.raises(OutcomeUnknown):
                    bench.runs.resume("ann", "r1")
                bench.runs.resume("ann", "r1", "skip")
                until_ended(bench)
        run = bench.now()
        assert run.state is RunState.COMPLETED, die_at
        assert bench.names().count("run_completed") == 1
    raise AssertionError("the run makes more writes than were tried")


@pytest.mark.parametrize("seed", range(20))
def test_kills_at_random_writes_of_a_hundred_steps_repeat_no_call_unasked(seed: int) -> None:
    chosen = random.Random(seed)
    needs = {n: chosen.sample(range(n), min(n, chosen.randint(0, 2))) for n in range(100)}
    repeatable = frozenset(str(n) for n in range(100) if chosen.random() < 0.3)
    graph = StepGraph.of((str(n), map(str, needed)) for n, needed in needs.items())
    bench = Bench(Steps(graph, repeatable=repeatable))
    asked: Counter[str] = Counter()
    for _ in range(200):
        bench.writes.die_at = bench.writes.count + chosen.randint(1, 60)
        with suppress(Killed):
            bench.turn()
        bench.revive()
        run = bench.now()
        if run.state is RunState.COMPLETED:
            break
        if run.state is RunState.BLOCKED:
            assert run.failure
            assert len(run.failure.steps) <= 2
            asked.update(run.failure.steps)
            bench.runs.resume("ann", "r1", "retry")
    assert bench.now().state is RunState.COMPLETED
    # where the last kill came before the end was logged, the worker that is started for it logs it
    bench.turn()
    assert {step: count for step, count in bench.steps.calls.items() if count > 1 + asked[step]}.keys() <= repeatable
    values = {unit.step: each.value for unit, each in bench.runs.records("ann", "r1").items()}
    assert values == {str(n): f'{{"step":"{n}"}}' for n in range(100)}
    assert bench.names().count("run_completed") == 1


class Busy(Executor):
    """Makes each call at once, except the first after ``busy`` was set: it begins a moment later, on a busy thread."""

    busy = False

    def __init__(self) -> None:
        self.held = asyncio.Event()

    def submit(self, function: Any, /, *args: Any, **named: Any) -> Future[Any]:
        call: Future[Any] = Future()

        def begin() -> None:
            if call.set_running_or_notify_cancel():
                call.set_result(function(*args, **named))

        if self.busy:
            self.busy = False
            self.held.set()
            asyncio.get_running_loop().call_later(0.02, begin)
        else:
            begin()
        return call


def test_events_whose_write_has_not_begun_when_the_last_step_ends_are_logged_before_the_end() -> None:
    executor = Busy()

    class UntilAsked(Steps):
        async def open(self, *given: Any) -> Any:
            job = await super().open(*given)
            execute = job.execute

            async def until_asked(step: str, calls: Any) -> Any:
                executor.busy = True
                await executor.held.wait()
                return await execute(step, calls)

            job.execute = until_asked  # type: ignore[method-assign]
            return job

    bench = Bench(UntilAsked(chain(1), repeatable=frozenset("0")), pace=Pace(report=0.001))
    bench.turn(executor=executor)

    assert bench.names() == ["run_started", "step_started", "step_completed", "run_completed"]


def test_a_call_whose_outcome_is_unknown_blocks_the_run_until_the_caller_decides() -> None:
    bench = Bench(Steps(chain(3), uncertain={"1"}))

    assert bench.turn().next == "ended"
    run = bench.now()
    assert run.state is RunState.BLOCKED
    assert run.failure
    assert (run.failure.code, run.failure.steps) == ("OUTCOME_UNKNOWN", ("1",))

    bench.runs.resume("ann", "r1", Value({"given": True}))
    assert bench.turn().next == "ended"

    assert bench.now().state is RunState.COMPLETED
    assert bench.steps.calls == {"0": 1, "1": 1, "2": 1}
    record = bench.runs.records("ann", "r1")[Unit("1")]
    assert (record.state, record.value) == ("completed", '{"given":true}')


@pytest.mark.parametrize(("on_unknown", "calls"), [("retry", 2), ("skip", 1)])
def test_a_run_may_say_beforehand_what_to_do_about_unknown_outcomes(on_unknown: str, calls: int) -> None:
    bench = Bench(Steps(chain(3), uncertain={"1"}, on_unknown=on_unknown))

    bench.turn()

    assert bench.now().state is RunState.COMPLETED
    assert bench.steps.calls["1"] == calls


def test_a_failed_run_compensates_in_reverse_and_a_resume_runs_undone_steps_again() -> None:
    bench = Bench(Steps(chain(4), failing={"3"}, undone=frozenset({"0", "2"})))

    assert bench.turn().next == "failed"
    assert bench.names()[-3:] == ["step_compensated", "step_compensated", "run_failed"]
    assert list(bench.steps.calls)[-2:] == ["undo 2", "undo 0"]

    bench.steps.failing.clear()
    bench.runs.resume("ann", "r1")
    bench.turn()

    assert bench.now().state is RunState.COMPLETED
    assert bench.steps.calls["1"] == 1
    assert bench.steps.calls["2"] == 2


def test_of_two_workers_one_works() -> None:
    bench = Bench(Steps(chain(5), seconds=0.05))

    async def both() -> list[Turn]:
        return list(await asyncio.gather(*(bench.worker().work("r1", 1) for _ in range(2))))

    turns = asyncio.run(both())

    assert {turn.next for turn in turns} <= {"ended", "more"}
    assert set(bench.steps.calls.values()) == {1}
    assert bench.now().state is RunState.COMPLETED


def test_a_worker_that_lost_its_lease_commits_nothing() -> None:
    bench = Bench(Steps(chain(3)))

    def overtaken(step: str) -> None:
        if step == "1":
            bench.store.controls["r1"] = bench.store.controls["r1"].model_copy(update={"epoch": 9})
            bench.clock.ahead += bench.clock.ahead.__class__(seconds=60)

    bench.steps.during = overtaken

    assert bench.turn().next == "more"
    assert {unit for _, unit, *_ in bench.files.kept} == {":0"}


def test_a_late_worker_of_an_older_number_changes_nothing() -> None:
    bench = Bench(Steps(chain(2), failing={"1"}))
    bench.turn()
    bench.runs.resume("ann", "r1")

    assert asyncio.run(bench.worker().work("r1", 1)).next == "ended"
    assert bench.steps.calls["1"] == 1


def test_a_stop_ends_a_long_step_and_what_was_under_way_is_unknown_to_a_resume() -> None:
    bench = Bench(Steps(chain(2), seconds=60))
    bench.steps.during = lambda _: bench.runs.stop("ann", "r1") and None

    assert bench.turn().next == "ended"

    assert bench.now().state is RunState.STOPPED
    assert bench.names()[-1] == "run_stopped"
    assert bench.now().progress.unknown == 1
    assert {unit.step: each.state for unit, each in bench.runs.records("ann", "r1").items()} == {"0": "unknown"}
    with pytest.raises(OutcomeUnknown):
        bench.runs.resume("ann", "r1")
    bench.steps.seconds, bench.steps.during = 0, lambda _: None
    bench.runs.resume("ann", "r1", "retry")
    bench.turn()
    assert bench.now().state is RunState.COMPLETED
    assert bench.steps.calls == {"0": 2, "1": 1}


def test_a_run_that_is_stopped_during_its_last_step_is_stopped_and_completes_when_it_is_resumed() -> None:
    bench = Bench(Steps(chain(1)))
    bench.steps.during = lambda _: bench.runs.stop("ann", "r1") and None

    assert bench.turn().next == "ended"
    assert (bench.now().state, bench.names()[-1]) == (RunState.STOPPED, "run_stopped")

    bench.runs.resume("ann", "r1")
    bench.turn()
    assert (bench.now().state, bench.steps.calls) == (RunState.COMPLETED, {"0": 1})


def test_a_run_on_which_nobody_works_is_stopped_at_once() -> None:
    bench = Bench(Steps(chain(2)))

    assert bench.runs.stop("ann", "r1").state is RunState.STOPPED
    assert bench.engine.stopped == [("r1", 1, 1)]
    assert bench.turn().next == "ended"
    assert not bench.steps.calls


def test_the_deadline_ends_a_run_in_time() -> None:
    bench = Bench(Steps(chain(2), seconds=60), deadline=0.2)

    assert bench.turn().next == "failed"

    failure = bench.now().failure
    assert failure
    assert failure.code == "DEADLINE_EXCEEDED"


def test_a_worker_whose_time_is_up_hands_over_and_the_next_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(Steps(chain(6)))
    elapsed = 0.0

    def pass_time(step: str) -> None:
        nonlocal elapsed
        elapsed += QUICK.budget / 2 - 1

    bench.steps.during = pass_time
    monkeypatch.setattr(turn, "time", SimpleNamespace(monotonic=lambda: elapsed))

    assert [bench.turn().next for _ in range(2)] == ["more", "ended"]

    assert bench.now().state is RunState.COMPLETED
    assert set(bench.steps.calls.values()) == {1}


def waiting() -> Bench:
    bench = Bench(Steps(StepGraph.of([("a", []), ("b", ["a"]), ("c", [])]), asking=frozenset("a")), deadline=100)
    turn = bench.turn()
    assert (turn.next, turn.seen) == ("wait", 0)
    assert 90 < turn.seconds <= 100
    assert bench.now().state is RunState.WAITING
    assert bench.now().progress.waiting == ("a",)
    assert bench.steps.calls == {"c": 1}
    return bench


@pytest.mark.parametrize(("approved", "state"), [(True, RunState.COMPLETED), (False, RunState.FAILED)])
def test_a_parked_run_goes_on_once_when_it_is_answered(approved: bool, state: RunState) -> None:
    bench = waiting()
    assert bench.runs.park("r1", 1, "token", seen=0)

    bench.steps.answers["a"] = approved
    bench.runs.wake("r1")

    assert bench.engine.woken == ["token"]
    bench.turn()
    assert bench.now().state is state
    assert bench.steps.calls["a"] == approved


def test_an_answer_that_comes_before_the_token_is_not_lost() -> None:
    bench = waiting()

    bench.runs.wake("r1")
    assert not bench.runs.park("r1", 1, "token", seen=0)

    assert bench.engine.woken == ["token"]


def test_a_parked_run_fails_when_its_deadline_passes() -> None:
    bench = waiting()
    bench.runs.park("r1", 1, "token", seen=0)
    bench.clock.ahead += bench.clock.ahead.__class__(seconds=101)

    assert bench.turn().next == "failed"
    assert bench.now().failure.code == "DEADLINE_EXCEEDED"  # type: ignore[union-attr]


def test_a_parked_run_is_stopped_at_once() -> None:
    bench = waiting()
    bench.runs.park("r1", 1, "token", seen=0)

    assert bench.runs.stop("ann", "r1").state is RunState.STOPPED
    assert bench.engine.stopped == [("r1", 1, 1)]


def test_a_run_that_is_stopped_while_it_waits_wakes_the_run_that_waits_for_it() -> None:
    bench = waiting()
    other = bench.run.model_copy(update={"run_id": "r2", "wakes": "r1"})
    bench.runs.start(other, RunWork(document={}))
    bench.runs.park("r1", 1, "token", seen=0)

    for _ in range(2):
        assert bench.runs.stop("ann", "r2").state is RunState.STOPPED

    assert bench.engine.woken == ["token"]


def test_a_large_value_is_kept_whole_beside_its_record() -> None:
    text = "ä" * 40_000

    class Long(Steps):
        async def open(self, *given: Any) -> Any:
            job = await super().open(*given)
            execute = job.execute

            async def long(step: str, calls: Any) -> Any:
                return replace(await execute(step, calls), value=text)

            job.execute = long  # type: ignore[method-assign]
            return job

    bench = Bench(Long(chain(1)))
    bench.turn()

    record = bench.runs.records("ann", "r1")[Unit("0")]
    assert (record.value, record.value_bytes) == (None, 80_002)
    assert bench.runs.value("ann", "r1", record) == f'"{text}"'


def test_another_account_cannot_reach_a_run() -> None:
    bench = Bench(Steps(chain(1)))
    runs = bench.runs
    calls: list[Any] = [runs.get, runs.stop, runs.resume, runs.records, runs.delete]

    for call in calls:
        with pytest.raises(RunNotFound):
            call("bob", "r1")
    with pytest.raises(RunNotFound):
        runs.wait("bob", "r1", 1)
    with pytest.raises(RunNotFound):
        runs.events_after("bob", "r1", 0, 10)


def test_a_resume_or_deletion_of_a_run_under_way_is_refused_and_so_is_a_completed_resume() -> None:
    bench = Bench(Steps(chain(1)))
    with pytest.raises(RunActive):
        bench.runs.resume("ann", "r1")
    with pytest.raises(RunActive):
        bench.runs.delete("ann", "r1")
    bench.turn()
    with pytest.raises(RunNotResumable):
        bench.runs.resume("ann", "r1")
    bench.runs.delete("ann", "r1")
    with pytest.raises(RunNotFound):
        bench.now()
    assert not bench.files.kept


def test_a_run_whose_execution_is_lost_is_started_again() -> None:
    bench = Bench(Steps(chain(1)))
    assert bench.runs.repair() == {}
    bench.engine.lost = True
    bench.clock.ahead += bench.clock.ahead.__class__(seconds=120)

    assert bench.runs.repair() == {"r1": "restarted"}

    assert bench.engine.started[-1] == ("r1", 1, 2)
    assert asyncio.run(bench.worker().work("r1", 1, 1)).next == "ended"
    assert not bench.steps.calls
    bench.turn()
    assert bench.now().state is RunState.COMPLETED


def test_a_run_is_started_once() -> None:
    bench = Bench(Steps(chain(1)))

    with pytest.raises(RunActive):
        bench.runs.start(bench.run, RunWork(document={}))


def test_waiting_for_a_run_is_bounded() -> None:
    bench = Bench(Steps(chain(1)))

    assert bench.runs.wait("ann", "r1", 60).state is RunState.RUNNING
    bench.turn()
    assert bench.runs.wait("ann", "r1", 60).state is RunState.COMPLETED
