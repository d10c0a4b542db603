"""`planloom examples`: lists example prompts; an operator rebuilds the example plans."""

import json
from typing import Annotated

import typer
from rich.console import Console

from planloom.accounts.make_key import make_key, revoke_key
from planloom.core.errors import PlanloomError
from planloom.planes.strategic.example_prompts import CURATED, example_prompts
from planloom.planes.strategic.services.example_plans import ACCOUNT, Sample, keep_example
from planloom_cli import exits
from planloom_cli.call_once import call_once
from planloom_cli.follow import follow
from planloom_cli.operate import AsOperator
from planloom_cli.options import bundled
from planloom_cli.reach import AtService, reach
from planloom_cli.running import address_of
from planloom_cli.service import Address, Service

examples = typer.Typer(help="List example prompts and example plans drafted from them.", invoke_without_command=True)


@examples.callback()
@bundled
def list_(
    context: typer.Context,
    at: AtService,
    plans: Annotated[bool, typer.Option("--plans", help="List example plans with links to their reports.")] = False,
) -> None:
    """List the example prompts; `planloom examples build` drafts plans from them."""
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
    example: Annotated[
        list[str] | None, typer.Option(help="Name of an example; repeat the option for several.")
    ] = None,
    profile: Annotated[str, typer.Option(help="Model profile for the drafts.")] = "baseline",
) -> None:
    """Draft the example plans of a service, as its operator; each replaces the one before (tool example_plans)."""
    samples = _samples(example or list(CURATED))
    with to.service() as (ports, url):
        key = make_key(ports.keys, ports.clock, ACCOUNT)
        try:
            built = [
                keep_example(
                    ports.plan_records,
                    ports.examples,
                    ports.shares,
                    ports.billing,
                    each,
                    _draft(address_of(url, key), each, profile),
                )
                for each in samples
            ]
        except PlanloomError as error:
            exits.leave(exits.FAILED, f"{error.code}: {error.message}")
        finally:
            revoke_key(ports.keys, ports.clock, ACCOUNT, key)
    if to.as_json:
        typer.echo(json.dumps([each.model_dump(mode="json", exclude={"prompt"}) for each in built]))
        return
    for each in built:
        typer.echo(f"{each.id:<28} report {each.report.size:,} bytes, zip {each.zip.size:,} bytes")


def _draft(address: Address, sample: Sample, profile: str) -> str:
    """Draft a plan on the service, with its models and through its queue; return the id when the plan has ended."""
    console = Console(stderr=True)

    async def work(service: Service) -> str:
        asked = {"prompt": sample.prompt, "model_profile": profile, "user_api_key": address.key}
        created = await call_once(service, "plan_create", console.print, **asked)
        console.print(f"plan {created['plan_id']}: {sample.title}", highlight=False)
        return str((await follow(service, created["plan_id"], console))["plan_id"])

    return reach(address, work)


def _samples(names: list[str]) -> list[Sample]:
    known = {sample["id"]: sample for sample in example_prompts()}
    for name in names:
        if name not in known:
            exits.leave(exits.REFUSED, f"There is no example '{name}'. Use one of: {', '.join(known)}.")
    return [Sample(id=name, title=known[name]["title"], prompt=known[name]["prompt"]) for name in names]
