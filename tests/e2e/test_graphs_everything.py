"""Graphs against a server of others behind a counting proxy: it is killed in the middle, and so are the workers."""

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.e2e.conftest import Running, until
from tests.e2e.everything_server import Everything, everything_server
from tests.e2e.everything_server import call as counted
from tests.e2e.killing import kill, workers
from tests.e2e.test_graphs import call, ended, run, step, values
from tests.thorough import THOROUGH

#: Runs that are killed at once, each at another moment; how often.
AT_ONCE, ROUNDS = 3, 7
SLOW = "trigger-long-running-operation"


@pytest.fixture(scope="module")
def everything(service: Running) -> Iterator[Everything]:
    with everything_server() as made:
        added = call(service, "POST", "/v1/tool-servers", {"name": "everything", "url": made.url, "trusted": True})
        assert added["error"] is None
        yield made


def test_twelve_steps_with_the_server_killed_in_the_middle_repeat_no_completed_call(
    service: Running, everything: Everything
) -> None:
    def on(index: str, tool: str, needs: list[str], **fields: Any) -> dict[str, Any]:
        return step(index, tool, needs, server="everything", **fields)

    def echo(index: str, needs: list[str], message: str, **fields: Any) -> dict[str, Any]:
        return on(index, "echo", needs, args={"message": message}, **fields)

    once, again = {"duration": 6, "steps": 3}, {"duration": 7, "steps": 3}
    steps = [
        on("1", "get-structured-content", [], args={"location": "New York"}, result_variable="weather"),
        on("2", "get-sum", [], args={"a": 20, "b": 22}, result_variable="sum"),
        echo("3", ["1"], "${weather.temperature} degrees", result_variable="degrees"),
        echo("4", ["2"], "${sum}", result_variable="said"),
        echo("5", ["3", "4"], "${degrees}, ${said}"),
        on("6", SLOW, ["5"], args=once, idempotent=False, result_variable="slow"),
        on("7", SLOW, ["5"], args=again, retry={"attempts": 8, "backoff": 1}),
        *(echo(str(n), [str(n - 1)], f"{n}: ${{slow}}") for n in range(8, 13)),
    ]
    started = run(service, steps, wait_sec=0, equal_calls=20)
    until(lambda: everything.calls[counted(SLOW, once)] and everything.calls[counted(SLOW, again)], "both slow calls")
    before = dict(everything.calls)
    everything.kill()
    everything.start()

    found = ended(service, started["run_id"])
    assert (found["state"], found["failure"]["steps"]) == ("blocked", ["6"])
    call(service, "POST", f"/v1/runs/{started['run_id']}/resume", {"on_unknown": "value", "value": "given"})
    found = ended(service, started["run_id"])

    assert (found["state"], found["progress"]["completed"]) == ("completed", 12)
    result = values(service, started["run_id"])
    assert result[0]["temperature"] == 33
    assert result[4] == "Echo: Echo: 33 degrees, Echo: The sum of 20 and 22 is 42."
    assert result[11] == "Echo: 12: given"
    assert everything.calls.pop(counted(SLOW, again)) > 1
    assert everything.calls[counted(SLOW, once)] == 1
    assert all(everything.calls[name] == count for name, count in before.items() if name != counted(SLOW, again))


def until_called(
    service: Running, everything: Everything, runs: list[str], calls: Callable[[], int], moment: int
) -> None:
    """Wait until *calls* returns *moment*; fail at once where server-everything or one of *runs* has ended before.

    After PATIENCE the error names the progress of each run.
    """
    seen = {run_id: call(service, "GET", f"/v1/runs/{run_id}") for run_id in runs}
    looked = time.monotonic()

    def reached() -> bool:
        nonlocal looked
        if calls() >= moment:
            return True
        if time.monotonic() > looked + 1:
            everything.check()
            seen.update({run_id: call(service, "GET", f"/v1/runs/{run_id}") for run_id in runs})
            looked = time.monotonic()
            assert not any(each["failure"] for each in seen.values()), "a run ended before"
        return False

    try:
        until(reached, f"{moment} calls", every=0.005)
    except AssertionError as error:
        shown = {run_id: (each["state"], each["progress"], each["failure"]) for run_id, each in seen.items()}
        raise AssertionError(f"{error}; made: {calls()}; runs: {shown}") from error


@pytest.mark.skipif(not THOROUGH, reason="test_graphs kills one worker, tests/unit/runs at any write")
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_workers_killed_at_random_moments_repeat_no_call_unasked_and_the_result_is_the_same(
    service: Running, everything: Everything, seed: int
) -> None:
    chosen = random.Random(seed)
    names = [f"{seed}.{number}" for number in range(AT_ONCE)]

    def graph(name: str) -> list[dict[str, Any]]:
        # a wide graph with chains in it: several calls are in flight at each moment
        return [
            step(
                str(n),
                "echo",
                [str(n - 7)] if n >= 7 else [],
                server="everything",
                args={"message": f"{name} {n}"},
                idempotent=False,
            )
            for n in range(100)
        ]

    def made(name: str) -> dict[str, int]:
        # a proxy's thread may add a call meanwhile
        calls = dict(everything.calls.copy())
        return {text: count for text, count in calls.items() if f'"{name} ' in text}

    runs = {name: run(service, graph(name), wait_sec=0, max_concurrency=4)["run_id"] for name in names}
    moment = chosen.randint(10, 90) * AT_ONCE
    until_called(
        service, everything, list(runs.values()), lambda: sum(sum(made(name).values()) for name in names), moment
    )
    kill(workers(service.aws.folder, "POWERTOOLS_SERVICE_NAME=run_worker"))

    for name, run_id in runs.items():
        found = ended(service, run_id)
        # none where the worker was killed between its first intents and their calls
        assert set(made(name).values()) <= {1}, name
        unknown = found["failure"]["steps"] if found["failure"] else []
        assert len(unknown) <= 4
        if found["state"] == "blocked":
            call(service, "POST", f"/v1/runs/{run_id}/resume", {"on_unknown": "retry"})
            found = ended(service, run_id)
        assert found["state"] == "completed", found
        twice = {text for text, count in made(name).items() if count > 1}
        assert twice <= {counted("echo", {"message": f"{name} {n}"}) for n in unknown}
        assert values(service, run_id) == [f"Echo: {name} {n}" for n in range(100)]
