"""Goals drafted up to their pitches, once for all tests that only read them."""

from collections.abc import Mapping
from functools import cache

from planloom.stages.stage import StageResult
from tests.unit.stages.drafting import draft, stage

#: Stages 011 to 018 and 020.
SECTIONS = (
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
def planned(prompt: str) -> Mapping[str, StageResult]:
    """Return the results of *prompt* by stage name."""
    return draft(prompt, *SECTIONS)


def page(prompt: str, name: str) -> str:
    """Return what the stage *name* reads as for *prompt*."""
    return stage(name).markdown(planned(prompt)[name])
