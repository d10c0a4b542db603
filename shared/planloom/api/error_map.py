"""Errors as callers see them: one table from error class to HTTP status, one shape for both mouths."""

from collections.abc import Iterable, Mapping
from typing import Any

from planloom.domain import errors, implementation_errors
from planloom.domain.errors import PlanloomError

#: A test proves that every error with a code of its own stands here.
HTTP_STATUS: dict[type[PlanloomError], int] = {
    PlanloomError: 500,
    errors.InvalidArgument: 422,
    errors.InvalidTool: 404,
    errors.PlanNotFound: 404,
    errors.PermissionDenied: 403,
    errors.PlanNotFailed: 409,
    errors.PlanNotResumable: 409,
    errors.PipelineVersionMismatch: 409,
    errors.InvalidUserApiKey: 403,
    errors.UserApiKeyRequired: 403,
    errors.InsufficientCredits: 402,
    errors.ModelProfilesUnavailable: 503,
    errors.RequestConflict: 409,
    errors.RequestInProgress: 409,
    errors.PlanActive: 409,
    errors.PlanArchived: 409,
    errors.ArtifactNotFound: 404,
    errors.ArtifactConflict: 409,
    errors.ArtifactTooLarge: 413,
    errors.RangeNotSatisfiable: 416,
    errors.GenerationFailed: 409,
    errors.ContentUnavailable: 503,
    implementation_errors.InvalidPlan: 422,
    implementation_errors.UnsupportedSchemaVersion: 422,
    implementation_errors.PlanTooLarge: 413,
    implementation_errors.RevisionConflict: 409,
    implementation_errors.RevisionNotFound: 404,
    implementation_errors.StepNotFound: 404,
    errors.PlanNotCompleted: 409,
    errors.FactsNotFound: 404,
}


def http_status(error: PlanloomError) -> int:
    """Return the HTTP status of *error*: its class's, else that of the nearest class above it."""
    return next(HTTP_STATUS[kind] for kind in type(error).__mro__ if kind in HTTP_STATUS)


def error_body(error: PlanloomError) -> dict[str, Any]:
    """Return *error* as specified in 9.1: ``{code, message, details?}``."""
    body: dict[str, Any] = {"code": error.code, "message": error.message}
    return body | ({"details": error.details} if error.details else {})


def internal_error() -> PlanloomError:
    """Return what callers are told of an error that nobody foresaw: nothing of its text."""
    return PlanloomError(
        "Something failed inside planloom. Try again in a few seconds, with growing pauses; the cause is in the logs."
    )


def invalid_argument(found: Iterable[Mapping[str, Any]]) -> errors.InvalidArgument:
    """Say which fields do not fit and why, without repeating what the caller sent."""
    fields = {".".join(str(part) for part in each["loc"] if part != "body"): each["msg"] for each in found}
    return errors.InvalidArgument("; ".join(f"{name}: {why}" for name, why in fields.items()), fields=sorted(fields))
