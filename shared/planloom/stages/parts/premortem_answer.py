"""What a story of the premortem is: how it failed, what warned, and at which value somebody acts."""

from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer

Kind = Literal["process", "technology", "market", "people"]


class StoryRow(Answer):
    """One story of a failure."""

    kind: Kind
    title: str = Field(min_length=5, max_length=140, description="The failure in a sentence, past tense")
    chain: list[str] = Field(min_length=3, max_length=6, description="Causes in order; the last is the end")
    warning: str = Field(min_length=10, max_length=300, description="What was seen first, measurable")
    tripwire: str = Field(min_length=10, max_length=300, description="Value and date at which somebody acts")
    containment: str = Field(min_length=10, max_length=400, description="What is done then, by whom")
    watcher: str = Field(min_length=2, max_length=80, description="A role")
    look: str = Field(min_length=3, max_length=160, description="When and how often the watcher looks")
