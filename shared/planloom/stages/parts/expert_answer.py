"""What stage 016 asks for and what it makes: experts, and what each criticises at which place of the plan."""

from datetime import date

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult


class ExpertRow(Answer):
    """An expert, by field, who sees what the plan's author could not."""

    title: str = Field(min_length=3, max_length=160, description="Field and standing, no name")
    sees: str = Field(min_length=5, max_length=400, description="What this expert sees that the author could not")
    reads: str = Field(min_length=3, max_length=200, description="Which sections to send")
    ask: str = Field(min_length=5, max_length=300, description="The one question to ask first")


class ExpertsAnswer(Answer):
    """First call: whom to ask."""

    experts: list[ExpertRow] = Field(min_length=3, max_length=6)


class CriticismRow(Answer):
    """A flaw in a named place of the plan."""

    section: str = Field(min_length=2, max_length=80, description="name of a stage: project_plan, risks, team...")
    place: str = Field(min_length=2, max_length=240, description="The row, figure or sentence, quoted")
    flaw: str = Field(min_length=5, max_length=400)
    consequence: str = Field(min_length=5, max_length=400, description="In money, days or people")
    fix: str = Field(min_length=5, max_length=400)
    role: str = Field(min_length=2, max_length=80)
    by: date
    check: str = Field(min_length=5, max_length=240)


class CriticismAnswer(Answer):
    """Second round: one expert's criticism."""

    criticisms: list[CriticismRow] = Field(min_length=1, max_length=5)


class ExpertReview(Answer):
    """An expert and what they criticise."""

    expert: ExpertRow
    criticisms: list[CriticismRow] = Field(max_length=5)


class ExpertCriticism(StageResult):
    """Stage 016's result."""

    reviews: tuple[ExpertReview, ...]
