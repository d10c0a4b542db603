"""Example plans: what comes out, before a plan is created."""

from datetime import datetime

from pydantic import Field

from planloom.core.clock import Clock
from planloom.core.endpoint import GET, ApiModel, Endpoint
from planloom.core.file_store import FileStore
from planloom.models.profile import ModelProfile
from planloom.planes.strategic.services.example_plans import Example, example_links, example_plans


class ExamplePlan(ApiModel):
    """One example: a real draft of this deployment."""

    id: str = Field(description="As in example_prompts, which has its prompt")
    title: str
    model_profile: ModelProfile
    models: list[str] = Field(description="Who drafted it")
    generated_at: datetime
    report_url: str = Field(description="Interactive HTML; needs no key; works until expires_at")
    report_size: int = Field(description="Bytes")
    report_sha256: str
    zip_url: str = Field(description="All intermediary files")
    zip_size: int = Field(description="Bytes")
    zip_sha256: str
    expires_at: datetime


class ExamplePlans(ApiModel):
    """Response of example_plans."""

    examples: list[ExamplePlan]
    message: str


def _examples(examples: FileStore, clock: Clock) -> ExamplePlans:
    found = [_shown(examples, clock, example) for example in example_plans(examples)]
    message = (
        "Drafted by this service from the example prompts of the same id. Next call example_prompts."
        if found
        else "No examples are built here; the operator builds them with 'planloom examples build'. Continue with "
        "example_prompts."
    )
    return ExamplePlans(examples=found, message=message)


def _shown(examples: FileStore, clock: Clock, example: Example) -> ExamplePlan:
    """Return *example* with fresh links."""
    report, archive, expires = example_links(examples, clock, example)
    return ExamplePlan(
        id=example.id,
        title=example.title,
        model_profile=example.model_profile,
        models=list(example.models),
        generated_at=example.generated_at,
        report_url=report,
        report_size=example.report.size,
        report_sha256=example.report.sha256,
        zip_url=archive,
        zip_size=example.zip.size,
        zip_sha256=example.zip.sha256,
        expires_at=expires,
    )


EXAMPLE_PLANS = Endpoint(
    name="example_plans",
    title="Example plans",
    description="""\
Optional, before example_prompts. Shows curated plans that this service drafted itself, each with a link to its
report (interactive HTML) and its zip, so that a user sees what comes out before a plan is created.""",
    group="plans",
    http=GET("/v1/example-plans"),
    response=ExamplePlans,
    handler=_examples,
)
