"""Access of an operator to a service, with AWS credentials instead of an API key; `planloom repair`."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlsplit

import boto3
import typer
from botocore.exceptions import BotoCoreError, ClientError

from planloom.core.errors import PlanNotFound
from planloom.planes.strategic.services.repair_plan import repair_plan
from planloom.settings import Settings
from planloom.wiring.aws import Clients
from planloom.wiring.plans import Ports
from planloom_cli import exits
from planloom_cli.embedded.session import make_session
from planloom_cli.options import AsJson, Says, State
from planloom_cli.running import announced

ACCOUNT = re.compile(r"[A-Za-z0-9][\w.-]{0,62}", re.ASCII)

Stack = Annotated[str, typer.Option(help="Name of the CloudFormation stack.")]
Local = Annotated[
    bool,
    typer.Option("--local", help="Use the service that `planloom up` runs here, instead of one in AWS."),
]


@dataclass(frozen=True)
class AsOperator(Says):
    """The service of an operator: ``stack`` in AWS, with AWS credentials, or the local one."""

    state: State
    stack: Stack = "PlanloomStack"
    local: Local = False
    as_json: AsJson = False

    @contextmanager
    def ports(self) -> Iterator[Ports]:
        """Yield the adapters of the service; end the command if it cannot be reached."""
        with self.service() as (ports, _):
            yield ports

    @contextmanager
    def service(self) -> Iterator[tuple[Ports, str]]:
        """Yield the adapters of the service and its HTTP URL; end the command if it cannot be reached."""
        if not self.local:
            with deployed(self.stack) as found:
                yield found
            return
        local = announced(self.state)
        if local is None:
            exits.leave(exits.UNREACHABLE, "No service runs on this machine. Start one with 'planloom up'.")
        parts = urlsplit(local.http_url)
        with _advice("Check that 'planloom up' is still running, and do not use --stack with --local."):
            ports, _ = _found(self.stack, make_session(), f"{parts.scheme}://{parts.netloc}")
            yield ports, local.http_url


def checked_account(account: str) -> str:
    """Return *account* if it is a valid name; end the command otherwise."""
    if not ACCOUNT.fullmatch(account):
        exits.leave(
            exits.REFUSED,
            f"'{account[:70]}' is not a valid name of an account. Use 1 to 63 letters, digits, dots, dashes and "
            "underscores; the first is a letter or digit.",
        )
    return account


def repair(
    plan_id: Annotated[str, typer.Argument(help="The plan to repair.")],
    stack: Stack = "PlanloomStack",
    as_json: AsJson = False,
) -> None:
    """Rebuild the table items of a plan from the bucket, in AWS, with your AWS credentials."""
    with deployed(stack) as (ports, _):
        try:
            plan = repair_plan(ports.plan_records, plan_id)
        except PlanNotFound as error:
            exits.leave(exits.REFUSED, f"{error.code}: {error.message}")
    found = {"plan_id": plan.plan_id, "state": plan.state, "steps_completed": len(plan.steps_finished)}
    typer.echo(json.dumps(found) if as_json else f"{plan.state}: {len(plan.steps_finished)} steps")


@contextmanager
def deployed(stack: str) -> Iterator[tuple[Ports, str]]:
    """Yield the adapters of *stack* and its HTTP URL, in the account and region of the AWS credentials.

    Ends the command with a message if AWS returns an error or does not answer.
    """
    with _advice("Check your AWS credentials and region (AWS_PROFILE, AWS_REGION) and the name of the stack."):
        yield _found(stack, boto3.Session())


@contextmanager
def _advice(advice: str) -> Iterator[None]:
    """End the command with the error and *advice* if AWS returns an error or does not answer."""
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        exits.leave(exits.UNREACHABLE, f"{error} {advice}")


def _found(stack: str, session: boto3.Session, endpoint: str | None = None) -> tuple[Ports, str]:
    found = session.client("cloudformation", endpoint_url=endpoint).describe_stacks(StackName=stack)["Stacks"][0]
    outputs = {output["OutputKey"]: output["OutputValue"] for output in found.get("Outputs", [])}
    if not {"ApiUrl", "TableName", "BucketName", "BusName", "StateMachineArn"} <= outputs.keys():
        exits.leave(exits.REFUSED, f"The stack {stack} is not a stack of planloom. Name another one with --stack.")
    return ports_of_outputs(outputs, session, endpoint), outputs["ApiUrl"]


def ports_of_outputs(
    outputs: Mapping[str, str], session: boto3.Session, endpoint: str | None = None, runs_at_once: str = "0"
) -> Ports:
    """Return the adapters for the *outputs* of a stack. Raises KeyError if an output is missing.

    *runs_at_once* is needed to start runs: the setting that the Lambdas have.
    """
    settings = Settings.read(
        {
            "PLANLOOM_TABLE": outputs["TableName"],
            "PLANLOOM_BUCKET": outputs["BucketName"],
            "PLANLOOM_BUS": outputs["BusName"],
            "PLANLOOM_STATE_MACHINE": outputs["StateMachineArn"],
            "PLANLOOM_RUNS_AT_ONCE": runs_at_once,
        }
    )
    return Ports(settings, Clients(session.client, endpoint))
