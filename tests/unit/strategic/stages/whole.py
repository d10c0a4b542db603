"""Draft a whole plan stage by stage in memory, without services: what each stage is given, and what it makes of it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

from planloom.models.model import Question
from planloom.planes.strategic.claims import Register
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.outline.choose import read_by_rules
from planloom.planes.strategic.plans import Detail
from planloom.planes.strategic.stages.context import About, StageContext
from planloom.planes.strategic.stages.pipeline import PIPELINE, stage_named
from planloom.planes.strategic.stages.stage import Stage, StageResult
from planloom.planes.strategic.stages.start import Start
from tests.unit.strategic.services.spy import answered
from tests.unit.strategic.stages.contexts import TODAY

Answering = Callable[[Question[Any]], Awaitable[Any]]
PLAN_ID = "5e2b2a7c-8b49-4d2f-9b8f-6a3c1f05b9a1"


async def spied(question: Question[Any]) -> Any:
    """Answer with what the schema of *question* allows."""
    return answered(question)


async def nobody(question: Question[Any]) -> Any:
    """Refuse to answer: an outline asks nothing."""
    raise AssertionError(f"{question.name} was asked, though no language model drafts this plan")


def context_for(
    prompt: str,
    stage: Stage[Any],
    results: dict[str, StageResult],
    answer: Answering,
    *,
    outline_only: bool = False,
    detail: Detail = "standard",
) -> StageContext:
    """Return what *stage* works with after the stages that made *results*, by stage name."""
    start = results.get("start")
    facts = start.facts if isinstance(start, Start) else read_by_rules(prompt, TODAY)
    needs = [stage_named(name) for name in stage.needs]
    pages = [dict(need.pages(results[need.name])) for need in needs]
    return StageContext(
        stage=stage.name,
        goal=Goal(prompt, facts, TODAY),
        register=Register(claim for result in results.values() for claim in result.claims),
        about=About(
            PLAN_ID,
            "baseline",
            models=() if outline_only else ("a-model",),
            created_at=datetime(2026, 11, 2, 9, tzinfo=UTC),
            outline_only=outline_only,
            detail=detail,
        ),
        results={name: results[name] for name in stage.needs},
        texts={name: text for page in pages for name, text in page.items() if text},
        answer=answer,
        needs={need.name: need for need in needs},
    )


async def whole(
    prompt: str, answer: Answering, *, outline_only: bool = False, detail: Detail = "standard"
) -> dict[str, StageResult]:
    """Return the result of every stage of a plan for *prompt*, by name."""
    results: dict[str, StageResult] = {}
    for stage in PIPELINE:
        context = context_for(prompt, stage, results, answer, outline_only=outline_only, detail=detail)
        results[stage.name] = context.with_missing(await stage.draft(context))
    return results


@cache
def outline(prompt: str) -> dict[str, StageResult]:
    """Return the results of a plan for *prompt* without a language model."""
    return asyncio.run(whole(prompt, nobody, outline_only=True))


@cache
def modelled(prompt: str) -> dict[str, StageResult]:
    """Return the results of a plan for *prompt* whose calls are answered within their bounds, and mean nothing."""
    return asyncio.run(whole(prompt, spied))


def sections(results: dict[str, StageResult]) -> dict[str, str]:
    """Return the Markdown of every section that *results* are shown as, by name."""
    found = (stage.pages(results[stage.name]) for stage in PIPELINE if stage.standard_files)
    return {name: text for page in found for name, text in page.items() if text}


def with_answer(context: StageContext, answer: Answering) -> StageContext:
    """Return *context* whose calls *answer* answers."""
    return replace(context, answer=answer)
