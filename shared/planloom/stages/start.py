"""Stage 001: the day, the facts found in the prompt, and the first claims made from them."""

from datetime import date

from pydantic import Field

from planloom.domain.facts import Facts
from planloom.stages.stage import StageResult


class Start(StageResult):
    """Stage 001's result. Claims: ``start.date``, ``start.deadline``, ``start.budget``, ``start.place``, and one
    ``start.<slug>`` for each further amount and quantity of the prompt.
    """

    today: date
    facts: Facts
    archetype: str = Field(description="Name of the table of this kind of project")
    label: str = Field(description="The kind of project in words: the opening of a business")
    topics: tuple[str, ...] = Field(default=(), description="Names of the topics that the prompt touches")
