"""Errors of graphs that callers see.

PlanloomError
├── GraphNotFound        GRAPH_NOT_FOUND
├── InvalidGraph         INVALID_GRAPH
├── GraphConflict        GRAPH_CONFLICT
├── GraphNotReady        GRAPH_NOT_READY     (retryable)
├── StepNotRecorded      STEP_NOT_RECORDED
└── ScheduleNotFound     SCHEDULE_NOT_FOUND
"""

from planloom.core.errors import PlanloomError


class GraphNotFound(PlanloomError):
    """The account has no graph with that id, or the graph no such revision."""

    code = "GRAPH_NOT_FOUND"


class InvalidGraph(PlanloomError):
    """The graph cannot be stored or run; ``details["problems"]`` say where and why."""

    code = "INVALID_GRAPH"


class GraphConflict(PlanloomError):
    """The graph was changed since it was read."""

    code = "GRAPH_CONFLICT"


class GraphNotReady(PlanloomError):
    """The graph is drafted at the moment, or its drafting failed; ``details`` name the run."""

    code = "GRAPH_NOT_READY"
    retryable = True


class StepNotRecorded(PlanloomError):
    """The run has no result of that step yet."""

    code = "STEP_NOT_RECORDED"


class ScheduleNotFound(PlanloomError):
    """The account has no schedule of that name."""

    code = "SCHEDULE_NOT_FOUND"
