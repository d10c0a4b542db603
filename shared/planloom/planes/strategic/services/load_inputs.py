"""Load what a stage works with: read what it needs, and nothing else, and hash what was read."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from planloom.core.artifacts import GIVEN, PROMPT, sha256_of
from planloom.core.errors import ContentUnavailable
from planloom.core.file_store import FileStore
from planloom.core.fingerprints import stage_fingerprint
from planloom.core.frozen import Answer
from planloom.core.usage import Usage
from planloom.models.model import Question
from planloom.models.profiles import Models
from planloom.planes.strategic.claims import Claim, Register
from planloom.planes.strategic.facts.given import KeptGiven
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.outline.choose import read_by_rules
from planloom.planes.strategic.pipeline_map import CURRENT
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.stages.context import About, StageContext
from planloom.planes.strategic.stages.pipeline import stage_named
from planloom.planes.strategic.stages.stage import Stage, StageResult
from planloom.planes.strategic.stages.start import Start
from planloom.planes.strategic.step_paths import record_path
from planloom.planes.strategic.steps import StepRecord


@dataclass(frozen=True)
class Inputs:
    """What a stage works from, and the hash of it."""

    goal: Goal
    register: Register
    usage: Usage
    results: dict[str, StageResult]
    texts: dict[str, str]
    fingerprint: str
    drafted_by: tuple[str, ...]
    given: KeptGiven | None = None


async def read_inputs(files: FileStore, plan: Plan, stage: Stage[Any]) -> Inputs:
    """Read the prompt, the needed artifacts and the claims of all stages before. Raises ContentUnavailable."""
    needs = _needs(stage)
    steps = [record_path(earlier.key) for earlier in CURRENT.before(stage.key)]
    contents = await _contents(files, plan, [PROMPT, *(need.json_path for need in needs), *steps])
    records = [StepRecord.model_validate_json(contents[path]) for path in steps]
    paths = needed_paths(stage, records)
    contents |= await _contents(files, plan, [path for path in paths if path not in contents])
    prompt = contents[PROMPT].decode()
    results = {need.name: need.result.model_validate_json(contents[need.json_path]) for need in needs}
    hashes = {path: sha256_of(contents[path]) for path in paths}
    _check(hashes, records)
    claims = claims_of(records)
    return Inputs(
        goal=_goal(plan, prompt, results.get("start")),
        register=Register(claims),
        usage=sum((record.usage for record in records), Usage()),
        results={name: results[name] for name in stage.needs},
        texts={
            section: contents[path].decode()
            for need in needs
            for section, path in need.section_paths.items()
            if path in contents
        },
        fingerprint=stage_fingerprint(
            stage.version,
            prompt,
            claims,
            hashes,
        ),
        drafted_by=tuple(dict.fromkeys(name for record in records for name in record.drafted_by)),
        given=None if _first(stage) else await asyncio.to_thread(given_of, files, plan),
    )


def given_of(files: FileStore, plan: Plan) -> KeptGiven | None:
    """Return what the caller said of the goal's facts when the plan was created; None for nothing."""
    content = files.read(plan.plan_id, GIVEN)
    return KeptGiven.model_validate_json(content) if content else None


def needed_paths(stage: Stage[Any], records: Iterable[StepRecord]) -> list[str]:
    """Return the paths of all that *stage* reads: what its fingerprint hashes.

    A section that its stage left out, as *records* say, is not read.
    """
    made = {file.path for record in records for file in record.artifacts}
    sections = (path for need in _needs(stage) for path in need.section_paths.values() if path in made)
    return [PROMPT, *(need.json_path for need in _needs(stage)), *sections]


def claims_of(records: Iterable[StepRecord]) -> list[Claim]:
    """Return the claims of *records*, in their order."""
    return [claim for record in records for claim in record.claims]


def context_of(
    models: Models,
    plan: Plan,
    stage: Stage[Any],
    inputs: Inputs,
    answer: Callable[[Question[Answer]], Awaitable[Answer]],
    spent: Callable[[], Usage] = Usage,
    answered_by: Callable[[], tuple[str, ...]] = tuple,
) -> StageContext:
    """Return what *stage* works with: its *inputs*, and *answer* for every call.

    *spent* and *answered_by* tell what its calls cost so far and which models answered them.
    """
    return StageContext(
        stage=stage.name,
        goal=inputs.goal,
        register=inputs.register,
        about=About(
            plan_id=plan.plan_id,
            model_profile=plan.model_profile,
            models=inputs.drafted_by,
            outline_only=models.outline_only(plan.model_profile),
            created_at=plan.drafted_at,
            detail=plan.detail,
            long_answers=models.long_answers(plan.model_profile),
            usage=inputs.usage,
        ),
        results=inputs.results,
        texts=inputs.texts,
        answer=answer,
        spent=spent,
        answered_by=answered_by,
        needs={name: stage_named(name) for name in stage.needs},
        given=inputs.given,
    )


def _first(stage: Stage[Any]) -> tuple[str, ...]:
    """Every stage but the first reads the facts that the first one found."""
    first = CURRENT.steps[0].name
    return () if stage.name == first else (first,)


def _needs(stage: Stage[Any]) -> list[Stage[Any]]:
    return [stage_named(name) for name in dict.fromkeys((*_first(stage), *stage.needs))]


def _check(hashes: Mapping[str, str], records: Iterable[StepRecord]) -> None:
    """Refuse a file that is not what its stage committed: a stage that uses it would not notice."""
    committed = {file.path: file.sha256 for record in records for file in record.artifacts}
    for path, found in hashes.items():
        if committed.get(path, found) != found:
            raise ContentUnavailable(f"{path} is not what its stage wrote; plan_resume makes it again.")


def _goal(plan: Plan, prompt: str, start: StageResult | None) -> Goal:
    if isinstance(start, Start):
        return Goal(prompt, start.facts, start.today)
    today = plan.drafted_at.date()
    return Goal(prompt, read_by_rules(prompt, today), today)


async def _contents(files: FileStore, plan: Plan, paths: list[str]) -> dict[str, bytes]:
    return dict(zip(paths, await asyncio.gather(*(_read(files, plan, path) for path in paths)), strict=True))


async def _read(files: FileStore, plan: Plan, path: str) -> bytes:
    content = await asyncio.to_thread(files.read, plan.plan_id, path)
    if content is None:
        raise ContentUnavailable(f"{path} is not there, although a stage before made it; plan_resume makes it again.")
    return content
