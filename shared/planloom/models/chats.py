"""Makes the chat models of a profile; imports only those parts of the model library that its providers need."""

from planloom.models.chat_model import ChatModel
from planloom.models.profile import ModelEntry, Profile
from planloom.models.providers import Providers


def chats(profile: Profile, providers: Providers) -> list[ChatModel]:
    """Return a chat model for each model of *profile*; all of them must be available."""
    return [_chat(entry, providers, profile.concurrency) for entry in profile.models]


def _chat(entry: ModelEntry, providers: Providers, concurrency: int) -> ChatModel:
    # each import takes half a second of a cold start: import only the one that is needed
    if entry.provider == "bedrock":
        from planloom.models.bedrock_chat import BedrockChat

        assert providers.bedrock, "a profile has only models whose provider is configured"
        return BedrockChat(entry, providers.bedrock, concurrency)
    from planloom.models.openai_chat import OpenAIChat

    return OpenAIChat(entry, providers.openrouter if entry.provider == "openrouter" else providers.endpoint)
