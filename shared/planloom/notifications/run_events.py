"""Events about runs that the worker of runs executes."""

from planloom.notifications.events import Event, RunEnded, make_event
from planloom.runs.records import ENDED, Run

#: Planes whose runs publish their end here; runs of workflows publish it themselves.
PLANES = frozenset({"graphs", "programs"})


def run_ended_event(run: Run | None) -> Event | None:
    """Return the event that *run* ended; None where it has not, or where its plane publishes that itself."""
    if run is None or run.state not in ENDED or run.plane not in PLANES:
        return None
    reason = run.failure.message if run.failure else ""
    data = RunEnded(plane=run.plane, run_id=run.run_id, title=run.title, state=run.state, reason=reason)
    return make_event(run.account, data, run.ended_at or run.created_at, run.run_id, run.number)
