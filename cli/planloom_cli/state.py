"""The default folder for the state of the embedded AWS."""

from pathlib import Path

from platformdirs import user_data_path


def default_state() -> Path:
    """Return the folder ``planloom`` in the user's data directory."""
    return user_data_path("planloom", appauthor=False)
