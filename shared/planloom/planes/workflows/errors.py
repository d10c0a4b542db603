"""Errors of workflows that callers see.

PlanloomError
├── InvalidDraft             INVALID_DRAFT
├── ExecutionNotFound        EXECUTION_NOT_FOUND
├── ActiveRunExists          ACTIVE_RUN_EXISTS
├── TooManyWorkstreams       TOO_MANY_WORKSTREAMS
├── ExecutionEnded           EXECUTION_ENDED
├── ExecutionBusy            EXECUTION_BUSY      (retryable)
├── ReplanRequired           REPLAN_REQUIRED
├── NodeNotFound             NODE_NOT_FOUND
├── NodeNotOpen              NODE_NOT_OPEN
├── NodeClaimed              NODE_CLAIMED
└── InvalidSubmission        INVALID_SUBMISSION
"""

from planloom.core.errors import PlanloomError


class InvalidDraft(PlanloomError):
    """The draft does not compile; ``details["issues"]`` say where and why."""

    code = "INVALID_DRAFT"


class ExecutionNotFound(PlanloomError):
    """The account has no run with that id."""

    code = "EXECUTION_NOT_FOUND"


class ActiveRunExists(PlanloomError):
    """The workstream has an active run already; ``details["run_id"]`` names it."""

    code = "ACTIVE_RUN_EXISTS"


class TooManyWorkstreams(PlanloomError):
    """The account has as many workstreams as it may have."""

    code = "TOO_MANY_WORKSTREAMS"


class ExecutionEnded(PlanloomError):
    """The run has completed, failed, or was aborted: nothing in it changes any more."""

    code = "EXECUTION_ENDED"


class ExecutionBusy(PlanloomError):
    """Too many calls changed one run at the same time."""

    code = "EXECUTION_BUSY"
    retryable = True


class ReplanRequired(PlanloomError):
    """The run is blocked until replaceExecutionPlan gives it another plan."""

    code = "REPLAN_REQUIRED"


class NodeNotFound(PlanloomError):
    """The run has no node of that id."""

    code = "NODE_NOT_FOUND"


class NodeNotOpen(PlanloomError):
    """The node is in a state in which it takes nothing from this caller; the message says which."""

    code = "NODE_NOT_OPEN"


class NodeClaimed(PlanloomError):
    """Another executor has claimed the node."""

    code = "NODE_CLAIMED"


class InvalidSubmission(PlanloomError):
    """The result is too large or names no known status."""

    code = "INVALID_SUBMISSION"
