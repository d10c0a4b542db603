"""Events: what happened to a plan, in the past tense; the class name is the detail-type on the bus.

An event's id is derived from what happened, not from when it was published, so that a repeat counts once.
"""

from datetime import datetime
from typing import ClassVar, Literal

from planloom.core.artifacts import Artifact
from planloom.core.frozen import Frozen
from planloom.core.usage import Usage
from planloom.planes.strategic.plans import End, Failure
from planloom.planes.strategic.steps import StepRecord

#: Source of the events on the bus: each plane has its own, since planes may have events of the same name.
SOURCE = "planloom.strategic"


class PlanEvent(Frozen):
    """What all events carry. ``run`` is the fence: events of an older run are logged and change nothing else."""

    type: ClassVar[str]

    version: Literal[1] = 1
    plan_id: str
    run: int
    at: datetime

    @property
    def event_id(self) -> str:
        """Unique among the events of the plan."""
        return f"{self.run}:{type(self).__name__}"


class RunStarted(PlanEvent):
    """A run was handed to the state machine."""

    type = "run_started"


class StageStarted(PlanEvent):
    """A stage began to work."""

    type = "stage_started"
    key: str
    name: str
    title: str

    @property
    def event_id(self) -> str:
        return f"{self.run}:{self.key}:{type(self).__name__}"


class AnswerKept(PlanEvent):
    """An active stage stored the answer to a model call: it makes progress, however long it still takes.

    ``answers`` counts those that it has kept so far. Not every answer is published: see services/ask_model.py.
    """

    type = "answer_kept"
    key: str
    call: str
    answers: int

    @property
    def event_id(self) -> str:
        return f"{self.run}:{self.key}:{type(self).__name__}:{self.call}"


class StageFinished(PlanEvent):
    """A stage committed its step record; ``skipped`` where an earlier run had already made the same."""

    type = "stage_finished"
    title: str
    record: StepRecord
    skipped: bool = False

    @property
    def event_id(self) -> str:
        return f"{self.run}:{self.record.key}:{type(self).__name__}"


class StageFailed(PlanEvent):
    """A stage gave up, and why; ``usage`` is what its calls cost so far, those kept for a resume included."""

    type = "stage_failed"
    key: str
    failure: Failure
    usage: Usage = Usage()

    @property
    def event_id(self) -> str:
        return f"{self.run}:{self.key}:{type(self).__name__}"


class StageInterrupted(PlanEvent):
    """A stage ended because its run had ended, stopped or failed elsewhere; ``usage`` as of StageFailed."""

    type = "stage_interrupted"
    key: str
    usage: Usage

    @property
    def event_id(self) -> str:
        return f"{self.run}:{self.key}:{type(self).__name__}"


class PlanStalled(PlanEvent):
    """Nothing has been heard of a plan *since* then, for longer than it may be silent."""

    type = "plan_stalled"
    since: datetime

    @property
    def event_id(self) -> str:
        # each silence once, however often the watchdog looks
        return f"{self.run}:{type(self).__name__}:{self.since.isoformat()}"


class ArtifactEdited(PlanEvent):
    """A person replaced *files* of a step of an ended plan, by the call *reason*; ``edit`` names this time."""

    type = "artifact_edited"
    edit: str
    key: str
    files: tuple[Artifact, ...]
    reason: Literal["plan_artifact_edit", "plan_artifact_undo"]

    @property
    def event_id(self) -> str:
        return f"{self.run}:{self.key}:{type(self).__name__}:{self.edit}"


class StagesInvalidated(PlanEvent):
    """The stages *keys* of an ended plan are to be made again, by the call *reason*; ``change`` names this time."""

    type = "stages_invalidated"
    change: str
    keys: tuple[str, ...]
    reason: Literal["plan_invalidate", "plan_validate"]

    @property
    def event_id(self) -> str:
        return f"{self.run}:{type(self).__name__}:{self.change}"


class RunEnded(PlanEvent):
    """A run ended in *state*."""

    type = "run_ended"
    state: End
    failure: Failure | None = None


_ALL = (
    RunStarted,
    StageStarted,
    AnswerKept,
    StageFinished,
    StageFailed,
    StageInterrupted,
    PlanStalled,
    ArtifactEdited,
    StagesInvalidated,
    RunEnded,
)
EVENTS: dict[str, type[PlanEvent]] = {event.__name__: event for event in _ALL}
