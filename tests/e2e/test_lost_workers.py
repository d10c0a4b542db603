"""What goes wrong in the middle of a run: killed workers, repeated events, a start and an end that were lost."""

import json
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from planloom.core.artifacts import PROMPT
from planloom.planes.strategic.event_log import Entry, shown
from planloom.planes.strategic.events import SOURCE, PlanEvent, RunEnded, RunStarted, StageFinished, StageStarted
from planloom.planes.strategic.pipeline_map import CURRENT
from planloom.planes.strategic.plans import PIPELINE_VERSION, Plan
from planloom.planes.strategic.services.read_records import step_records
from planloom.planes.strategic.services.watch_plans import START_WITHIN
from planloom.planes.strategic.stages.pipeline import PIPELINE, stage_named
from tests.e2e.conftest import Running, example, until
from tests.e2e.killing import committed, kill, killed_at, workers


@pytest.mark.usefixtures("drafted")
def test_a_stage_worker_killed_in_the_middle_leaves_a_failed_plan_that_a_resume_can_help(service: Running) -> None:
    stage = stage_named("report")

    # it has published its start then
    plan_id = killed_at(service, "flood-wall-aalborg", stage.name, worked=5)

    status = service.status(plan_id)
    # AWS has names for a lost worker, by which the machine retries it; the embedded AWS has none, so that the run ends
    assert status["state"] == "failed"
    assert status["error"]["failure_reason"] == "worker_error"
    assert (status["error"]["failed_step"], status["error"]["recoverable"]) == (stage.step, True)
    service.until_folded()
    kept = committed(service, plan_id)
    assert service.status(plan_id)["steps_completed"] == len(kept)
    assert kept == {earlier.key for earlier in CURRENT.before(stage.key)}


def test_events_that_come_again_change_nothing(service: Running, drafted: str) -> None:
    before = service.status(drafted), log_of(service, drafted)

    events = events_of(service, drafted)[::-1]
    for event in events:
        service.ports.bus.put(event)
    # not only published twice, but also delivered twice
    deliver(service, events)

    service.until_folded()
    assert (service.status(drafted), log_of(service, drafted)) == before


def test_events_that_come_in_reverse_give_the_same_progress(service: Running, drafted: str) -> None:
    plan = lost_start(service, "Any goal.").plan_id
    other = service.ports.plans.get(drafted)
    assert other
    events = [event.model_copy(update={"plan_id": plan}) for event in events_of(service, drafted)]

    for event in reversed(events):
        service.ports.bus.put(event)

    # the log began with the plan's first state
    published = 1 + sum(len(shown(event, ())) for event in events)
    until(lambda: len(log_of(service, plan)) == published, "every event in the log")
    view = service.ports.plans.get(plan)
    assert view
    assert (view.steps_finished, view.steps_started) == (other.steps_finished, other.steps_started)
    assert view.last_progress_at == max(event.at for event in events if not isinstance(event, RunEnded))
    # a late message of a run that nobody started changes no state; the end comes from the state machine alone
    assert view.state == "pending"
    assert service.call("plan_stop", plan_id=plan)["state"] == "stopped"


@pytest.mark.usefixtures("drafted")
def test_a_start_that_was_lost_is_healed_by_the_watchdog_and_the_plan_completes_though_its_events_worker_is_killed(
    service: Running,
) -> None:
    plan = lost_start(service, example("bakery-cafe-lisbon"))
    assert service.status(plan.plan_id)["state"] == "pending"

    # on a busy machine the schedule of the watchdog may come before this
    assert watch(service) in ({plan.plan_id: "started"}, {})
    assert watch(service) == {}
    until(lambda: len(committed(service, plan.plan_id)) > 5, "a few stages")
    # what it had taken from the queue comes again after a minute and a half: too late to count the steps
    kill(workers(service.aws.folder, "AWS_LAMBDA_FUNCTION_NAME=PlanloomStack-OnPlanEvent"))

    status = service.until_state(plan.plan_id)
    assert (status["state"], status["steps_completed"], status["progress_percentage"]) == (
        "completed",
        len(PIPELINE),
        100.0,
    )


def watch(service: Running) -> dict[str, str]:
    """Let the watchdog look."""
    name = service.deployment.outputs["WatchdogName"]
    answer = service.client("lambda").invoke(FunctionName=name, Payload=b"{}")
    assert "FunctionError" not in answer
    return dict(json.loads(answer["Payload"].read()))


def lost_start(service: Running, prompt: str) -> Plan:
    """Store a plan and start nothing, as a crash between the two leaves it."""
    plan = Plan(
        plan_id=str(uuid4()),
        account="acme",
        prompt_excerpt=prompt[:100],
        model_profile="baseline",
        pipeline_version=PIPELINE_VERSION,
        created_at=datetime.now(UTC) - START_WITHIN,
    )
    service.ports.files.write(plan.plan_id, PROMPT, prompt.encode(), "text/plain; charset=utf-8")
    assert service.ports.plans.add(plan)
    return plan


def events_of(service: Running, plan_id: str) -> list[PlanEvent]:
    """Return the events that the run of *plan_id* published, made again from its records."""
    plan = service.ports.plans.get(plan_id)
    assert plan
    assert plan.started_at
    assert plan.ended_at
    published: list[PlanEvent] = [RunStarted(plan_id=plan_id, run=1, at=plan.created_at)]
    for record in step_records(service.ports.files, plan_id):
        stage = stage_named(record.name)
        at = plan.steps_started[record.key]
        published += [
            StageStarted(plan_id=plan_id, run=1, at=at, key=record.key, name=stage.name, title=stage.title),
            StageFinished(
                plan_id=plan_id,
                run=1,
                at=record.ended_at,
                title=stage.title,
                record=record.model_copy(update={"claims": ()}),
            ),
        ]
    return [*published, RunEnded(plan_id=plan_id, run=1, at=plan.ended_at, state="completed")]


def log_of(service: Running, plan_id: str) -> list[Entry]:
    """Return the plan's event log."""
    found = service.ports.log.events_after(plan_id, 0, 10_000)
    cursors = [entry.cursor for entry in found]
    assert cursors == sorted(set(cursors))
    return found


def deliver(service: Running, events: list[PlanEvent]) -> None:
    """Put *events* into the queue as the bus does."""
    queue, sqs = service.queue("PlanEventsQueue"), service.client("sqs")
    bodies = [
        {"detail-type": type(event).__name__, "source": SOURCE, "detail": event.model_dump(mode="json")}
        for event in events
    ]
    entries = [{"Id": f"m{number}", "MessageBody": json.dumps(body)} for number, body in enumerate(bodies)]
    for start in range(0, len(entries), 10):
        sqs.send_message_batch(QueueUrl=queue, Entries=entries[start : start + 10])
