"""Time and new ids, as functions are given them: core, runs, accounts and planes read no clock themselves."""

from collections.abc import Callable
from datetime import datetime

#: Returns the current time, with a time zone.
Clock = Callable[[], datetime]
#: Returns seconds that only rise, for measuring durations.
Monotonic = Callable[[], float]
#: Returns a new UUID each time.
NewId = Callable[[], str]
