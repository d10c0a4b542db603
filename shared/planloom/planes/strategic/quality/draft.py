"""A finished plan as the checks read it: its pages, its spine, what was computed of that, and what is missing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Literal

from planloom.planes.strategic.compute.computed import Computed
from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.quality.passages import Passage, passages
from planloom.planes.strategic.spine.spine import Spine

GOAL_FILE = "001-2-plan.txt"
START_FILE = "001-3-start.md"
SPINE_FILE = "011-2-spine.md"
SCHEDULE_FILE = "026-2-schedule.md"
PLAN_FILE = "020-2-project_plan.md"

#: ``main``: for decision makers; ``annex``: supporting detail; ``paper``: how the plan was made, superseded
#: texts included.
Part = Literal["main", "annex", "paper"]


@dataclass(frozen=True)
class Page:
    """A section: its Markdown file, the title that the report shows, and the part of the report that it is in."""

    file: str
    title: str
    part: Part
    text: str


@dataclass(frozen=True)
class Draft:
    """All that the checks read; pages in the order of the report, empty ones left out.

    ``missing`` says by file what the model gave no usable answer for; ``unknown_figures`` are the figures that texts
    refer to and no program knows, each behind the file of the text.
    """

    prompt: str
    facts: Facts
    today: date
    pages: tuple[Page, ...]
    spine: Spine
    computed: Computed
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unknown_figures: tuple[tuple[str, str], ...] = ()

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """The title of each section, by file."""
        return {page.file: page.title for page in self.pages}

    @cached_property
    def parts(self) -> Mapping[str, Part]:
        """The part of each section, by file."""
        return {page.file: page.part for page in self.pages}

    @property
    def languages(self) -> frozenset[str]:
        """The languages that its texts are in: that of the goal, and English, in which programs write."""
        return frozenset({self.facts.language, "en"})

    @cached_property
    def passages(self) -> tuple[Passage, ...]:
        """Every passage of every page, in order."""
        return tuple(passage for page in self.pages for passage in passages(page.file, page.text))

    @cached_property
    def body(self) -> tuple[Passage, ...]:
        """The passages of the plan as it is now: main document and annexes."""
        return tuple(passage for passage in self.passages if self.parts[passage.file] != "paper")
