"""How a deployment watches over its plans: when silence is a stall, when it is the end, and what logs may quote."""

from datetime import timedelta
from typing import Literal

from planloom.domain.frozen import Frozen

Redact = Literal["off", "logs", "all"]


class Watching(Frozen):
    """``redact``: where the prompt's words are taken out; ``logs`` are run.log, log lines and run_error.json, ``all``
    are the events too. ``holds``: how many calls may be held open at once, 0 for any number.
    """

    stalled_after: timedelta = timedelta(minutes=10)
    # longer than any stage may take: 15 minutes, and as long again where its first worker was lost
    inactive_after: timedelta = timedelta(minutes=35)
    redact: Redact = "logs"
    holds: int = 0
