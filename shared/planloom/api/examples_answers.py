"""What callers get back about example plans."""

from datetime import datetime

from pydantic import Field

from planloom import wiring
from planloom.api.answers import AnswerModel
from planloom.domain.plans import ModelProfile
from planloom.services.example_plans import Example, example_links, example_plans


class ExamplePlan(AnswerModel):
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


class ExamplePlans(AnswerModel):
    """Answer of example_plans."""

    examples: list[ExamplePlan]
    message: str


def shown_examples() -> ExamplePlans:
    """Show the examples that were built here, with fresh links; for both mouths."""
    found = [_shown(example) for example in example_plans(wiring.world())]
    message = (
        "Drafted by this service from the example prompts of the same id. Next call example_prompts."
        if found
        else "No examples are built here; the operator builds them with 'planloom examples build'. Go on with "
        "example_prompts."
    )
    return ExamplePlans(examples=found, message=message)


def _shown(example: Example) -> ExamplePlan:
    report, archive, expires = example_links(wiring.world(), example)
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
