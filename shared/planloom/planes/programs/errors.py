"""Errors of programs that callers see.

PlanloomError
├── ProgramError                  invalid_program
├── InvalidEntity                 INVALID_ENTITY
├── EntityNotFound                ENTITY_NOT_FOUND
└── OperationError                operation_error
    ├── ProgramNeedsFix           program_needs_fix
    ├── ProgramDenied             program_denied
    ├── PlanRequiresReview        plan_requires_review
    ├── UnknownPlanCommit         unknown_plan_commit_ref
    ├── PlanCommitExpired         plan_commit_expired
    ├── PlanCommitMismatch        plan_commit_mismatch
    ├── ContinuationRefused       continuation_in_dry_run
    ├── InvalidHandle             invalid_handle
    ├── UnknownSession            unknown_session
    ├── UnknownOperation          unknown_operation_handle
    ├── OperationFailed           operation_failed
    ├── ResultUnavailable         operation_result_unavailable
    └── TooManyOperations         too_many_operations   (retryable)
"""

from typing import Any

from planloom.core.errors import PlanloomError
from planloom.planes.programs.syntax import Place

START = Place()


class ProgramError(PlanloomError):
    """The text is no program; ``line`` and ``column`` count from 1, ``nearest`` is the name that may be meant."""

    code = "invalid_program"

    def __init__(
        self,
        message: str,
        at: Place = START,
        expected: tuple[str, ...] = (),
        nearest: str = "",
    ) -> None:
        said = f"Line {at.line}, column {at.column}: {message}"
        super().__init__(said, line=at.line, column=at.column, expected=list(expected), nearest=nearest)
        self.line, self.column = at
        self.expected = expected
        self.nearest = nearest

    @property
    def meta(self) -> dict[str, Any]:
        """What goes beside the error, as beside every result of a program."""
        return {"plasm": {"code": self.code}}


class InvalidEntity(PlanloomError):
    """A declared entity is not accepted; ``problems`` in its details say why."""

    code = "INVALID_ENTITY"


class EntityNotFound(PlanloomError):
    """The account has declared no entity of that name."""

    code = "ENTITY_NOT_FOUND"


class OperationError(PlanloomError):
    """A program was not run, or a handle cannot be used."""

    code = "operation_error"

    @property
    def meta(self) -> dict[str, Any]:
        """What goes beside the error, as beside every result of a program."""
        verdict = {"dry_verdict": self.details["verdict"]} if "verdict" in self.details else {}
        return {"plasm": {"code": self.code, **verdict}}


class ProgramNeedsFix(OperationError):
    """The program cannot run: it names what does not exist. Force does not change that."""

    code = "program_needs_fix"


class ProgramDenied(OperationError):
    """The account's policy denies what the program does. Force does not change that."""

    code = "program_denied"


class PlanRequiresReview(OperationError):
    """The plan needs a look first: a plan_commit_ref of its dry run, or force."""

    code = "plan_requires_review"


class UnknownPlanCommit(OperationError):
    """The session has no such plan_commit_ref."""

    code = "unknown_plan_commit_ref"


class PlanCommitExpired(OperationError):
    """The plan_commit_ref is older than ten minutes."""

    code = "plan_commit_expired"


class PlanCommitMismatch(OperationError):
    """The plan_commit_ref is that of another plan."""

    code = "plan_commit_mismatch"


class ContinuationRefused(OperationError):
    """A dry run of ``wait`` or ``cancel``: they have no plan."""

    code = "continuation_in_dry_run"


class InvalidHandle(OperationError):
    """A handle is malformed, or of another session than that of the call."""

    code = "invalid_handle"


class UnknownSession(OperationError):
    """The account has no such session, or it expired."""

    code = "unknown_session"


class UnknownOperation(OperationError):
    """The session has no such operation."""

    code = "unknown_operation_handle"


class OperationFailed(OperationError):
    """A program that was waited for failed; the message says why."""

    code = "operation_failed"


class ResultUnavailable(OperationError):
    """The session had that operation, and does not keep its result any more."""

    code = "operation_result_unavailable"


class TooManyOperations(OperationError):
    """The session has as many live operations as it may have."""

    code = "too_many_operations"
    retryable = True
