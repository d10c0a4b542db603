"""What a risk is (ISO 31000): cause, event, effect; scores; owner, response, trigger, what is left, and its cost."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer

Category = Literal["regulatory", "technical", "financial", "people", "supply", "security", "social", "environment"]
Response = Literal["avoid", "reduce", "transfer", "accept"]


class Risk(Answer):
    """One risk; likelihood and severity are 1-5 on the scales that the register prints."""

    id: str = Field(pattern=r"^R[0-9]{1,2}$")
    category: Category
    title: str = Field(min_length=5, max_length=140)
    cause: str = Field(min_length=10, max_length=360)
    event: str = Field(min_length=5, max_length=360)
    effect: str = Field(min_length=5, max_length=360)
    source: str = Field(max_length=300, description="Words of the goal that call it, quoted; 'assumed' where none do")
    likelihood: int = Field(ge=1, le=5)
    severity: int = Field(ge=1, le=5)
    near: date = Field(description="Proximity: the day from which it can strike")
    owner: str = Field(min_length=2, max_length=80, description="A role")
    response: Response
    action: str = Field(min_length=10, max_length=500)
    by: date = Field(description="The day by which the response is in place")
    trigger: str = Field(min_length=5, max_length=360, description="What is seen first, measurable")
    residual: str = Field(min_length=5, max_length=360, description="What is left after the response")
    residual_likelihood: int = Field(ge=1, le=5)
    residual_severity: int = Field(ge=1, le=5)
    cost: float = Field(default=0.0, ge=0, description="Of the response, in the budget's currency; 0 if none is known")

    @property
    def score(self) -> int:
        """Likelihood times severity, 1-25."""
        return self.likelihood * self.severity

    @property
    def residual_score(self) -> int:
        """The score after the response, 1-25."""
        return self.residual_likelihood * self.residual_severity
