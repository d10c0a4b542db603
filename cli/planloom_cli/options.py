"""The options and arguments that many commands take, each said once; and bundles of them, taken as one parameter."""

import inspect
import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from planloom_cli.state import default_state

Url = Annotated[str | None, typer.Option(envvar="PLANLOOM_URL", help="A deployed service, instead of the one here.")]
Key = Annotated[str | None, typer.Option(envvar="PLANLOOM_KEY", help="Its API key (pex_...).")]
State = Annotated[
    Path,
    typer.Option(
        envvar="PLANLOOM_STATE",
        default_factory=default_state,
        show_default="your data directory",
        help="Folder in which the embedded AWS keeps its plans.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Answer with one line of JSON on standard output.")]
#: The first one that is set says where files go; the second is its name in the specification (6.7).
FOLDER_VARIABLES = ("PLANLOOM_PATH", "PLANEXE_PATH")
PlanId = Annotated[str, typer.Argument(help="The id that draft printed; `planloom list` shows it too.")]


def _at_home(folder: Path) -> Path:
    # settings files hand ~ on as it stands
    return folder.expanduser()


Output = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        envvar=list(FOLDER_VARIABLES),
        callback=_at_home,
        help="Folder for report and zip.",
    ),
]


class Says:
    """Answers for people, or as JSON where that was asked for."""

    as_json: bool

    def say(self, found: Any, text: str) -> None:
        """Print *found* as one line of JSON where that was asked for, else *text*."""
        typer.echo(json.dumps(found) if self.as_json else text)


def bundled(command: Callable[..., None]) -> Callable[..., None]:
    """Return *command* with each parameter that is a dataclass replaced by the options that are its fields.

    Typer reads the signature that it finds; the command gets the dataclass, made of what was typed.
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
