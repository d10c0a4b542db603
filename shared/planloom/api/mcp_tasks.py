"""The MCP extension for tasks: long calls continue as tasks, for clients that declare that they poll them."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, TypeVar

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    CallToolResult,
    ClientCapabilities,
    RequestParams,
)
from pydantic import Field

from planloom.core.endpoint import ApiModel, Endpoint
from planloom.core.errors import PlanloomError
from planloom.core.plane import Plane
from planloom.core.tasks import LongTool, Question, Task, TaskCall
from planloom.transports.call import Wiring, with_ports
from planloom.transports.caller import RequestCaller
from planloom.transports.errors import error_body
from planloom.transports.mcp_results import error_result, result_of

EXTENSION = "io.modelcontextprotocol/tasks"
#: Status of a task by the state of its work.
STATUS = {"working": "working", "asking": "input_required", "ended": "completed", "cancelled": "cancelled"}

Ctx = ServerRequestContext[Any, Any]
T = TypeVar("T")


class TaskParams(RequestParams):
    """Parameters of a request about a task."""

    task_id: str = Field(max_length=400)


class UpdateParams(TaskParams):
    """Answers to questions of a task, by the keys of the questions."""

    input_responses: dict[str, Any]


class PlaneTasks:
    """The tasks of one plane's tools. A task is named by its tool and what that calls the work."""

    def __init__(self, plane: Plane, wiring: Wiring) -> None:
        self._tools = plane.long_tools
        self._wiring = wiring
        known: tuple[tuple[str, type[TaskParams], Any], ...] = (
            ("tasks/get", TaskParams, self._get),
            ("tasks/update", UpdateParams, self._update),
            ("tasks/cancel", TaskParams, self._cancel),
        )
        self.handlers = known if self._tools else ()
        self.extensions: tuple[tuple[str, dict[str, Any]], ...] = ((EXTENSION, {}),) if self._tools else ()

    def of_call(
        self, ctx: Ctx, endpoint: Endpoint, request: ApiModel, response: Any, caller: RequestCaller
    ) -> dict[str, Any] | None:
        """Return the task as which a call of a tool continues; None where *response* is its result."""
        tool = self._tools.get(endpoint.name)
        if tool is None or not _declared(ctx) or not (key := tool.key(request, response)):
            return None
        task = self._look(tool, TaskCall(key, _can_ask(ctx)), caller)
        # it ended while the response was made: then the result is there already
        return (
            {"resultType": "task", **_shown(f"{endpoint.name}.{key}", task)}
            if task.state in ("working", "asking")
            else None
        )

    async def _get(self, ctx: Ctx, params: TaskParams) -> dict[str, Any]:
        task = await self._on_task(ctx, params, self._look)
        shown = _shown(params.task_id, task)
        if task.state == "asking":
            shown["inputRequests"] = {key: _asked(each) for key, each in task.questions.items()}
        if task.state == "ended":
            result = error_result(task.error) if task.error else result_of(task.response)
            shown["result"] = _wire(result)
        return shown

    async def _cancel(self, ctx: Ctx, params: TaskParams) -> dict[str, Any]:
        def cancel(tool: LongTool, asked: TaskCall, caller: RequestCaller) -> None:
            # one that ended in the meantime is acknowledged too
            if self._look(tool, asked, caller).state in ("working", "asking"):
                with_ports(self._wiring, tool.cancel, asked, caller)

        await self._on_task(ctx, params, cancel)
        return {}

    async def _update(self, ctx: Ctx, params: UpdateParams) -> dict[str, Any]:
        def answer(tool: LongTool, asked: TaskCall, caller: RequestCaller) -> None:
            given = {key: _content(each) for key, each in params.input_responses.items()}
            answers = {key: content for key, content in given.items() if content is not None}
            # raises where there is no such task
            self._look(tool, asked, caller)
            if tool.answer is not None and answers:
                with_ports(self._wiring, tool.answer, TaskCall(asked.key, asked.can_ask, answers), caller)

        await self._on_task(ctx, params, answer)
        return {}

    def _look(self, tool: LongTool, asked: TaskCall, caller: RequestCaller) -> Task:
        task: Task = with_ports(self._wiring, tool.look, asked, caller)
        return task

    async def _on_task(self, ctx: Ctx, params: TaskParams, work: Callable[[LongTool, TaskCall, RequestCaller], T]) -> T:
        """Return what *work* returns for the task that *params* name. Raises MCPError."""
        if not _declared(ctx):
            needed: dict[str, Any] = {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}
            raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, f"Declare the extension {EXTENSION}.", needed)
        name, _, key = params.task_id.partition(".")
        tool = self._tools.get(name)
        if tool is None or not key:
            raise MCPError(code=INVALID_PARAMS, message=f"There is no task {params.task_id[:80]}.")
        caller = RequestCaller(ctx.request.scope if ctx.request else {})
        try:
            return await asyncio.to_thread(work, tool, TaskCall(key, _can_ask(ctx)), caller)
        except PlanloomError as error:
            raise MCPError(code=INVALID_PARAMS, message=error.message, data={"error": error_body(error)}) from error


def _declared(ctx: Ctx) -> bool:
    """Return whether the client says with this request that it can poll tasks; clients of 2025 cannot say so."""
    return ctx.session.check_client_capability(ClientCapabilities(extensions={EXTENSION: {}}))


def _can_ask(ctx: Ctx) -> bool:
    known = ctx.session.client_capabilities
    asking = known.elicitation if known else None
    # without modes, forms are meant
    return asking is not None and (asking.form is not None or asking.url is None)


def _shown(task_id: str, task: Task) -> dict[str, Any]:
    shown = {
        "taskId": task_id,
        "status": STATUS[task.state],
        "statusMessage": task.message,
        "createdAt": task.created_at.isoformat(),
        "lastUpdatedAt": task.changed_at.isoformat(),
        "ttlMs": _milliseconds(task.kept) if task.kept else None,
        "pollIntervalMs": _milliseconds(task.poll),
    }
    return {name: value for name, value in shown.items() if value != ""}


def _milliseconds(time: timedelta) -> int:
    return int(time.total_seconds() * 1000)


def _asked(question: Question) -> dict[str, Any]:
    asked = {"mode": "form", "message": question.text, "requestedSchema": dict(question.answer)}
    return {"method": "elicitation/create", "params": asked}


def _content(answer: Any) -> Mapping[str, Any] | None:
    """Return what a person answered; None where they declined."""
    if not isinstance(answer, Mapping) or answer.get("action") != "accept":
        return None
    content = answer.get("content")
    return content if isinstance(content, Mapping) else {}


def _wire(result: CallToolResult) -> dict[str, Any]:
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)
