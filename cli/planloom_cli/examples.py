"""Example prompts listed; example plans rebuilt by the operator."""

import json
import time
from typing import Annotated

import typer
from pydantic import TypeAdapter, ValidationError

from planloom.api.example_prompts import CURATED, example_prompts
from planloom.domain.errors import PlanloomError
from planloom.domain.plans import TERMINAL, ModelProfile, Plan
from planloom.services.example_plans import Sample, build_examples
from planloom.services.world import World
from planloom_cli import exits
from planloom_cli.operate import AsOperator
from planloom_cli.options import bundled
from planloom_cli.reach import AtService

examples = typer.Typer(help="Example prompts, and example plans drafted from them.", invoke_without_command=True)

#: With large models a draft takes 10 to 20 minutes.
DRAFTED_WITHIN_SECONDS = 3600.0
LOOK_EVERY_SECONDS = 1.0


@examples.callback()
@bundled
def list_(
    context: typer.Context,
    at: AtService,
    plans: Annotated[
        bool, typer.Option("--plans", help="Links to the reports of the plans that were drafted from some.")
    ] = False,
) -> None:
    """List the example prompts; `planloom examples build` drafts example plans from some of them."""
    if context.invoked_subcommand is not None:
        return
    if plans:
        found = at.call("example_plans")
        lines = (f"{plan['id']:<28} {plan['report_url']}" for plan in found["examples"])
        at.say(found, "\n".join(lines) or found["message"])
        return
    found = at.call("example_prompts")
    at.say(found, "\n".join(f"{sample['id']:<28} {sample['title']}" for sample in found["samples"]))


@examples.command()
@bundled
def build(
    to: AsOperator,
    example: Annotated[list[str] | None, typer.Option(help="Which; more than one may be named.")] = None,
    profile: Annotated[str, typer.Option(help="Model profile that drafts them.")] = "baseline",
) -> None:
    """Draft example plans on a service, as operator, and show them in place of those there were (example_plans)."""
    samples = _samples(example or list(CURATED))
    with to.world() as world:
        try:
            built = build_examples(world, samples, _profile(profile), lambda plan: _ended(world, plan))
        except PlanloomError as error:
            exits.leave(exits.FAILED, f"{error.code}: {error.message}")
    if to.as_json:
        typer.echo(json.dumps([each.model_dump(mode="json", exclude={"prompt"}) for each in built]))
        return
    for each in built:
        typer.echo(f"{each.id:<28} report {each.report.size:,} bytes, zip {each.zip.size:,} bytes")


def _samples(names: list[str]) -> list[Sample]:
    known = {sample["id"]: sample for sample in example_prompts()}
    for name in names:
        if name not in known:
            exits.leave(exits.REFUSED, f"there is no example '{name}'. Those there are: {', '.join(known)}.")
    return [Sample(id=name, title=known[name]["title"], prompt=known[name]["prompt"]) for name in names]


def _profile(name: str) -> ModelProfile:
    try:
        return TypeAdapter(ModelProfile).validate_python(name)
    except ValidationError:
        return exits.leave(exits.REFUSED, "--profile takes baseline, premium, frontier or custom.")


def _ended(world: World, plan: Plan) -> Plan:
    """Return the plan once it has ended; end the command where it takes longer than any draft does."""
    typer.echo(f"plan {plan.plan_id}: {plan.prompt_excerpt[:60]}", err=True)
    deadline = time.monotonic() + DRAFTED_WITHIN_SECONDS
    while time.monotonic() < deadline:
        found = world.plans.get(plan.plan_id) or plan
        if found.state in TERMINAL:
            return found
        time.sleep(LOOK_EVERY_SECONDS)
    return exits.leave(exits.FAILED, f"plan {plan.plan_id} has not ended within an hour.")
