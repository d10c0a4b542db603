"""`planloom facts`: shows the facts read from a goal, by the service if there is one, else by this process."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from planloom.core.errors import PlanloomError
from planloom.models.errors import ModelError
from planloom.models.profile import ModelProfile
from planloom.models.profiles import Models, all_profiles
from planloom.planes.strategic.example_prompts import example_prompts
from planloom.planes.strategic.facts.given import FactsGiven
from planloom.planes.strategic.plans import Detail
from planloom.planes.strategic.services.create_plan import checked_prompt
from planloom.wiring.models import make_models
from planloom_cli import exits
from planloom_cli.draft import example_named, goal_from
from planloom_cli.facts_file import FactsFile, facts_given
from planloom_cli.model_environment import model_environment
from planloom_cli.reach import AtService, reach
from planloom_cli.service import Service, ServiceError
from planloom_cli.show_facts import as_text

#: Calls of the service, each of which waits 13 seconds for the model; together more than its longest reading.
MOST_CALLS = 30


def facts(
    at: AtService,
    goal: Annotated[str | None, typer.Argument(help="The goal, in quotes; or use --file or --example.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Text file with the goal; '-' is stdin.")] = None,
    example: Annotated[str | None, typer.Option(help="An example prompt; `planloom examples` lists them.")] = None,
    profile: Annotated[str, typer.Option(help="Model profile: baseline, premium, frontier, custom.")] = "baseline",
    given: FactsFile = None,
    detail: Annotated[
        str, typer.Option(help="Length of the plan for the estimate: brief, standard, full.")
    ] = "standard",
    rules: Annotated[
        bool, typer.Option("--rules", help="Read the goal with rules in this process; call no model.")
    ] = False,
) -> None:
    """Show the facts read from a goal, open questions and what a plan would cost; start no plan.

    Uses the service at --url, else the one that `planloom up` runs. Without a service, this process reads the goal:
    with the model of the profile if the environment configures one, else with rules.
    """
    prompt = goal_from(goal, file, example)
    corrected = facts_given(given)
    address = None if rules else at.address()
    if address:
        found = reach(address, lambda service: _from_service(service, prompt, example, profile, detail, corrected))
    else:
        goal_text = prompt if example is None else _example(example)
        found = _read_here(goal_text, profile, detail, corrected, by_rules=rules)
    source = f"--example {example}" if example else f"--file {file}" if file else '"..."'
    at.say(found, as_text(found, source, profile))
    if found["state"] == "reading":
        exits.leave(
            exits.FAILED,
            "The model is still reading the goal; the facts above were read with rules. Repeat the command later.",
        )
    if found["state"] == "failed":
        exits.leave(
            exits.FAILED,
            f"The model could not read the goal: {found['error']['message']} The facts above were read with rules.",
        )


async def _from_service(
    service: Service, prompt: str, example: str | None, profile: str, detail: str, corrected: dict[str, Any] | None
) -> dict[str, Any]:
    """Return the facts that the service reads from the goal, after its model has read it."""
    text = await example_named(service, example) if example else prompt
    asked: dict[str, Any] = {"prompt": text, "model_profile": profile}
    options = ({"facts": corrected} if corrected else {}) | ({"detail": detail} if detail != "standard" else {})
    for _ in range(MOST_CALLS):
        # not `call`: the response of a failed reading has an error and also facts
        answer = await service.answer("plan_facts", asked | options)
        body = answer.structured_content or {}
        if answer.is_error:
            error = body.get("error") or {}
            raise ServiceError(str(error.get("code", PlanloomError.code)), str(error.get("message", "")))
        if body["state"] != "reading":
            break
        asked = {"facts_id": body["facts_id"]}
        await asyncio.sleep(body["poll_after_sec"])
    return {**body.pop("facts"), **body}


def _example(name: str) -> str:
    known = {sample["id"]: str(sample["prompt"]) for sample in example_prompts()}
    if name not in known:
        exits.leave(exits.REFUSED, f"There is no example '{name}'. Use one of: {', '.join(known)}.")
    return known[name]


def _read_here(
    goal: str, profile: str, detail: str, corrected: dict[str, Any] | None, *, by_rules: bool
) -> dict[str, Any]:
    models = make_models(model_environment())
    try:
        return asyncio.run(
            _read(models, checked_prompt(goal), _profile(profile), _detail(detail), corrected, by_rules=by_rules)
        )
    except PlanloomError as error:
        exits.leave(exits.REFUSED, f"{error.code}: {error.message}")


def _profile(name: str) -> ModelProfile:
    found: dict[str, ModelProfile] = {str(each): each for each in all_profiles()}
    if name not in found:
        exits.leave(exits.REFUSED, f"There is no model profile '{name}'. Use one of: {', '.join(found)}.")
    return found[name]


def _detail(name: str) -> Detail:
    found: dict[str, Detail] = {each: each for each in get_args(Detail)}
    if name not in found:
        exits.leave(exits.REFUSED, f"There is no detail '{name}'. Use one of: {', '.join(found)}.")
    return found[name]


async def _read(
    models: Models,
    goal: str,
    profile: ModelProfile,
    detail: Detail,
    corrected: dict[str, Any] | None,
    *,
    by_rules: bool,
) -> dict[str, Any]:
    """Return the response of plan_facts, made in this process."""
    # imported here: other commands do not need the tables
    from planloom.planes.strategic.facts.echo import corrections
    from planloom.planes.strategic.facts.given import apply_given
    from planloom.planes.strategic.facts.shown import shown
    from planloom.planes.strategic.outline.choose import kinds, read_by_rules
    from planloom.planes.strategic.quote import quote
    from planloom.planes.strategic.report.goal_marks import segments

    today = datetime.now(UTC).date()
    cost = quote(models, profile, goal, detail)
    error: dict[str, str] | None = None
    read = read_by_rules(goal, today)
    if not by_rules and not models.outline_only(profile):
        from planloom.planes.strategic.services.read_goal import MODEL_FAILED, read_with

        try:
            read, _ = await read_with(models.model(profile), goal, today, kinds())
        except ModelError as failure:
            error = {"code": MODEL_FAILED, "message": failure.message}
        finally:
            await models.close()
    if corrected:
        read = apply_given(read, corrections(FactsGiven.model_validate(corrected), read), kinds())
    return {
        **shown(read).model_dump(mode="json"),
        "facts_id": None,
        "state": "failed" if error else "ready",
        "poll_after_sec": None,
        "model_profile": profile,
        "goal": [part.model_dump(mode="json") for part in segments(goal, read)],
        "quote": cost.model_dump(mode="json") | {"credits": None},
        "error": error,
    }
