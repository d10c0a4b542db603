"""Example plans: drafted by this deployment itself from the example prompts, and kept apart from all accounts."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

from pydantic import TypeAdapter

from planloom.domain.artifacts import REPORT, content_type_of, sha256_of
from planloom.domain.errors import GenerationFailed
from planloom.domain.frozen import Frozen
from planloom.domain.plans import ModelProfile, Plan
from planloom.services.create_plan import create_plan
from planloom.services.plan_file_info import LINK_SECONDS, ArtifactChoice
from planloom.services.plan_resource import plan_file
from planloom.services.world import World

#: Its plans are drafted like any other; no key opens the account.
ACCOUNT = "examples"
INDEX = ("index", "examples.json")
ZIP = "run.zip"


class Sample(Frozen):
    """A prompt to draft an example from."""

    id: str
    title: str
    prompt: str


class ExampleFile(Frozen):
    """A file of an example, as it is kept."""

    path: str
    size: int
    sha256: str


class Example(Frozen):
    """A plan that was drafted to be shown."""

    id: str
    title: str
    prompt: str
    model_profile: ModelProfile
    models: tuple[str, ...]
    generated_at: datetime
    report: ExampleFile
    zip: ExampleFile


_LIST = TypeAdapter(list[Example], config={"defer_build": True})


def example_plans(world: World) -> list[Example]:
    """Return the examples that were built here; none before `planloom examples build`."""
    content = world.examples.read(*INDEX)
    return _LIST.validate_json(content) if content else []


def example_links(world: World, example: Example) -> tuple[str, str, datetime]:
    """Return links to the report and the zip of *example*, and when they stop working."""
    report, archive = (
        world.examples.link(example.id, file.path, f"{example.id}-{file.path}", LINK_SECONDS)
        for file in (example.report, example.zip)
    )
    return report, archive, world.now() + timedelta(seconds=LINK_SECONDS)


def build_examples(
    world: World, samples: Iterable[Sample], model_profile: ModelProfile, wait: Callable[[Plan], Plan]
) -> list[Example]:
    """Draft a plan from each of *samples*, keep its report and zip, and list them instead of those there were.

    *wait* returns a plan once it has ended. Raises GenerationFailed, with the list as it was, where one did not
    complete.
    """
    built = [_build(world, sample, model_profile, wait) for sample in samples]
    world.examples.write(*INDEX, _LIST.dump_json(built, indent=2), "application/json")
    return built


def _build(world: World, sample: Sample, model_profile: ModelProfile, wait: Callable[[Plan], Plan]) -> Example:
    plan = wait(create_plan(world, ACCOUNT, sample.prompt, model_profile))
    if plan.state != "completed":
        why = plan.failure.message if plan.failure else f"it is {plan.state}"
        raise GenerationFailed(f"The example '{sample.id}' was not completed: {why}", plan_id=plan.plan_id)
    return Example(
        id=sample.id,
        title=sample.title,
        prompt=sample.prompt,
        model_profile=model_profile,
        models=tuple(world.models.names(model_profile)),
        generated_at=world.now(),
        report=_keep(world, sample, plan, "report", REPORT),
        zip=_keep(world, sample, plan, "zip", ZIP),
    )


def _keep(world: World, sample: Sample, plan: Plan, choice: ArtifactChoice, path: str) -> ExampleFile:
    found = plan_file(world, ACCOUNT, plan.plan_id, choice)
    world.examples.write(sample.id, path, found.content, content_type_of(path))
    return ExampleFile(path=path, size=len(found.content), sha256=sha256_of(found.content))
