"""Draft stages in memory, in order, with the outline: what a stage test starts from."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, date, datetime
from functools import lru_cache
from importlib import import_module
from typing import Any

from planloom.domain.claims import Register
from planloom.domain.frozen import Answer
from planloom.knowledge.brief import Brief, make_brief
from planloom.models.model import OutlineModel, Question
from planloom.stages.desk import About, Desk
from planloom.stages.stage import Stage, StageResult
from tests.unit.stated_facts import stated_facts as read_facts

TODAY = date(2026, 11, 2)


def stage(name: str) -> Stage[Any]:
    """Return the stage *name* without importing the others."""
    return import_module(f"planloom.stages.{name}").STAGE


def draft(prompt: str, *names: str, today: date = TODAY) -> dict[str, StageResult]:
    """Draft the stages *names* and all that they need from *prompt*; return results by stage name.

    The same prompt and day give the same results, which nobody can change: what was drafted once is handed out again.
    """
    drafted = _drafted_from(prompt, today)
    for name in names:
        asyncio.run(_draft(prompt, today, name, drafted))
    wanted = {*names, *(earlier for name in names for earlier in before(name))}
    return {name: result for name, result in drafted.items() if name in wanted}


def draft_anew(prompt: str, *names: str) -> dict[str, StageResult]:
    """Draft the stages *names* and all that they need, whatever was drafted before; return results by stage name."""
    drafted: dict[str, StageResult] = {}
    for name in names:
        asyncio.run(_draft(prompt, TODAY, name, drafted))
    return drafted


@lru_cache(maxsize=16)
def _drafted_from(prompt: str, today: date) -> dict[str, StageResult]:
    return {}


async def _draft(prompt: str, today: date, name: str, drafted: dict[str, StageResult]) -> None:
    if name in drafted:
        return
    wanted = stage(name)
    for need in wanted.needs:
        await _draft(prompt, today, need, drafted)
    drafted[name] = await wanted.draft(desk_for(prompt, wanted, drafted, today))


def desk_for(prompt: str, wanted: Stage[Any], drafted: Mapping[str, StageResult], today: date = TODAY) -> Desk:
    """Return the desk of the stage *wanted* with what it needs of *drafted* on it and the outline behind each call."""
    name = wanted.name
    return Desk(
        stage=name,
        prompt=prompt,
        brief=brief_of(prompt, today),
        register=Register(claim for earlier in before(name) for claim in drafted[earlier].claims),
        about=About(
            "5e2b2a7c-8b49-4d2f-9b8f-6a3c1f05b9a1",
            "baseline",
            models=("outline",),
            created_at=datetime(2026, 11, 2, 9, tzinfo=UTC),
            outline_only=True,
        ),
        results={need: drafted[need] for need in wanted.needs},
        texts={need: stage(need).markdown(drafted[need]) for need in wanted.needs},
        answer=_answer,
        needs={need: stage(need) for need in wanted.needs},
    )


@lru_cache(maxsize=8)
def brief_of(prompt: str, today: date = TODAY) -> Brief:
    """Return what is known of *prompt*: read once, however many stages rest on it."""
    return make_brief(prompt, read_facts(prompt, today), today)


def before(name: str) -> list[str]:
    """Return the names of all stages before *name* in the graph, each once, in order of number."""
    found: dict[str, int] = {}
    todo = list(stage(name).needs)
    while todo:
        need = todo.pop()
        if need not in found:
            found[need] = stage(need).number
            todo += stage(need).needs
    return sorted(found, key=found.__getitem__)


async def _answer(question: Question[Answer]) -> Answer:
    answer, _ = await OutlineModel().ask(question)
    # what a language model sends comes through the schema; so does the outline
    return question.answer.model_validate_json(answer.model_dump_json())
