"""`planloom stop`, `resume` and `retry`: stop a plan, or start another run of it, follow it and save its files."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from planloom_cli.call_once import call_once
from planloom_cli.draft import Drafted, follow_and_save, print_result
from planloom_cli.options import Output, PlanId
from planloom_cli.reach import AtService
from planloom_cli.service import Service

Profile = Annotated[str | None, typer.Option(help="Another model profile; by default that of the plan.")]


def stop(plan_id: PlanId, at: AtService) -> None:
    """Stop a plan. The results of finished stages are kept."""
    found = at.call("plan_stop", plan_id=plan_id)
    at.say(found, found["state"])


def resume(
    plan_id: PlanId,
    at: AtService,
    profile: Profile = None,
    force_upgrade: Annotated[
        bool, typer.Option("--force-upgrade", help="Resume also if another version of the pipeline made the plan.")
    ] = False,
    output: Output = Path(),
) -> None:
    """Continue a failed or stopped plan. Finished steps are kept, and their model calls are not repeated."""
    arguments = {"model_profile": profile, "force_upgrade": force_upgrade or None}
    print_result(again(at, output, "plan_resume", plan_id=plan_id, **arguments), at.as_json)


def retry(plan_id: PlanId, at: AtService, profile: Profile = None, output: Output = Path()) -> None:
    """Restart a failed or stopped plan from the beginning; `planloom resume` keeps finished steps."""
    print_result(again(at, output, "plan_retry", plan_id=plan_id, model_profile=profile), at.as_json)


def again(at: AtService, output: Path, tool: str, **arguments: Any) -> Drafted:
    """Call *tool*, which starts a run, follow the plan in its response to the end and save the files."""
    console = Console(stderr=True)

    async def work(service: Service) -> Drafted:
        started = await call_once(service, tool, console.print, **arguments)
        console.print(f"plan {started['plan_id']}", highlight=False)
        if "steps_kept" in started:
            console.print(f"{started['steps_kept']} finished steps are kept", highlight=False)
        return await follow_and_save(service, started["plan_id"], output, console)

    return at.reach(work)
