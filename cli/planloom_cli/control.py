"""Begin another run of a plan that failed or was stopped, follow it, and bring its files home."""

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from planloom_cli.draft import Drafted, bring_home, tell
from planloom_cli.options import AsJson, Key, Output, PlanId, State, Url
from planloom_cli.reach import reach, running
from planloom_cli.service import Service

Profile = Annotated[str | None, typer.Option(help="Another model profile; by default the one the plan has.")]


def resume(
    plan_id: PlanId,
    state: State,
    profile: Profile = None,
    force_upgrade: Annotated[
        bool, typer.Option("--force-upgrade", help="Also where the plan was made by another version of the pipeline.")
    ] = False,
    output: Output = Path(),
    url: Url = None,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Go on with a plan that failed or was stopped: what is finished is kept, and no model call is repeated."""
    asked = {"model_profile": profile, "force_upgrade": force_upgrade or None}
    tell(again(url, key, state, output, "plan_resume", plan_id=plan_id, **asked), as_json)


def retry(
    plan_id: PlanId,
    state: State,
    profile: Profile = None,
    output: Output = Path(),
    url: Url = None,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Start a plan that failed or was stopped again from nothing; `planloom resume` keeps what is finished."""
    tell(again(url, key, state, output, "plan_retry", plan_id=plan_id, model_profile=profile), as_json)


def again(url: str | None, key: str | None, state: Path, output: Path, tool: str, **arguments: Any) -> Drafted:
    """Call *tool*, which begins a run, and follow the plan that it names to its end."""
    console = Console(stderr=True)

    async def work(service: Service) -> Drafted:
        begun = await service.call(tool, **arguments)
        console.print(f"plan {begun['plan_id']}", highlight=False)
        if "steps_kept" in begun:
            console.print(f"{begun['steps_kept']} finished steps are kept", highlight=False)
        return await bring_home(service, begun["plan_id"], output, console)

    return reach(running(url, key, state), work)
