"""Handler of the API: HTTP and MCP behind the gateway."""

import asyncio
import logging
from typing import Any

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext
from mangum import Mangum
from mangum.adapter import DEFAULT_TEXT_MIME_TYPES

from planloom.api import own_calls
from planloom.api.app import make_app
from planloom.planes.programs.ports import OWN_CALL
from planloom.tracing import traced

logger = Logger()
_serve = Mangum(make_app(), lifespan="off", text_mime_types=[*DEFAULT_TEXT_MIME_TYPES, "application/problem+json"])
# it logs every path, and those of signed and shared links need no key
logging.getLogger("mangum").setLevel(logging.WARNING)
# Mangum reads the thread's event loop on each call; other code may have removed it since it was set
_loop = asyncio.get_event_loop()


def _without_token(path: str) -> str:
    """Return *path* as it may be logged: with its token anyone can open a shared report, or respond to an approval."""
    return next((f"{start}..." for start in ("/shared/", "/approve/") if path.startswith(start)), path)


@logger.inject_lambda_context(clear_state=True)
@traced
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Return the response to one request that the gateway accepted."""
    if OWN_CALL in event:
        return own_calls.answer(event[OWN_CALL])
    logger.info("request", method=event["httpMethod"], path=_without_token(event["path"]))
    asyncio.set_event_loop(_loop)
    return dict(_serve(event, context))  # type: ignore[arg-type]  # two libraries, two types for the same object
