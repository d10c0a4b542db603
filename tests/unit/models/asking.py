"""Questions to ask in tests, and a language model in front of a stub server, with pauses noted instead of made."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

import boto3
from pydantic import Field

from bench.stub_faults import Fault
from bench.stub_models import StubModels
from planloom.adapters.bedrock_client import connect_bedrock
from planloom.core.frozen import Answer
from planloom.core.usage import Usage
from planloom.models import errors as model_errors
from planloom.models.bedrock_chat import BedrockChat
from planloom.models.chat_model import ChatModel
from planloom.models.endpoint import Endpoint
from planloom.models.errors import ModelError
from planloom.models.language_model import LanguageModel
from planloom.models.model import Part, Question
from planloom.models.openai_chat import OpenAIChat
from planloom.models.profile import ModelEntry, OutputMode, Provider
from planloom.models.providers import Bedrock

#: What a question ends in where a fault stays, and after how many requests to one model.
STAYING: tuple[tuple[Fault, type[ModelError], int], ...] = (
    ("invalid_json", model_errors.AnswerInvalid, 3),
    ("missing_field", model_errors.AnswerInvalid, 3),
    ("wrong_enum", model_errors.AnswerInvalid, 3),
    ("huge", model_errors.AnswerInvalid, 3),
    ("truncated", model_errors.AnswerTruncated, 2),
    ("refused", model_errors.AnswerRefused, 1),
    ("rate_limit", model_errors.ModelRateLimited, 6),
    ("server_error", model_errors.ModelServerError, 4),
    ("reset", model_errors.ModelServerError, 4),
    ("garbage", model_errors.ModelServerError, 4),
    ("silence", model_errors.ModelTimedOut, 2),
)


class Row(Answer):
    """A row."""

    title: str = Field(min_length=5, max_length=200)
    size: Literal["small", "large"]


class Table(Answer):
    """What is asked for."""

    rows: list[Row] = Field(min_length=2, max_length=4)
    note: str = Field(min_length=5, max_length=300)


def question(
    name: str = "table", instructions: str = "Write the table.", parts: Sequence[Part] = ()
) -> Question[Table]:
    """Return a question."""
    return Question(
        name=name,
        shared="Rules.\n<goal>\nA bakery\n</goal>",
        instructions=instructions,
        context=tuple(parts),
        answer=Table,
    )


def bedrock_at(url: str) -> Bedrock:
    """Return Bedrock at *url*, by the SDK's real client."""
    return Bedrock("eu-west-1", connect_bedrock(_session(), url), "global")


@cache
def _session() -> boto3.Session:
    # reading the service's model takes a while
    return boto3.Session("AKIATEST", "sk-secret", region_name="eu-west-1")


@dataclass
class Asking:
    """Asks the stub's models; ``pauses`` are the seconds that it would have waited."""

    stub: StubModels
    models: Sequence[str] = ("first",)
    output: tuple[OutputMode, ...] = ("native",)
    timeout: float = 5.0
    concurrency: int = 40
    provider: Provider = "openai"
    pauses: list[float] = field(default_factory=list)

    def ask(self, *questions: Question[Table]) -> list[tuple[Table, Usage]]:
        """Ask all *questions* side by side; raise the first error."""
        return asyncio.run(self._ask(questions or (question(),)))

    async def _ask(self, questions: Sequence[Question[Table]]) -> list[tuple[Table, Usage]]:
        model = LanguageModel([self._chat(name) for name in self.models], self.concurrency, self._pause)
        try:
            return list(await asyncio.gather(*(model.ask(each) for each in questions)))
        finally:
            await model.close()

    def _chat(self, name: str) -> ChatModel:
        if self.provider == "bedrock":
            return BedrockChat(self._entry(name), bedrock_at(self.stub.bedrock_url), self.concurrency)
        return OpenAIChat(self._entry(name), Endpoint(self.stub.url, "sk-secret", "unused"))

    def _entry(self, name: str) -> ModelEntry:
        return ModelEntry(
            key=name,
            provider=self.provider,
            model=name,
            output=self.output,
            timeout_seconds=self.timeout,
            max_tokens=777,
        )

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
