"""Lay a stage's desk: read what it needs, and nothing else, and hash what was read."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from planloom.domain.artifacts import PROMPT, sha256_of
from planloom.domain.claims import Register
from planloom.domain.errors import ContentUnavailable
from planloom.domain.fingerprints import stage_fingerprint
from planloom.domain.frozen import Answer
from planloom.domain.plans import Plan
from planloom.domain.steps import StepRecord
from planloom.domain.usage import Usage
from planloom.knowledge.brief import Brief, make_brief
from planloom.models.model import Question
from planloom.reading.facts import read_facts
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


async def read_inputs(world: World, plan: Plan, stage: Stage[Any]) -> Inputs:
    """Read the prompt, the needed artifacts and the claims of all stages before. Raises ContentUnavailable."""
    needs = [stage_named(name) for name in dict.fromkeys((*_first(stage), *stage.needs))]
    paths = [PROMPT, *(path for need in needs for path in (need.json_path, need.markdown_path))]
    steps = [f"steps/{earlier.key}.json" for earlier in before(stage)]
    contents = dict(
        zip([*paths, *steps], await asyncio.gather(*(_read(world, plan, p) for p in [*paths, *steps])), strict=True)
    )
    prompt = contents[PROMPT].decode()
    results = {need.name: need.result.model_validate_json(contents[need.json_path]) for need in needs}
    records = [StepRecord.model_validate_json(contents[path]) for path in steps]
    claims = [claim for record in records for claim in record.claims]
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
            plan.model_profile,
            claims,
            {path: sha256_of(contents[path]) for path in paths},
        ),
    )


def desk_of(
    world: World,
    plan: Plan,
    stage: Stage[Any],
    inputs: Inputs,
    answer: Callable[[Question[Answer]], Awaitable[Answer]],
) -> Desk:
    """Return the desk of *stage*, with *inputs* on it and *answer* behind every call."""
    return Desk(
        stage=stage.name,
        prompt=inputs.prompt,
        brief=inputs.brief,
        register=inputs.register,
        about=About(
            plan_id=plan.plan_id,
            model_profile=plan.model_profile,
            models=world.models.names(plan.model_profile),
            created_at=plan.created_at,
            usage=inputs.usage,
        ),
        results=inputs.results,
        texts=inputs.texts,
        answer=answer,
        needs={name: stage_named(name) for name in stage.needs},
    )


def _first(stage: Stage[Any]) -> tuple[str, ...]:
    """Every stage but the first reads the facts that the first one found."""
    first = PIPELINE[0].name
    return () if stage.name == first else (first,)


def _brief(plan: Plan, prompt: str, start: StageResult | None) -> Brief:
    if isinstance(start, Start):
        return make_brief(prompt, start.facts, start.today)
    today = plan.created_at.date()
    return make_brief(prompt, read_facts(prompt, today), today)


async def _read(world: World, plan: Plan, path: str) -> bytes:
    content = await asyncio.to_thread(world.files.read, plan.plan_id, path)
    if content is None:
        raise ContentUnavailable(f"{path} is not there, although a stage before should have made it.")
    return content
