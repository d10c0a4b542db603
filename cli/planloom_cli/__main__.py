"""`python -m planloom_cli`: the command, if its script is not on the path."""

from planloom_cli.main import app

app()
