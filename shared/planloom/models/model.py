"""The interface that stages call: a question in, a validated answer and its usage out, for every provider."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, Protocol, TypeVar

from planloom.core.frozen import Answer
from planloom.core.usage import Usage

A = TypeVar("A", bound=Answer)


@dataclass(frozen=True)
class Part:
    """A titled piece of context. *by_id*: it shows rows whose digests are in the ``rows`` of the question.

    ``source`` identifies what else such a part was made of: parts with different sources are different parts.
    """

    title: str
    text: str
    by_id: bool = False
    source: str = ""


@dataclass(frozen=True)
class Question(Generic[A]):
    """One model call.

    ``shared`` comes first and is byte for byte the same for all calls of a plan that have it (rules, prompt), so that
    providers' prompt caches are used; ``instructions`` and ``context`` are those of the stage. ``rows`` has the digest
    of each row in the context, by id: an answer stays valid while the rows that it names are the same.
    ``updates``: the answer depends on all rows, and the caller corrects it for changed ones, so that it is also
    returned if a few rows have changed, and says which. ``look`` is called before each request; if it raises, the
    question ends. ``on_usage`` gets the usage so far after each.
    """

    name: str
    shared: str
    instructions: str
    context: tuple[Part, ...]
    answer: type[A]
    rows: Mapping[str, str] = field(default_factory=dict, repr=False)
    updates: bool = False
    look: Callable[[], object] = field(default=lambda: None, repr=False)
    on_usage: Callable[[Usage], object] = field(default=lambda _: None, repr=False)


@cache
def schema_of(answer: type[Answer]) -> dict[str, Any]:
    """Return the JSON schema of *answer*, which callers must not change: it is made once for many questions."""
    return answer.model_json_schema()


class Model(Protocol):
    """Answers questions; raises ``ModelError`` if there is no valid answer."""

    async def ask(self, question: Question[A]) -> tuple[A, Usage]:
        """Return an answer of the type ``question.answer``, and its usage."""
        ...
