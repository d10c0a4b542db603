"""Errors of runs that callers see.

PlanloomError
├── RunNotFound          RUN_NOT_FOUND
├── RunActive            RUN_ACTIVE
├── RunNotResumable      RUN_NOT_RESUMABLE
├── OutcomeUnknown       OUTCOME_UNKNOWN
├── StepNotWaiting       STEP_NOT_WAITING
├── BudgetNotFound       BUDGET_NOT_FOUND
└── TooManyRuns          TOO_MANY_RUNS   (retryable)
"""

from planloom.core.errors import PlanloomError


class RunNotFound(PlanloomError):
    """The account has no run with that id."""

    code = "RUN_NOT_FOUND"


class RunActive(PlanloomError):
    """The run is running or waiting, and must have ended or be stopped first."""

    code = "RUN_ACTIVE"


class RunNotResumable(PlanloomError):
    """A resume was asked for a run that completed, or that another resume has taken."""

    code = "RUN_NOT_RESUMABLE"


class OutcomeUnknown(PlanloomError):
    """Calls may have been made; the caller must say what to do about them. ``details`` name the steps."""

    code = "OUTCOME_UNKNOWN"


class StepNotWaiting(PlanloomError):
    """No step of that id waits for an approval, or it was answered before."""

    code = "STEP_NOT_WAITING"


class BudgetNotFound(PlanloomError):
    """The account has no budget of calls of that name."""

    code = "BUDGET_NOT_FOUND"


class TooManyRuns(PlanloomError):
    """The account has the largest allowed number of active runs."""

    code = "TOO_MANY_RUNS"
    retryable = True
