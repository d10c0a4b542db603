"""How many plans a laptop drafts at once: two, or what its owner says."""

import pytest

from planloom_cli.embedded import NotReady, runs_at_once


@pytest.mark.parametrize(("told", "expected"), [(None, "2"), ("", "2"), (" 4 ", "4"), ("0", "0")])
def test_two_unless_the_environment_says_otherwise(
    monkeypatch: pytest.MonkeyPatch, told: str | None, expected: str
) -> None:
    monkeypatch.delenv("PLANLOOM_RUNS_AT_ONCE", raising=False)
    if told is not None:
        monkeypatch.setenv("PLANLOOM_RUNS_AT_ONCE", told)
    assert runs_at_once() == expected


@pytest.mark.parametrize("told", ["two", "-1", "1.5", "²"])
def test_a_value_that_is_no_number_is_rejected(monkeypatch: pytest.MonkeyPatch, told: str) -> None:
    monkeypatch.setenv("PLANLOOM_RUNS_AT_ONCE", told)
    with pytest.raises(NotReady, match="0 for no limit"):
        runs_at_once()
