"""Claim the finished steps of a plan for the run that continues from them: then nothing else changes them.

A record is the lock of its step. It is changed between runs, by edits and invalidations, only where it still has the
tag that it had before they looked at the plan's state; and a run that begins gives every record another tag, after it
has moved the plan and before its first worker starts. So a change either came before, and every worker sees it, or it
is refused, since the plan is going.
"""

from concurrent.futures import ThreadPoolExecutor

from planloom.core.file_store import FileStore
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.read_records import READERS, record_of
from planloom.planes.strategic.step_paths import RECORDS, calls_prefix, step_of


def claim_records(files: FileStore, plan: Plan) -> None:
    """Mark every record of *plan* as held by its run; doing it twice is doing it once."""
    with ThreadPoolExecutor(READERS) as readers:
        list(readers.map(lambda path: _hold(files, plan, path), files.paths(plan.plan_id, RECORDS)))


def _hold(files: FileStore, plan: Plan, path: str) -> None:
    # repeated for each change that was first: they end, since the plan is active
    while found := files.read_tagged(plan.plan_id, path):
        content, tag = found
        if not content:
            _forget_answers(files, plan, step_of(path))
            return
        record = record_of(content, plan)
        if record is None or plan.run in (record.run, record.held_by):
            return
        held = record.model_copy(update={"held_by": plan.run}).model_dump_json().encode()
        if files.replace(plan.plan_id, path, held, "application/json", tag):
            return


def _forget_answers(files: FileStore, plan: Plan, key: str) -> None:
    """Have the models asked anew for a step that was invalidated; what this run has kept already stays."""
    kept = files.paths(plan.plan_id, calls_prefix(key))
    files.delete(plan.plan_id, [path for path in kept if not _of_this_run(files, plan, path)])


def _of_this_run(files: FileStore, plan: Plan, path: str) -> bool:
    # another may have started the run before this caller, who found it pending, came as far as here
    found = files.describe(plan.plan_id, path)
    return found is not None and plan.resumed_at is not None and found.updated_at > plan.resumed_at
