"""Goals drafted from their start to their assessment, once for all tests that only read them."""

from collections.abc import Mapping
from functools import cache

from planloom.stages.stage import StageResult
from tests.unit.stages.drafting import draft, stage

#: Stages 001 to 010.
FIRST_TEN = (
    "start",
    "screening",
    "premise_attack",
    "purpose",
    "levers",
    "scenarios",
    "locations",
    "risks",
    "assumptions",
    "pre_project_assessment",
)


@cache
def opened(prompt: str) -> Mapping[str, StageResult]:
    """Return the results of *prompt* by stage name."""
    return draft(prompt, *FIRST_TEN)


def opened_page(prompt: str, name: str) -> str:
    """Return what the stage *name* reads as for *prompt*."""
    return stage(name).markdown(opened(prompt)[name])
