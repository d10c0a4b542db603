"""Errors as callers see them: one table from error class to HTTP status, one shape for both transports."""

from collections.abc import Iterable, Mapping
from typing import Any

from planloom.core import errors
from planloom.core.endpoint import ApiModel, ErrorInfo
from planloom.core.errors import PlanloomError
from planloom.core.plane import Plane

#: A plane adds the errors that it alone raises (Plane.error_statuses). A test proves that every error has a status.
HTTP_STATUS: dict[type[PlanloomError], int] = {
    PlanloomError: 500,
    errors.InvalidArgument: 422,
    errors.InvalidTool: 404,
    errors.PlanNotFound: 404,
    errors.PermissionDenied: 403,
    errors.InsufficientCredits: 402,
    errors.RequestConflict: 409,
    errors.RequestInProgress: 409,
    errors.PlanNotCompleted: 409,
}

#: What each status means; the gateway returns some of them itself, in the same shape.
MEANING = {
    400: "A program needs a review first, or a handle is not one of the session",
    401: "No API key",
    402: "The account has fewer credits than the run may cost",
    403: "The API key is not valid, or what is asked for belongs to another account",
    404: "Nothing has that id",
    409: "The state of the plan does not allow it, or another call changed it or used this request id first",
    410: "A dry run expired, or a result is not kept any more",
    413: "More than one call takes or returns",
    416: "The range starts after the end of the file",
    422: "A value does not fit, or a plan breaks its schema or the rules; the error says where",
    429: "The account has the largest allowed number of active runs: try again when one has ended",
    500: "Something failed inside planloom: try again in a few seconds, with exponential backoff",
    503: "Temporarily not available, or no model is set up for that profile",
}

#: Any endpoint may return these.
ALWAYS = frozenset({401, 403, 422, 500})


class ErrorResponse(ApiModel):
    """Body of every error over HTTP."""

    error: ErrorInfo


def statuses_of(planes: Iterable[Plane]) -> dict[type[PlanloomError], int]:
    """Return the HTTP status of each error of *planes*."""
    return HTTP_STATUS | {kind: status for plane in planes for kind, status in plane.error_statuses.items()}


def http_status(error: type[PlanloomError], statuses: Mapping[type[PlanloomError], int]) -> int:
    """Return the HTTP status of *error*: its own, else that of the nearest class above it."""
    return next(statuses[kind] for kind in error.__mro__ if kind in statuses)


def error_body(error: PlanloomError) -> dict[str, Any]:
    """Return *error* as ``{code, message, details?}`` (plan interface, 9.1)."""
    body: dict[str, Any] = {"code": error.code, "message": error.message}
    return body | ({"details": error.details} if error.details else {})


def problem_document(error: PlanloomError, status: int) -> dict[str, Any]:
    """Return *error* as a problem document (RFC 9457), with its code, its details and what goes beside results."""
    meta = {"_meta": found} if (found := getattr(error, "meta", None)) else {}
    title = error.code.replace("_", " ").capitalize()
    known = {"type": f"urn:planloom:{error.code}", "title": title, "status": status, "detail": error.message}
    return {**error.details, **known, "code": error.code, **meta}


def internal_error() -> PlanloomError:
    """Return what callers get for an unexpected exception: nothing of its text."""
    return PlanloomError(
        "Something failed inside planloom; the logs say what. Try again in a few seconds, with exponential backoff."
    )


def invalid_argument(found: Iterable[Mapping[str, Any]]) -> errors.InvalidArgument:
    """Return an error that names the fields that do not fit and why, without the values that were sent."""
    fields = {".".join(str(part) for part in each["loc"] if part != "body"): each["msg"] for each in found}
    return errors.InvalidArgument("; ".join(f"{name}: {why}" for name, why in fields.items()), fields=sorted(fields))


def error_responses(statuses: Iterable[int]) -> dict[int | str, dict[str, Any]]:
    """Return the description of these error responses, for OpenAPI."""
    return {status: {"model": ErrorResponse, "description": MEANING[status]} for status in sorted(set(statuses))}
