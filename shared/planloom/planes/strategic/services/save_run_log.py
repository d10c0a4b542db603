"""Keep a plan's log beside its files when a run ends: ``run.log``, one line for each event (specification, 12)."""

from planloom.core.file_store import FileStore
from planloom.planes.strategic.event_log import Entry
from planloom.planes.strategic.log_lines import written
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.log import EventLog
from planloom.planes.strategic.services.read_log import lines_of
from planloom.planes.strategic.watch_settings import WatchSettings

RUN_LOG = "run.log"
PAGE = 500


def save_run_log(files: FileStore, log: EventLog, watch_settings: WatchSettings, plan: Plan, *last: Entry) -> None:
    """Write the log as it is now, and *last* after it; earlier runs of the plan are in it too."""
    found: list[Entry] = []
    while page := log.events_after(plan.plan_id, found[-1].cursor if found else 0, PAGE):
        found += page
    lines = lines_of(files, watch_settings, plan.plan_id, [*found, *last])
    content = "".join(f"{written(line)}\n" for line in lines)
    files.write(plan.plan_id, RUN_LOG, content.encode(), "text/plain; charset=utf-8")
