"""Saves reports and zips of plans: completely or not at all, and never over an existing file."""

import hashlib
import itertools
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2

from planloom.core.errors import PlanNotCompleted
from planloom_cli.service import Service, ServiceError

FILENAMES = {"report": "{plan_id}-030-report.html", "zip": "{plan_id}-run.zip", "export": "{plan_id}-export.zip"}


class NotWritten(OSError):
    """A file could not be written."""


async def save_file(service: Service, plan_id: str, artifact: str, folder: Path) -> Path:
    """Download *artifact* (``report`` or ``zip``) into *folder* and return its path.

    Raises ServiceError if it is not ready or damaged, NotWritten.
    """
    info = await file_info(service, plan_id, artifact)
    return write_file(folder, info["plan_id"], artifact, await fetch_file(info))


async def file_info(service: Service, plan_id: str, artifact: str) -> dict[str, Any]:
    """Return the response of plan_file_info for *artifact*. Raises ServiceError if it is not ready."""
    info = await service.call("plan_file_info", plan_id=plan_id, artifact=artifact)
    if not info:
        raise ServiceError(
            PlanNotCompleted.code,
            f"The {artifact} is not ready. `planloom status {plan_id}` shows the progress of the plan.",
        )
    return info


async def fetch_file(info: Mapping[str, Any]) -> bytes:
    """Return the file that *info* (a response of plan_file_info) links to. Raises ServiceError if it is damaged."""
    try:
        async with httpx2.AsyncClient(timeout=60, follow_redirects=False) as http:
            answer = await http.get(info["download_url"])
    except httpx2.HTTPError as lost:
        raise ServiceError(
            "content_unavailable", f"The file could not be downloaded ({type(lost).__name__}). Try again."
        ) from lost
    if answer.status_code != 200 or hashlib.sha256(answer.content).hexdigest() != info["sha256"]:
        raise ServiceError(
            "content_unavailable", f"The downloaded file is damaged (HTTP {answer.status_code}). Try again."
        )
    return answer.content


def write_file(folder: Path, plan_id: str, artifact: str, content: bytes) -> Path:
    """Write *content* under the name in the specification (6.7), with a number if that exists; return the path."""
    return write_new(folder, FILENAMES[artifact].format(plan_id=plan_id), content)


def write_new(folder: Path, name: str, content: bytes) -> Path:
    """Write *content* under *name*, with a number appended if that exists; return the path. Raises NotWritten."""
    try:
        return _write(folder, name, content)
    except OSError as error:
        raise NotWritten(error.errno, error.strerror, error.filename) from error


def _write(folder: Path, name: str, content: bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = _reserve(folder, name)
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(content)
        os.replace(part, path)
    except BaseException:
        part.unlink(missing_ok=True)
        path.unlink()
        raise
    return path


def _reserve(folder: Path, name: str) -> Path:
    """Create an empty file under *name*, with a number appended if that exists, to reserve the name."""
    stem, suffix = Path(name).stem, Path(name).suffix
    for number in itertools.count():
        path = folder / (f"{stem}-{number}{suffix}" if number else name)
        with suppress(FileExistsError):
            path.touch(exist_ok=False)
            return path
    raise AssertionError("numbers do not end")
