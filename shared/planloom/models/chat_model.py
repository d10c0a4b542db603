"""What a provider must offer to the facade: one request, one reply, and errors by class."""

from dataclasses import dataclass
from typing import Literal, Protocol

from planloom.domain.model_errors import ModelRejected
from planloom.models.prompt import Prompt

Finish = Literal["complete", "truncated", "refused"]


@dataclass(frozen=True)
class Reply:
    """What came back: the text of the answer, how it ended, and the tokens that the provider counted.

    ``cached_tokens`` and ``written_tokens``, read from and written to the provider's cache, are parts of
    ``input_tokens``.
    """

    text: str
    finish: Finish
    input_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0
    output_tokens: int = 0


class ModeUnknown(ModelRejected):
    """The provider rejects the way in which the answer's schema was sent; the next request goes another way."""


class ChatModel(Protocol):
    """One model of one provider."""

    @property
    def name(self) -> str:
        """The model's name, as messages show it."""
        ...

    @property
    def prices(self) -> str:
        """The list of prices that holds for it; empty where none is known."""
        ...

    async def reply(self, prompt: Prompt) -> Reply:
        """Send *prompt* once. Raises ModelUnavailable and its kin, ModelRejected; never a provider's own error."""
        ...

    async def close(self) -> None:
        """Hang up."""
        ...
