"""Drafts a plan: creates it, follows it to the end, saves the report and the zip."""

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer
from rich.console import Console

from planloom_cli import exits
from planloom_cli.call_once import call_once
from planloom_cli.follow import follow
from planloom_cli.next_step import next_step
from planloom_cli.save_files import save_file
from planloom_cli.service import Service

ENDED = {"failed": "failed", "stopped": "was stopped"}


@dataclass(frozen=True)
class Drafted:
    """The result of a draft: ``report`` and ``zip`` if it completed, else ``message`` and ``next_step``."""

    plan_id: str
    state: str
    steps_completed: int
    steps_total: int
    message: str = ""
    next_step: str = ""
    report: Path | None = None
    zip: Path | None = None


async def draft_plan(
    service: Service,
    prompt: str,
    profile: str,
    derived_from: str | None,
    facts: dict[str, Any] | None,
    detail: str,
    output: Path,
    console: Console,
) -> Drafted:
    """Draft a plan from *prompt*, showing progress on *console*, and save its files into *output*.

    *derived_from* is the id of the plan that it was made from; *facts* correct the facts read from the prompt; *detail*
    sets the length of the plan. Raises ServiceError if the service returns an error.
    """
    more = {"derived_from": derived_from, "facts": facts, "detail": "" if detail == "standard" else detail}
    asked = {"prompt": prompt, "model_profile": profile} | {name: value for name, value in more.items() if value}
    created = await call_once(service, "plan_create", console.print, **asked)
    plan_id = created["plan_id"]
    console.print(f"plan {plan_id}", highlight=False)
    if hint := without_a_model((await service.call("model_profiles"))["profiles"], profile):
        console.print(hint, highlight=False)
    return await follow_and_save(service, plan_id, output, console)


def without_a_model(profiles: list[dict[str, Any]], profile: str) -> str | None:
    """Return a hint if *profile* has no language model: which of *profiles* has one, or how to configure one."""
    models = {found["profile"]: found["models"] for found in profiles}
    if any(model["provider_class"] != "Outline" for model in models.get(profile, [])):
        return None
    other = next((name for name in models if name != profile), None)
    hint = f"--profile {other} uses {models[other][0]['model']}" if other else "`planloom models` shows how to add one"
    return f"drafting with the outline, without a language model; {hint}"


async def follow_and_save(service: Service, plan_id: str, output: Path, console: Console) -> Drafted:
    """Follow a plan to its end, showing progress on *console*, and save its files into *output*."""
    status = await follow(service, plan_id, console)
    done = Drafted(plan_id, status["state"], status["steps_completed"], status["steps_total"])
    if done.state != "completed":
        message = status.get("error", {}).get("message") or f"The plan {ENDED[done.state]}."
        return replace(done, message=message, next_step=next_step(status))
    report = await save_file(service, plan_id, "report", output)
    archive = await save_file(service, plan_id, "zip", output)
    return replace(done, report=report, zip=archive)


def print_result(done: Drafted, as_json: bool) -> None:
    """Print the paths of the files; end the command with another exit code than 0 if the plan did not complete."""
    if as_json:
        fields = {name: str(value) for name, value in vars(done).items() if value not in (None, "")}
        counts = {"steps_completed": done.steps_completed, "steps_total": done.steps_total}
        typer.echo(json.dumps(fields | counts))
    elif done.report:
        typer.echo(f"{done.report}\n{done.zip}")
    if done.state != "completed":
        code = exits.FAILED if done.state == "failed" else exits.STOPPED
        exits.leave(code, f"plan {done.plan_id}: {done.message} {done.next_step}".rstrip())


async def example_named(service: Service, name: str) -> str:
    """Return the example prompt *name*; end the command if there is none."""
    samples = (await service.call("example_prompts"))["samples"]
    found = next((sample["prompt"] for sample in samples if sample["id"] == name), None)
    if found is None:
        names = ", ".join(sample["id"] for sample in samples)
        exits.leave(exits.REFUSED, f"There is no example '{name}'. Use one of: {names}.")
    return str(found)


def goal_from(goal: str | None, file: Path | None, example: str | None) -> str:
    """Return the goal, which must be given in exactly one of three ways; end the command otherwise."""
    if sum(given is not None for given in (goal, file, example)) != 1:
        exits.leave(
            exits.REFUSED, "The goal is missing or given twice. Give it in quotes, with --file or with --example."
        )
    text = (goal or "") if file is None else _read(file)
    if not text.strip() and example is None:
        # checked here, before a local service is started
        exits.leave(exits.REFUSED, "The goal is empty. Describe it in prose; `planloom examples` lists examples.")
    return text


def _read(file: Path) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        exits.leave(exits.REFUSED, f"The file {file} cannot be read as text: {error}. Use a UTF-8 text file.")
