"""Times as texts: their order, and those that are relative to now."""

from datetime import datetime, timedelta, timezone

import pytest

from planloom.core.times import RelativeTimes, comparable, relative_time

NOW = datetime(2026, 3, 1, 1, 30, 15, tzinfo=timezone(timedelta(hours=2)))


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("2026-01-31T10:00:00Z", "2026-01-31T10:00:00.5Z"),
        ("2026-01-31T10:00Z", "2026-01-31T10:00:01Z"),
        ("2026-01-31T10:00:00+02:00", "2026-01-31T09:00:00Z"),
        ("2026-01-31", "2026-01-31T00:00:01"),
        ("2026-01-30T23:59:59,9Z", "2026-01-31"),
    ],
)
def test_the_order_of_comparable_texts_is_that_of_the_times(earlier: str, later: str) -> None:
    assert comparable(earlier) < comparable(later)


@pytest.mark.parametrize("text", ["", "a", "2026", "2026-02-30", "0001-01-01T00:00+10:00", "2026-01-31T25:00Z", "１-1"])
def test_what_is_no_time_is_compared_as_it_is(text: str) -> None:
    assert comparable(text) == text


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("now", "2026-02-28T23:30:15Z"),
        ("now-90m", "2026-02-28T22:00:15Z"),
        ("now + 2h", "2026-03-01T01:30:15Z"),
        ("today", "2026-02-28T00:00:00Z"),
        ("today-1w", "2026-02-21T00:00:00Z"),
    ],
)
def test_a_relative_time_is_counted_from_now_in_utc(text: str, time: str) -> None:
    assert relative_time(text, NOW) == time
    assert RelativeTimes(NOW)[text] == time


@pytest.mark.parametrize("text", ["", "yesterday", "now-7", "now-7y", "now7d"])
def test_anything_else_is_no_relative_time(text: str) -> None:
    with pytest.raises(KeyError):
        RelativeTimes(NOW)[text]
