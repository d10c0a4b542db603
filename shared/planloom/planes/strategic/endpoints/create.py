"""Create a plan, and what comes before that: example prompts and model profiles."""

from datetime import datetime

from pydantic import Field

from planloom.accounts.authorize import user_account
from planloom.accounts.stores import KeyStore
from planloom.core.endpoint import GET, POST, ApiModel, Effect, Endpoint
from planloom.core.errors import (
    FactsNotFound,
    InsufficientCredits,
    InvalidUserApiKey,
    ModelProfilesUnavailable,
    PlanNotFound,
    RequestConflict,
    RequestInProgress,
    UserApiKeyRequired,
)
from planloom.core.file_store import FileStore
from planloom.models.profile import ModelProfile
from planloom.models.profiles import DEFAULT_PROFILE, PROVIDER_CLASS, Models
from planloom.planes.strategic import example_prompts as samples
from planloom.planes.strategic.endpoints.plan_fields import poll_after, request_id
from planloom.planes.strategic.facts.given import FactsGiven
from planloom.planes.strategic.plans import DETAIL, Detail, PlanState, Target
from planloom.planes.strategic.ports.groups import RunControl
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.services.plan_facts import resolve_given


class ExamplePrompt(ApiModel):
    """One example of what a good prompt looks like."""

    id: str
    title: str
    tags: list[str]
    prompt: str


class ExamplePrompts(ApiModel):
    """Response of example_prompts."""

    samples: list[ExamplePrompt]
    message: str


def example_prompts() -> ExamplePrompts:
    """Return the example prompts."""
    return ExamplePrompts(
        samples=[ExamplePrompt.model_validate(sample) for sample in samples.example_prompts()],
        message=(
            "Write the prompt as these do: flowing prose of 300 to 800 words with objective, scope, constraints, "
            "timeline, stakeholders, budget and success criteria, banned words and governance inline. "
            "Have the user approve it, then call plan_create."
        ),
    )


class ProfileModel(ApiModel):
    """A model of a profile."""

    key: str
    provider_class: str
    model: str
    priority: int = Field(description="0 is asked first")


class ProfileInfo(ApiModel):
    """A profile that has an available model."""

    profile: ModelProfile
    title: str
    summary: str
    model_count: int
    models: list[ProfileModel]


class ModelProfiles(ApiModel):
    """Response of model_profiles (6.1.1)."""

    default_profile: ModelProfile
    profiles: list[ProfileInfo]
    unavailable: dict[ModelProfile, str] = Field(description="The other profiles, each with what must be set up for it")
    message: str


def model_profiles(models: Models) -> ModelProfiles:
    """Return the profiles that have an available model. Raises ModelProfilesUnavailable where none has."""
    available = models.available()
    if not available:
        missing = "; ".join(dict.fromkeys("; ".join(models.unavailable().values()).split("; ")))
        raise ModelProfilesUnavailable(
            f"No model is available in any profile; the operator must set one up: {missing}."
        )
    profiles = [
        ProfileInfo(
            profile=name,
            title=profile.title,
            summary=profile.summary,
            model_count=len(profile.models),
            models=[
                ProfileModel(
                    key=entry.key, provider_class=PROVIDER_CLASS[entry.provider], model=entry.model, priority=priority
                )
                for priority, entry in enumerate(profile.models)
            ],
        )
        for name, profile in available.items()
    ]
    return ModelProfiles(
        default_profile=DEFAULT_PROFILE,
        profiles=profiles,
        unavailable=models.unavailable(),
        message="Pass one of these profile values to plan_create as model_profile.",
    )


