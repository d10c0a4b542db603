"""What a cold start imports: no door but a stage that asks a language model pays for the model library."""

import pytest

from bench.cold_start import DOORS, imported

LIBRARY = {"pydantic_ai", "openai", "genai_prices", "httpx2"}


@pytest.mark.parametrize("door", [door for door in DOORS if door != "stage, models"])
def test_a_door_imports_nothing_of_the_model_library(door: str) -> None:
    _, _, names = imported(DOORS[door])
    assert not set(names) & (LIBRARY - {"httpx2"} if "MCP" in door else LIBRARY)


def test_a_stage_imports_the_model_library_once_it_asks_a_language_model() -> None:
    _, _, names = imported(DOORS["stage, models"])
    assert {"pydantic_ai", "openai", "botocore"} <= set(names)
