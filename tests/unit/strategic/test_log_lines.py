"""Entries as lines: each type, and no text that breaks out of its line."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from planloom.planes.strategic.event_log import Entry, EntryType
from planloom.planes.strategic.log_lines import LONGEST, line_of, written

AT = datetime(2026, 11, 2, 9, 0, 0, 123_456, tzinfo=UTC)
ERROR = {
    "failure_reason": "generation_error",
    "failed_step": "008-risks",
    "message": "No\nanswer.",
    "recoverable": True,
}


@pytest.mark.parametrize(
    ("kind", "data", "line"),
    [
        ("state_changed", {"state": "pending"}, "INFO    new -> pending"),
        (
            "state_changed",
            {"state": "stopped", "previous": "processing", "reason": "plan_stop"},
            "INFO    processing -> stopped (plan_stop)",
        ),
        (
            "state_changed",
            {"state": "failed", "previous": "processing", "error": ERROR},
            "ERROR   processing -> failed: generation_error: No answer.",
        ),
        (
            "progress_updated",
            {"progress_percentage": 62.0, "steps_completed": 19, "steps_total": 30},
            "INFO    62.0 % (19 of 30 steps)",
        ),
        (
            "progress_updated",
            {
                "progress_percentage": 50.0,
                "steps_completed": 15,
                "steps_total": 30,
                "step": "016-expert_criticism",
                "answers": 3,
            },
            "INFO    50.0 % (15 of 30 steps), 016-expert_criticism kept answer 3",
        ),
        ("stage_started", {"step": "008-risks"}, "INFO    008-risks started"),
        (
            "stage_finished",
            {"step": "008-risks", "seconds": 3.2, "files": 4, "calls": 2},
            "INFO    008-risks finished in 3.2 s: 4 files, 2 model calls",
        ),
        ("stage_skipped", {"step": "008-risks"}, "INFO    008-risks skipped: what it was made from has not changed"),
        (
            "stage_failed",
            {"step": "008-risks", "error": ERROR},
            "ERROR   008-risks failed: generation_error: No answer.",
        ),
        (
            "artifact_written",
            {"path": "008-2-risks.md", "size": 5, "sha256": "ab" * 32},
            "INFO    wrote 008-2-risks.md (5 bytes, sha256 abababababab)",
        ),
        (
            "artifact_written",
            {"path": "008-2-risks.md", "size": 5, "sha256": "ab" * 32, "edited": True, "reason": "plan_artifact_edit"},
            "INFO    wrote 008-2-risks.md (5 bytes, sha256 abababababab) (plan_artifact_edit)",
        ),
        (
            "stage_invalidated",
            {"step": "008-risks", "reason": "plan_invalidate"},
            "INFO    008-risks is to be made again (plan_invalidate)",
        ),
        ("log", {"level": "warning", "message": "run 1 no progress"}, "WARNING run 1 no progress"),
    ],
)
def test_every_type_makes_a_line(kind: EntryType, data: dict[str, Any], line: str) -> None:
    entry = Entry(cursor=7, ts=AT, type=kind, data=data)
    assert written(line_of(entry)) == f"2026-11-02T09:00:00.123Z {line}"


@pytest.mark.parametrize("break_", ["\n", "\r\n", "\x1b[2J", "\u2028", "\x85", "\0"])
def test_no_message_makes_two_lines_or_moves_the_cursor_of_a_terminal(break_: str) -> None:
    data = {"level": "info", "message": f"done{break_}2026 ERROR forged"}
    text = line_of(Entry(cursor=1, ts=AT, type="log", data=data)).text
    assert len(text.splitlines()) == 1
    assert text.isprintable()


def test_a_line_is_bounded_and_its_time_in_utc() -> None:
    local = AT.astimezone(timezone(timedelta(hours=2)))
    line = line_of(Entry(cursor=1, ts=local, type="log", data={"level": "info", "message": "x" * 10_000}))
    assert written(line) == "2026-11-02T09:00:00.123Z INFO    " + "x" * LONGEST
