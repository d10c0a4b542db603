"""Calls planloom's own tools by invoking the Lambda of the API, as the gateway does, for the account of a run."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from planloom.tools.tool import NotReached
from planloom.tools.unwrap import ToolFailed

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient

#: The key of a call by a run: no API key has this hash.
KEY = "run"


class LambdaOwnTools:
    """Implements planloom.tools.own.OwnTools on Lambda. *paths* holds the path of each plane's MCP endpoint."""

    def __init__(self, connect: Callable[[], "LambdaClient"], function: str, paths: Mapping[str, str]) -> None:
        self._connect = connect
        self._function = function
        self._paths = paths

    async def call(self, account: str, name: str, args: Mapping[str, Any]) -> Any:
        plane, _, tool = name.partition("_")
        if not self._function or plane not in self._paths:
            raise NotReached(f"planloom has no tool “{name}” here.")
        message = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": tool, "arguments": dict(args)},
        }
        answer = await asyncio.to_thread(self._invoke, gateway_event(self._paths[plane], message, account))
        found = json.loads(answer.get("body") or "{}")
        if "error" in found:
            raise ToolFailed(str(found["error"].get("message", found["error"])))
        return found["result"]

    def _invoke(self, event: dict[str, Any]) -> dict[str, Any]:
        client = self._connect()
        try:
            answer = client.invoke(FunctionName=self._function, Payload=json.dumps(event).encode())
        except (client.exceptions.TooManyRequestsException, client.exceptions.ResourceNotFoundException) as error:
            raise NotReached(f"planloom's own tools cannot be called now: {error}") from error
        except Exception as error:
            raise ConnectionError(f"planloom's own tool did not answer: {type(error).__name__}") from error
        found: dict[str, Any] = json.loads(answer["Payload"].read() or b"{}")
        if answer.get("FunctionError") or "body" not in found:
            raise ConnectionError("planloom's own tool failed without an answer.")
        return found


def gateway_event(path: str, message: Mapping[str, Any], account: str) -> dict[str, Any]:
    """Return the request that the gateway would pass on, whose authorizer found *account*."""
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream", "host": "localhost"}
    return {
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": "POST",
        "headers": headers,
        "multiValueHeaders": {name: [value] for name, value in headers.items()},
        "queryStringParameters": None,
        "multiValueQueryStringParameters": None,
        "requestContext": {
            "authorizer": {"account": account, "key": KEY},
            "identity": {"sourceIp": "127.0.0.1"},
        },
        "body": json.dumps(message, ensure_ascii=False),
        "isBase64Encoded": False,
    }
