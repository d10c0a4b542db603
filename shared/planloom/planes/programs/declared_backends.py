"""Tools of servers and HTTP APIs with JSON as backends of entities that an account declares."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import quote

from planloom.planes.programs.sources import SourceFailed
from planloom.tools.tool import NotReached
from planloom.tools.unwrap import ToolFailed, unwrap

if TYPE_CHECKING:
    # the library behind it costs time that callers who only declare entities do not pay
    from planloom.tools.http_api import HttpAnswer

_OPERATION = re.compile(r"^(GET|POST|PUT|PATCH|DELETE) (/\S*)$")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
#: Answers after which a repeat may succeed; after those of the first set the call was not carried out.
_REFUSED, _PASSING = frozenset({429, 503}), frozenset({408, 425, 429, 500, 502, 503, 504})


class ToolCaller(Protocol):
    """What calls tools of an account's servers."""

    async def execute_tool(self, name: str, args: dict[str, Any], /, *, server: str) -> Any:
        """Call a tool. Raises ToolFailed, TimeoutError, ConnectionError, NotReached."""


class ApiCaller(Protocol):
    """What calls one HTTP API: planloom.tools.http_api.HttpApi."""

    async def request(self, method: str, path: str, query: Sequence[tuple[str, str]], body: Any = None) -> "HttpAnswer":
        """Make one call. Raises NotReached, ConnectionError, TimeoutError."""


@dataclass(frozen=True)
class ToolBackend:
    """The tools of one server; an operation is the name of a tool."""

    server: str
    tools: ToolCaller

    async def call(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Return what the tool returns, without what servers put around it."""
        given = {name: value for name, value in arguments.items() if value is not None}
        try:
            return unwrap(await self.tools.execute_tool(operation, given, server=self.server))
        except ToolFailed as error:
            raise SourceFailed(f"{operation}: {error}", code="tool_failed") from error
        except (ConnectionError, TimeoutError) as error:
            raise _unreachable(operation, error) from error


@dataclass(frozen=True)
class HttpBackend:
    """An HTTP API; an operation is a method and a path: ``GET /items/{id}``.

    Arguments fill the path; the others go into the query of a GET or DELETE, else into the body.
    """

    api: ApiCaller

    async def call(self, operation: str, arguments: Mapping[str, Any]) -> Any:
        """Return the JSON that the API answers."""
        method, path, rest = _filled(operation, {name: v for name, v in arguments.items() if v is not None})
        in_query = method in ("GET", "DELETE")
        try:
            answer = await self.api.request(
                method, path, _query(rest) if in_query else [], None if in_query else rest or None
            )
        except (ConnectionError, TimeoutError) as error:
            raise _unreachable(operation, error) from error
        if answer.status >= 300:
            raise _refused(operation, answer)
        return answer.body


def check_operation(operation: str) -> str:
    """Return what is wrong with an operation of an HTTP API, empty where nothing is."""
    if _OPERATION.match(operation):
        return ""
    return f"{operation[:80]} is no operation. Write a method and a path: GET /items/{{id}}."


def _filled(operation: str, arguments: Mapping[str, Any]) -> tuple[str, str, dict[str, Any]]:
    found = _OPERATION.match(operation)
    if found is None:
        raise SourceFailed(check_operation(operation), code="invalid_operation")
    rest = dict(arguments)

    def value(place: re.Match[str]) -> str:
        given = str(rest.pop(place[1], ""))
        # dots would lead to another path than the one that was declared
        if given.strip(".") == "":
            raise SourceFailed(f"{operation} needs {place[1]}, and not “{given}”.", code="invalid_argument")
        return quote(given, safe="")

    return found[1], _PLACEHOLDER.sub(value, found[2]), rest


def _query(arguments: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (name, _text(each))
        for name, value in arguments.items()
        for each in (value if isinstance(value, list) else [value])
    ]


def _text(value: Any) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _unreachable(operation: str, error: Exception) -> SourceFailed:
    said = str(error) or type(error).__name__
    return SourceFailed(
        f"{operation}: {said}", code="not_reached", passing=True, uncertain=not isinstance(error, NotReached)
    )


def _refused(operation: str, answer: "HttpAnswer") -> SourceFailed:
    codes = {404: "not_found", 401: "not_authorized", 403: "not_authorized", 429: "rate_limited"}
    after = next((value for name, value in answer.headers.items() if name.lower() == "retry-after"), "")
    return SourceFailed(
        f"{operation} answered {answer.status}{_reason(answer.body)}",
        code=codes.get(answer.status, "http_error"),
        passing=answer.status in _PASSING,
        uncertain=answer.status in _PASSING - _REFUSED,
        retry_after=float(after) if re.fullmatch(r"\d{1,6}(\.\d+)?", after) else None,
    )


def _reason(body: Any) -> str:
    if isinstance(body, Mapping):
        found = body.get("detail") or body.get("message") or body.get("error") or body.get("title")
        body = found.get("message", "") if isinstance(found, Mapping) else found
    return f": {body[:200]}" if isinstance(body, str) and body else "."
