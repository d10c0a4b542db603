"""What a stage is: its place in the pipeline, its result, and how that result is drafted and shown."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic import Field

from planloom.domain.claims import Claim
from planloom.domain.frozen import Frozen
from planloom.domain.quality import QualitySummary
from planloom.stages.missing import with_missing

if TYPE_CHECKING:
    from planloom.stages.desk import Desk


class StageResult(Frozen):
    """What a stage makes: kept as ``NNN-1-name.json``, so that later stages read it typed."""

    claims: tuple[Claim, ...] = Field(default=(), description="What later stages rely on and refer to by id")
    missing: tuple[str, ...] = Field(
        default=(),
        exclude_if=lambda missing: not missing,
        description="A sentence for each part that the model gave no usable answer for; shown below the heading",
    )


R = TypeVar("R", bound=StageResult)

#: How long a stage may run, in seconds. AWS Lambda allows 900 at most.
MODEL_SECONDS = 900
COMPUTE_SECONDS = 120


@dataclass(frozen=True)
class Stage(Generic[R]):
    """One step of the pipeline, whole: a stage file ends with ``STAGE = Stage(...)``.

    ``needs`` names the stages whose results and files :class:`Desk` lets it read; ``start`` is always
    readable. Raise ``version`` whenever instructions, outline, result model or Markdown change: what an
    older version made is then made again on resume. ``markdown_slot`` is the K of ``NNN-K-name.md``: 3 where the
    prompt's file has taken 2. ``standard_files`` False: ``extra_files`` are all that the stage makes.
    ``quality``: what the result says of the whole plan, for the stage that checks it. ``edited`` takes the prompt, a
    result and what a person made of it, and returns that with all that follows from it.

    What the stage is deployed with follows from ``asks_model``: the packages of its bundle, its timeout and memory, the
    right to invoke models, the timeout of its state in the state machine.
    """

    number: int
    name: str
    title: str
    needs: tuple[str, ...]
    version: int
    result: type[R]
    draft: "Callable[[Desk], Awaitable[R]]" = field(repr=False)
    markdown: Callable[[R], str] = field(repr=False)
    markdown_slot: int = field(default=2, repr=False)
    standard_files: bool = field(default=True, repr=False)
    extra_files: Callable[[R], Mapping[str, str]] | None = field(default=None, repr=False)
    quality: Callable[[R], QualitySummary] | None = field(default=None, repr=False)
    edited: Callable[[str, R, R], R] | None = field(default=None, repr=False)
    asks_model: bool = field(default=True, repr=False)

    @property
    def timeout_seconds(self) -> int:
        """How long one attempt may run, in seconds."""
        return MODEL_SECONDS if self.asks_model else COMPUTE_SECONDS

    @property
    def step(self) -> str:
        """The stage as failures and logs name it: ``016-expert_criticism``."""
        return f"{self.number:03}-{self.name}"

    @property
    def key(self) -> str:
        """The stage as table keys and step records name it: ``016``."""
        return f"{self.number:03}"

    @property
    def json_path(self) -> str:
        """Where its result lies within the plan."""
        return f"{self.number:03}-1-{self.name}.json"

    @property
    def markdown_path(self) -> str:
        """Where people and later stages read it."""
        return f"{self.number:03}-{self.markdown_slot}-{self.name}.md"

    def call_path(self, call: str) -> str:
        """Where the answer to one of its model calls lies, so that a crash repeats only what was unfinished."""
        return f"{self.number:03}-0-{self.name}-{call}.json"

    def files(self, result: R) -> dict[str, str]:
        """Every artifact that *result* makes, by path; the same result always gives the same bytes."""
        made = dict(self.extra_files(result)) if self.extra_files else {}
        if self.standard_files:
            made[self.json_path] = result.model_dump_json(indent=2) + "\n"
            made[self.markdown_path] = with_missing(self.markdown(result), result.missing).rstrip() + "\n"
        return made
