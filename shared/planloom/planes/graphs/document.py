"""The graph document: steps that call tools, what each needs, and the variables between them."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

#: Bounds of a document; see validate.py for what is said where one is passed.
MOST_STEPS = 10_000
MOST_BYTES = 4_000_000
#: Seconds that one call of a tool may take at most.
LONGEST_CALL = 300.0

Index = Annotated[str, StringConstraints(min_length=1, max_length=64)]
Variable = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_-]*$", max_length=64)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Retry(_Part):
    """How often a call that failed is made again, and after which pause."""

    attempts: int = Field(default=3, ge=1, le=10, description="Calls in all, the first one included")
    backoff: float = Field(default=1.0, ge=0, le=60, description="Seconds before the second call; doubled each time")
    on: tuple[Literal["error", "timeout", "connection"], ...] = Field(
        default=("error", "timeout", "connection"), description="Failures after which the call is made again"
    )


class ToolCall(_Part):
    """One call of a tool, as ``on_failure`` and the form ``tool_calls`` write it."""

    tool: str = Field(min_length=1, max_length=200, description="Name of the tool")
    args: dict[str, Any] = Field(default_factory=dict, description="Arguments; may contain ${variable} references")
    server: str | None = Field(default=None, description="Tool server; needed where several have this tool")


class Step(_Part):
    """One step: a call of a tool when the steps that it needs have ended."""

    index: Index = Field(description="Unique id of the step, usually its number counted from 1")
    title: str = Field(default="", max_length=500, description="What the step does, for people")
    tool: str = Field(min_length=1, max_length=200, description="Name of the MCP tool to call")
    args: dict[str, Any] = Field(default_factory=dict, description="Arguments; may contain ${variable} references")
    depends_on: tuple[Index, ...] = Field(default=(), description="Indices of the steps that must end before")
    result_variable: Variable | None = Field(default=None, description="Variable that the result is bound to")
    server: str | None = Field(
        default=None, max_length=64, description="Tool server; needed where several have the tool"
    )
    timeout_sec: float | None = Field(default=None, gt=0, le=LONGEST_CALL, description="Seconds that a call may take")
    retry: Retry | None = Field(default=None, description="Calls again after a failure; none by default")
    idempotent: bool | None = Field(
        default=None, description="Whether a call may be repeated without harm; default: what a trusted server says"
    )
    when: str | None = Field(
        default=None, max_length=2000, description="Condition over variables; false skips the step"
    )
    for_each: str | list[Any] | None = Field(
        default=None,
        description="A list, or a reference to one: the tool is called for each item, bound to item and index",
    )
    max_parallel: int = Field(default=4, ge=1, le=32, description="Items of for_each that run at once")
    on_item_failure: Literal["fail", "continue"] = Field(
        default="fail", description="Whether the step fails with its first failed item, or continues and records it"
    )
    on_failure: ToolCall | None = Field(
        default=None,
        description="Compensating call, made in reverse order after the run failed, if this step completed",
    )

    @model_validator(mode="before")
    @classmethod
    def _one_call(cls, data: Any) -> Any:
        """Accept the form ``tool_calls: [{"name", "args"}]`` with exactly one call."""
        if not isinstance(data, dict) or "tool_calls" not in data or "tool" in data:
            return data
        calls = data["tool_calls"]
        if not isinstance(calls, list) or len(calls) != 1 or not isinstance(calls[0], dict):
            raise ValueError("tool_calls holds exactly one call here. Write a step for each call.")
        # mcp-cli writes ids of its own beside the index and the call
        rest = {name: value for name, value in data.items() if name not in ("tool_calls", "id")}
        call = calls[0]
        return {"tool": call.get("tool") or call.get("name"), "args": call.get("args", {})} | rest


class Graph(_Part):
    """A plan of tool calls."""

    id: str = Field(
        default="", max_length=200, description="Id of the file; a graph that is stored gets one of its own"
    )
    title: str = Field(default="", max_length=500)
    variables: dict[str, Any] = Field(default_factory=dict, description="Initial variables; the caller's override them")
    steps: tuple[Step, ...] = Field(default=(), max_length=MOST_STEPS)

    @model_validator(mode="before")
    @classmethod
    def _known_fields(cls, data: Any) -> Any:
        """Assign missing indices by position and leave out what other programs store beside a plan."""
        if not isinstance(data, dict):
            return data
        known = {name: value for name, value in data.items() if name in cls.model_fields}
        steps = known.get("steps")
        if isinstance(steps, list):
            known["steps"] = [_indexed(step, number) for number, step in enumerate(steps, 1)]
        return known


def _indexed(step: Any, number: int) -> Any:
    if not isinstance(step, dict):
        return step
    index = step.get("index")
    given = str(index) if index not in (None, "") else str(number)
    needs = step.get("depends_on")
    written = [str(need) for need in needs] if isinstance(needs, list | tuple) else needs
    return step | {"index": given} | ({} if written is None else {"depends_on": written})
