"""A finished step of a plan, as ``steps/NNN.json`` keeps it: writing it is what commits a stage."""

from datetime import datetime

from pydantic import Field

from planloom.core.artifacts import Artifact
from planloom.core.frozen import Frozen
from planloom.core.usage import Usage
from planloom.planes.strategic.claims import Claim
from planloom.planes.strategic.quality_score import QualitySummary


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
    held_by: int = Field(default=0, description="The last run that went on from it: see services/claim_records.py")
    started_at: datetime
    ended_at: datetime
