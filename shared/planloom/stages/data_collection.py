"""Stage 017: what must be found out, which decision hangs on it, and how to get a first answer beforehand."""

from datetime import date

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult


class DataRow(Answer):
    """A question whose answer changes a decision."""

    id: str = Field(pattern=r"^[a-z0-9-]{2,50}$")
    question: str = Field(min_length=5, max_length=300)
    decides: str = Field(min_length=5, max_length=300, description="Which decision changes at which value")
    source: str = Field(min_length=3, max_length=300)
    method: str = Field(min_length=3, max_length=300)
    sample: str = Field(min_length=2, max_length=240, description="How much of it is enough")
    cost: int = Field(ge=0, description="Whole units of the plan's currency; 0 for own time")
    deadline: date
    role: str = Field(min_length=2, max_length=80, description="Who finds out")
    sign_off: str = Field(
        min_length=2, max_length=80, description="Who accepts the answer; not who finds out"
    )
    simulate: str = Field(
        min_length=5, max_length=400, description="How to get a first answer before the data is in"
    )


class DataAnswer(Answer):
    """The model's answer, the question that decides most first."""

    items: list[DataRow] = Field(min_length=3, max_length=12)


class DataCollection(StageResult):
    """Stage 017's result."""

    data: DataAnswer
