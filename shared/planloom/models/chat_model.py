"""The interface of a provider: one request, one reply, and errors by class."""

from dataclasses import dataclass
from typing import Literal, Protocol

from planloom.models.errors import ModelRejected
from planloom.models.prompt import Prompt

Finish = Literal["complete", "truncated", "refused"]


@dataclass(frozen=True)
class Reply:
    """The response of a provider: the text of the answer, how it ended, and the tokens that the provider counted.

    ``input_tokens`` includes ``cached_tokens``, read from the provider's cache, and ``written_tokens``, written to it.
    """

    text: str
    finish: Finish
    input_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0
    output_tokens: int = 0


class ModeUnknown(ModelRejected):
    """The provider rejects the output mode, the way in which the schema was sent; the next request uses another."""


class ChatModel(Protocol):
    """One model of one provider."""

    @property
    def name(self) -> str:
        """The name of the model, for messages."""
        ...

    @property
    def prices(self) -> str:
        """The name of its price list; empty if none is known."""
        ...

    async def reply(self, prompt: Prompt) -> Reply:
        """Send *prompt* once. Raises ModelError by class, never an error of the provider's library."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...
