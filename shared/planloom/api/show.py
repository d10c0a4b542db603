"""Turn what services return into what callers get."""

from datetime import datetime
from typing import Any

from planloom.api import answers
from planloom.api import example_prompts as samples
from planloom.domain.errors import ModelProfilesUnavailable
from planloom.domain.pipeline_map import STEPS
from planloom.domain.plans import TERMINAL, ListedPlan, ModelProfile, Plan
from planloom.domain.progress import current_step, files_count, progress_percentage, steps_total, usage
from planloom.domain.usage import CURRENCY, Usage
from planloom.models.profiles import DEFAULT_PROFILE, PROVIDER_CLASS, Models
from planloom.services.place_in_line import place_in_line
from planloom.services.plan_file_info import ArtifactChoice, FileInfo
from planloom.services.world import World

#: With the outline a plan takes well under a minute, with models 10 to 20, with large ones longer (specification, 6.3).
POLL_OUTLINE_SECONDS = 5
POLL_SECONDS: dict[ModelProfile, int] = {"baseline": 60, "custom": 60, "premium": 300, "frontier": 300}


def poll_after(models: Models, plan: Plan) -> int:
    """Return when to ask again, in seconds: sooner where no language model takes part, later with large ones."""
    return POLL_OUTLINE_SECONDS if models.outline_only(plan.model_profile) else POLL_SECONDS[plan.model_profile]


def created(models: Models, plan: Plan) -> answers.PlanCreated:
    """Show a plan that was just created."""
    return answers.PlanCreated(
        plan_id=plan.plan_id,
        state=plan.state,
        model_profile=plan.model_profile,
        created_at=plan.created_at,
        poll_after_sec=poll_after(models, plan),
    )


def status(world: World, plan: Plan) -> answers.PlanStatus:
    """Show how a plan is doing; ``error`` is set only where it failed."""
    models, now, step, files = world.models, world.now(), current_step(plan), plan.latest_files
    shown = answers.PlanStatus(
        plan_id=plan.plan_id,
        state=plan.state,
        progress_percentage=progress_percentage(plan.steps_finished),
        steps_completed=len(plan.steps_finished),
        steps_total=steps_total(plan.steps_finished),
        current_step=step.title if step else None,
        model_profile=plan.model_profile,
        target=plan.target,
        detail=plan.detail,
        derived_from=plan.derived_from,
        archived=plan.archived_at is not None,
        timing=_timing(plan, now),
        queue_position=place_in_line(world, plan),
        stalled=world.watching.stalled(plan, now),
        files_count=files_count(plan),
        files=[answers.FileEntry(path=path, updated_at=files[path]) for path in sorted(files, reverse=True)],
        usage=_usage(usage(plan)),
        quality=_quality(plan),
        poll_after_sec=None if plan.state in TERMINAL else poll_after(models, plan),
    )
    if plan.state == "failed":
        # of a plan from before failures were recorded all of it is null (6.3)
        known = plan.failure.model_dump() if plan.failure else dict.fromkeys(answers.FailureInfo.model_fields)
        shown.error = answers.FailureInfo.model_validate(known)
    return shown


def _usage(spent: Usage) -> answers.UsageInfo:
    counts = spent.model_dump(include={"calls", "retries", "input_tokens", "cached_tokens", "output_tokens"})
    return answers.UsageInfo(**counts, price=price_of(spent))


def price_of(spent: Usage) -> answers.PriceInfo:
    """Show what *spent* cost in money."""
    return answers.PriceInfo(amount=float(spent.price), currency=CURRENCY, known=spent.price_known)


def _quality(plan: Plan) -> answers.QualityInfo | None:
    # what an earlier run found is not said of one whose report is still to come
    if plan.quality is None or STEPS[-1].key not in plan.steps_finished:
        return None
    return answers.QualityInfo.model_validate(plan.quality.model_dump())


def stopped(plan: Plan) -> answers.PlanStopped:
    """Show a plan that plan_stop was called for."""
    return answers.PlanStopped(plan_id=plan.plan_id, state=plan.state, stop_requested=plan.state == "stopped")


def listed(plans: list[ListedPlan], more: bool) -> answers.PlanList:
    """Show a page of an account's plans; *more*: others follow."""
    summaries = [
        answers.PlanSummary(
            plan_id=plan.plan_id,
            state=plan.state,
            progress_percentage=progress_percentage(plan.steps_finished),
            created_at=plan.created_at,
            prompt_excerpt=plan.prompt_excerpt,
            target=plan.target,
            derived_from=plan.derived_from,
        )
        for plan in plans
    ]
    message = "Newest first." if plans else "No plans yet. Call example_prompts, then plan_create."
    last = plans[-1].plan_id if more else None
    return answers.PlanList(plans=summaries, next_before=last, message=message)


def file_info(choice: ArtifactChoice, info: FileInfo) -> answers.PlanFileInfo:
    """Show a file that is ready."""
    return answers.PlanFileInfo(artifact=choice, **link_to(info))


def link_to(info: FileInfo) -> dict[str, Any]:
    """Return what answers say of a file that can be fetched."""
    return {
        "plan_id": info.plan_id,
        "content_type": info.content_type,
        "download_size": info.size,
        "sha256": info.sha256,
        "generated_at": info.generated_at,
        "download_url": info.url,
        "download_expires_at": info.url_expires_at,
    }


def example_prompts() -> answers.ExamplePrompts:
    """Show the example prompts."""
    return answers.ExamplePrompts(
        samples=[answers.ExamplePrompt.model_validate(sample) for sample in samples.example_prompts()],
        message=(
            "Write the prompt as these do: flowing prose of 300 to 800 words with objective, scope, constraints, "
            "timeline, stakeholders, budget and success criteria, banned words and governance inline. "
            "Have the user approve it, then call plan_create."
        ),
    )


def model_profiles(models: Models) -> answers.ModelProfiles:
    """Show the profiles that have an available model. Raises ModelProfilesUnavailable where none has."""
    available = models.available()
    if not available:
        lacking = "; ".join(dict.fromkeys("; ".join(models.unavailable().values()).split("; ")))
        raise ModelProfilesUnavailable(
            f"No model is available in any profile; the operator must set one up: {lacking}."
        )
    profiles = [
        answers.ProfileInfo(
            profile=name,
            title=profile.title,
            summary=profile.summary,
            model_count=len(profile.models),
            models=[
                answers.ProfileModel(
                    key=entry.key, provider_class=PROVIDER_CLASS[entry.provider], model=entry.model, priority=priority
                )
                for priority, entry in enumerate(profile.models)
            ],
        )
        for name, profile in available.items()
    ]
    return answers.ModelProfiles(
        default_profile=DEFAULT_PROFILE,
        profiles=profiles,
        unavailable=models.unavailable(),
        message="Pass one of these profile values to plan_create as model_profile.",
    )


def _timing(plan: Plan, now: datetime) -> answers.Timing:
    begun = plan.started_at
    elapsed = ((plan.ended_at or now) - begun).total_seconds() if begun else 0.0
    return answers.Timing(
        started_at=begun,
        ended_at=plan.ended_at,
        elapsed_sec=round(max(elapsed, 0.0), 1),
        last_progress_at=plan.last_progress_at,
    )
