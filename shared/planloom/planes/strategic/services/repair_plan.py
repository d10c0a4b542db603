"""Rebuild a plan's view in the table from the bucket alone."""

from planloom.core.errors import PlanNotFound
from planloom.core.file_store import FileStore
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.groups import RECORD, PlanRecords
from planloom.planes.strategic.services.backfill_events import backfill_events
from planloom.planes.strategic.services.read_records import counts, step_records
from planloom.planes.strategic.steps import StepRecord


def repair_plan(plan_records: PlanRecords, plan_id: str) -> Plan:
    """Rebuild everything that the table says of *plan_id*. Raises PlanNotFound where the bucket knows no such plan."""
    recorded = plan_records.recorded(plan_id)
    if recorded is None:
        raise PlanNotFound(f"The bucket holds no plan {plan_id}. Check the id, and whether its service is another.")
    plan_records.plans.restore(recorded)
    plan = plan_records.plans.get(plan_id) or recorded
    repair_view(plan_records, plan, complete=plan.state == "completed")
    return plan_records.plans.get(plan_id) or recorded


def repair_lost(plan_records: PlanRecords) -> list[str]:
    """Bring back every plan of which the table lost writes, as after a crash of what keeps it; return their ids.

    Raises ExceptionGroup of what went wrong with single plans, once all others have been looked at.
    """
    found: list[str] = []
    wrong: list[Exception] = []
    for plan_id in plan_records.files.plans():
        try:
            if plan_records.files.sha256(plan_id, RECORD) is not None:
                repair_plan(plan_records, plan_id)
                found.append(plan_id)
        except Exception as error:
            error.add_note(f"while plan {plan_id} was repaired")
            wrong.append(error)
    if wrong:
        raise ExceptionGroup("some plans could not be repaired", wrong)
    return found


def repair_view(plan_records: PlanRecords, plan: Plan, *, complete: bool = False) -> None:
    """Bring log, steps, files and progress of *plan* in line with its step records; progress of a run never falls.

    What this run made counts, and what it began with or skipped; where it is *complete*, all.
    """
    records = _records(plan_records.files, plan)
    while True:
        backfill_events(plan_records.plans, plan, records)
        done = {record.key for record in records if complete or record.run == plan.run} | plan.steps_finished.keys()
        plan_records.plans.rewrite(plan, records, done)
        # a change that came between has listed its files in the view, which older ones have replaced
        before, records = records, _records(plan_records.files, plan)
        if records == before:
            return


def _records(files: FileStore, plan: Plan) -> list[StepRecord]:
    return [record for record in step_records(files, plan.plan_id) if counts(record, plan)]
