"""One declaration for each operation: what it takes, returns and changes, and the function that does it.

A plane lists its endpoints in a table. ``planloom.transports`` binds each of them to HTTP and to MCP, and
``docs/reference.md`` is generated from them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from planloom.core.errors import PlanloomError


class ApiModel(BaseModel):
    """Base of all requests and responses; a validation error does not quote the value that it is about."""

    model_config = ConfigDict(hide_input_in_errors=True)


class CamelModel(ApiModel):
    """A request or response whose fields are written in camelCase: ``plan_id`` in code is ``planId`` on the wire."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True)


class MarkdownResponse(ApiModel):
    """A response that is text for people and models; MCP returns the text as it is, and ``_meta`` beside it."""

    model_config = ConfigDict(hide_input_in_errors=True, populate_by_name=True, serialize_by_alias=True)

    run_markdown: str = Field(description="The response as Markdown")
    meta: dict[str, Any] = Field(default_factory=dict, alias="_meta", description="Facts with short keys, for clients")


class ErrorInfo(ApiModel):
    """What went wrong, and what to do next."""

    code: str = Field(description="Stable and machine-readable")
    message: str = Field(description="For people; says what to do next")
    details: dict[str, Any] | None = None


class Effect(StrEnum):
    """What a call does to what is stored."""

    READS = "reads"
    CHANGES = "changes"
    DESTROYS = "destroys"


class Caller(Protocol):
    """Who calls. ``account`` and ``key`` raise PermissionDenied where the request carries no valid key."""

    @property
    def account(self) -> str:
        """Name of the account that the API key belongs to."""

    @property
    def key(self) -> str:
        """SHA-256 of the API key, in hex."""

    @property
    def base_url(self) -> str:
        """URL of the API as the caller reached it, without a slash at its end."""


@dataclass(frozen=True)
class Text:
    """A response that is text instead of JSON; HTTP only."""

    content: str
    media_type: str


@dataclass(frozen=True)
class Http:
    """How an endpoint is called over HTTP.

    Fields of the request that *path* names come from the path, the others from the query of a GET or DELETE, else from
    the body. ``location`` is the Location header, filled from the response: ``plans/{plan_id}``. ``pending`` is a field
    of the response and the value with which the status is 202 instead of 200. ``text`` is the media type of a second
    representation. ``omit_unset`` leaves out fields that the handler did not set. ``request`` and ``handler`` replace
    those of the endpoint where HTTP takes other fields than the tool.
    """

    method: str
    path: str
    status: int = 200
    location: str = ""
    pending: tuple[str, str] | None = None
    text: str = ""
    omit_unset: bool = False
    request: type[ApiModel] | None = None
    handler: Callable[..., Any] | None = None


GET = partial(Http, "GET")
POST = partial(Http, "POST")
PUT = partial(Http, "PUT")
DELETE = partial(Http, "DELETE")


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """One operation.

    ``handler`` is called with what its parameters name: ``request`` (an instance of the request model), ``caller`` or
    ``account``, and ports, by the names under which ``planloom.wiring`` builds them. It returns an instance of
    ``response``, or None while there is nothing to return yet (HTTP 204, an empty object over MCP).

    ``errors`` are those beside PermissionDenied, InvalidArgument and INTERNAL_ERROR, which any endpoint may raise;
    ``reported`` are those of them that MCP returns as a result without ``isError``. ``repeatable``: a second equal call
    changes nothing more. ``idempotent_by`` names the field of the request with which a repeat returns the first
    response. ``http`` None: a tool only. ``tool`` False: HTTP only.
    """

    name: str
    title: str
    description: str
    group: str
    response: type[ApiModel]
    handler: Callable[..., Any]
    request: type[ApiModel] = ApiModel
    http: Http | None = None
    tool: bool = True
    errors: tuple[type[PlanloomError], ...] = ()
    reported: tuple[type[PlanloomError], ...] = ()
    effect: Effect = Effect.READS
    repeatable: bool = False
    idempotent_by: str = ""
    may_be_empty: bool = False
