"""What happens to a run: the facts that ``advance`` applies. Each names the time at which it happened."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from planloom.approvals.approval import Approval
from planloom.planes.workflows.states import Result

#: Bytes of JSON of one structured output: it is passed on to later nodes. Longer content belongs into artifacts.
OUTPUT_BYTES = 65_536
#: Bytes of JSON of what a node is given, the outputs of all nodes before it together.
INPUT_BYTES = 500_000


def json_bytes(value: Any) -> int:
    """Return how many bytes *value* has as JSON."""
    return len(json.dumps(value, ensure_ascii=False, default=str).encode(errors="replace"))


@dataclass(frozen=True, kw_only=True)
class Fact:
    """Something that happened at a time."""

    at: datetime


@dataclass(frozen=True, kw_only=True)
class Started(Fact):
    """The run begins at its entry nodes. ``carried`` holds finished work of equal nodes of the replaced run."""

    carried: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Submitted(Fact):
    """An executor submits a result. ``ask_model``: checks by a model follow; ``verdicts`` are those that need none."""

    node: str
    result: Result
    by: str = ""
    key: str = ""
    token: str = ""
    verdicts: Mapping[int, tuple[bool, str]] = field(default_factory=dict)
    ask_model: bool = False


@dataclass(frozen=True, kw_only=True)
class Judged(Fact):
    """A model has judged the submission with the number *attempt*; verdicts by the number of the check."""

    node: str
    attempt: int
    verdicts: Mapping[int, tuple[bool, str]]


@dataclass(frozen=True, kw_only=True)
class Claimed(Fact):
    """An executor takes a node for *seconds*; with the token that it has, it renews its claim."""

    node: str
    by: str
    token: str
    seconds: int
    renews: bool = False
    repeatable: bool = True


@dataclass(frozen=True, kw_only=True)
class ToolEnded(Fact):
    """The call of a plugin node, claimed with *token*, ended with a value or an error."""

    node: str
    token: str
    value: Any = None
    error: str = ""
    unknown: bool = False


@dataclass(frozen=True, kw_only=True)
class ChildStarted(Fact):
    """The run of a subworkflow was created."""

    node: str
    run_id: str


@dataclass(frozen=True, kw_only=True)
class ChildEnded(Fact):
    """The run of a subworkflow ended."""

    node: str
    run_id: str
    status: str
    output: Any = None
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class ApprovalChanged(Fact):
    """An approval was answered, expired, escalated or withdrawn; this is how it is now."""

    approval: Approval


@dataclass(frozen=True, kw_only=True)
class TimePassed(Fact):
    """It is *at*: what is due happens."""


@dataclass(frozen=True, kw_only=True)
class Resumed(Fact):
    """The run is resumed: blocked nodes get a further attempt."""

    by: str = ""


@dataclass(frozen=True, kw_only=True)
class Stopped(Fact):
    """The run is stopped, or another run replaces it."""

    reason: str
    replaced_by: str | None = None
