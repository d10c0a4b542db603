"""`planloom webhook`: where events of the account are posted, what was delivered, and sending it again."""

from typing import Annotated, Any
from urllib.parse import quote

import typer

from planloom_cli import exits
from planloom_cli.options import bundled
from planloom_cli.reach import AtService

webhook = typer.Typer(help="Post events of your account to your own services.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="Name of the webhook.")]


def _send(at: AtService, method: str, path: str, body: Any = None, **query: Any) -> dict[str, Any]:
    given = {name: value for name, value in query.items() if value is not None}
    return at.reach(lambda service: service.send(method, path, body, given))


def _path(name: str, *rest: str) -> str:
    return "/".join(["webhooks", quote(name, safe=""), *rest])


@webhook.command("add")
@bundled
def add(
    name: Name,
    address: Annotated[str, typer.Argument(help="Public https URL that takes POST requests.")],
    at: AtService,
    event: Annotated[list[str] | None, typer.Option(help="Type of event; repeat it. By default all.")] = None,
) -> None:
    """Add a webhook, or replace the one of that name; prints its secret, which is not shown again."""
    found = _send(at, "POST", "webhooks", {"name": name, "url": address, "events": event or []})
    at.say(found, f"{found['name']} gets {', '.join(found['events'])}\nsecret: {found['secret']}")


@webhook.command("list")
@bundled
def list_(at: AtService) -> None:
    """List the webhooks of your account."""
    found = _send(at, "GET", "webhooks")
    lines = [f"{each['name']}  {each['url']}  {', '.join(each['events'])}" for each in found["webhooks"]]
    at.say(found, "\n".join(lines) or "No webhooks.")


@webhook.command("events")
@bundled
def events(at: AtService) -> None:
    """List the types of events that webhooks can get."""
    found = _send(at, "GET", "webhook-events")
    at.say(found, "\n".join(f"{each['type']}  {each['description']}" for each in found["events"]))


@webhook.command("test")
@bundled
def test(name: Name, at: AtService) -> None:
    """Post a test event now; the exit code is 1 if the receiver did not take it."""
    found = _send(at, "POST", _path(name, "test"))
    at.say(found, f"delivered (HTTP {found['status']})" if found["delivered"] else found["error"])
    if not found["delivered"]:
        raise typer.Exit(exits.FAILED)


@webhook.command("remove")
@bundled
def remove(name: Name, at: AtService) -> None:
    """Remove a webhook and its secret."""
    found = _send(at, "DELETE", _path(name))
    at.say(found, f"removed {name}")


@webhook.command("deliveries")
@bundled
def deliveries(
    name: Name,
    at: AtService,
    only: Annotated[str | None, typer.Option(help="Those in one state: pending, delivered or dead.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many to read.")] = 20,
) -> None:
    """List what was sent to a webhook, newest first."""
    found = _send(at, "GET", _path(name, "deliveries"), state=only, limit=limit)
    at.say(found, "\n".join(map(_delivery, found["deliveries"])) or "No deliveries.")


@webhook.command("replay")
@bundled
def replay(
    name: Name,
    at: AtService,
    delivery: Annotated[
        str | None, typer.Argument(help="ID of a delivery; without it, all dead ones of the newest 100.")
    ] = None,
) -> None:
    """Send deliveries again, with all attempts."""
    found = _send(at, "POST", _path(name, "replay"), {"delivery_id": delivery})
    at.say(found, "\n".join(found["delivery_ids"]) or "Nothing to send again.")


def _delivery(found: dict[str, Any]) -> str:
    last = found["error"] or f"HTTP {found['status']}" if found["attempts"] else "not sent yet"
    return f"{found['delivery_id']}  {found['type']}  {found['state']}, {found['attempts']} attempts: {last}"
