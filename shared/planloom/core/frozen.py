"""The two base models: frozen values, and text that is bounded because a model may have written it.

Their errors quote no input: it may hold the prompt's words, and a traceback goes into the log.
"""

from collections.abc import Mapping
from typing import ClassVar, Self

from pydantic import BaseModel, ConfigDict, PrivateAttr


class Frozen(BaseModel):
    """A value object: immutable, no unknown fields, its schema built on first use (imports stay cheap)."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True, hide_input_in_errors=True)


class Answer(BaseModel):
    """What one model call returns: unknown fields are dropped, since models add them; bounds hold."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", defer_build=True, str_strip_whitespace=True, hide_input_in_errors=True
    )

    #: Its texts name figures in double braces, which a program replaces: these are no placeholders.
    names_figures: ClassVar[bool] = False

    _left_out: int = PrivateAttr(default=0)
    _rows_changed: Mapping[str, str] = PrivateAttr(default_factory=dict)

    @property
    def items_left_out(self) -> int:
        """How many items and fields were removed because they did not fit, however often they were asked for."""
        return self._left_out

    def leaving_out(self, items: int) -> Self:
        """Return the answer as one from which *items* were removed."""
        copy = self.model_copy()
        copy._left_out = items
        return copy

    @property
    def rows_changed(self) -> Mapping[str, str]:
        """The rows that it depends on and that changed since it was given: what ``Question.rows`` said of them, by id.

        Nothing is said of a row that is new.
        """
        return self._rows_changed

    def with_rows_changed(self, before: Mapping[str, str]) -> Self:
        """Return the answer as one that depends on rows which were as *before* when it was given."""
        copy = self.model_copy()
        copy._rows_changed = before
        return copy
