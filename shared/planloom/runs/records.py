"""What is kept of a run: the run itself, what its worker needs to continue, and the result of each step."""

import json
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from pydantic import Field

from planloom.core.frozen import Frozen

#: Values of steps whose JSON is longer are kept in an object of their own.
INLINE_BYTES = 32_768


class RunState(StrEnum):
    """Where a run is. ``waiting``: for an approval. ``blocked``: a call may have been made, and nobody knows."""

    RUNNING = "running"
    WAITING = "waiting"
    BLOCKED = "blocked"
    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"


#: A run in one of these has no worker, and gets one by a resume only.
ENDED = frozenset({RunState.BLOCKED, RunState.COMPLETED, RunState.FAILED, RunState.STOPPED})
RESUMABLE = ENDED - {RunState.COMPLETED}
ACTIVE = frozenset({RunState.RUNNING, RunState.WAITING})
#: From which states each state is reached within one number; a resume raises the number instead.
TRANSITIONS: Mapping[RunState, frozenset[RunState]] = {
    RunState.RUNNING: ACTIVE,
    RunState.WAITING: frozenset({RunState.RUNNING}),
    **dict.fromkeys(ENDED, ACTIVE),
}


class RunFailure(Frozen):
    """Why a run did not complete. ``steps`` are those that caused it."""

    code: str
    message: str
    steps: tuple[str, ...] = ()


class Progress(Frozen):
    """How many steps ended how; ``running`` and ``waiting`` name steps, at most 50 of each."""

    completed: int = 0
    failed: int = 0
    skipped: int = 0
    unknown: int = 0
    running: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    calls: int = 0

    @property
    def ended(self) -> int:
        """How many steps need no further call."""
        return self.completed + self.skipped


class Run(Frozen):
    """One run. ``subject`` is what runs (the id of a graph), ``work`` the key of its RunWork.

    ``number`` is the fence; ``part`` counts what the engine was asked to start for it. ``replanned``: after a failure
    it continued with a revised graph. ``wakes`` is the run that is woken when this one has ended.
    """

    run_id: str
    plane: str
    account: str
    subject: str
    revision: int = 1
    title: str = ""
    number: int = 1
    part: int = 1
    work: str
    state: RunState = RunState.RUNNING
    created_at: datetime
    ended_at: datetime | None = None
    deadline: datetime | None = None
    steps: int
    progress: Progress = Progress()
    failure: RunFailure | None = None
    replanned: bool = False
    wakes: str = ""


class Unit(NamedTuple):
    """What one record is about: a step, or a part of it (``items/3``, ``undo``)."""

    step: str
    part: str = ""

    @property
    def text(self) -> str:
        """The unit as one text; read it back with :meth:`of`."""
        return f"{self.part}:{self.step}"

    @classmethod
    def of(cls, text: str) -> "Unit":
        """Return the unit that *text* names."""
        part, _, step = text.partition(":")
        return cls(step, part)


class StepRecord(Frozen):
    """What a unit came to; it is written once, and writing it is the commit.

    ``value`` is JSON, or ``value_key`` names the object that holds it. ``detail`` is the plane's: tool, arguments.
    """

    step: str
    part: str = ""
    number: int
    attempt: int
    state: Literal["completed", "failed", "skipped", "unknown"]
    value: str | None = None
    value_key: str | None = None
    value_bytes: int = 0
    error: str = ""
    code: str = ""
    detail: dict[str, Any] = Field(default_factory=dict)
    calls: int = 0
    started_at: datetime
    ended_at: datetime

    @property
    def unit(self) -> Unit:
        """What it is about."""
        return Unit(self.step, self.part)


class RunWork(Frozen):
    """What all workers of one number work from; never changed.

    ``kept`` are the records of earlier numbers that count, by unit: number and attempt. ``decided`` are records that
    the caller's resume made for steps whose outcome was unknown. ``calls_before`` are the calls of records that count
    no more, by tool.
    """

    document: dict[str, Any]
    kept: dict[str, tuple[int, int]] = Field(default_factory=dict)
    decided: tuple[StepRecord, ...] = ()
    calls_before: dict[str, int] = Field(default_factory=dict)


class Intent(Frozen):
    """A call that is about to be made and must not be made twice, kept before it is made."""

    unit: str
    attempt: int


class Control(Frozen):
    """What a worker looks at every second. ``signals`` counts what callers asked for since the run began."""

    number: int
    state: RunState
    epoch: int = 0
    lease_until: datetime | None = None
    stop: bool = False
    signals: int = 0
    token: str | None = None
    intents: tuple[Intent, ...] = ()


class Lease(NamedTuple):
    """The right to work on a run: nobody else's writes count while its number and epoch are the run's."""

    run_id: str
    number: int
    epoch: int


class RunEvent(Frozen):
    """What happened, named in the past tense. Cursors strictly increase; ``version`` is that of its fields."""

    name: str
    at: datetime
    number: int
    step: str | None = None
    data: dict[str, Any] = Field(default_factory=dict)
    version: int = 1


class LoggedEvent(RunEvent):
    """An event in the log."""

    cursor: int


def as_json(value: Any) -> str:
    """Return *value*, the JSON value of a step, as text that :func:`from_json` turns back into the same value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> Any:
    """Return the value of *text*."""
    return json.loads(text)
