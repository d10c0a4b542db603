"""What stage 029 asks for and what it makes: checks with a verdict, evidence from the plan, and a fix."""

from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult

Verdict = Literal["yes", "partly", "no"]


class CheckRow(Answer):
    """One check of the plan against itself."""

    check: str = Field(min_length=5, max_length=300, description="A question that yes answers well")
    verdict: Verdict
    evidence: str = Field(min_length=5, max_length=500, description="Quoted from the plan")
    place: str = Field(min_length=2, max_length=80, description="Section of the evidence")
    missing: str = Field(default="", max_length=400, description="Empty where the verdict is yes")
    fix: str = Field(default="", max_length=400, description="Role, action, date or gate; empty where yes")


class ChecksAnswer(Answer):
    """The model's answer for one theme."""

    checks: list[CheckRow] = Field(min_length=2, max_length=8)


class SelfAudit(StageResult):
    """Stage 029's result: checks by theme."""

    checks: tuple[CheckRow, ...]

    def count(self, verdict: Verdict) -> int:
        """Return how many checks end in *verdict*."""
        return sum(check.verdict == verdict for check in self.checks)
