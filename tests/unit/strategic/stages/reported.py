"""A plan that every stage but the last has made, from a spine: what the report shows and checks."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.spine.markdown import markdown
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.pipeline import PIPELINE
from planloom.planes.strategic.stages.results import Choice, Review
from planloom.planes.strategic.stages.stage import StageResult
from tests.unit.strategic.compute.sound import sound
from tests.unit.strategic.stages.contexts import make_context

STAGES = {stage.name: stage for stage in PIPELINE}
#: What is drafted here; every other section is a sentence.
DRAFTED = ("schedule", "main_document", "annexes", "executive_summary", "self_audit")


@dataclass(frozen=True)
class Made:
    """The results by stage and the texts by section."""

    results: Mapping[str, StageResult]
    texts: Mapping[str, str]


def made(goal: Goal, spine: Spine) -> Made:
    """Return what the stages before the report make of *spine* without a model."""
    results: dict[str, StageResult] = {"choice": Choice(), "review_plan": Review(spine=spine)}
    texts = {
        section.name: f"# {section.title}\n\nNothing more is said of {section.name} here.\n"
        for stage in PIPELINE
        if stage.name not in (*DRAFTED, "report")
        for section in stage.sections
    }
    texts["spine"] = markdown(spine)
    for name in DRAFTED:
        context = make_context(name, goal=goal, results=results, texts=texts, outline_only=True)
        results[name] = asyncio.run(STAGES[name].draft(context))
        texts |= STAGES[name].pages(results[name])
    return Made(results, texts)


def report_context(goal: Goal, plan: Made, *, outline_only: bool = False, **texts: str) -> StageContext:
    """Return the context of the report of *plan*; *texts* replace sections, empty ones are left out."""
    shown = {name: text for name, text in {**plan.texts, **texts}.items() if text}
    context = make_context("report", goal=goal, results=plan.results, outline_only=outline_only)
    needs: dict[str, Any] = {name: stage for name, stage in STAGES.items() if name != "report"}
    return replace(context, needs=needs, texts=shown)


@cache
def cafe(facts: Facts, prompt: str) -> tuple[Goal, Made]:
    """Return the goal of the café and its plan."""
    spine = sound()
    goal = Goal(prompt, facts, spine.frame.start)
    return goal, made(goal, spine)
