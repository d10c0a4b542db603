"""Works on runs for the state machine ``run_steps``: one turn, parking, or giving a run up."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from aws_lambda_powertools import Logger, Metrics
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from planloom import wiring
from planloom.notifications.run_events import run_ended_event
from planloom.tracing import traced
from planloom.wiring import graphs as wiring_graphs
from planloom.wiring import notifications as wiring_notifications
from planloom.wiring import runs as wiring_runs

logger = Logger()
metrics = Metrics()

#: A turn costs about eight events of an execution's history, which holds 25,000.
MOST_TURNS = 1_500


@cache
def _loop() -> asyncio.Runner:
    # one loop per Lambda: clients that are bound to a closed loop fail on the second invocation
    runner = asyncio.Runner()
    runner.get_loop().set_default_executor(ThreadPoolExecutor(wiring.CONNECTIONS))
    return runner


@logger.inject_lambda_context(clear_state=True)
@traced
@metrics.log_metrics
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Do what ``action`` says with the run in *event*; its steps and results travel through S3, not through here."""
    logger.append_keys(run_id=event["run_id"], number=event["number"])
    return {"work": _work, "park": _park, "give_up": _give_up}[event["action"]](event)


def _work(event: dict[str, Any]) -> dict[str, Any]:
    run_id, number, part, turns = event["run_id"], event["number"], event["part"], event["turn"] + 1
    logger.info("turn started", part=part, turn=turns)
    turn = _loop().run(wiring_graphs.worker().work(run_id, number, part))
    logger.info("turn ended", next=turn.next)
    metrics.add_metric("RunTurns", MetricUnit.Count, 1)
    if turn.next in ("ended", "failed"):
        _publish_end(run_id)
    following = turn.next
    if following in ("more", "wait") and turns >= MOST_TURNS:
        wiring_runs.runs().continue_in_new_part(run_id, number, part)
        following = "ended"
    return {
        "run_id": run_id,
        "number": number,
        "part": part,
        "turn": turns,
        "next": following,
        "seconds": turn.seconds,
        "seen": turn.seen,
    }


def _park(event: dict[str, Any]) -> dict[str, Any]:
    kept = wiring_runs.runs().park(event["run_id"], event["number"], event["token"], event["seen"])
    logger.info("run parked" if kept else "run woken at once")
    metrics.add_metric("RunsParked", MetricUnit.Count, int(kept))
    return {}


def _give_up(event: dict[str, Any]) -> dict[str, Any]:
    logger.error("run given up", error=event["error"])
    metrics.add_metric("RunsGivenUp", MetricUnit.Count, 1)
    wiring_runs.runs().give_up(event["run_id"], event["number"])
    _publish_end(event["run_id"])
    return {}


def _publish_end(run_id: str) -> None:
    run = wiring_runs.runs().store.get(run_id)
    if run is not None:
        wiring_graphs.withdraw_approvals(run)
        wiring_runs.runs().wake_waiting(run)
    ended = run_ended_event(run)
    if ended:
        wiring_notifications.webhooks().publish(ended)
