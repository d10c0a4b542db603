"""Exit codes for scripts, and the error message on standard error.

| code | meaning                                                             |
|------|---------------------------------------------------------------------|
| 0    | success                                                             |
| 1    | the plan failed, or the model could not read the goal               |
| 2    | the command line is invalid, or the service rejected the request    |
| 3    | no service could be reached or started                              |
| 4    | the API key was rejected                                            |
| 5    | the plan was stopped                                                |
| 130  | interrupted, or `rm` was not confirmed                              |
"""

from typing import NoReturn

import typer

FAILED, REFUSED, UNREACHABLE, KEY_REFUSED, STOPPED, INTERRUPTED = 1, 2, 3, 4, 5, 130


def leave(code: int, message: str) -> NoReturn:
    """Print *message* on standard error and end the command with *code*."""
    typer.echo(f"planloom: {message}", err=True)
    raise typer.Exit(code)
