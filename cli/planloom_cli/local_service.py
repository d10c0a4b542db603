"""The service on this machine: the embedded AWS, the stack on it, and a key to it."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from planloom.services.authorize import authorize
from planloom.services.make_key import keep_key, make_key
from planloom.services.repair_plan import repair_lost
from planloom.services.watch_plans import watch_plans
from planloom.services.world import World
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
from planloom_cli.operate import world_of_outputs
from planloom_cli.running import announce, withdraw
from planloom_cli.service import Address

ACCOUNT = "local"
#: The key to the local service, so that agents that were set up once go on working; for the owner's eyes alone.
KEY_FILE = "key"


@contextmanager
def local_service(
    state: Path, port: int | None, say: Callable[[str], object], *, as_deployed: bool = False
) -> Iterator[Address]:
    """Start the service with *state*, tell other commands where it is, and end it afterwards with its state kept.

    Ends the command with a line that says what to do where it cannot be started.
    """
    try:
        # all of the caller's environment that is meant for the service: which models draft, and the key to them
        with EmbeddedAws(state, port, environment=model_environment(), as_deployed=as_deployed) as aws:
            say("Deploying to the embedded AWS (the first time takes half a minute) ...")
            deployment = deploy(aws)
            world = world_of(aws, deployment)
            if aws.lost_writes:
                say("The service was killed when it last ran: bringing its plans back from their files ...")
                _each(lambda: repair_lost(world), say)
            # nothing tells of executions that died with the embedded AWS that ran them, or were never started
            _each(lambda: watch_plans(world, start_within=timedelta(0)), say)
            address = Address(f"{deployment.api_url}/mcp", deployment.api_url, _key(state, world))
            announce(state, address)
            try:
                yield address
            finally:
                withdraw(state)
    except (NotReady, DeployFailed) as error:
        exits.leave(
            exits.UNREACHABLE,
            f"{error}\nTry again; after an update of planloom run 'make setup' first; or begin with an empty folder "
            f"(--state). The log of the embedded AWS is {StateFolder(state).log}.",
        )
    except EmbeddedError as error:
        exits.leave(exits.UNREACHABLE, str(error))


def world_of(aws: EmbeddedAws, deployment: Deployment) -> World:
    """Return the world of a deployment on the embedded AWS."""
    return world_of_outputs(deployment.outputs, aws.session(), aws.endpoint, runs_at_once())


def _each(look: Callable[[], object], say: Callable[[str], object]) -> None:
    """Look at every plan; say which could not be looked at."""
    try:
        look()
    except ExceptionGroup as group:
        # one plan that cannot be read is no reason to keep all others from their owner
        for error in group.exceptions:
            say(f"A plan could not be looked at: {error} ({', '.join(error.__notes__)})")


def _key(state: Path, world: World) -> str:
    path = state / KEY_FILE
    kept = path.read_text(encoding="utf-8").strip() if path.exists() else ""
    if kept and authorize(world, kept):
        return kept
    if kept and keep_key(world, ACCOUNT, kept):
        # the table was killed before it had saved it: agents that were set up with it go on working
        return kept
    made = make_key(world, ACCOUNT)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(made)
    return made
