"""What a question of a sceptical reader is, and its answer."""

from pydantic import Field

from planloom.domain.frozen import Answer


class QuestionRow(Answer):
    """A question, what the plan says, and where; or that it does not say, and who settles it."""

    question: str = Field(min_length=10, max_length=300)
    answer: str = Field(min_length=10, max_length=900)
    place: str = Field(min_length=2, max_length=80, description="Title of the section")
    said: bool = Field(default=True, description="False where the plan does not say")
    action: str = Field(default="", max_length=400, description="Who settles what by when, and the check")
