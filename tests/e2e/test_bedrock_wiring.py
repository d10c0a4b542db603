"""The SDK's own client of Bedrock against the embedded AWS's: found by what the command hands to the Lambdas."""

import asyncio
from collections.abc import Iterator

import pytest

from planloom.models.bedrock_chat import BedrockChat
from planloom.models.chat_model import Reply
from planloom.models.prompt import Prompt
from planloom.wiring.models import make_models
from planloom_cli.embedded import EmbeddedAws

SCHEMA = {"type": "object", "properties": {"note": {"type": "string"}}, "required": ["note"]}


@pytest.fixture(scope="module")
def aws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedAws]:
    with EmbeddedAws(tmp_path_factory.mktemp("bedrock-state")) as running:
        yield running


def test_the_models_of_a_profile_answer_through_the_embedded_awss_bedrock(aws: EmbeddedAws) -> None:
    models = make_models(
        {
            "PLANLOOM_BEDROCK_URL": aws.endpoint,
            "PLANLOOM_BEDROCK_REGION": "us-east-1",
            "PLANLOOM_BEDROCK_KEY_ID": "test",
            "PLANLOOM_BEDROCK_KEY": "test",
        }
    )
    profile, bedrock = models.available()["premium"], models.providers().bedrock
    assert bedrock

    async def ask() -> list[Reply]:
        chats = [BedrockChat(entry, bedrock, profile.concurrency) for entry in profile.models]
        replies = [await chat.reply(Prompt("Rules.", "Write a note.", SCHEMA)) for chat in chats]
        for chat in chats:
            await chat.close()
        return replies

    replies = asyncio.run(ask())
    assert len(replies) == 2
    for reply in replies:
        # what it says is canned; that it was asked, answered and counted is what is shown here
        assert reply.finish == "complete"
        assert reply.text
        assert reply.input_tokens > 0
        assert reply.output_tokens > 0
