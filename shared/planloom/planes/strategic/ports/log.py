"""The event log of a plan, for those who read it."""

from typing import Protocol

from planloom.planes.strategic.event_log import Entry


class EventLog(Protocol):
    """What a plan's log holds: written by PlanStore, with what is logged, all or nothing."""

    def events_after(self, plan_id: str, cursor: int, limit: int) -> list[Entry]:
        """Return the entries after *cursor*, oldest first, at most *limit*; 0 is before the first.

        Cursors strictly increase, and an entry that is written later never has a cursor that was read past.
        """
        ...

    def last_events(self, plan_id: str, limit: int) -> list[Entry]:
        """Return the newest entries, oldest first, at most *limit*."""
        ...
