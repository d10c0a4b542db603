"""Times that recur, as AWS writes them."""

from datetime import UTC, datetime

import pytest

from planloom.core.cron import ExpressionInvalid, parse

NOW = datetime(2026, 11, 23, 10, 30, tzinfo=UTC)  # a Monday


@pytest.mark.parametrize(
    ("text", "zone", "expected"),
    [
        ("cron(0 8 * * ? *)", "UTC", "2026-11-24T08:00"),
        ("cron(0 8 * * ? *)", "Europe/Lisbon", "2026-11-24T08:00"),
        ("cron(0 8 * * ? *)", "America/New_York", "2026-11-23T13:00"),
        ("cron(*/15 * * * ? *)", "UTC", "2026-11-23T10:45"),
        ("cron(30,45 10-11 * * ? *)", "UTC", "2026-11-23T10:45"),
        ("cron(0 9 ? * MON-FRI *)", "UTC", "2026-11-24T09:00"),
        ("cron(0 9 ? * SUN *)", "UTC", "2026-11-29T09:00"),
        ("cron(0 0 31 * ? *)", "UTC", "2026-12-31T00:00"),
        ("cron(0 0 29 FEB ? *)", "UTC", "2028-02-29T00:00"),
        ("cron(0 0 1 1 ? 2029)", "UTC", "2029-01-01T00:00"),
        ("cron(0 0 1 1 ? 2020)", "UTC", None),
        ("at(2026-11-23T12:00:00)", "UTC", "2026-11-23T12:00"),
        ("at(2026-11-23T12:00:00)", "Asia/Tokyo", None),
    ],
)
def test_the_next_time_is_found(text: str, zone: str, expected: str | None) -> None:
    found = parse(text, zone).after(NOW)
    assert (found and found.isoformat()[:16]) == expected
    assert found is None or found.utcoffset() == UTC.utcoffset(None)


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("rate(5 minutes)", "UTC"),
        ("cron(0 8 * * ?)", "UTC"),
        ("cron(0 8 * * * *)", "UTC"),
        ("cron(0 8 ? * ? *)", "UTC"),
        ("cron(60 8 * * ? *)", "UTC"),
        ("cron(0 8 L * ? *)", "UTC"),
        ("cron(0 8 ? * 2#1 *)", "UTC"),
        ("cron(0/0 8 * * ? *)", "UTC"),
        ("cron(9-5 8 * * ? *)", "UTC"),
        ("at(tomorrow)", "UTC"),
        ("cron(0 8 * * ? *)", "Mars/Olympus"),
        ("cron(0 8 * * ? *)", "../etc/passwd"),
        ("", "UTC"),
    ],
)
def test_what_is_no_time_is_refused(text: str, zone: str) -> None:
    with pytest.raises(ExpressionInvalid):
        parse(text, zone)
