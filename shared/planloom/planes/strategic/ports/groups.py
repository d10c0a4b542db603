"""Ports that are used together. A function takes the smallest group, or the single port, that it needs."""

from dataclasses import dataclass

from pydantic import ValidationError

from planloom.accounts.stores import Billing
from planloom.core.clock import Clock, Monotonic, NewId
from planloom.core.file_store import FileStore
from planloom.models.profiles import Models
from planloom.planes.strategic.plans import Plan, lost_writes
from planloom.planes.strategic.ports.log import EventLog
from planloom.planes.strategic.ports.plans import PlanArchive, PlanStore
from planloom.planes.strategic.ports.running import Bus, GoalReader, Pipeline, RunQueue
from planloom.planes.strategic.watch_settings import WatchSettings
from planloom.runs.long_poll import LongPoll

#: The record of a plan among its files.
RECORD = "plan.json"


@dataclass(frozen=True)
class PlanRecords:
    """What is stored of plans: their view in the table, the archive, and their files in the bucket.

    A change is made in the view, by one conditional write, and then saved to the bucket with ``save_record``, from
    which the view can be rebuilt.
    """

    plans: PlanStore
    archive: PlanArchive
    files: FileStore
    now: Clock
    new_id: NewId

    def recorded(self, plan_id: str) -> Plan | None:
        """Return the plan as the bucket has it, or None. Raises ValidationError for a record of another form."""
        content = self.files.read(plan_id, RECORD)
        return None if content is None else Plan.model_validate_json(content)

    def save_record(self, plan: Plan) -> None:
        """Write the record of *plan* as it is now, unless that of a newer run or of its end is there.

        A late message about the end of a run must not hide that the next run has begun: its number would be used
        twice, and an execution starts only once under a name.
        """
        while True:
            found = self.files.read_tagged(plan.plan_id, RECORD)
            # after the record was read: a later change of the plan saves a record of its own over this one
            now = self.plans.get(plan.plan_id)
            current = now if now and now.run == plan.run else plan
            if found and _is_newer(found[0], current):
                return
            content = current.model_dump_json(indent=2).encode()
            if self.files.replace(plan.plan_id, RECORD, content, "application/json", found[1] if found else None):
                return


def _is_newer(content: bytes, plan: Plan) -> bool:
    try:
        return lost_writes(plan, Plan.model_validate_json(content))
    except ValidationError:
        # nothing can be rebuilt from it
        return False


@dataclass(frozen=True)
class RunControl:
    """What starts, queues, stops and ends runs of plans, and pays for them."""

    plan_records: PlanRecords
    pipeline: Pipeline
    queue: RunQueue
    bus: Bus
    log: EventLog
    billing: Billing
    watch_settings: WatchSettings


@dataclass(frozen=True)
class StagePorts:
    """What the worker of one stage uses."""

    plan_records: PlanRecords
    bus: Bus
    models: Models
    monotonic: Monotonic
    watch_settings: WatchSettings


@dataclass(frozen=True)
class GoalReadings:
    """Readings of goals: their files, what starts one, and how a caller waits for it."""

    files: FileStore
    reader: GoalReader
    long_poll: LongPoll
    now: Clock
