"""What stands before the first commitment of money, and what is done about it in the first two weeks."""

from datetime import date

from pydantic import Field

from planloom.domain.frozen import Answer


class Blocker(Answer):
    """Something that must be out of the way before money is committed."""

    id: str = Field(pattern=r"^B[0-9]{1,2}$")
    text: str = Field(min_length=10, max_length=300, description="What is missing today")
    source: str = Field(min_length=2, max_length=300, description="Ids of risks or assumptions, or words of the goal")
    removed_by: str = Field(min_length=10, max_length=360, description="What removes it")
    role: str = Field(min_length=2, max_length=80)
    by: date
    check: str = Field(min_length=5, max_length=300, description="How somebody else sees that it is gone")
    unblocks: str = Field(min_length=5, max_length=240, description="What may start once it is gone")


class FirstAction(Answer):
    """An action of the first two weeks."""

    id: str = Field(pattern=r"^N[0-9]{1,2}$")
    action: str = Field(min_length=10, max_length=360)
    role: str = Field(min_length=2, max_length=80)
    by: date
    check: str = Field(min_length=5, max_length=240, description="How one sees that it is done")
    serves: str = Field(min_length=2, max_length=80, description="Ids of the blocker, risk or assumption it serves")
