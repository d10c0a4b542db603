"""Times as texts (ISO 8601): which comes first, and those relative to now."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Annotated

from pydantic import AfterValidator

_TIME = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d{1,6})?)?(Z|[+-]\d\d:?\d\d)?)?", re.ASCII)
_RELATIVE = re.compile(r"(now|today)(?:\s*([+-])\s*(\d{1,5})\s*([mhdw]))?", re.ASCII)
_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def with_zone(time: datetime) -> datetime:
    """Return *time*; without a time zone UTC is meant."""
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time


ZonedTime = Annotated[datetime, AfterValidator(with_zone)]


@lru_cache(maxsize=4096)
def comparable(text: str) -> str:
    """Return *text*, a time, in the form in which the order of texts is that of times; anything else as it is.

    A date is its midnight; without a time zone UTC is meant.
    """
    found = _time(text)
    return text if found is None else found.strftime("%Y-%m-%dT%H:%M:%S.%f").rjust(26, "0")


def is_time(value: object) -> bool:
    """Return whether *value* is a text that is a time or a date."""
    return isinstance(value, str) and _time(value) is not None


def _time(text: str) -> datetime | None:
    if not _TIME.fullmatch(text):
        return None
    try:
        return with_zone(datetime.fromisoformat(text.replace(",", "."))).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def relative_time(text: str, now: datetime) -> str:
    """Return the time that *text* names, in UTC.

    It is ``now``, or ``today`` (midnight UTC), plus or minus a number of minutes, hours, days or weeks: ``now-7d``.
    Raises ValueError where it is none.
    """
    found = _RELATIVE.fullmatch(text)
    if found is None:
        raise ValueError(f"“{text[:40]}” is no time. Write now-7d, or today; units are m, h, d and w.")
    start = now.astimezone(UTC)
    if found[1] == "today":
        start = start.replace(hour=0, minute=0, second=0, microsecond=0)
    if found[2]:
        distance = int(found[3]) * _UNITS[found[4]]
        start = start + distance if found[2] == "+" else start - distance
    return start.isoformat().replace("+00:00", "Z")


class RelativeTimes(Mapping[str, str]):
    """The times of *now* by what names them, for conditions: ``times["now-7d"]``."""

    def __init__(self, now: datetime) -> None:
        self._now = now

    def __getitem__(self, text: str) -> str:
        try:
            return relative_time(text, self._now)
        except ValueError as error:
            raise KeyError(text) from error

    def __iter__(self) -> Iterator[str]:
        return iter(("now", "today"))

    def __len__(self) -> int:
        return 2
