"""The same goal gives the same files, byte for byte: without a model, and of the same answers."""

import asyncio
from typing import Any

import pytest

from planloom.models.model import Question
from planloom.planes.strategic.stages.pipeline import PIPELINE
from tests.fake_ports import PROMPT
from tests.unit.strategic.services.spy import Brief, answered
from tests.unit.strategic.stages.whole import nobody, whole


async def brief(question: Question[Any]) -> Any:
    """Answer with little that the schema of *question* allows."""
    return answered(question, Brief)


def drafted(*, outline_only: bool) -> dict[str, str]:
    """Return every file that the stages make of the goal, by path."""
    results = asyncio.run(whole(PROMPT, nobody if outline_only else brief, outline_only=outline_only))
    return {path: text for stage in PIPELINE for path, text in stage.files(results[stage.name]).items()}


@pytest.mark.parametrize("outline_only", [True, False], ids=["outline", "model"])
def test_15_2_the_same_goal_and_the_same_answers_give_the_same_files(outline_only: bool) -> None:
    once = drafted(outline_only=outline_only)
    assert drafted(outline_only=outline_only) == once
    assert {"026-1-schedule.json", "025-2-executive_summary.md", "030-report.html"} <= set(once)
