"""How long one stage's fan-out takes: calls of a fixed latency, so many at once, on each wire format.

    python -m bench.fan_out [--calls 60] [--latency 0.5] [--concurrency 40]

The ideal is the number of rounds times the latency. A first call, which is not counted, opens what later calls find
open.
"""

import argparse
import asyncio
import time
from dataclasses import replace
from typing import Literal

import boto3
from pydantic import Field

from bench.stub_models import StubModels
from planloom.adapters.bedrock_client import connect_bedrock
from planloom.core.frozen import Answer
from planloom.models.bedrock_chat import BedrockChat
from planloom.models.chat_model import ChatModel
from planloom.models.endpoint import Endpoint
from planloom.models.language_model import LanguageModel
from planloom.models.model import Part, Question
from planloom.models.openai_chat import OpenAIChat
from planloom.models.profile import ModelEntry
from planloom.models.providers import Bedrock

MODEL = "global.anthropic.claude-haiku-5-5"

Wire = Literal["openai", "bedrock"]


class Note(Answer):
    """What is asked for."""

    note: str = Field(min_length=5, max_length=400)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=60)
    parser.add_argument("--latency", type=float, default=0.5, help="seconds that each answer takes")
    parser.add_argument("--concurrency", type=int, default=40)
    options = parser.parse_args()
    ideal = -(-options.calls // options.concurrency) * options.latency
    print(f"{options.calls} calls of {options.latency:g} s, {options.concurrency} at once: ideal {ideal:.2f} s")
    for wire in ("openai", "bedrock"):
        with StubModels() as stub:
            seconds = asyncio.run(measure(wire, stub, options.calls, options.latency, options.concurrency))
        print(f"  {wire:<8}{seconds:8.2f} s  (most at once: {stub.most_at_once})")


async def measure(wire: Wire, stub: StubModels, calls: int, latency: float, concurrency: int) -> float:
    """Return the seconds that *calls* side by side take."""
    model = LanguageModel([_chat(wire, stub, concurrency)], concurrency)
    asked = [_question(n) for n in range(calls)]
    try:
        await model.ask(replace(asked[0], instructions="First."))
        stub.latency = latency
        begun = time.monotonic()
        await asyncio.gather(*(model.ask(each) for each in asked))
        return time.monotonic() - begun
    finally:
        await model.close()


def _chat(wire: Wire, stub: StubModels, concurrency: int) -> ChatModel:
    entry = ModelEntry(key=wire, provider=wire, model=MODEL, output=("tool",))
    if wire == "openai":
        return OpenAIChat(entry, Endpoint(stub.url, "none", MODEL))
    session = boto3.Session("none", "none", region_name="us-east-1")
    return BedrockChat(entry, Bedrock("us-east-1", connect_bedrock(session, stub.bedrock_url)), concurrency)


def _question(n: int) -> Question[Note]:
    part = Part("material", "What a call is shown. " * 40)
    return Question(f"note-{n}", "Rules. " * 100, f"Write note {n}.", (part,), Note)


if __name__ == "__main__":
    main()
