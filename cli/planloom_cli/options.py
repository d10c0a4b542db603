"""The options and arguments that many commands take, each said once."""

from pathlib import Path
from typing import Annotated

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
PlanId = Annotated[str, typer.Argument(help="The id that draft printed; `planloom list` shows it too.")]
Output = Annotated[Path, typer.Option("--output", "-o", envvar="PLANLOOM_PATH", help="Folder for report and zip.")]
