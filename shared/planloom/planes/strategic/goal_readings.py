"""The reading of a goal that plan_facts keeps: what was asked, by whom, and what was understood."""

from datetime import date, datetime, timedelta
from typing import Literal
from uuid import NAMESPACE_URL, uuid5

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.core.usage import Usage
from planloom.models.profile import ModelProfile
from planloom.planes.strategic.facts.fact import Facts

#: Raise it when readings change so much that an earlier one of the same day must not be used.
READING_VERSION = 1

#: A model that reads longer than this has ended without a word: its Lambda has five minutes.
ENDS_WITHIN = timedelta(minutes=6)

ReadingState = Literal["ready", "reading", "failed"]


class ReadingError(Frozen):
    """Why a model could not read the goal."""

    code: str
    message: str


class GoalReading(Frozen):
    """One reading of one goal. ``facts`` are those that rules read until ``state`` is ready.

    ``begun_at`` is set by the process that asks the model: a second one leaves the reading alone.
    """

    facts_id: str
    account: str
    prompt: str
    model_profile: ModelProfile
    today: date
    state: ReadingState
    requested_at: datetime
    begun_at: datetime | None = None
    facts: Facts
    usage: Usage = Field(default_factory=Usage)
    error: ReadingError | None = None

    def as_of(self, now: datetime) -> "GoalReading":
        """Return the reading as it is at *now*: failed where a model has read for too long."""
        if self.state != "reading" or now - self.requested_at < ENDS_WITHIN:
            return self
        message = "The reading did not end. Call plan_facts with the prompt again."
        return self.failed(ReadingError(code="INTERNAL_ERROR", message=message))

    def failed(self, error: ReadingError, usage: Usage | None = None) -> "GoalReading":
        """Return the reading as one that failed, with the facts that rules read."""
        return self.model_copy(update={"state": "failed", "error": error, "usage": usage or self.usage})

    def ready(self, facts: Facts, usage: Usage) -> "GoalReading":
        """Return the reading with the *facts* that a model read."""
        return self.model_copy(update={"state": "ready", "facts": facts, "usage": usage})


def facts_id_of(account: str, prompt: str, profile: ModelProfile, today: date, *, by_model: bool) -> str:
    """Return the id of a reading: the same for the same goal, profile and day of the same account."""
    reader = "model" if by_model else "rules"
    return str(uuid5(NAMESPACE_URL, f"planloom:facts:{READING_VERSION}:{account}:{profile}:{today}:{reader}:{prompt}"))