class CreatePlan(ApiModel):
    """A goal, and how a plan for it is to be made."""

    prompt: str = Field(
        description="The approved prompt: what the plan should cover, as flowing prose of typically 300-800 words "
        "with objective, scope, constraints, timeline, stakeholders, budget/resources and success criteria."
    )
    model_profile: ModelProfile = Field(
        default=DEFAULT_PROFILE, description="LLM profile. If unsure, call model_profiles first."
    )
    user_api_key: str | None = Field(
        default=None, description="User API key for credits and attribution, if your deployment requires it."
    )
    client_request_id: str | None = request_id("the same plan")
    target: Target = Field(
        default="build_plan",
        description="Both builds run all steps, validation included. For validate_plan call plan_validate.",
    )
    detail: Detail = Field(default="standard", description=DETAIL)
    derived_from: str | None = Field(
        default=None,
        description="plan_id of your plan that this one comes from. It is only named; compare with plan_diff.",
    )
    facts: FactsGiven | None = Field(
        default=None,
        description="Corrections of what plan_facts showed, and its facts_id. They win over the goal; fields that "
        "are left out stay as they were read.",
    )


class PlanCreated(ApiModel):
    """Response of plan_create."""

    plan_id: str = Field(description="UUID; use exactly this one in all other calls")
    state: PlanState
    model_profile: ModelProfile
    created_at: datetime
    poll_after_sec: int = Field(description="When the first plan_status is worth its call")


def _create(
    request: CreatePlan, account: str, run_control: RunControl, readings: FileStore, keys: KeyStore, models: Models
) -> PlanCreated:
    user = user_account(keys, run_control.billing.rules, run_control.plan_records.now, request.user_api_key)
    facts = (
        None
        if request.facts is None
        else resolve_given(readings, run_control.plan_records.now, account, request.prompt, request.facts)
    )
    plan = create_plan(
        run_control,
        models,
        account,
        request.prompt,
        request.model_profile,
        request.target,
        request.client_request_id,
        user,
        request.derived_from,
        facts,
        request.detail,
    )
    return PlanCreated(
        plan_id=plan.plan_id,
        state=plan.state,
        model_profile=plan.model_profile,
        created_at=plan.created_at,
        poll_after_sec=poll_after(models, plan),
    )


EXAMPLE_PROMPTS = Endpoint(
    name="example_prompts",
    title="Example prompts",
    description="""\
Call this first. Returns example prompts that define what a good prompt looks like. Do not call plan_create
yet. Then optionally call model_profiles; then complete a non-tool step: draft a detailed prompt (flowing prose,
300-800 words: objective, scope, constraints, timeline, stakeholders, budget, success criteria) and have the user
approve it; only then call plan_create. Short one-liners produce poor plans.""",
    group="plans",
    http=GET("/v1/example-prompts"),
    response=ExamplePrompts,
    handler=example_prompts,
)
MODEL_PROFILES = Endpoint(
    name="model_profiles",
    title="Model profiles",
    description="""\
Optional. Returns the valid model_profile values and the models available in each. Profiles without an
available model are left out; error MODEL_PROFILES_UNAVAILABLE when none is available in any.""",
    group="plans",
    http=GET("/v1/model-profiles"),
    response=ModelProfiles,
    errors=(ModelProfilesUnavailable,),
    handler=model_profiles,
)
PLAN_CREATE = Endpoint(
    name="plan_create",
    title="Create a plan",
    description="""\
Call only after example_prompts and after the user approved the prompt. Starts drafting a strategic plan with
20+ sections and returns plan_id (a UUID) at once; each call makes a new plan. Then poll plan_status about every
poll_after_sec seconds. For substantial projects, not for one-shot micro-tasks.""",
    group="plans",
    http=POST("/v1/plans", status=202, location="plans/{plan_id}"),
    request=CreatePlan,
    response=PlanCreated,
    errors=(
        InvalidUserApiKey,
        UserApiKeyRequired,
        InsufficientCredits,
        ModelProfilesUnavailable,
        PlanNotFound,
        FactsNotFound,
        RequestConflict,
        RequestInProgress,
    ),
    effect=Effect.CHANGES,
    idempotent_by="client_request_id",
    handler=_create,
)
