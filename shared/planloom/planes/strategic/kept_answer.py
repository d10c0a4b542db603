"""What is kept of a model call as soon as it is answered, so that a crash repeats only what was unfinished."""

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.core.usage import Request, Usage

#: What answers without a request to any model.
OUTLINE = "outline"


class KeptAnswer(Frozen):
    """What ``NNN-0-name-call.json`` holds: the answer to one model call, and of what question.

    Without a fingerprint it is no answer: it only says what requests cost that all failed. ``requests`` are those of
    every run, in order. ``first_run`` is that of the plan: a retry asks everything again. ``rows`` are the digests of
    the rows of the spine that the answer depends on, by id: it is used again while they are the same.
    """

    call: str
    fingerprint: str
    first_run: int = 0
    usage: Usage
    requests: tuple[Request, ...] = ()
    answer: dict[str, object]
    rows: dict[str, str] = Field(default_factory=dict, exclude_if=lambda rows: not rows)
    left_out: int = Field(default=0, ge=0, exclude_if=lambda items: not items, description="Items that did not fit")

    @property
    def answered_by(self) -> str:
        """The model whose request, the last one, brought the answer; OUTLINE where none was sent."""
        return self.requests[-1].model if self.requests else OUTLINE
