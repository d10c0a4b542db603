"""Options and arguments of several commands, and dataclasses that bundle them as one parameter."""

import inspect
import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from planloom.planes import PLANES
from planloom_cli.state import default_state

#: The planes by the names that `planloom mcp --tools` takes.
SERVED = {"plans" if plane.name == "strategic" else plane.name: plane for plane in PLANES}

Url = Annotated[
    str | None, typer.Option(envvar="PLANLOOM_URL", help="URL of a deployed service, instead of the local one.")
]
Key = Annotated[str | None, typer.Option(envvar="PLANLOOM_KEY", help="API key of the deployed service (pex_...).")]
State = Annotated[
    Path,
    typer.Option(
        envvar="PLANLOOM_STATE",
        default_factory=default_state,
        show_default="your data directory",
        help="Folder in which the embedded AWS stores its plans.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON on standard output.")]
#: The first one that is set names the folder for files; the second is its name in the specification (6.7).
FOLDER_VARIABLES = ("PLANLOOM_PATH", "PLANEXE_PATH")
PlanId = Annotated[str, typer.Argument(help="ID of the plan, as `planloom draft` and `planloom list` print it.")]


def _expanded(folder: Path) -> Path:
    # no shell expands ~ in settings files
    return folder.expanduser()


Output = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        envvar=list(FOLDER_VARIABLES),
        callback=_expanded,
        help="Folder for the report and the zip.",
    ),
]


class Says:
    """Prints results as text, or as JSON with ``--json``."""

    as_json: bool

    def say(self, found: Any, text: str) -> None:
        """Print *found* as one line of JSON with ``--json``, else *text*."""
        typer.echo(json.dumps(found) if self.as_json else text)


def bundled(command: Callable[..., None]) -> Callable[..., None]:
    """Return *command* with each dataclass parameter replaced by its fields, as options.

    Typer reads the new signature; the command still gets the dataclass.
    """
    parameters = inspect.signature(command).parameters.values()
    bundles: dict[str, Any] = {each.name: each.annotation for each in parameters if is_dataclass(each.annotation)}
    options = [
        option.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for bundle in bundles.values()
        for option in inspect.signature(bundle).parameters.values()
    ]

    @wraps(command)
    def typed(**values: Any) -> None:
        made = {
            name: bundle(**{field.name: values.pop(field.name) for field in fields(bundle)})
            for name, bundle in bundles.items()
        }
        command(**made, **values)

    shown = [*(each for each in parameters if each.name not in bundles), *options]
    typed.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    typed.__annotations__ = {each.name: each.annotation for each in shown}
    return typed
