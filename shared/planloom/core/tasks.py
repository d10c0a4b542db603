"""Calls of tools that continue after their response, as a client that can poll tasks sees them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from planloom.core.endpoint import ApiModel
from planloom.core.errors import PlanloomError

TaskState = Literal["working", "asking", "ended", "cancelled"]


@dataclass(frozen=True)
class Question:
    """What a person is asked before the work continues. *answer* is the JSON Schema of an object with flat fields."""

    text: str
    answer: Mapping[str, Any]


@dataclass(frozen=True)
class Task:
    """Where the work behind a call is.

    ``asking``: it waits for an answer to each of ``questions``, by keys that are never used again. ``ended``: it has
    ``response``, that of the tool, or ``error``, with which the tool refuses. ``kept`` counts from its creation; None:
    until somebody deletes it.
    """

    state: TaskState
    created_at: datetime
    changed_at: datetime
    message: str = ""
    questions: Mapping[str, Question] = field(default_factory=dict)
    response: ApiModel | None = None
    error: PlanloomError | None = None
    kept: timedelta | None = None
    poll: timedelta = timedelta(seconds=3)


@dataclass(frozen=True)
class TaskCall:
    """A call about a task. ``can_ask``: the client can show questions to a person."""

    key: str
    can_ask: bool = False
    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class LongTool:
    """How calls of one tool continue as tasks.

    *key* returns what names the work that a call started, from its request and response; empty where the response is
    final. The others are handlers as those of endpoints are, whose ``request`` is a TaskCall: *look* returns a Task,
    *cancel* asks the work to end, *answer* takes answers to questions and ignores those that nobody asked. They raise
    what endpoints raise.
    """

    key: Callable[[Any, Any], str]
    look: Callable[..., Task]
    cancel: Callable[..., Any]
    answer: Callable[..., Any] | None = None
