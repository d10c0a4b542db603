"""Bind endpoints to HTTP: a FastAPI route for each, with its description in OpenAPI."""

import inspect
from collections.abc import Callable, Coroutine, Iterable, Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Body, Path, Query, Request, Response
from fastapi.routing import APIRoute
from pydantic import create_model
from pydantic.fields import FieldInfo

from planloom.core.endpoint import ApiModel, Endpoint, Http, Text
from planloom.core.errors import PlanloomError
from planloom.core.json_text import check_text
from planloom.core.plane import Plane
from planloom.transports.call import Wiring, call
from planloom.transports.caller import AnyCaller, key_in_header
from planloom.transports.errors import ALWAYS, error_responses, http_status, statuses_of

#: Parameters of a route that are no field of a request.
CALLER, REPLY, BODY = "http_caller", "http_reply", "http_body"


def make_router(planes: Iterable[Plane], wiring: Wiring) -> APIRouter:
    """Return a router with a route for each endpoint of *planes* that has one; *wiring* builds what handlers use."""
    planes = tuple(planes)
    statuses = statuses_of(planes)
    router = APIRouter()
    bound = [(endpoint.http, plane, endpoint) for plane in planes for endpoint in plane.endpoints if endpoint.http]
    # of two routes that fit a path the first is taken: a fixed part goes before a parameter
    for http, plane, endpoint in sorted(bound, key=lambda each: each[0].path.replace("{", "~")):
        router.add_api_route(
            http.path,
            _route(wiring, plane, endpoint, http),
            methods=[http.method],
            status_code=http.status,
            operation_id=f"{plane.name}_{endpoint.name}",
            summary=endpoint.title,
            description=endpoint.description,
            tags=[endpoint.group],
            response_model=endpoint.response,
            response_model_exclude_unset=http.omit_unset,
            responses=_responses(endpoint, http, statuses),
            dependencies=[key_in_header],
            route_class_override=_checked(plane.check_body or check_text),
        )
    return router


def _route(wiring: Wiring, plane: Plane, endpoint: Endpoint, http: Http) -> Callable[..., Any]:
    """Return a function with a parameter for each part of the request, from which FastAPI reads what it takes."""
    model = http.request or endpoint.request
    handler = http.handler or endpoint.handler
    parameters, body = _parameters(model, http)

    def route(**given: Any) -> Any:
        caller, reply, sent = given.pop(CALLER), given.pop(REPLY), given.pop(BODY, None)
        # every value was validated; the model of the whole is not needed for that again
        request = model.model_construct(**given, **dict(sent or ()))
        found = call(wiring, plane, endpoint, handler, request, caller)
        if found is None:
            return Response(status_code=204)
        if isinstance(found, Text):
            return Response(found.content, media_type=found.media_type)
        if http.location:
            reply.headers["Location"] = http.location.format_map(dict(found))
        if http.pending and getattr(found, http.pending[0]) == http.pending[1]:
            reply.status_code = 202
        return found

    if body:
        optional = all(not field.is_required() for field in body.model_fields.values())
        kind: Any = Annotated[body | None, Body(title=body.__name__)] if optional else Annotated[body, Body()]
        parameters.append(_parameter(BODY, kind, None if optional else inspect.Parameter.empty))
    parameters += [_parameter(CALLER, AnyCaller), _parameter(REPLY, Response)]
    route.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    route.__name__ = endpoint.name
    return route


def _parameters(model: type[ApiModel], http: Http) -> tuple[list[inspect.Parameter], type[ApiModel] | None]:
    """Return the parameters of a route for the fields in its path and query, and the model of its body."""
    parameters: list[inspect.Parameter] = []
    body: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        if f"{{{field.alias or name}}}" in http.path:
            parameters.append(_located(name, field, Path))
        elif http.method in ("GET", "DELETE"):
            parameters.append(_located(name, field, Query))
        else:
            body[name] = (field.annotation, field)
    if not parameters or not body:
        return parameters, model if body else None
    return parameters, create_model(model.__name__, __config__=model.model_config, __doc__=model.__doc__, **body)


def _located(name: str, field: FieldInfo, where: Callable[..., Any]) -> inspect.Parameter:
    described = where(alias=field.alias, description=field.description)
    default = inspect.Parameter.empty if where is Path or field.is_required() else field.default
    return _parameter(name, Annotated[(field.annotation, *field.metadata, described)], default)


def _parameter(name: str, kind: Any, default: Any = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default)


def _responses(
    endpoint: Endpoint, http: Http, statuses: Mapping[type[PlanloomError], int]
) -> dict[int | str, dict[str, Any]]:
    found = error_responses(ALWAYS | {http_status(error, statuses) for error in endpoint.errors})
    if http.text:
        found[200] = {"content": {http.text: {"schema": {"type": "string"}}}}
    if endpoint.may_be_empty:
        found[204] = {"description": "Not ready yet"}
    if http.pending:
        found[202] = {"model": endpoint.response, "description": "Not finished: ask again"}
    return found


def _checked(check: Callable[[bytes], None]) -> type[APIRoute]:
    """Return a class of routes that look at a body before it is parsed."""

    class CheckedRoute(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            handle = super().get_route_handler()

            async def checked(request: Request) -> Response:
                check(await request.body())
                return await handle(request)

            return checked

    return CheckedRoute
