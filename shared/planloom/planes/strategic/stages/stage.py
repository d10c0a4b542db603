"""What a stage is: its place in the pipeline, its result, and the sections that the result is shown as."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.planes.strategic.claims import Claim
from planloom.planes.strategic.quality_score import QualitySummary
from planloom.planes.strategic.stages.missing import with_missing

if TYPE_CHECKING:
    from planloom.planes.strategic.stages.context import StageContext


class StageResult(Frozen):
    """What a stage makes: kept as ``NNN-1-name.json``, so that later stages read it typed."""

    claims: tuple[Claim, ...] = Field(default=(), description="Statements that the report lists with their sources")
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
class Section:
    """A section of the plan: the Markdown file ``NNN-slot-name.md`` of its stage."""

    name: str
    title: str
    slot: int = 2


@dataclass(frozen=True)
class Stage(Generic[R]):
    """One step of the pipeline, whole: a stage file ends with ``STAGE = Stage(...)``.

    ``needs`` names the stages whose results and sections :class:`StageContext` lets it read; ``start`` is always
    readable. Raise ``version`` whenever instructions, result model or Markdown change: what an older version made is
    then made again on resume. ``sections`` are its Markdown files, in order; ``pages`` returns their texts by name.
    ``extra_files`` returns further files, by path. ``standard_files`` False: they are all that the stage makes.
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
    draft: "Callable[[StageContext], Awaitable[R]]" = field(repr=False)
    pages: Callable[[R], Mapping[str, str]] = field(repr=False)
    sections: tuple[Section, ...] = field(default=(), repr=False)
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
        """The path of its result in the plan."""
        return f"{self.number:03}-1-{self.name}.json"

    @property
    def section_paths(self) -> Mapping[str, str]:
        """The path of each section's Markdown, by the section's name."""
        return {section.name: f"{self.key}-{section.slot}-{section.name}.md" for section in self.sections}

    def call_path(self, call: str) -> str:
        """The path of the stored answer to one of its model calls, so that a retry repeats only unfinished calls."""
        return f"{self.number:03}-0-{self.name}-{call}.json"

    def files(self, result: R) -> dict[str, str]:
        """Every artifact that *result* makes, by path; the same result always gives the same bytes."""
        made = dict(self.extra_files(result)) if self.extra_files else {}
        if self.standard_files:
            made[self.json_path] = result.model_dump_json(indent=2) + "\n"
            pages = self.pages(result)
            first = next(iter(self.section_paths), "")
            for name, path in self.section_paths.items():
                # a section may be left out: an annex of another level of detail
                if text := pages.get(name, ""):
                    missing = result.missing if name == first else ()
                    made[path] = with_missing(text, missing).rstrip() + "\n"
        return made
