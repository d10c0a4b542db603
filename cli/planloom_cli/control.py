"""Stop a plan; begin another run of one that failed or was stopped, follow it, and bring its files home."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from planloom_cli.begin import begin
from planloom_cli.draft import Drafted, bring_home, tell
from planloom_cli.options import Output, PlanId
from planloom_cli.reach import AtService
from planloom_cli.service import Service

Profile = Annotated[str | None, typer.Option(help="Another model profile; by default the one the plan has.")]


def stop(plan_id: PlanId, at: AtService) -> None:
    """Stop a plan; what its finished stages made is kept."""
    found = at.call("plan_stop", plan_id=plan_id)
    at.say(found, found["state"])


def resume(
    plan_id: PlanId,
    at: AtService,
    profile: Profile = None,
    force_upgrade: Annotated[
        bool, typer.Option("--force-upgrade", help="Also where the plan was made by another version of the pipeline.")
    ] = False,
    output: Output = Path(),
) -> None:
    """Go on with a plan that failed or was stopped: what is finished is kept, and no model call is repeated."""
    asked = {"model_profile": profile, "force_upgrade": force_upgrade or None}
    tell(again(at, output, "plan_resume", plan_id=plan_id, **asked), at.as_json)


def retry(plan_id: PlanId, at: AtService, profile: Profile = None, output: Output = Path()) -> None:
    """Start a plan that failed or was stopped again from nothing; `planloom resume` keeps what is finished."""
    tell(again(at, output, "plan_retry", plan_id=plan_id, model_profile=profile), at.as_json)


def again(at: AtService, output: Path, tool: str, **arguments: Any) -> Drafted:
    """Call *tool*, which begins a run, and follow the plan that it names to its end."""
    console = Console(stderr=True)

    async def work(service: Service) -> Drafted:
        begun = await begin(service, tool, console.print, **arguments)
        console.print(f"plan {begun['plan_id']}", highlight=False)
        if "steps_kept" in begun:
            console.print(f"{begun['steps_kept']} finished steps are kept", highlight=False)
        return await bring_home(service, begun["plan_id"], output, console)

    return at.reach(work)
