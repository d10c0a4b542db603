"""What can go wrong with the embedded AWS; each message is for people.

EmbeddedError
├── FolderInUse     another process works on the state folder
├── FolderUnusable  the state folder cannot be made or written
├── PortInUse       another process listens on the port that was asked for
├── NotReady        it did not start in time, or died
├── NoSources       planloom was installed without the sources that the stack is made of
└── DeployFailed    the stack could not be synthesised or created
"""


class EmbeddedError(Exception):
    """The embedded AWS cannot serve."""


class FolderInUse(EmbeddedError):
    """Another process works on the state folder."""


class FolderUnusable(EmbeddedError):
    """The state folder cannot be made or written."""


class PortInUse(EmbeddedError):
    """Another process listens on the port that was asked for."""


class NotReady(EmbeddedError):
    """It did not start in time, or died."""


class NoSources(EmbeddedError):
    """planloom was installed without the sources that the stack is made of."""


class DeployFailed(EmbeddedError):
    """The stack could not be synthesised or created."""
