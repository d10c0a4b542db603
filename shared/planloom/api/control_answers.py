"""What callers get back when they begin another run of a plan."""

from datetime import datetime

from pydantic import Field

from planloom.api.answers import AnswerModel
from planloom.domain.plans import ModelProfile, PlanState


class PlanRetried(AnswerModel):
    """Answer of plan_retry (6.5)."""

    plan_id: str
    state: PlanState
    model_profile: ModelProfile
    retried_at: datetime
    poll_after_sec: int = Field(description="When the next plan_status is worth its call")


class PlanResumed(AnswerModel):
    """Answer of plan_resume (6.6)."""

    plan_id: str
    state: PlanState
    model_profile: ModelProfile
    resume_count: int = Field(description="How often this plan has been resumed since it was begun or retried")
    resumed_at: datetime
    steps_kept: int = Field(description="Finished steps that hold and are skipped")
    poll_after_sec: int = Field(description="When the next plan_status is worth its call")
