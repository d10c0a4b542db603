"""Sections up to the pitch, drafted once for all tests that only read them."""

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
#: And 011 to 018 and 020.
SECTIONS = (
    *FIRST_TEN,
    "project_plan",
    "governance",
    "related_resources",
    "team",
    "swot_analysis",
    "expert_criticism",
    "data_collection",
    "documents",
    "pitch",
)


@cache
def section(prompt: str, name: str) -> StageResult:
    """Return the result of the stage *name* for *prompt*."""
    return draft(prompt, name)[name]


@cache
def page_of(prompt: str, name: str) -> str:
    """Return what the stage *name* reads as for *prompt*."""
    return stage(name).markdown(section(prompt, name))
