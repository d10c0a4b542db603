"""The API over workflows in memory."""

import pytest

from planloom import wiring
from planloom.wiring import approvals as wiring_approvals
from planloom.wiring import workflows as wiring_workflows
from tests.unit.workflows.fakes import Services


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Services:
    """Workflows in memory behind the API Lambda."""
    made = Services()
    monkeypatch.setattr(wiring_workflows, "workflows", lambda: made.workflows)
    monkeypatch.setattr(wiring_approvals, "approvals", lambda: made.executor.approvals)
    monkeypatch.setattr(wiring, "request_state_key", lambda: b"0123456789abcdef0123456789abcdef")
    return made
