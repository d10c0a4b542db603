"""Lay a stage's desk: read what it needs, and nothing else, and hash what was read."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from planloom.domain.artifacts import GIVEN, PROMPT, sha256_of
from planloom.domain.claims import Claim, Register
from planloom.domain.errors import ContentUnavailable
from planloom.domain.fingerprints import stage_fingerprint
from planloom.domain.frozen import Answer
from planloom.domain.plans import Plan
from planloom.domain.steps import StepRecord
from planloom.domain.usage import Usage
from planloom.facts.given import KeptGiven
from planloom.knowledge.brief import Brief, make_brief
from planloom.knowledge.choose import read_by_rules
from planloom.models.model import Question
from planloom.services.world import World
from planloom.stages import PIPELINE, before, stage_named
from planloom.stages.desk import About, Desk
from planloom.stages.stage import Stage, StageResult
from planloom.stages.start import Start


@dataclass(frozen=True)
class Inputs:
    """What a stage works from, and the hash of it."""

    prompt: str
    brief: Brief
    register: Register
    usage: Usage
    results: dict[str, StageResult]
    texts: dict[str, str]
    fingerprint: str
    drafted_by: tuple[str, ...]
    given: KeptGiven | None = None


async def read_inputs(world: World, plan: Plan, stage: Stage[Any]) -> Inputs:
    """Read the prompt, the needed artifacts and the claims of all stages before. Raises ContentUnavailable."""
    needs = _needs(stage)
    paths = needed_paths(stage)
    steps = [f"steps/{earlier.key}.json" for earlier in before(stage)]
    contents = dict(
        zip([*paths, *steps], await asyncio.gather(*(_read(world, plan, p) for p in [*paths, *steps])), strict=True)
    )
    prompt = contents[PROMPT].decode()
    results = {need.name: need.result.model_validate_json(contents[need.json_path]) for need in needs}
    records = [StepRecord.model_validate_json(contents[path]) for path in steps]
    hashes = {path: sha256_of(contents[path]) for path in paths}
    _check(hashes, records)
    claims = claims_of(records)
    return Inputs(
        prompt=prompt,
        brief=_brief(plan, prompt, results.get("start")),
        register=Register(claims),
        usage=sum((record.usage for record in records), Usage()),
        results={name: results[name] for name in stage.needs},
        texts={name: contents[stage_named(name).markdown_path].decode() for name in stage.needs},
        fingerprint=stage_fingerprint(
            stage.version,
            prompt,
            claims,
            hashes,
        ),
        drafted_by=tuple(dict.fromkeys(name for record in records for name in record.drafted_by)),
        given=None if _first(stage) else await asyncio.to_thread(given_of, world, plan),
    )


def given_of(world: World, plan: Plan) -> KeptGiven | None:
    """Return what the caller said of the goal's facts when the plan was created; None for nothing."""
    content = world.files.read(plan.plan_id, GIVEN)
    return KeptGiven.model_validate_json(content) if content else None


def needed_paths(stage: Stage[Any]) -> list[str]:
    """Return the paths of all that *stage* reads: what its fingerprint hashes."""
    return [PROMPT, *(path for need in _needs(stage) for path in (need.json_path, need.markdown_path))]


def claims_of(records: Iterable[StepRecord]) -> list[Claim]:
    """Return the claims of *records*, in their order."""
    return [claim for record in records for claim in record.claims]


def desk_of(
    world: World,
    plan: Plan,
    stage: Stage[Any],
    inputs: Inputs,
    answer: Callable[[Question[Answer]], Awaitable[Answer]],
    spent: Callable[[], Usage] = Usage,
    answered_by: Callable[[], tuple[str, ...]] = tuple,
) -> Desk:
    """Return the desk of *stage*, with *inputs* on it and *answer* behind every call.

    *spent* and *answered_by* tell what its calls cost so far and which models answered them.
    """
    return Desk(
        stage=stage.name,
        prompt=inputs.prompt,
        brief=inputs.brief,
        register=inputs.register,
        about=About(
            plan_id=plan.plan_id,
            model_profile=plan.model_profile,
            models=inputs.drafted_by,
            outline_only=world.models.outline_only(plan.model_profile),
            created_at=plan.drafted_at,
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
    first = PIPELINE[0].name
    return () if stage.name == first else (first,)


def _needs(stage: Stage[Any]) -> list[Stage[Any]]:
    return [stage_named(name) for name in dict.fromkeys((*_first(stage), *stage.needs))]


def _check(hashes: Mapping[str, str], records: Iterable[StepRecord]) -> None:
    """Refuse a file that is not what its stage committed: whoever builds on it would not notice."""
    committed = {file.path: file.sha256 for record in records for file in record.artifacts}
    for path, found in hashes.items():
        if committed.get(path, found) != found:
            raise ContentUnavailable(f"{path} is not what its stage wrote; plan_resume makes it again.")


def _brief(plan: Plan, prompt: str, start: StageResult | None) -> Brief:
    if isinstance(start, Start):
        return make_brief(prompt, start.facts, start.today)
    today = plan.drafted_at.date()
    return make_brief(prompt, read_by_rules(prompt, today), today)


async def _read(world: World, plan: Plan, path: str) -> bytes:
    content = await asyncio.to_thread(world.files.read, plan.plan_id, path)
    if content is None:
        raise ContentUnavailable(f"{path} is not there, although a stage before made it; plan_resume makes it again.")
    return content
