"""Every error that planloom raises on purpose, in one tree; each has a code and says whether a repeat can help.

PlanloomError                     INTERNAL_ERROR
├── InvalidArgument               INVALID_ARGUMENT
│   └── NoWorkingDay              planloom.planes.strategic.calendars: closures leave no day to work on
├── InvalidTool                   INVALID_TOOL
├── PlanNotFound                  PLAN_NOT_FOUND
├── PermissionDenied              PERMISSION_DENIED
├── PlanNotFailed                 PLAN_NOT_FAILED
├── PlanNotResumable              PLAN_NOT_RESUMABLE
├── PipelineVersionMismatch       PIPELINE_VERSION_MISMATCH
├── InvalidUserApiKey             INVALID_USER_API_KEY
├── UserApiKeyRequired            USER_API_KEY_REQUIRED
├── InsufficientCredits           INSUFFICIENT_CREDITS
├── ModelProfilesUnavailable      MODEL_PROFILES_UNAVAILABLE
├── RequestConflict               REQUEST_CONFLICT
├── RequestInProgress             REQUEST_IN_PROGRESS   (retryable)
├── PlanActive                    PLAN_ACTIVE
├── PlanArchived                  PLAN_ARCHIVED
├── ArtifactNotFound              ARTIFACT_NOT_FOUND
├── ArtifactConflict              ARTIFACT_CONFLICT
├── ArtifactTooLarge              ARTIFACT_TOO_LARGE
├── RangeNotSatisfiable           RANGE_NOT_SATISFIABLE
├── GenerationFailed              generation_failed
├── ContentUnavailable            content_unavailable   (retryable)
├── PlanNotCompleted              PLAN_NOT_COMPLETED
├── FactsNotFound                 FACTS_NOT_FOUND
└── ModelError                    no valid answer could be had from a model: planloom.models.errors

Two branches more are drawn where they are: planloom.planes.implementation.errors, planloom.planes.strategic.run_errors.

Specification: section 9.3 of the plan interface. HTTP statuses: planloom.transports.errors.
"""

from typing import Any, ClassVar


class PlanloomError(Exception):
    """An error with a stable code; its message is for people and says what to do next."""

    code: ClassVar[str] = "INTERNAL_ERROR"
    retryable: ClassVar[bool] = False

    def __init__(self, message: str, **details: Any) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class InvalidArgument(PlanloomError):
    """A value that the caller sent does not fit; the message names it and what would fit."""

    code = "INVALID_ARGUMENT"


class InvalidTool(PlanloomError):
    """No tool of that name is served here."""

    code = "INVALID_TOOL"


class PlanNotFound(PlanloomError):
    """No plan has that id."""

    code = "PLAN_NOT_FOUND"


class PermissionDenied(PlanloomError):
    """The plan belongs to another account."""

    code = "PERMISSION_DENIED"


class PlanNotFailed(PlanloomError):
    """A retry was asked for a plan that is neither failed nor stopped."""

    code = "PLAN_NOT_FAILED"


class PlanNotResumable(PlanloomError):
    """A resume was asked for a plan that is neither failed nor stopped."""

    code = "PLAN_NOT_RESUMABLE"


class PipelineVersionMismatch(PlanloomError):
    """The plan was made by another version of the pipeline."""

    code = "PIPELINE_VERSION_MISMATCH"


class InvalidUserApiKey(PlanloomError):
    """The user_api_key that came with a request is unknown or revoked."""

    code = "INVALID_USER_API_KEY"


class UserApiKeyRequired(PlanloomError):
    """This deployment makes plans only on behalf of a user, and none was named."""

    code = "USER_API_KEY_REQUIRED"


class InsufficientCredits(PlanloomError):
    """The account that pays has fewer credits than the run may cost."""

    code = "INSUFFICIENT_CREDITS"


class ModelProfilesUnavailable(PlanloomError):
    """No model is available, in the profile that was asked for or in any."""

    code = "MODEL_PROFILES_UNAVAILABLE"


class RequestConflict(PlanloomError):
    """A client_request_id came again with another body."""

    code = "REQUEST_CONFLICT"


class RequestInProgress(PlanloomError):
    """A client_request_id came again before its first call was answered."""

    code = "REQUEST_IN_PROGRESS"
    retryable = True


class PlanActive(PlanloomError):
    """The plan is pending or processing, and must be stopped or have ended first."""

    code = "PLAN_ACTIVE"


class PlanArchived(PlanloomError):
    """The plan is archived: it can be read, and nothing else."""

    code = "PLAN_ARCHIVED"


class ArtifactNotFound(PlanloomError):
    """The plan has no such file."""

    code = "ARTIFACT_NOT_FOUND"


class ArtifactConflict(PlanloomError):
    """A file was changed since it was read; ``details`` name its current hash."""

    code = "ARTIFACT_CONFLICT"


class ArtifactTooLarge(PlanloomError):
    """A file is larger than what one call gives."""

    code = "ARTIFACT_TOO_LARGE"


class RangeNotSatisfiable(PlanloomError):
    """A range begins behind the end of its file."""

    code = "RANGE_NOT_SATISFIABLE"


class GenerationFailed(PlanloomError):
    """The report was asked for, but its plan ended in ``failed``."""

    code = "generation_failed"


class ContentUnavailable(PlanloomError):
    """An artifact that should be there cannot be read just now."""

    code = "content_unavailable"
    retryable = True


class PlanNotCompleted(PlanloomError):
    """What was asked for needs a strategic plan that has completed."""

    code = "PLAN_NOT_COMPLETED"


class FactsNotFound(PlanloomError):
    """The account has no reading of a goal under that id."""

    code = "FACTS_NOT_FOUND"
