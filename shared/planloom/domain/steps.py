"""A finished step of a plan, as ``steps/NNN.json`` keeps it: writing it is what commits a stage."""

from datetime import datetime

from pydantic import Field

from planloom.domain.artifacts import Artifact
from planloom.domain.claims import Claim
from planloom.domain.frozen import Frozen
from planloom.domain.quality import QualitySummary
from planloom.domain.usage import Usage


class StepRecord(Frozen):
    """What a stage made, from what, when and at what cost. ``key`` is the stage's number: ``016``.

    ``quality`` is set by the stage that checks the whole plan, the last one.
    """

    key: str
    name: str
    run: int
    fingerprint: str
    artifacts: tuple[Artifact, ...] = ()
    claims: tuple[Claim, ...] = ()
    usage: Usage = Usage()
    drafted_by: tuple[str, ...] = Field(default=(), description="The models that answered its calls, each once")
    quality: QualitySummary | None = None
    held_by: int = Field(default=0, description="The last run that went on from it: see services/hold_records.py")
    started_at: datetime
    ended_at: datetime
