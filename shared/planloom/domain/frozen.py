"""The two base models: frozen values, and text that is bounded because a model may have written it.

Their errors quote no input: it may hold the prompt's words, and a traceback goes into the log.
"""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """A value object: immutable, no unknown fields, its schema built on first use (imports stay cheap)."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, hide_input_in_errors=True)


class Answer(BaseModel):
    """What one model call returns: unknown fields are dropped, since models add them; bounds hold."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", defer_build=True, str_strip_whitespace=True, hide_input_in_errors=True
    )
