"""The tool plan_download of the local MCP server: saves the report or zip on this machine (specification, 6.7)."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from mcp.types import CallToolResult, Tool, ToolAnnotations
from pydantic import BaseModel, Field, ValidationError

from planloom.core.errors import PlanloomError
from planloom.transports.errors import invalid_argument
from planloom.transports.mcp_results import error_result, value_result
from planloom_cli.options import FOLDER_VARIABLES
from planloom_cli.save_files import fetch_file, write_file
from planloom_cli.service import Service, ServiceError

NAME = "plan_download"


class DownloadFailed(PlanloomError):
    """A file could not be fetched, or not be written on this machine."""

    code = "DOWNLOAD_FAILED"


class DownloadRequest(BaseModel):
    """Arguments of plan_download."""

    plan_id: str = Field(description="UUID returned by plan_create. Use that exact UUID.")
    artifact: Literal["report", "zip"] = Field(
        default="report", description="report: interactive HTML. zip: all intermediary files (md, json, csv)."
    )


TOOL = Tool(
    name=NAME,
    title="Download to this machine",
    description=(
        "Saves the report or the zip of a completed plan on this machine and returns saved_path. The folder is that of "
        "the environment variable PLANLOOM_PATH or PLANEXE_PATH, else the current one. An existing file is never "
        "overwritten: -1, -2 is appended to the name. Returns {} while the file is not ready: keep polling "
        "plan_status. error DOWNLOAD_FAILED: the file could not be fetched or written; the message has the reason."
    ),
    input_schema=DownloadRequest.model_json_schema(),
    annotations=ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False),
)


async def plan_download(
    service: Service, arguments: Mapping[str, Any], environment: Mapping[str, str]
) -> CallToolResult:
    """Save the file and return the response of plan_file_info with ``saved_path``.

    If there is no file, the response of plan_file_info is returned unchanged. Raises DownloadFailed, Unreachable.
    """
    try:
        asked = DownloadRequest.model_validate(arguments)
    except ValidationError as error:
        return error_result(invalid_argument(error.errors(include_input=False, include_url=False)))
    folder = _folder(environment)
    found = await service.answer("plan_file_info", asked.model_dump())
    info = found.structured_content or {}
    if found.is_error or "download_url" not in info:
        return found
    saved = await _save(asked, info, folder)
    return value_result(info | {"saved_path": str(saved)})


async def _save(asked: DownloadRequest, info: Mapping[str, Any], folder: Path) -> Path:
    try:
        return write_file(folder, info["plan_id"], asked.artifact, await fetch_file(info)).absolute()
    except ServiceError as error:
        raise DownloadFailed(error.message) from error
    except OSError as error:
        raise DownloadFailed(
            f"The {asked.artifact} cannot be written to {folder}: {error.strerror}. Set {FOLDER_VARIABLES[0]} to a "
            "writable folder."
        ) from error


def _folder(environment: Mapping[str, str]) -> Path:
    name = next((name for name in FOLDER_VARIABLES if environment.get(name)), "")
    # no shell expands ~ in the settings of clients
    folder = Path(environment[name]).expanduser() if name else Path()
    # os.path: it returns False, where Path raises, if permission is missing; the write then fails with the reason
    if os.path.exists(folder) and not os.path.isdir(folder):
        raise DownloadFailed(f"{folder} is a file, not a folder. Set {name} to a folder.")
    return folder
