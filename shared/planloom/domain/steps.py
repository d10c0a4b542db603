"""A finished step of a plan, as ``steps/NNN.json`` keeps it: writing it is what commits a stage."""

from datetime import datetime

from planloom.domain.artifacts import Artifact
from planloom.domain.claims import Claim
from planloom.domain.frozen import Frozen
from planloom.domain.usage import Usage


class StepRecord(Frozen):
    """What a stage made, from what, when and at what cost. ``key`` is the stage's number: ``016``."""

    key: str
    name: str
    run: int
    fingerprint: str
    artifacts: tuple[Artifact, ...]
    claims: tuple[Claim, ...] = ()
    usage: Usage = Usage()
    started_at: datetime
    ended_at: datetime
