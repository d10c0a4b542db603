"""What a cold start imports: no door but a stage that asks a language model pays for the model library."""

import pytest

from bench.cold_start import DOORS, imported

#: Stages that ask a language model, and what they call it by.
ASKING = {"stage, Bedrock": "botocore", "stage, OpenAI": "openai"}
LIBRARY = {"pydantic_ai", "openai", "genai_prices", "httpx2"}


@pytest.mark.parametrize("door", [door for door in DOORS if door not in ASKING])
def test_a_door_imports_nothing_of_the_model_library(door: str) -> None:
    _, _, names = imported(DOORS[door])
    assert not set(names) & (LIBRARY - {"httpx2"} if "MCP" in door else LIBRARY)


@pytest.mark.parametrize(("door", "client"), ASKING.items())
def test_a_stage_imports_the_model_library_with_its_own_providers_client(door: str, client: str) -> None:
    _, _, names = imported(DOORS[door])
    assert {"pydantic_ai", client} <= set(names)
    assert ("openai" in names) == (client == "openai")
