"""Errors of runs that callers see.

PlanloomError
├── RunNotFound          RUN_NOT_FOUND
├── RunActive            RUN_ACTIVE
├── RunNotResumable      RUN_NOT_RESUMABLE
├── OutcomeUnknown       OUTCOME_UNKNOWN
└── StepNotWaiting       STEP_NOT_WAITING
"""

from planloom.domain.errors import PlanloomError


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
