"""A model of an OpenAI-compatible endpoint: OpenAI, OpenRouter, Ollama, vLLM, LM Studio."""

from openai import AsyncOpenAI
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.profiles.openai import OpenAIModelProfile
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from planloom.models.endpoint import Endpoint
from planloom.models.library_chat import LibraryChat
from planloom.models.prices import price_list
from planloom.models.profile import ModelEntry


class OpenAIChat(LibraryChat):
    """The model *entry* at *endpoint*."""

    def __init__(self, entry: ModelEntry, endpoint: Endpoint) -> None:
        # planloom makes the retries itself; the client requires a key even if the endpoint does not
        self._client = AsyncOpenAI(
            api_key=endpoint.api_key or "none", base_url=endpoint.url, max_retries=0, timeout=entry.timeout_seconds
        )
        model = OpenAIChatModel(
            entry.model,
            provider=OpenAIProvider(openai_client=self._client),
            profile=OpenAIModelProfile(openai_chat_supports_max_completion_tokens=endpoint.is_openai),
        )
        super().__init__(entry, model, ModelSettings(timeout=entry.timeout_seconds), price_list(endpoint.url))

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()
