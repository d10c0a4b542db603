"""Change a plan from the command line: have steps made again, validate anew; and what comes after a change."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from planloom_cli.begin import begin
from planloom_cli.control import Profile, again
from planloom_cli.draft import bring_home, tell
from planloom_cli.follow import TERMINAL
from planloom_cli.options import Output, PlanId
from planloom_cli.patience import say
from planloom_cli.reach import AtService

Start = Annotated[
    bool,
    typer.Option("--start/--no-start", help="Run a derived plan at once; or leave it stopped, for more changes first."),
]
Wait = Annotated[bool, typer.Option("--wait/--no-wait", help="Follow a derived plan to its end and save its files.")]


def invalidate(
    plan_id: PlanId,
    names: Annotated[list[str], typer.Argument(help="Steps (016, expert_criticism) or files (016-2-....md).")],
    at: AtService,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be made, at what cost.")] = False,
    start: Start = True,
    wait: Wait = True,
    output: Output = Path(),
) -> None:
    """Have steps of a plan that has ended made again, and what depends on them."""
    files = [name for name in names if "." in name]
    asked: dict[str, Any] = {
        "stages": [name for name in names if "." not in name],
        "artifacts": files,
        "plan_id": plan_id,
    }
    if dry_run:
        done = at.call("plan_invalidate", **asked, dry_run=True)
    else:
        done = at.reach(lambda service: begin(service, "plan_invalidate", **asked, start=start))
    if not at.as_json:
        for step in done["steps"]:
            cost = f"{step['cost']['calls']} calls" if step.get("cost") else "never finished"
            typer.echo(f"{step['step']:<28} {step['why']:<8} {cost}")
        typer.echo(_at_most(done))
        for lost in done["edits_lost"]:
            typer.echo(f"your edit of {lost} would be made again from scratch")
    if dry_run:
        if at.as_json:
            typer.echo(json.dumps(done))
        return
    go_on(done, at, output, wait)


def validate(plan_id: PlanId, at: AtService, profile: Profile = None, output: Output = Path()) -> None:
    """Review a drafted plan anew, over what is there: review, premortem, self-audit and report, in a derived plan."""
    tell(again(at, output, "plan_validate", plan_id=plan_id, model_profile=profile), at.as_json)


def go_on(done: dict[str, Any], at: AtService, output: Path, wait: bool) -> None:
    """Follow the plan that a change derived, if it was started; say what to do next where it was not."""
    console = Console(stderr=True)
    if done.get("derived_from"):
        say(f"plan {done['plan_id']}, derived from {done['derived_from']}")
    if wait and done["state"] not in TERMINAL:
        tell(at.reach(lambda service: bring_home(service, done["plan_id"], output, console)), at.as_json)
        return
    resume = f"`planloom resume {done['plan_id']}` goes on from there."
    at.say(done, resume if done["state"] in ("failed", "stopped") else done["next_steps"])


def _at_most(done: dict[str, Any]) -> str:
    most, credit = done["cost_at_most"], done["credits_at_most"]
    price = most["price"]
    money = f", {price['currency']} {price['amount']:.2f}" if price["known"] else ""
    held = "" if credit is None else f", {credit} credits"
    tokens = f"{most['input_tokens']:,} tokens read, {most['output_tokens']:,} written"
    return f"at most {most['calls']} calls, {tokens}{money}{held}"
