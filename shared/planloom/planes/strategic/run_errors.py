"""How a stage ends before its time, a branch of the tree in planloom.core.errors that no caller meets.

PlanloomError
├── RunInterrupted                the run was stopped, replaced or has failed elsewhere; a stage ends without a trace
├── StageAborted                  what a stage raises once its failure is recorded
├── NotNeeded                     a stage read what it does not declare: a fault of ours
└── MayNotAsk                     a stage asked a model and does not declare that it does: a fault of ours
"""

from planloom.core.errors import PlanloomError


class RunInterrupted(PlanloomError):
    """The plan was stopped, its run replaced by a newer one, or another stage of it failed."""


class StageAborted(PlanloomError):
    """A stage failed and has recorded why; the state machine only needs to see that it did."""


class NotNeeded(PlanloomError):
    """A stage reads a stage that it does not declare; its fingerprint would miss it."""


class MayNotAsk(PlanloomError):
    """A stage asks a model and declares that it asks none: its Lambda has neither the library nor the right."""
