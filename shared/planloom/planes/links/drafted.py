"""What a bridge to workflows returns."""

from collections.abc import Mapping
from dataclasses import dataclass

from planloom.planes.workflows.draft import WorkflowPlanDraft


@dataclass(frozen=True)
class Drafted:
    """A draft, which step or row of the plan each of its nodes comes from, and what it could not express."""

    draft: WorkflowPlanDraft
    steps: Mapping[str, str]
    notes: tuple[str, ...]
