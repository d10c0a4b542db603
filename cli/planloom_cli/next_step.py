"""What a person does best with a plan that did not complete, as a command to type."""

from collections.abc import Mapping
from typing import Any


def next_step(status: Mapping[str, Any]) -> str:
    """Return it for an answer of plan_status; empty where the plan is under way or completed."""
    plan_id = status["plan_id"]
    if status["state"] == "stopped":
        return f"`planloom resume {plan_id}` goes on from there."
    if status["state"] != "failed":
        return ""
    error = status.get("error") or {}
    if error.get("recoverable") and error.get("failure_reason") != "version_mismatch":
        return f"`planloom resume {plan_id}` goes on from there; `planloom logs {plan_id}` tells what came before."
    return f"`planloom retry {plan_id}` starts it again, `planloom draft` with another goal a new one."


def failure(status: Mapping[str, Any]) -> str:
    """Return where and why a failed plan failed, in a line."""
    error = status.get("error") or {}
    why = error.get("message") or "The plan failed."
    return f"{error['failed_step']}: {why}" if error.get("failed_step") else str(why)
