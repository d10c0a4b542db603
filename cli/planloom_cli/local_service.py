"""Runs the service on this machine: starts the embedded AWS, deploys the stack and creates an API key."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from planloom.accounts.authorize import authorize
from planloom.accounts.make_key import keep_key, make_key
from planloom.planes.strategic.services.repair_plan import repair_lost
from planloom.planes.strategic.services.watch_plans import watch_plans
from planloom.wiring.plans import Ports
from planloom_cli import exits
from planloom_cli.embedded import (
    DeployFailed,
    Deployment,
    EmbeddedAws,
    EmbeddedError,
    NotReady,
    deploy,
    runs_at_once,
)
from planloom_cli.embedded.state_folder import StateFolder
from planloom_cli.model_environment import model_environment
from planloom_cli.operate import ports_of_outputs
from planloom_cli.running import announce, withdraw
from planloom_cli.service import Address

ACCOUNT = "local"
#: File with the API key of the local service, readable only by its owner; it stays the same for configured agents.
KEY_FILE = "key"


@contextmanager
def local_service(
    state: Path, port: int | None, say: Callable[[str], object], *, as_deployed: bool = False
) -> Iterator[Address]:
    """Start the service with *state*, publish its address to other commands, and stop it afterwards; state is kept.

    Ends the command with a message if the service cannot be started.
    """
    try:
        # of the caller's environment, only the settings and keys of models are passed to the service
        with EmbeddedAws(state, port, environment=model_environment(), as_deployed=as_deployed) as aws:
            say("Deploying to the embedded AWS (the first time takes half a minute) ...")
            deployment = deploy(aws)
            ports = ports_of(aws, deployment)
            if aws.lost_writes:
                say("The service was killed when it last ran. Repairing its plans from their files ...")
                _each(lambda: repair_lost(ports.plan_records), say)
            # there is no event for executions that ended with the embedded AWS or were never started
            _each(lambda: watch_plans(ports.run_control, start_within=timedelta(0)), say)
            address = Address(f"{deployment.api_url}/mcp", deployment.api_url, _key(state, ports))
            announce(state, address)
            try:
                yield address
            finally:
                withdraw(state)
    except (NotReady, DeployFailed) as error:
        exits.leave(
            exits.UNREACHABLE,
            f"{error}\nTry again. After an update of planloom, run 'make setup' first. If it still fails, use an empty "
            f"folder with --state. The log of the embedded AWS is {StateFolder(state).log}.",
        )
    except EmbeddedError as error:
        exits.leave(exits.UNREACHABLE, str(error))


def ports_of(aws: EmbeddedAws, deployment: Deployment) -> Ports:
    """Return the adapters of a deployment on the embedded AWS."""
    return ports_of_outputs(deployment.outputs, aws.session(), aws.endpoint, runs_at_once())


def _each(check: Callable[[], object], say: Callable[[str], object]) -> None:
    """Call *check*, which checks all plans, and report the plans that could not be checked."""
    try:
        check()
    except ExceptionGroup as group:
        # a plan that cannot be read must not keep the service from starting
        for error in group.exceptions:
            say(f"A plan could not be checked: {error} ({', '.join(error.__notes__)})")


def _key(state: Path, ports: Ports) -> str:
    path = state / KEY_FILE
    kept = path.read_text(encoding="utf-8").strip() if path.exists() else ""
    if kept and authorize(ports.keys, ports.clock, kept):
        return kept
    if kept and keep_key(ports.keys, ports.clock, ACCOUNT, kept):
        # the table was lost before it was saved: restore the key, so that configured agents still work
        return kept
    made = make_key(ports.keys, ports.clock, ACCOUNT)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(made)
    return made
