"""What the executive summary asks for: what, why, how much, when, decisions, risks, and what is asked now."""

from datetime import date

from pydantic import Field

from planloom.domain.frozen import Answer


class DecisionRow(Answer):
    """A decision that the plan rests on."""

    decision: str = Field(min_length=5, max_length=300)
    costs: str = Field(min_length=3, max_length=300, description="What it costs or gives up")
    until: str = Field(min_length=2, max_length=120, description="Until when it can be undone: a date or a gate")


class EndingRow(Answer):
    """A risk that could end it."""

    risk: str = Field(min_length=5, max_length=300)
    sign: str = Field(min_length=5, max_length=300, description="The earliest sign, measurable")
    act: str = Field(min_length=5, max_length=300, description="The value at which somebody acts, and who")


class AskRow(Answer):
    """What is asked of the reader now."""

    ask: str = Field(min_length=5, max_length=300)
    by: date


class SummaryAnswer(Answer):
    """The model's answer."""

    what: str = Field(min_length=20, max_length=900)
    why: str = Field(min_length=10, max_length=700)
    how_much: str = Field(min_length=10, max_length=700)
    when: str = Field(min_length=10, max_length=900)
    decisions: list[DecisionRow] = Field(min_length=1, max_length=3)
    risks: list[EndingRow] = Field(min_length=1, max_length=3)
    asked: list[AskRow] = Field(min_length=1, max_length=3)
