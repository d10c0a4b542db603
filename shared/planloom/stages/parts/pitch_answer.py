"""What stage 020 asks for and what it makes: one page for one reader."""

from datetime import date

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult


class ObjectionRow(Answer):
    """What that reader will object, and the answer from the plan."""

    objection: str = Field(min_length=5, max_length=300)
    answer: str = Field(min_length=5, max_length=400)


class PitchAnswer(Answer):
    """The model's answer."""

    reader: str = Field(min_length=3, max_length=160, description="Who can say yes: by role, from the goal")
    headline: str = Field(min_length=10, max_length=200)
    change: str = Field(min_length=20, max_length=600, description="What changes for whom")
    why_now: str = Field(min_length=20, max_length=600)
    why_us: str = Field(min_length=20, max_length=600)
    costs: str = Field(min_length=20, max_length=600)
    returns: str = Field(min_length=20, max_length=600, description="What the reader gets back, by when, measured how")
    objections: list[ObjectionRow] = Field(min_length=2, max_length=5)
    ask: str = Field(min_length=10, max_length=400, description="One request with amount or act and date")
    next_step: str = Field(min_length=10, max_length=400)
    next_role: str = Field(min_length=2, max_length=80)
    next_by: date


class Pitch(StageResult):
    """Stage 020's result."""

    pitch: PitchAnswer
