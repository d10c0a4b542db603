"""What an operator does to a service in AWS, with AWS credentials instead of an API key: make keys, repair plans."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated

import boto3
import typer
from botocore.exceptions import BotoCoreError, ClientError

from planloom.domain.errors import PlanNotFound
from planloom.services.make_key import make_key
from planloom.services.repair_plan import repair_plan
from planloom.services.world import World
from planloom.settings import Settings
from planloom.wiring import make_world
from planloom_cli import exits

ACCOUNT = re.compile(r"[A-Za-z0-9][\w.-]{0,62}", re.ASCII)

keys = typer.Typer(help="API keys of a service in AWS.", no_args_is_help=True)

Stack = Annotated[str, typer.Option(help="Name of its CloudFormation stack.")]
AsJson = Annotated[bool, typer.Option("--json", help="Answer with one line of JSON on standard output.")]


@keys.callback()
def _group() -> None:
    """Without it, a group of one command would take that command's name."""


@keys.command()
def create(
    account: Annotated[str, typer.Option(help="Whose plans the key opens; a new name is a new account.")],
    stack: Stack = "PlanloomStack",
    as_json: AsJson = False,
) -> None:
    """Make a key for an account, with your AWS credentials; it is shown once, and stored as a hash."""
    if not ACCOUNT.fullmatch(account):
        exits.leave(exits.REFUSED, "--account takes 1 to 63 letters, digits, dots, dashes and underscores.")
    with deployed(stack) as world:
        key = make_key(world, account)
    typer.echo(json.dumps({"account": account, "key": key}) if as_json else key)


def repair(
    plan_id: Annotated[str, typer.Argument(help="The plan to repair.")],
    stack: Stack = "PlanloomStack",
    as_json: AsJson = False,
) -> None:
    """Rebuild what the table of a service in AWS says of a plan, from the bucket alone, with your AWS credentials."""
    with deployed(stack) as world:
        try:
            plan = repair_plan(world, plan_id)
        except PlanNotFound as error:
            exits.leave(exits.REFUSED, f"{error.code}: {error.message}")
    found = {"plan_id": plan.plan_id, "state": plan.state, "steps_completed": len(plan.steps_finished)}
    typer.echo(json.dumps(found) if as_json else f"{plan.state}: {len(plan.steps_finished)} steps")


@contextmanager
def deployed(stack: str) -> Iterator[World]:
    """Give the world of *stack* in the account and region that the environment's AWS credentials name.

    Ends the command with a line that says what to do where AWS refuses or does not answer.
    """
    try:
        session = boto3.Session()
        found = session.client("cloudformation").describe_stacks(StackName=stack)["Stacks"][0]
        outputs = {output["OutputKey"]: output["OutputValue"] for output in found.get("Outputs", [])}
        if not {"TableName", "BucketName", "BusName", "StateMachineArn"} <= outputs.keys():
            exits.leave(exits.REFUSED, f"the stack {stack} is there, but it is not planloom's.")
        yield world_of_outputs(outputs, session)
    except (BotoCoreError, ClientError) as error:
        exits.leave(
            exits.UNREACHABLE,
            f"{error} Check your AWS credentials and region (AWS_PROFILE, AWS_REGION) and the name of the stack.",
        )


def world_of_outputs(outputs: Mapping[str, str], session: boto3.Session, endpoint: str | None = None) -> World:
    """Return the world behind a stack's *outputs*, as an operator with all rights sees it. Raises KeyError."""
    settings = Settings.read(
        {
            "PLANLOOM_TABLE": outputs["TableName"],
            "PLANLOOM_BUCKET": outputs["BucketName"],
            "PLANLOOM_BUS": outputs["BusName"],
            "PLANLOOM_STATE_MACHINE": outputs["StateMachineArn"],
        }
    )
    return make_world(settings, session, endpoint)
