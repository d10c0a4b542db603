"""Whole plans drafted up to their reports, once for all tests that only read them."""

from collections.abc import Mapping
from functools import cache

from planloom.stages.stage import StageResult
from tests.unit.stages.drafting import draft, stage


@cache
def finished(prompt: str) -> Mapping[str, StageResult]:
    """Return the results of *prompt* by stage name, all thirty."""
    return draft(prompt, "report")


def text_of(prompt: str, name: str) -> str:
    """Return the Markdown of the stage *name*."""
    return stage(name).markdown(finished(prompt)[name])
