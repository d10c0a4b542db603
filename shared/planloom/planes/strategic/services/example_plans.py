"""Example plans: drafted by this deployment itself from the example prompts, and kept apart from all accounts."""

from datetime import datetime, timedelta

from pydantic import TypeAdapter

from planloom.accounts.access import ShareStore
from planloom.accounts.stores import Billing
from planloom.core.artifacts import REPORT, content_type_of, sha256_of
from planloom.core.clock import Clock
from planloom.core.errors import GenerationFailed
from planloom.core.file_store import FileStore
from planloom.core.frozen import Frozen
from planloom.models.profile import ModelProfile
from planloom.planes.strategic.kept_answer import OUTLINE
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.ports.groups import PlanRecords
from planloom.planes.strategic.services.delete_plan import delete_plan
from planloom.planes.strategic.services.own_plan import own_plan
from planloom.planes.strategic.services.plan_file_info import LINK_SECONDS, ArtifactChoice
from planloom.planes.strategic.services.plan_resource import plan_file
from planloom.planes.strategic.services.read_records import step_records

#: Its plans are drafted like any other, with a key of the operator's that is revoked afterwards.
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


def example_plans(examples: FileStore) -> list[Example]:
    """Return the examples that were built here; none before `planloom examples build`."""
    content = examples.read(*INDEX)
    return _LIST.validate_json(content) if content else []


def example_links(examples: FileStore, clock: Clock, example: Example) -> tuple[str, str, datetime]:
    """Return links to the report and the zip of *example*, and when they stop working."""
    report, archive = (
        examples.link(example.id, file.path, f"{example.id}-{file.path}", LINK_SECONDS)
        for file in (example.report, example.zip)
    )
    return report, archive, clock() + timedelta(seconds=LINK_SECONDS)


def keep_example(
    plan_records: PlanRecords, examples: FileStore, shares: ShareStore, billing: Billing, sample: Sample, plan_id: str
) -> Example:
    """Keep report and zip of the plan that was drafted from *sample*, and list them instead of the ones before.

    The draft itself is deleted: nobody has a key to it. Raises GenerationFailed, with the list as it was, where it did
    not complete.
    """
    plan = own_plan(plan_records, ACCOUNT, plan_id)
    if plan.state != "completed":
        why = plan.failure.message if plan.failure else f"it is {plan.state}"
        raise GenerationFailed(f"The example '{sample.id}' was not completed: {why}", plan_id=plan.plan_id)
    example = Example(
        id=sample.id,
        title=sample.title,
        prompt=sample.prompt,
        model_profile=plan.model_profile,
        models=_models(plan_records.files, plan),
        generated_at=plan_records.now(),
        report=_keep(plan_records, examples, sample, plan, "report", REPORT),
        zip=_keep(plan_records, examples, sample, plan, "zip", ZIP),
    )
    listed = {each.id: each for each in example_plans(examples)} | {example.id: example}
    examples.write(*INDEX, _LIST.dump_json(list(listed.values()), indent=2), "application/json")
    delete_plan(plan_records, shares, billing, ACCOUNT, plan_id)
    return example


def _models(files: FileStore, plan: Plan) -> tuple[str, ...]:
    """Return the models that answered, each once, in order of the steps; the outline where none was asked."""
    names = (name for record in step_records(files, plan.plan_id) for name in record.drafted_by)
    return tuple(dict.fromkeys(names)) or (OUTLINE,)


def _keep(
    plan_records: PlanRecords, examples: FileStore, sample: Sample, plan: Plan, choice: ArtifactChoice, path: str
) -> ExampleFile:
    found = plan_file(plan_records, ACCOUNT, plan.plan_id, choice)
    examples.write(sample.id, path, found.content, content_type_of(path))
    return ExampleFile(path=path, size=len(found.content), sha256=sha256_of(found.content))
