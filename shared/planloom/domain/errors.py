"""Every error that planloom raises on purpose, in one tree; each has a code and says whether a repeat can help.

PlanloomError                     INTERNAL_ERROR
├── InvalidArgument               INVALID_ARGUMENT
├── InvalidTool                   INVALID_TOOL
├── PlanNotFound                  PLAN_NOT_FOUND
├── PermissionDenied              PERMISSION_DENIED
├── PlanNotFailed                 PLAN_NOT_FAILED
├── PlanNotResumable              PLAN_NOT_RESUMABLE
├── PipelineVersionMismatch       PIPELINE_VERSION_MISMATCH
├── InvalidUserApiKey             INVALID_USER_API_KEY
├── ModelProfilesUnavailable      MODEL_PROFILES_UNAVAILABLE
├── GenerationFailed              generation_failed
├── ContentUnavailable            content_unavailable   (retryable)
├── RunInterrupted                the run was stopped, replaced or has failed elsewhere; a stage ends without a trace
├── StageAborted                  what a stage raises once its failure is recorded
├── NotNeeded                     a stage read what it does not declare: a fault of ours
└── ModelError
    ├── PromptRefused             screening refused the prompt: only another prompt helps
    └── ModelUnavailable          (retryable) provider down or out of quota

Specification: section 9.3 of the plan interface. HTTP statuses: planloom.api.error_map.
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


class ModelProfilesUnavailable(PlanloomError):
    """No model is available, in the profile that was asked for or in any."""

    code = "MODEL_PROFILES_UNAVAILABLE"


class GenerationFailed(PlanloomError):
    """The report was asked for, but its plan ended in ``failed``."""

    code = "generation_failed"


class ContentUnavailable(PlanloomError):
    """An artifact that should be there cannot be read just now."""

    code = "content_unavailable"
    retryable = True


class RunInterrupted(PlanloomError):
    """The plan was stopped, its run replaced by a newer one, or another stage of it failed."""


class StageAborted(PlanloomError):
    """A stage failed and has recorded why; the state machine only needs to see that it did."""


class NotNeeded(PlanloomError):
    """A stage reads a stage that it does not declare; its fingerprint would miss it."""


class ModelError(PlanloomError):
    """No valid answer could be had from a model; ``recoverable`` says whether a resume can help."""

    recoverable: ClassVar[bool] = True


class PromptRefused(ModelError):
    """Screening refused the prompt."""

    recoverable = False


class ModelUnavailable(ModelError):
    """Every model of the profile is down or out of quota."""

    retryable = True
