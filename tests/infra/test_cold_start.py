"""What a cold start imports: no handler but a stage that asks a language model pays for the model library."""

import pytest

from bench.cold_start import HANDLERS, imported

#: Stages that ask a language model, and what they call it by.
ASKING = {"stage, Bedrock": "botocore", "stage, OpenAI": "openai"}
LIBRARY = {"pydantic_ai", "openai", "genai_prices", "httpx2"}


@pytest.mark.parametrize("name", [name for name in HANDLERS if name not in ASKING])
def test_a_handler_imports_nothing_of_the_model_library(name: str) -> None:
    _, _, names = imported(HANDLERS[name])
    assert not set(names) & (LIBRARY - {"httpx2"} if "MCP" in name else LIBRARY)


@pytest.mark.parametrize(("name", "client"), ASKING.items())
def test_a_stage_imports_the_model_library_with_its_own_providers_client(name: str, client: str) -> None:
    _, _, names = imported(HANDLERS[name])
    assert {"pydantic_ai", client} <= set(names)
    assert ("openai" in names) == (client == "openai")
