"""Say what is understood of a goal: by the service where there is one, else in this process; no plan is started."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, get_args

import typer

from planloom.domain.errors import PlanloomError
from planloom.domain.model_errors import ModelError
from planloom.domain.plans import Detail, ModelProfile
from planloom.facts.given import FactsGiven
from planloom.models.profiles import Models, all_profiles
from planloom.planes.strategic.example_prompts import example_prompts
from planloom.services.create_plan import checked_prompt
from planloom.wiring import make_models
from planloom_cli import exits
from planloom_cli.draft import example_named, goal_from
from planloom_cli.given import FactsFile, facts_given
from planloom_cli.model_environment import model_environment
from planloom_cli.reach import AtService, reach
from planloom_cli.service import Service, ServiceError
from planloom_cli.show_facts import as_text

#: Calls of the service, each of which waits 13 seconds for the model: as long as its reader may take.
MOST_CALLS = 30


def facts(
    at: AtService,
    goal: Annotated[str | None, typer.Argument(help="The goal, in quotes; or use --file or --example.")] = None,
    file: Annotated[Path | None, typer.Option("--file", "-f", help="Text file with the goal; '-' is stdin.")] = None,
    example: Annotated[str | None, typer.Option(help="An example prompt; `planloom examples` lists them.")] = None,
    profile: Annotated[str, typer.Option(help="Model profile: baseline, premium, frontier, custom.")] = "baseline",
    given: FactsFile = None,
    detail: Annotated[str, typer.Option(help="What the quote is for: brief, standard, full.")] = "standard",
    rules: Annotated[bool, typer.Option("--rules", help="Read by rules, in this process; no model is asked.")] = False,
) -> None:
    """Say what is understood of a goal, what is unclear, what to answer first, and what a plan would cost.

    Nothing is started. Uses the service at --url, else the one that `planloom up` runs, else reads in this process:
    with the profile's model where the environment sets one up, else by rules.
    """
    prompt = goal_from(goal, file, example)
    said = facts_given(given)
    address = None if rules else at.address()
    if address:
        found = reach(address, lambda service: _asked(service, prompt, example, profile, detail, said))
    else:
        found = _read_here(prompt if example is None else _example(example), profile, detail, said, by_rules=rules)
    source = f"--example {example}" if example else f"--file {file}" if file else '"..."'
    at.say(found, as_text(found, source, profile))
    if found["state"] == "reading":
        exits.leave(exits.FAILED, "the model still reads the goal, and what is shown was read by rules. Ask again.")
    if found["state"] == "failed":
        exits.leave(exits.FAILED, f"the model could not read the goal: {found['error']['message']}")


async def _asked(
    service: Service, prompt: str, example: str | None, profile: str, detail: str, said: dict[str, Any] | None
) -> dict[str, Any]:
    """Return what the service understands of the goal, once its model has read it."""
    text = await example_named(service, example) if example else prompt
    asked: dict[str, Any] = {"prompt": text, "model_profile": profile}
    corrected = ({"facts": said} if said else {}) | ({"detail": detail} if detail != "standard" else {})
    for _ in range(MOST_CALLS):
        # not by `call`: a reading that failed has an error, and facts beside it
        answer = await service.answer("plan_facts", asked | corrected)
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
        exits.leave(exits.REFUSED, f"there is no example '{name}'. Those there are: {', '.join(known)}.")
    return known[name]


def _read_here(goal: str, profile: str, detail: str, said: dict[str, Any] | None, *, by_rules: bool) -> dict[str, Any]:
    models = make_models(model_environment())
    try:
        return asyncio.run(
            _read(models, checked_prompt(goal), _profile(profile), _detail(detail), said, by_rules=by_rules)
        )
    except PlanloomError as error:
        exits.leave(exits.REFUSED, f"{error.code}: {error.message}")


def _profile(name: str) -> ModelProfile:
    found: dict[str, ModelProfile] = {str(each): each for each in all_profiles()}
    if name not in found:
        exits.leave(exits.REFUSED, f"there is no profile '{name}'. Those there are: {', '.join(found)}.")
    return found[name]


def _detail(name: str) -> Detail:
    found: dict[str, Detail] = {each: each for each in get_args(Detail)}
    if name not in found:
        exits.leave(exits.REFUSED, f"there is no detail '{name}'. Those there are: {', '.join(found)}.")
    return found[name]


async def _read(
    models: Models,
    goal: str,
    profile: ModelProfile,
    detail: Detail,
    said: dict[str, Any] | None,
    *,
    by_rules: bool,
) -> dict[str, Any]:
    """Return what plan_facts answers, read in this process."""
    # other commands need none of the tables
    from planloom.facts.echo import corrections
    from planloom.facts.given import apply_given
    from planloom.facts.shown import shown
    from planloom.models.quote import quote
    from planloom.outline.choose import kinds, read_by_rules
    from planloom.report.goal_marks import segments

    today = datetime.now(UTC).date()
    cost = quote(models, profile, goal, detail)
    error: dict[str, str] | None = None
    read = read_by_rules(goal, today)
    if not by_rules and not models.outline_only(profile):
        from planloom.services.read_goal import MODEL_FAILED, read_with

        try:
            read, _ = await read_with(models.model(profile), goal, today, kinds())
        except ModelError as failure:
            error = {"code": MODEL_FAILED, "message": failure.message}
        finally:
            await models.close()
    if said:
        read = apply_given(read, corrections(FactsGiven.model_validate(said), read), kinds())
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
