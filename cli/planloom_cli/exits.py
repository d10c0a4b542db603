"""How the command ends: exit codes that a script can use, and one line on standard error that says what to do.

| code | meaning                                                             |
|------|---------------------------------------------------------------------|
| 0    | done                                                                |
| 1    | the plan failed, or a model could not read the goal                 |
| 2    | the words of the command are off, or the service refused what it was sent |
| 3    | no service could be reached or started                              |
| 4    | the API key was refused                                             |
| 5    | the plan was stopped                                                |
| 130  | interrupted, or `rm` was not confirmed                              |
"""

from typing import NoReturn

import typer

FAILED, REFUSED, UNREACHABLE, KEY_REFUSED, STOPPED, INTERRUPTED = 1, 2, 3, 4, 5, 130


def leave(code: int, message: str) -> NoReturn:
    """End the command with *code* after *message* on standard error."""
    typer.echo(f"planloom: {message}", err=True)
    raise typer.Exit(code)
