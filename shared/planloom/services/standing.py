"""Say which of a plan's finished stages still hold, and which a resume would look at again, and why."""

from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

from planloom.domain.artifacts import PROMPT, sha256_of
from planloom.domain.fingerprints import stage_fingerprint
from planloom.domain.plans import VALIDATED, Plan, Target
from planloom.domain.steps import StepRecord
from planloom.services.load_inputs import claims_of, needed_paths
from planloom.services.read_records import READERS, records_that_count
from planloom.services.world import World
from planloom.stages.pipeline import PIPELINE, before
from planloom.stages.stage import Stage

#: named: somebody asked for it. missing: never finished. damaged: a file of it is gone or another.
#: changed: it, or what it was made from, is another now. depends: only if what comes before it comes out another.
Why = Literal["named", "missing", "damaged", "changed", "depends"]


@dataclass(frozen=True)
class Standing:
    """The steps of a plan: ``records`` of all that were finished; ``stale`` says why some are looked at again."""

    records: dict[str, StepRecord]
    stale: dict[str, Why]

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
        return {key: record for key, record in self.records.items() if key not in VALIDATED or key not in self.stale}


def standing_of(world: World, plan: Plan, named: Collection[str] = ()) -> Standing:
    """Look at every step of *plan*: its record, what it was made from, and the hash of every file that it made.

    *named* are keys of steps that are to be made again whatever they are.
    """
    # of another version of the pipeline other steps may have these numbers
    names = {stage.key: stage.name for stage in PIPELINE}
    found = records_that_count(world, plan)
    records = {key: record for key, record in found.items() if names.get(key) == record.name}
    own = _own(world, plan, records, named)
    stale = {
        stage.key: own.get(stage.key, "depends")
        for stage in PIPELINE
        if stage.key in own or any(earlier.key in own for earlier in before(stage))
    }
    return Standing(records, stale)


def _own(world: World, plan: Plan, records: Mapping[str, StepRecord], named: Collection[str]) -> dict[str, Why]:
    """Say what is wrong with each step itself, whatever comes before it."""
    prompt = world.files.read(plan.plan_id, PROMPT) or b""
    damaged = _damaged(world, plan, records)
    own: dict[str, Why] = {}
    for stage in PIPELINE:
        if stage.key in named:
            own[stage.key] = "named"
        elif stage.key not in records:
            own[stage.key] = "missing"
        elif stage.key in damaged:
            own[stage.key] = "damaged"
        elif records[stage.key].fingerprint != _fingerprint(stage, prompt, records):
            own[stage.key] = "changed"
    return own


def _fingerprint(stage: Stage[Any], prompt: bytes, records: Mapping[str, StepRecord]) -> str | None:
    """Return what the stage's fingerprint would be now, by the records; None where it could not begin."""
    earlier = [records[each.key] for each in before(stage) if each.key in records]
    hashes = {file.path: file.sha256 for record in earlier for file in record.artifacts} | {PROMPT: sha256_of(prompt)}
    paths = needed_paths(stage, earlier)
    if not set(paths) <= hashes.keys():
        return None
    return stage_fingerprint(stage.version, prompt.decode(), claims_of(earlier), {path: hashes[path] for path in paths})


def _damaged(world: World, plan: Plan, records: Mapping[str, StepRecord]) -> set[str]:
    files = [(key, file) for key, record in records.items() for file in record.artifacts]
    with ThreadPoolExecutor(READERS) as readers:
        hashes = readers.map(lambda named: world.files.sha256(plan.plan_id, named[1].path), files)
        return {key for (key, file), found in zip(files, hashes, strict=True) if found != file.sha256}
