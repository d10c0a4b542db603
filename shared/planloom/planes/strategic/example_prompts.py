"""The example prompts: twelve goals from twelve fields, in the prose that makes good plans."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

#: The prompts that example plans are drafted from: a shop, a public work and a product.
CURATED = ("bakery-cafe-lisbon", "flood-wall-aalborg", "cargo-trike-product")


@cache
def example_prompts() -> list[dict[str, Any]]:
    """Return the examples as ``{id, title, tags, prompt}``; each prompt is one block of 300 to 800 words."""
    table = tomllib.loads((files(__package__) / "example_prompts.toml").read_text(encoding="utf-8"))
    return [sample | {"prompt": " ".join(sample["prompt"].split())} for sample in table["samples"]]
