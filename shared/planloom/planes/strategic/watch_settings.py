"""How a deployment watches over its plans: when silence is a stall, when it is the end, and what logs may quote."""

from datetime import datetime, timedelta
from typing import Literal

from planloom.core.frozen import Frozen
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.progress import silent

Redact = Literal["off", "logs", "all"]


class WatchSettings(Frozen):
    """``redact``: where the prompt's words are taken out; ``logs`` are run.log, log lines and run_error.json, ``all``
    are the events too. ``holds``: how many long polls there may be at once, 0 for any number.
    ``runs_at_once``: how many plans are drafted at once, 0 for any number; the others wait, pending.
    """

    stalled_after: timedelta = timedelta(minutes=10)
    # longer than any stage may take: 15 minutes, and as long again where its first worker was lost
    inactive_after: timedelta = timedelta(minutes=35)
    redact: Redact = "logs"
    holds: int = 0
    runs_at_once: int = 0

    def may_wait(self, plan: Plan) -> bool:
        """Say whether *plan* may be waiting in the queue."""
        return self.runs_at_once > 0 and plan.state == "pending"

    def stalled(self, plan: Plan, now: datetime) -> bool:
        """Say whether *plan* should be moving and has not for too long."""
        return not self.may_wait(plan) and silent(plan, now, self.stalled_after)
