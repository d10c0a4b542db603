"""How a graph is run: bounds, guards, and what to do where nobody knows whether a call was made."""

from typing import Literal

from pydantic import Field

from planloom.core.frozen import Frozen


class RunOptions(Frozen):
    """How a graph is run."""

    max_concurrency: int = Field(default=4, ge=1, le=64, description="Steps that run at once")
    budget: int | None = Field(default=None, ge=0, description="Calls of tools in this run at most")
    shared_budget: str | None = Field(
        default=None, max_length=64, description="Budget whose calls this run shares with others; see budget_set"
    )
    per_tool: dict[str, int] = Field(default_factory=dict, description="Calls of a tool in this run at most, by name")
    equal_calls: int = Field(
        default=100, ge=1, description="How often a tool may be called with the same arguments in this run"
    )
    allow_destructive: bool = Field(
        default=False, description="Call tools that a trusted server calls destructive without an approval"
    )
    enable_replan: bool = Field(
        default=False, description="After a failure let a model write a graph of what is left, once"
    )
    max_replans: int = Field(
        default=2, ge=1, le=5, description="Drafts that the model may write then, until one is valid"
    )
    on_unknown: Literal["block", "retry", "skip"] = Field(
        default="block", description="What to do where it is not known whether a call was made"
    )
