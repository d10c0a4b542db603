"""Stage 007: the places the plan needs, what each must offer, and the currency strategy."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult


class Requirement(Answer):
    """Something that a location must or should offer."""

    strength: Literal["must", "should"]
    text: str = Field(min_length=5, max_length=300)
    basis: str = Field(min_length=5, max_length=300, description="Words of the goal, a claim id, or assumed")
    check: str = Field(min_length=5, max_length=240, description="How one sees at a site that it is met")


class Location(Answer):
    """A place with a use in the plan."""

    id: str = Field(pattern=r"^L[0-9]{1,2}$")
    name: str = Field(min_length=2, max_length=120)
    kind: Literal["site", "city", "region", "country", "online"]
    use: str = Field(min_length=5, max_length=200, description="What happens there")
    given: bool = Field(description="True where the goal names it; False where it is proposed or to be found")
    why: str = Field(min_length=10, max_length=300)
    verify: str = Field(min_length=5, max_length=300, description="What must be checked there, how")
    role: str = Field(min_length=2, max_length=80, description="Who checks")
    by: date


class Exposure(Answer):
    """Money that the plan spends or receives in a currency other than the budget's."""

    code: str = Field(pattern=r"^[A-Z]{3}$")
    what: str = Field(min_length=5, max_length=240)
    response: str = Field(min_length=5, max_length=300)


class LocationsAnswer(Answer):
    """Places and currency."""

    requirements: list[Requirement] = Field(min_length=1, max_length=12)
    locations: list[Location] = Field(min_length=1, max_length=12)
    currency: str = Field(
        max_length=3, description="ISO 4217 code in which the budget is kept; empty if unknown"
    )
    currency_basis: str = Field(min_length=5, max_length=300)
    exposures: list[Exposure] = Field(default_factory=list, max_length=6)
    strategy: str = Field(min_length=20, max_length=600, description="How money is kept, paid and reported")


class Locations(StageResult):
    """Stage 007's result."""

    places: LocationsAnswer
