"""The facade: one question in, one validated answer and its usage out, whichever provider answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, Protocol, TypeVar

from planloom.domain.frozen import Answer
from planloom.domain.usage import Usage

A = TypeVar("A", bound=Answer)


@dataclass(frozen=True)
class Part:
    """A titled piece of context, whole. *by_id*: it shows rows that the question's ``rows`` gives digests of.

    ``source`` says what else such a part was made of: another source makes it another part.
    """

    title: str
    text: str
    by_id: bool = False
    source: str = ""


@dataclass(frozen=True)
class Question(Generic[A]):
    """One model call.

    ``shared`` comes first and is byte for byte the same for all calls of a plan that see it (house rules,
    prompt), so that providers' prompt caches serve it; ``instructions`` and ``context`` are the stage's own. ``rows``
    gives the digest of each row that context shows, by id: an answer stays good while the rows that it names are the
    same. ``keep_changed``: an answer that names a few rows which changed is given all the same, and says which.
    ``look`` is called before each request; what it raises ends the question. ``told`` gets what the question has
    cost so far after each.
    """

    name: str
    shared: str
    instructions: str
    context: tuple[Part, ...]
    answer: type[A]
    rows: Mapping[str, str] = field(default_factory=dict, repr=False)
    keep_changed: bool = False
    look: Callable[[], object] = field(default=lambda: None, repr=False)
    told: Callable[[Usage], object] = field(default=lambda _: None, repr=False)


@cache
def schema_of(answer: type[Answer]) -> dict[str, Any]:
    """Return the JSON schema of *answer*: made once, as a fan-out asks for twenty alike; nobody changes it."""
    return answer.model_json_schema()


class Model(Protocol):
    """Answers questions; raises ``ModelError`` where no valid answer could be had."""

    async def ask(self, question: Question[A]) -> tuple[A, Usage]:
        """Return an answer valid by ``question.answer``, and what it cost."""
        ...
