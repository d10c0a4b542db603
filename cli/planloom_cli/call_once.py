"""Calls a tool that creates or changes a plan so that it takes effect once, also if calls or responses are lost."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from planloom.core.errors import RequestInProgress
from planloom_cli.retry_calls import say, with_retries
from planloom_cli.service import Service, ServiceError, Unreachable, connect


async def call_once(
    service: Service, tool: str, say: Callable[[str], object] = say, **arguments: Any
) -> dict[str, Any]:
    """Return the response of *tool*; if it is lost, repeat the call for a minute.

    All calls have the same client_request_id, so that a repeat creates no second plan, run or edit. Raises
    ServiceError, KeyRefused; Unreachable after the minute.
    """
    request_id = str(uuid4())

    async def call() -> dict[str, Any]:
        # a connection ends with the first call that is lost on it
        async with connect(service.address) as fresh:
            try:
                return await fresh.call(tool, **arguments, client_request_id=request_id)
            except ServiceError as error:
                if error.code == RequestInProgress.code:
                    raise Unreachable("The service has not answered yet.") from error
                raise

    return await with_retries(call, say)
