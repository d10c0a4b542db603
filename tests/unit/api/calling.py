"""Call the API Lambda as the gateway does, over HTTP and MCP, with the account that the authorizer found."""

import base64
import json
from dataclasses import dataclass, field
from typing import Any

from functions.api.handler import handler


@dataclass
class Context:
    """What Lambda hands a handler."""

    function_name: str = "api"
    memory_limit_in_mb: int = 1024
    invoked_function_arn: str = "arn:aws:lambda:eu-west-1:123456789012:function:api"
    aws_request_id: str = "request-1"


@dataclass
class Answer:
    """Status, headers and body of an HTTP answer."""

    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict)


def http(
    method: str,
    path: str,
    body: Any = None,
    account: str | None = "acme",
    query: dict[str, str] | None = None,
    headers: dict[str, str] | None = None,
) -> Answer:
    """Send one request; *body* is sent as JSON, bytes as they are, and read as what the answer says it is."""
    event = gateway_event(method, path, body, account, query)
    event["multiValueHeaders"] |= {name: [value] for name, value in (headers or {}).items()}
    answer = handler(event, Context())
    text = answer["body"]
    headers = answer.get("headers") or {}
    read = json.loads if "json" in headers.get("content-type", "") else str
    return Answer(answer["statusCode"], read(text) if text else None, headers)


def stream(path: str, account: str | None = "acme", query: dict[str, str] | None = None, **headers: str) -> Answer:
    """Ask for server-sent events as EventSource does; the body comes as text."""
    event = gateway_event("GET", path, None, account, query)
    for name, value in {"accept": "text/event-stream", **headers}.items():
        event["multiValueHeaders"][name.replace("_", "-")] = [value]
    answer = handler(event, Context())
    return Answer(answer["statusCode"], answer["body"], answer.get("headers") or {})


def gateway_event(
    method: str, path: str, body: Any, account: str | None, query: dict[str, str] | None
) -> dict[str, Any]:
    return {
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": method,
        "headers": {"content-type": "application/json", "accept": "application/json, text/event-stream"},
        "multiValueHeaders": {
            "content-type": ["application/json"],
            "accept": ["application/json, text/event-stream"],
            "host": ["abc.execute-api.eu-west-1.amazonaws.com"],
        },
        "queryStringParameters": query,
        "multiValueQueryStringParameters": {name: [value] for name, value in (query or {}).items()} or None,
        "requestContext": {
            "authorizer": {"account": account, "key": f"key of {account}"} if account else {},
            "identity": {"sourceIp": "192.0.2.1"},
        },
        "body": body.decode("latin-1") if isinstance(body, bytes) else json.dumps(body) if body is not None else None,
        "isBase64Encoded": False,
    }


@dataclass
class Raw:
    """Status, bytes and headers of an HTTP answer, as the gateway hands them on."""

    status: int
    content: bytes
    headers: dict[str, str]


def fetch(
    path: str,
    headers: dict[str, str] | None = None,
    account: str | None = "acme",
    query: dict[str, str] | None = None,
    context: dict[str, Any] | None = None,
) -> Raw:
    """GET bytes; *context* adds to the request's."""
    sent = {"host": "abc.execute-api.eu-west-1.amazonaws.com", **(headers or {})}
    event = {
        "resource": "/{proxy+}",
        "path": path,
        "httpMethod": "GET",
        "headers": sent,
        "multiValueHeaders": {name: [value] for name, value in sent.items()},
        "queryStringParameters": query,
        "multiValueQueryStringParameters": {name: [value] for name, value in (query or {}).items()} or None,
        "requestContext": {
            "authorizer": {"account": account, "key": f"key of {account}"} if account else {},
            "identity": {"sourceIp": "192.0.2.1"},
            **(context or {}),
        },
        "body": None,
        "isBase64Encoded": False,
    }
    answer = handler(event, Context())
    body = answer["body"]
    content = base64.b64decode(body) if answer["isBase64Encoded"] else body.encode()
    return Raw(answer["statusCode"], content, answer.get("headers") or {})


@dataclass
class ToolAnswer:
    """Result of a tool call."""

    body: dict[str, Any]
    text: dict[str, Any]
    is_error: bool


def rpc(method: str, params: dict[str, Any] | None = None, account: str | None = "acme", path: str = "/mcp") -> Any:
    """Send one JSON-RPC request of protocol 2025-11-25 to *path* and return its result."""
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    answer = http("POST", path, message, account)
    assert answer.status == 200, answer
    return answer.body.get("result") or answer.body


def tool(name: str, account: str | None = "acme", endpoint: str = "/mcp", **arguments: Any) -> ToolAnswer:
    """Call one tool."""
    result = rpc("tools/call", {"name": name, "arguments": arguments}, account, endpoint)
    text = result["content"][0]["text"]
    return ToolAnswer(result.get("structuredContent", {}), json.loads(text), result.get("isError", False))
