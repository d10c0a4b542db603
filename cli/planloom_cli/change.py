"""`planloom invalidate` and `planloom validate`, and what follows a change of a plan."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from planloom_cli.call_once import call_once
from planloom_cli.control import Profile, again
from planloom_cli.draft import follow_and_save, print_result
from planloom_cli.follow import TERMINAL
from planloom_cli.options import Output, PlanId
from planloom_cli.reach import AtService
from planloom_cli.retry_calls import say

Start = Annotated[
    bool,
    typer.Option("--start/--no-start", help="Start a derived plan at once, or leave it stopped for further changes."),
]
Wait = Annotated[bool, typer.Option("--wait/--no-wait", help="Wait for a derived plan to end, then save its files.")]


def invalidate(
    plan_id: PlanId,
    names: Annotated[
        list[str], typer.Argument(help="Steps (016 or expert_criticism) or files (016-2-expert_criticism.md).")
    ],
    at: AtService,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print which steps would be repeated and the cost; change nothing.")
    ] = False,
    start: Start = True,
    wait: Wait = True,
    output: Output = Path(),
) -> None:
    """Repeat steps of an ended plan, and all steps that depend on them."""
    files = [name for name in names if "." in name]
    arguments: dict[str, Any] = {
        "stages": [name for name in names if "." not in name],
        "artifacts": files,
        "plan_id": plan_id,
    }
    if dry_run:
        done = at.call("plan_invalidate", **arguments, dry_run=True)
    else:
        done = at.reach(lambda service: call_once(service, "plan_invalidate", **arguments, start=start))
    if not at.as_json:
        for step in done["steps"]:
            cost = f"{step['cost']['calls']} calls" if step.get("cost") else "never finished"
            typer.echo(f"{step['step']:<28} {step['why']:<8} {cost}")
        typer.echo(_at_most(done))
        for lost in done["edits_lost"]:
            typer.echo(f"your edit of {lost} would be lost: the file would be written again")
    if dry_run:
        if at.as_json:
            typer.echo(json.dumps(done))
        return
    go_on(done, at, output, wait)


def validate(plan_id: PlanId, at: AtService, profile: Profile = None, output: Output = Path()) -> None:
    """Repeat the review of a drafted plan in a derived plan: review, premortem, self-audit and report."""
    print_result(again(at, output, "plan_validate", plan_id=plan_id, model_profile=profile), at.as_json)


def go_on(done: dict[str, Any], at: AtService, output: Path, wait: bool) -> None:
    """Follow the derived plan of a change if it was started, else print the next command."""
    console = Console(stderr=True)
    if done.get("derived_from"):
        say(f"plan {done['plan_id']}, derived from {done['derived_from']}")
    if wait and done["state"] not in TERMINAL:
        print_result(at.reach(lambda service: follow_and_save(service, done["plan_id"], output, console)), at.as_json)
        return
    resume = f"Run `planloom resume {done['plan_id']}` to continue the plan."
    at.say(done, resume if done["state"] in ("failed", "stopped") else done["next_steps"])


def _at_most(done: dict[str, Any]) -> str:
    most, credit = done["cost_at_most"], done["credits_at_most"]
    price = most["price"]
    money = f", {price['currency']} {price['amount']:.2f}" if price["known"] else ""
    credits = "" if credit is None else f", {credit} credits"
    tokens = f"{most['input_tokens']:,} input tokens, {most['output_tokens']:,} output tokens"
    return f"at most {most['calls']} calls, {tokens}{money}{credits}"
