"""A model of Amazon Bedrock, called with the Converse API."""

import anyio.to_thread
from pydantic_ai.models.bedrock import BedrockConverseModel, BedrockModelSettings
from pydantic_ai.providers.bedrock import BedrockProvider

from planloom.models.chat_model import Reply
from planloom.models.library_chat import LibraryChat
from planloom.models.pending_request import cancel_on_error
from planloom.models.profile import ModelEntry
from planloom.models.prompt import Prompt
from planloom.models.providers import Bedrock


class BedrockChat(LibraryChat):
    """The model *entry* in *bedrock*, with at most *concurrency* requests at a time.

    The prompt has cache points: Bedrock's prompt cache is used only where a request asks for it.
    """

    marks_cache = True

    def __init__(self, entry: ModelEntry, bedrock: Bedrock, concurrency: int) -> None:
        self._client = bedrock.connect(timeout=entry.timeout_seconds, connections=concurrency)
        self._threads = concurrency
        model = BedrockConverseModel(entry.model, provider=BedrockProvider(bedrock_client=self._client))
        settings = BedrockModelSettings(bedrock_cache_instructions=True)
        super().__init__(entry, model, settings, "bedrock")

    async def reply(self, prompt: Prompt) -> Reply:
        """Send *prompt* once, in a thread, since the SDK blocks. Cancelling it closes its connection, which ends the
        thread.
        """
        limiter = anyio.to_thread.current_default_thread_limiter()
        limiter.total_tokens = max(limiter.total_tokens, self._threads)
        with cancel_on_error():
            return await super().reply(prompt)

    async def close(self) -> None:
        """Close all connections."""
        self._client.close()
