"""What a place is to a plan: its use, what it must offer, and money spent there in another currency."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer


class Requirement(Answer):
    """Something that a location must or should offer."""

    strength: Literal["must", "should"]
    text: str = Field(min_length=5, max_length=300)
    basis: str = Field(min_length=5, max_length=300, description="Words of the goal, a claim id, or assumed")
    check: str = Field(min_length=5, max_length=240, description="How one sees at a place that it is met")


class Location(Answer):
    """A place with a use in the plan."""

    id: str = Field(pattern=r"^L[0-9]{1,2}$")
    name: str = Field(min_length=2, max_length=120)
    kind: Literal["site", "city", "region", "country", "online"]
    use: str = Field(min_length=5, max_length=240, description="What happens there")
    given: bool = Field(description="True where the goal names it; False where it is proposed or to be found")
    why: str = Field(min_length=10, max_length=360)
    verify: str = Field(min_length=5, max_length=300, description="What must be checked there first, how")
    role: str = Field(min_length=2, max_length=80, description="Who checks")
    by: date


class Exposure(Answer):
    """Money that the plan spends or receives in a currency other than the budget's."""

    code: str = Field(pattern=r"^[A-Z]{3}$", description="ISO 4217")
    what: str = Field(min_length=5, max_length=240)
    response: str = Field(min_length=5, max_length=360)
