"""Artifacts: the files of a plan, their names, kinds and hashes."""

import hashlib
import re
from datetime import datetime

from pydantic import Field

from planloom.core.errors import InvalidArgument
from planloom.core.frozen import Frozen

PROMPT = "001-2-plan.txt"
#: What the caller says of the goal's facts, beside the goal; only where anything was said.
GIVEN = "001-4-facts_given.json"
REPORT = "030-report.html"
QUALITY = "030-1-quality.json"
COMPLETE = "999-pipeline_complete.txt"

#: Log and error of a run, beside its artifacts; each is there only if there was something to write.
RUN_FILES = ("quality.json", "run.log", "run_error.json")
#: What may be in the bucket before, or without, a stage that lists it in the table.
BESIDE_THE_STAGES = (PROMPT, GIVEN, *RUN_FILES)

_PATH = re.compile(r"\d{3}-[\w.-]{1,120}", re.ASCII)
_TYPES = {
    "csv": "text/csv",
    "html": "text/html",
    "json": "application/json",
    "log": "text/plain",
    "md": "text/markdown",
    "mmd": "text/vnd.mermaid",
    "txt": "text/plain",
    "zip": "application/zip",
}


class Artifact(Frozen):
    """One file of a plan: ``path`` within the plan, ``size`` in bytes, ``sha256`` in hex."""

    path: str
    size: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    content_type: str
    updated_at: datetime
    edited: bool = Field(default=False, description="True: its stage made something else, see made_sha256")
    made_sha256: str | None = Field(default=None, description="The hash of what its stage made, where it was edited")


class FileVersion(Frozen):
    """One version of a file that the bucket keeps: ``version`` names it, newest first in a list."""

    version: str
    size: int = Field(ge=0)
    sha256: str | None = Field(description="In hex; None where it was stored without one")
    updated_at: datetime
    current: bool = Field(description="True for what is there now; none is where the file was deleted")


def artifact(path: str, content: bytes, now: datetime) -> Artifact:
    """Describe *content* as the artifact *path*, written *now*."""
    return Artifact(
        path=checked(path),
        size=len(content),
        sha256=sha256_of(content),
        content_type=content_type_of(path),
        updated_at=now,
    )


def checked(path: str) -> str:
    """Return *path* if it names an artifact (``NNN-...``, no folders); raise InvalidArgument otherwise."""
    if path in RUN_FILES:
        return path
    if not _PATH.fullmatch(path) or ".." in path:
        raise InvalidArgument(f"'{path[:80]}' is not an artifact path: expected NNN-name.ext, without folders.")
    return path


def content_type_of(path: str) -> str:
    """Return the media type of *path* by its ending."""
    return _TYPES.get(path.rsplit(".", 1)[-1], "application/octet-stream")


def is_text(content_type: str) -> bool:
    """Say whether *content_type* is read as UTF-8 text."""
    return content_type.startswith("text/") or content_type == "application/json"


def sha256_of(content: bytes) -> str:
    """Return the SHA-256 of *content* in hex."""
    return hashlib.sha256(content).hexdigest()
