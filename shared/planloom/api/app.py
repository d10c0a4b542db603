"""The ASGI app behind the gateway: HTTP routes, MCP endpoints, one error map."""

from aws_lambda_powertools import Logger
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Route

from planloom import __version__
from planloom.api import (
    artifacts_http,
    change_http,
    control_http,
    examples_http,
    facts_http,
    goal_http,
    implementation_drafts_http,
    implementation_http,
    plans_http,
    share_http,
    watch_http,
)
from planloom.api.error_map import error_body, http_status, internal_error, invalid_argument
from planloom.api.mcp_endpoint import PATHS, McpEndpoint
from planloom.domain.errors import InvalidArgument, PlanloomError

logger = Logger(child=True)


def make_app() -> FastAPI:
    """Build the app; cheap enough for a cold start, since the MCP library is imported on its first request."""
    app = FastAPI(
        title="planloom",
        version=__version__,
        description="Strategic plans from a goal in prose. Send your API key in the X-API-Key header.",
        redirect_slashes=False,
        docs_url=None,
        redoc_url=None,
        openapi_url="/v1/openapi.json",
        # relative to this description, since the gateway's stage stands before all paths
        servers=[{"url": ".."}],
    )
    # before the plans: theirs takes any word for a plan's id
    app.include_router(watch_http.router)
    app.include_router(plans_http.router)
    # before the routes that take any planId
    app.include_router(implementation_drafts_http.router)
    app.include_router(implementation_http.router)
    app.include_router(artifacts_http.router)
    app.include_router(goal_http.router)
    app.include_router(share_http.router)
    app.include_router(examples_http.router)
    app.include_router(control_http.router)
    app.include_router(change_http.router)
    app.include_router(facts_http.router)
    app.router.routes += [Route(path, McpEndpoint()) for base in PATHS for path in (base, base + "/")]
    app.add_api_route("/health", health, response_model=dict[str, str], operation_id="health", tags=["service"])
    app.add_exception_handler(PlanloomError, _planloom_error)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _unforeseen)
    return app


def health() -> dict[str, str]:
    """Say that the service is up, and which version of planloom and of the plan interface it speaks."""
    return {"status": "ok", "version": __version__, "planexe.version": "1.0"}


def _answer(error: PlanloomError, status: int | None = None) -> JSONResponse:
    return JSONResponse({"error": error_body(error)}, status or http_status(error))


def _planloom_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, PlanloomError)
    return _answer(error)


def _invalid_request(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    return _answer(invalid_argument(error.errors()))


def _http_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    hint = "See /v1/openapi.json for the routes." if error.status_code in (404, 405) else ""
    return _answer(InvalidArgument(f"{error.detail}. {hint}".strip()), error.status_code)


def _unforeseen(_: Request, error: Exception) -> JSONResponse:
    logger.error("request failed", exc_info=error)
    return _answer(internal_error())
