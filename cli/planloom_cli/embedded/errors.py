"""Errors of the embedded AWS, with messages for users.

EmbeddedError
├── FolderInUse     another process uses the state folder
├── FolderUnusable  the state folder cannot be created or written
├── PortInUse       another process listens on the requested port
├── NotReady        it did not start in time, or ended
├── NoSources       planloom was installed without the sources of the stack
└── DeployFailed    the stack could not be synthesised or created
"""


class EmbeddedError(Exception):
    """The embedded AWS cannot serve."""


class FolderInUse(EmbeddedError):
    """Another process uses the state folder."""


class FolderUnusable(EmbeddedError):
    """The state folder cannot be created or written."""


class PortInUse(EmbeddedError):
    """Another process listens on the requested port."""


class NotReady(EmbeddedError):
    """It did not start in time, or ended."""


class NoSources(EmbeddedError):
    """planloom was installed without the sources of the stack."""


class DeployFailed(EmbeddedError):
    """The stack could not be synthesised or created."""
