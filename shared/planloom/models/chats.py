"""The chat models of a profile, each at its provider; imports of the model library what these providers need."""

from planloom.models.chat_model import ChatModel
from planloom.models.profile import ModelEntry, Profile
from planloom.models.providers import Providers


def chats(profile: Profile, providers: Providers) -> list[ChatModel]:
    """Return one chat model for each of *profile*'s models, which must be available."""
    return [_chat(entry, providers, profile.concurrency) for entry in profile.models]


def _chat(entry: ModelEntry, providers: Providers, concurrency: int) -> ChatModel:
    # each costs half a second of a cold start that the other's plans need not pay
    if entry.provider == "bedrock":
        from planloom.models.bedrock_chat import BedrockChat

        assert providers.bedrock, "a model whose provider is not set up is left out"
        return BedrockChat(entry, providers.bedrock, concurrency)
    from planloom.models.openai_chat import OpenAIChat

    return OpenAIChat(entry, providers.openrouter if entry.provider == "openrouter" else providers.endpoint)
