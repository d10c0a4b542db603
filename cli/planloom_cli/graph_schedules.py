"""`planloom graph schedule` and `planloom graph budget`: graphs at times to come, and calls that runs share."""

from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from planloom_cli.graph_options import AtGraphs, GraphId, MaxConcurrency, Var, variables, whole_graph_id
from planloom_cli.options import bundled
from planloom_cli.service import Service

schedules = typer.Typer(help="Run graphs at times to come.", no_args_is_help=True)
budgets = typer.Typer(help="Budgets of calls that several runs share.", no_args_is_help=True)

ScheduleName = Annotated[str, typer.Argument(help="Name of the schedule: letters, digits, dots, hyphens, underscores.")]
BudgetName = Annotated[str, typer.Argument(help="Name of the budget.")]


@schedules.command("set")
@bundled
def set_schedule(
    name: ScheduleName,
    graph_id: GraphId,
    when: Annotated[
        str, typer.Argument(help="'cron(0 8 * * ? *)' for every day at 8, or 'at(2027-01-31T08:00:00)' for once.")
    ],
    at: AtGraphs,
    timezone: Annotated[str, typer.Option(help="IANA name of the time zone.")] = "UTC",
    var: Var = None,
    max_concurrency: MaxConcurrency = 4,
    budget: Annotated[int | None, typer.Option(min=0, help="Calls of tools at most, in each run.")] = None,
    shared_budget: Annotated[str | None, typer.Option(help="Budget whose calls the runs share with others.")] = None,
    allow_destructive: Annotated[
        bool, typer.Option("--allow-destructive", help="Call destructive tools without an approval.")
    ] = False,
) -> None:
    """Run a graph at times to come, or change when it runs."""
    given = variables(var)
    options = {
        "max_concurrency": max_concurrency,
        "allow_destructive": allow_destructive,
        "budget": budget,
        "shared_budget": shared_budget,
    }

    async def work(service: Service) -> dict[str, Any]:
        plan_id = await whole_graph_id(service, graph_id)
        return await service.call(
            "schedule_set", name=name, plan_id=plan_id, when=when, timezone=timezone, variables=given, options=options
        )

    found = at.reach(work)
    at.say(found, f"{name}: next due {_time(found['next_due'])}")


@schedules.command("list")
@bundled
def list_schedules(at: AtGraphs) -> None:
    """List your schedules, with what each ran last and what it missed."""
    found = at.call("schedule_list")
    if at.as_json or not found["schedules"]:
        at.say(found, "There are none yet. Add one: planloom graph schedule set NAME GRAPH WHEN")
        return
    table = Table("schedule", "when", "next due (UTC)", "last run", "missed", "graph", box=None)
    for each in found["schedules"]:
        when = f"{each['when']} {each['timezone']}"
        last = each["last_run"] or ""
        table.add_row(each["name"], when, _time(each["next_due"]), last, str(len(each["missed"])), each["plan_id"])
    Console(width=180).print(table)


@schedules.command("show")
@bundled
def show_schedule(name: ScheduleName, at: AtGraphs) -> None:
    """Show when a schedule is due, what it ran last, and each run that it missed with the reason."""
    found = at.call("schedule_get", name=name)
    lines = [
        f"{name}: graph {found['plan_id']}, {found['when']} {found['timezone']}",
        f"next due {_time(found['next_due'])}",
        *([f"last run {found['last_run']}, due {_time(found['last_due'])}"] if found["last_run"] else []),
        *(f"missed {_time(each['due'])}: {each['reason']}" for each in found["missed"]),
    ]
    at.say(found, "\n".join(lines))


@schedules.command("remove")
@bundled
def remove_schedule(name: ScheduleName, at: AtGraphs) -> None:
    """Remove a schedule; runs that it started stay."""
    found = at.call("schedule_delete", name=name)
    at.say(found, f"Removed {found['deleted']}.")


@budgets.command("set")
@bundled
def set_budget(
    name: BudgetName,
    calls: Annotated[int, typer.Argument(min=0, help="Calls of tools at most, by all runs that name it.")],
    at: AtGraphs,
) -> None:
    """Set how many calls all runs with this --shared-budget may make together; what was taken stays taken."""
    found = at.call("budget_set", name=name, calls=calls)
    at.say(found, f"{name}: {found['left']} of {calls} calls left")


@budgets.command("list")
@bundled
def list_budgets(at: AtGraphs) -> None:
    """List your budgets of calls."""
    found = at.call("budget_list")
    lines = [f"{each['name']}: {each['left']} of {each['calls']} calls left" for each in found["budgets"]]
    at.say(found, "\n".join(lines) or "There are none yet. Add one: planloom graph budget set NAME CALLS")


@budgets.command("remove")
@bundled
def remove_budget(name: BudgetName, at: AtGraphs) -> None:
    """Remove a budget: runs that name it make no further call."""
    found = at.call("budget_delete", name=name)
    at.say(found, f"Removed {found['deleted']}.")


def _time(time: str | None) -> str:
    return time[:16].replace("T", " ") if time else "never"
