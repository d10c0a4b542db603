"""The ASGI app behind the gateway: the endpoints of all planes, and what is no plain call."""

import importlib
from collections.abc import Sequence
from functools import partial
from typing import Any

from aws_lambda_powertools import Logger
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Route

from planloom import __version__
from planloom.api import (
    approve_http,
    events_http,
    execute_http,
    files_http,
    handler_ports,
    run_events_http,
    shared_http,
)
from planloom.api.mcp_endpoint import McpEndpoint
from planloom.core.errors import InvalidArgument, PlanloomError
from planloom.core.plane import Plane
from planloom.planes import PLANES, SHARED
from planloom.planes.strategic.plane import PLANEXE_VERSION
from planloom.transports.errors import (
    error_body,
    http_status,
    internal_error,
    invalid_argument,
    problem_document,
    statuses_of,
)
from planloom.transports.http import make_router

logger = Logger(child=True)


def make_app(planes: Sequence[Plane] = (*PLANES, *SHARED)) -> FastAPI:
    """Build the app; cheap enough for a cold start, since the MCP library is imported on its first request."""
    app = FastAPI(
        title="planloom",
        version=__version__,
        description=(
            "Plans from a goal, and plans that are carried out: graphs, workflows, programs. Send your API key in the "
            "X-API-Key header."
        ),
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        openapi_url="/v1/openapi.json",
        # relative to this description, since the gateway's stage comes before all paths
        servers=[{"url": ".."}],
    )
    # before the page of events of the same path: it takes only requests for a stream
    app.include_router(run_events_http.router)
    app.include_router(make_router(planes, handler_ports))
    # what is no plain call
    for by_hand in (approve_http, events_http, execute_http, files_http, shared_http):
        app.include_router(by_hand.router)
    for plane in (each for each in planes if each.mcp_path):
        endpoint = McpEndpoint(partial(_mcp_server, plane))
        app.router.routes += [Route(path, endpoint) for path in (plane.mcp_path, plane.mcp_path + "/")]
    app.add_api_route("/health", health, response_model=dict[str, str], operation_id="health", tags=["service"])
    app.state.error_statuses = statuses_of(planes)
    app.add_exception_handler(PlanloomError, _planloom_error)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _unexpected)
    return app


def health() -> dict[str, str]:
    """Return that the service is up, and its versions of planloom and of the plan interface."""
    return {"status": "ok", "version": __version__, "planexe.version": PLANEXE_VERSION}


def _mcp_server(plane: Plane) -> Any:
    # on the first MCP request: the import costs 0.4 s that HTTP routes do not pay
    return importlib.import_module("planloom.api.mcp_servers").server_of(plane)


def _response(request: Request, error: PlanloomError, status: int) -> JSONResponse:
    if request.url.path.startswith(execute_http.PREFIX):
        return JSONResponse(problem_document(error, status), status, media_type="application/problem+json")
    return JSONResponse({"error": error_body(error)}, status)


def _planloom_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, PlanloomError)
    return _response(request, error, http_status(type(error), request.app.state.error_statuses))


def _invalid_request(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return _response(request, invalid_argument(error.errors()), 422)


def _http_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    hint = "See /v1/openapi.json for the routes." if error.status_code in (404, 405) else ""
    return _response(request, InvalidArgument(f"{error.detail}. {hint}".strip()), error.status_code)


def _unexpected(request: Request, error: Exception) -> JSONResponse:
    logger.error("request failed", exc_info=error)
    return _response(request, internal_error(), 500)
