"""The scheduler: data flow, bounds, failures, waiting steps and cancellation, on random graphs too."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.core.step_graph import StepGraph
from planloom.runs.scheduler import Outcome, run_steps


@st.composite
def graphs(draw: st.DrawFn) -> StepGraph:
    size = draw(st.integers(0, 12))
    needs = [draw(st.sets(st.integers(0, number - 1), max_size=3)) if number else set() for number in range(size)]
    return StepGraph.of((str(number), map(str, sorted(each))) for number, each in enumerate(needs))


@given(graphs(), st.integers(1, 4), st.sets(st.integers(0, 11), max_size=2))
def test_every_step_that_can_run_runs_once_after_its_needs(graph: StepGraph, places: int, failing: set[int]) -> None:
    ended: list[str] = []
    running = 0

    async def execute(step: str) -> Outcome:
        nonlocal running
        assert set(graph.needs[step]) <= set(ended)
        running += 1
        assert running <= places
        await asyncio.sleep(0)
        running -= 1
        ended.append(step)
        return Outcome.FAILED if int(step) in failing else Outcome.DONE

    schedule = asyncio.run(run_steps(graph, execute, max_concurrency=places))
    assert len(schedule.started) == len(set(schedule.started)) == len(ended)
    if not failing & {int(step) for step in graph.needs}:
        assert set(ended) == set(graph.needs)


def test_a_waiting_step_holds_back_only_what_needs_it() -> None:
    graph = StepGraph.of([("ask", []), ("after", ["ask"]), ("free", []), ("last", ["free"])])

    async def execute(step: str) -> Outcome:
        return Outcome.WAITING if step == "ask" else Outcome.DONE

    schedule = asyncio.run(run_steps(graph, execute))
    assert schedule.outcomes == {"ask": Outcome.WAITING, "free": Outcome.DONE, "last": Outcome.DONE}


def test_steps_that_ended_before_are_not_run() -> None:
    graph = StepGraph.of([("1", []), ("2", ["1"]), ("3", ["2"])])

    async def execute(step: str) -> Outcome:
        return Outcome.DONE

    schedule = asyncio.run(run_steps(graph, execute, done={"1": Outcome.DONE}))
    assert schedule.started == ["2", "3"]


def test_what_execute_raises_ends_the_others_and_is_raised() -> None:
    cancelled = []

    async def execute(step: str) -> Outcome:
        if step == "1":
            await asyncio.sleep(0)
            raise RuntimeError("lost the lease")
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            cancelled.append(step)
            raise
        return Outcome.DONE

    with pytest.raises(RuntimeError, match="lost the lease"):
        asyncio.run(run_steps(StepGraph.of([("1", []), ("2", [])]), execute))
    assert cancelled == ["2"]


def test_no_step_starts_once_the_host_says_so() -> None:
    started: list[str] = []

    async def execute(step: str) -> Outcome:
        started.append(step)
        return Outcome.DONE

    graph = StepGraph.of([("1", []), ("2", ["1"]), ("3", ["2"])])
    asyncio.run(run_steps(graph, execute, start_more=lambda: len(started) < 2))
    assert started == ["1", "2"]


def test_the_critical_path_is_the_longest_chain() -> None:
    graph = StepGraph.of([("a", []), ("b", ["a"]), ("c", ["a"]), ("d", ["b", "c"])])
    assert graph.critical_path({"a": 1, "b": 5, "c": 2, "d": 1}) == ("a", "b", "d")
    assert graph.after(["b"]) == {"d"}
