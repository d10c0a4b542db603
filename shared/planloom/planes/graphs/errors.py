"""Errors of graphs that callers see.

PlanloomError
├── GraphNotFound        GRAPH_NOT_FOUND
├── InvalidGraph         INVALID_GRAPH
├── GraphConflict        GRAPH_CONFLICT
├── StepNotRecorded      STEP_NOT_RECORDED
└── TooManyRuns          TOO_MANY_RUNS   (retryable)
"""

from planloom.domain.errors import PlanloomError


class GraphNotFound(PlanloomError):
    """The account has no graph with that id, or the graph no such revision."""

    code = "GRAPH_NOT_FOUND"


class InvalidGraph(PlanloomError):
    """The graph cannot be stored or run; ``details["problems"]`` say where and why."""

    code = "INVALID_GRAPH"


class GraphConflict(PlanloomError):
    """The graph was changed since it was read."""

    code = "GRAPH_CONFLICT"


class StepNotRecorded(PlanloomError):
    """The run has no result of that step yet."""

    code = "STEP_NOT_RECORDED"


class TooManyRuns(PlanloomError):
    """The account has as many runs under way as it may have."""

    code = "TOO_MANY_RUNS"
    retryable = True
