"""Begin something at a service once, however often the call or its answer is lost on the way."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from planloom.domain.errors import RequestInProgress
from planloom_cli.patience import patiently, say
from planloom_cli.service import Service, ServiceError, Unreachable, connect


async def begin(service: Service, tool: str, say: Callable[[str], object] = say, **arguments: Any) -> dict[str, Any]:
    """Return the answer of *tool*, which creates or changes a plan; where it is lost, call again for a minute.

    All calls have one client_request_id, so that a second plan, run or edit never comes of them. Raises ServiceError,
    KeyRefused; Unreachable after the minute.
    """
    once = str(uuid4())

    async def call() -> dict[str, Any]:
        # a connection ends with the first call that is lost on it
        async with connect(service.address) as fresh:
            try:
                return await fresh.call(tool, **arguments, client_request_id=once)
            except ServiceError as error:
                if error.code == RequestInProgress.code:
                    raise Unreachable("The service has not answered yet.") from error
                raise

    return await patiently(call, say)
