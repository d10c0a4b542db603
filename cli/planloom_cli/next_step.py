"""The next command for a plan that did not complete."""

from collections.abc import Mapping
from typing import Any


def next_step(status: Mapping[str, Any]) -> str:
    """Return the hint for a response of plan_status; empty if the plan is active or completed."""
    plan_id = status["plan_id"]
    if status["state"] == "stopped":
        return f"Run `planloom resume {plan_id}` to continue it."
    if status["state"] != "failed":
        return ""
    error = status.get("error") or {}
    if error.get("recoverable") and error.get("failure_reason") != "version_mismatch":
        return f"Run `planloom resume {plan_id}` to continue it; `planloom logs {plan_id}` shows what happened."
    return f"Run `planloom retry {plan_id}` to restart it, or `planloom draft` with another goal."


def failure(status: Mapping[str, Any]) -> str:
    """Return in which step and why a plan failed, in one line."""
    error = status.get("error") or {}
    reason = error.get("message") or "The plan failed."
    return f"{error['failed_step']}: {reason}" if error.get("failed_step") else str(reason)
