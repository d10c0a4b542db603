"""Wait a while for a plan to come to its end, and say what to do next (specification, 17.2)."""

from planloom.core.clock import Clock
from planloom.planes.strategic.plans import TERMINAL, Plan
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.own_plan import own_plan
from planloom.planes.strategic.watch_settings import WatchSettings
from planloom.runs.long_poll import LONGEST_SECONDS, LongPoll

SHORTEST_POLL_SECONDS, USUAL_POLL_SECONDS = 0.5, 1.0


def wait_for_plan(
    plan_records: PlanRecords,
    long_poll: LongPoll,
    account: str,
    plan_id: str,
    timeout_sec: float = LONGEST_SECONDS,
    poll_interval_sec: float = USUAL_POLL_SECONDS,
) -> tuple[Plan, bool]:
    """Return the plan once it has ended, or as it is after *timeout_sec* (20 at most, whatever was asked for); and
    whether the call was held: False where too many are.

    Raises InvalidArgument, PlanNotFound, PermissionDenied.
    """
    plan = own_plan(plan_records, account, plan_id)

    def ended() -> Plan | None:
        found = own_plan(plan_records, account, plan.plan_id)
        return found if found.state in TERMINAL else None

    found, held = long_poll.wait(max(timeout_sec, 0.0), max(poll_interval_sec, SHORTEST_POLL_SECONDS), ended)
    return found or own_plan(plan_records, account, plan.plan_id), held


def next_steps(
    watch_settings: WatchSettings,
    clock: Clock,
    plan: Plan,
    poll_after_sec: int | None,
    queue_position: int | None,
    *,
    held: bool = True,
) -> list[str]:
    """Say what a caller does best now, the first thing first (specification, 6.3).

    Where the call could not be *held*, waiting again would be answered at once again: polling is left.
    """
    if plan.state == "completed":
        return ["Call plan_file_info with artifact 'report', and again with 'zip', and fetch each download_url."]
    if plan.state == "stopped":
        return ["Call plan_resume to continue from where it was stopped, or plan_retry to begin again."]
    if plan.state == "failed":
        return _after_failure(plan)
    steps = [
        f"Call plan_wait again, or plan_status in {poll_after_sec} seconds."
        if held
        else f"Too many calls are waiting just now: call plan_status in {poll_after_sec} seconds."
    ]
    if queue_position:
        steps.append(
            f"It waits in the queue, at position {queue_position}: {watch_settings.runs_at_once} plans at a time are "
            "drafted here. It starts by itself."
        )
    if watch_settings.stalled(plan, clock()):
        steps.append(
            "Nothing has moved for a while: plan_logs_tail says what came last. The service ends the plan as "
            "inactivity_timeout where nothing more comes; plan_stop and then plan_resume does not wait for that."
        )
    return steps


def _after_failure(plan: Plan) -> list[str]:
    logs = "Call plan_logs_tail to see what came before."
    failure = plan.failure
    if failure and failure.recoverable and failure.failure_reason != "version_mismatch":
        return [f"Call plan_resume to continue from {failure.failed_step or 'where it failed'}.", logs]
    return ["Call plan_retry for a clean restart, or plan_create with another prompt.", logs]
