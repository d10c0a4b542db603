"""The next run of a plan: what a retry and a resume keep of the run before, and what they set anew."""

from collections.abc import Mapping
from datetime import datetime

from planloom.core.errors import PipelineVersionMismatch
from planloom.models.profile import ModelProfile
from planloom.planes.strategic.plans import PIPELINE_VERSION, Plan, Target
from planloom.planes.strategic.steps import StepRecord
from planloom.planes.strategic.view_changes import latest_files


def retried(plan: Plan, model_profile: ModelProfile, now: datetime, request: str | None) -> Plan:
    """Return *plan* in a run that starts from nothing: what runs before it made no longer counts.

    A validation is drafted anew, since nothing is left that it could go over.
    """
    begun: dict[str, object] = {
        "first_run": plan.run + 1,
        "retried_at": now,
        "resume_count": 0,
        "resumed_at": None,
        "target": "build_plan" if plan.target == "validate_plan" else plan.target,
    }
    return _next_run(plan, model_profile, request, {}).model_copy(update=begun)


def resumed(
    plan: Plan,
    model_profile: ModelProfile,
    target: Target,
    now: datetime,
    request: str | None,
    kept: Mapping[str, StepRecord],
) -> Plan:
    """Return *plan* in a run that continues from the steps *kept* (by key), which count as finished from the start."""
    begun = {"resume_count": plan.resume_count + 1, "resumed_at": now, "target": target}
    return _next_run(plan, model_profile, request, kept).model_copy(update=begun)


def counted(kept: Mapping[str, StepRecord]) -> dict[str, object]:
    """Return the progress that the steps *kept* amount to, as fields of a plan."""
    return {
        "steps_finished": {key: len(record.artifacts) for key, record in kept.items()},
        "steps_usage": {key: record.usage for key, record in kept.items()},
        "latest_files": latest_files({}, [file for record in kept.values() for file in record.artifacts]),
    }


def other_version(plan: Plan, advice: str) -> PipelineVersionMismatch:
    """Return the refusal to run *plan* on what another version of the pipeline made; *advice* says what to do."""
    return PipelineVersionMismatch(
        f"The plan was made by version {plan.pipeline_version or 'unknown'} of the pipeline, this is version "
        f"{PIPELINE_VERSION}. {advice}",
        plan_version=plan.pipeline_version,
        pipeline_version=PIPELINE_VERSION,
    )


def _next_run(plan: Plan, model_profile: ModelProfile, request: str | None, kept: Mapping[str, StepRecord]) -> Plan:
    begun: dict[str, object] = {
        "state": "pending",
        "run": plan.run + 1,
        "model_profile": model_profile,
        "pipeline_version": PIPELINE_VERSION,
        "started_at": None,
        "ended_at": None,
        "last_progress_at": None,
        "steps_started": {},
        "failure": None,
        "request": request,
    }
    return plan.model_copy(update=begun | counted(kept))
