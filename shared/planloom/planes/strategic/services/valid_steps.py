"""Say which of a plan's finished stages still hold, and which a resume would look at again, and why."""

from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

from planloom.core.artifacts import PROMPT, sha256_of
from planloom.core.file_store import FileStore
from planloom.core.fingerprints import stage_fingerprint
from planloom.planes.strategic.pipeline_map import CURRENT, PlanSteps, Step
from planloom.planes.strategic.plans import Plan, Target
from planloom.planes.strategic.services.load_inputs import claims_of, needed_paths
from planloom.planes.strategic.services.read_records import READERS, records_that_count
from planloom.planes.strategic.stages.pipeline import stage_named
from planloom.planes.strategic.steps import StepRecord

#: named: somebody asked for it. missing: never finished. damaged: a file of it is gone or another.
#: changed: it, or what it was made from, was changed since. depends: only if a step before it gives another result.
Why = Literal["named", "missing", "damaged", "changed", "depends"]


@dataclass(frozen=True)
class StepValidity:
    """The steps of a plan: ``records`` of all that were finished; ``stale`` says why some are looked at again."""

    records: dict[str, StepRecord]
    stale: dict[str, Why]
    steps: PlanSteps

    @property
    def kept(self) -> dict[str, StepRecord]:
        """The records of the steps that hold, by key."""
        return {key: record for key, record in self.records.items() if key not in self.stale}

    def kept_by(self, target: Target) -> dict[str, StepRecord]:
        """The records of the steps that a run of *target* does not make again, by key.

        A validation goes over what is there, whether or not it would be made the same again.
        """
        if target != "validate_plan":
            return self.kept
        return {
            key: record
            for key, record in self.records.items()
            if key not in self.steps.validated or key not in self.stale
        }


def check_steps(files: FileStore, plan: Plan, named: Collection[str] = (), steps: PlanSteps = CURRENT) -> StepValidity:
    """Look at every step of *plan*: its record, what it was made from, and the hash of every file that it made.

    *named* are keys of steps that are executed again in any case; *steps* are those of a run that begins now.
    """
    # of another version of the pipeline other steps may have these numbers
    names = {step.key: step.name for step in steps}
    found = records_that_count(files, plan)
    records = {key: record for key, record in found.items() if names.get(key) == record.name}
    own = _own(files, plan, steps, records, named)
    stale = {step.key: own.get(step.key, "depends") for step in steps.affected_by(own)}
    return StepValidity(records, stale, steps)


def _own(
    files: FileStore, plan: Plan, steps: PlanSteps, records: Mapping[str, StepRecord], named: Collection[str]
) -> dict[str, Why]:
    """Say what is wrong with each step itself, whatever comes before it."""
    prompt = files.read(plan.plan_id, PROMPT) or b""
    damaged = _damaged(files, plan, records)
    own: dict[str, Why] = {}
    for step in steps:
        if step.key in named:
            own[step.key] = "named"
        elif step.key not in records:
            own[step.key] = "missing"
        elif step.key in damaged:
            own[step.key] = "damaged"
        elif records[step.key].fingerprint != _fingerprint(steps, step, prompt, records):
            own[step.key] = "changed"
    return own


def _fingerprint(steps: PlanSteps, step: Step, prompt: bytes, records: Mapping[str, StepRecord]) -> str | None:
    """Return what the stage's fingerprint would be now, by the records; None where it could not begin."""
    stage = stage_named(step.name)
    earlier = [records[each.key] for each in steps.before(step.key) if each.key in records]
    hashes = {file.path: file.sha256 for record in earlier for file in record.artifacts} | {PROMPT: sha256_of(prompt)}
    paths = needed_paths(stage, earlier)
    if not set(paths) <= hashes.keys():
        return None
    return stage_fingerprint(stage.version, prompt.decode(), claims_of(earlier), {path: hashes[path] for path in paths})


def _damaged(file_store: FileStore, plan: Plan, records: Mapping[str, StepRecord]) -> set[str]:
    files = [(key, file) for key, record in records.items() for file in record.artifacts]
    with ThreadPoolExecutor(READERS) as readers:
        hashes = readers.map(lambda named: file_store.sha256(plan.plan_id, named[1].path), files)
        return {key for (key, file), found in zip(files, hashes, strict=True) if found != file.sha256}
