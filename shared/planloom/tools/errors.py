"""Errors of tool servers that callers see.

PlanloomError
├── ToolServerNotFound        TOOL_SERVER_NOT_FOUND
├── InvalidToolServer         INVALID_TOOL_SERVER
└── ToolServerUnreachable     TOOL_SERVER_UNREACHABLE   (retryable)
"""

from planloom.core.errors import PlanloomError


class ToolServerNotFound(PlanloomError):
    """The account has no tool server of that name."""

    code = "TOOL_SERVER_NOT_FOUND"


class InvalidToolServer(PlanloomError):
    """Its name, URL or headers are not accepted; the message says why."""

    code = "INVALID_TOOL_SERVER"


class ToolServerUnreachable(PlanloomError):
    """The server did not list its tools."""

    code = "TOOL_SERVER_UNREACHABLE"
    retryable = True
