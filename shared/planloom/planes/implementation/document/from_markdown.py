"""A draft of a plan from Markdown, without a model: what could be read, and what found no place.

Read are headings, numbered and checkbox lists, "depends on", and code spans as files, symbols and commands. Nothing is
invented: what the schema needs and the text does not say stays missing, and validation names it.
"""

from dataclasses import dataclass, field

from planloom.planes.implementation.document import markdown_words as words
from planloom.planes.implementation.document.limits import MOST_STEPS
from planloom.planes.implementation.document.markdown_dependencies import waits_of
from planloom.planes.implementation.document.markdown_metadata import PlanMetadata, cut, first_of
from planloom.planes.implementation.document.markdown_outline import (
    Block,
    Code,
    Item,
    Items,
    Line,
    Other,
    Section,
    sections,
)
from planloom.planes.implementation.document.markdown_steps import DraftStep, Unplaced
from planloom.planes.implementation.document.schema import VERSION, Document

_TITLE = 140


@dataclass(frozen=True)
class Draft:
    """A plan as far as it could be read, and what could not be placed, in order of the text."""

    plan: Document
    unplaced: tuple[Unplaced, ...]


def draft_from_markdown(markdown: str) -> Draft:
    """Return the plan that *markdown* describes; it may lack what the text does not say."""
    reader = _Reader()
    for number, section in enumerate(sections(markdown)):
        reader.section(section, number)
    return reader.draft()


@dataclass
class _Reader:
    title: str = ""
    metadata: PlanMetadata = field(default_factory=PlanMetadata)
    steps: list[DraftStep] = field(default_factory=list)
    unplaced: list[Unplaced] = field(default_factory=list)
    #: Level and group of the steps that are being read, None outside of them.
    inside: tuple[int, str] | None = None

    def section(self, section: Section, number: int) -> None:
        head = section.heading
        if head is None or (section.level == 1 and not self.title):
            self.title = cut(head.text, _TITLE) if head else ""
            self._preamble(section.blocks, number)
            return
        if self.inside and section.level <= self.inside[0]:
            self.inside = None
        numbered = _step_heading(head.text, listed=_has_steps(section.blocks), inside=self.inside is not None)
        role: words.Role | None = "steps" if self.inside else first_of(words.ROLES, head.text)
        if numbered:
            self._step_of_heading(section, *numbered)
        elif role == "steps" or (role is None and _has_steps(section.blocks)):
            self.inside = self.inside or (section.level, head.text)
            self._steps(section.blocks, head.text, number)
        elif role:
            self._add_metadata(role, section.blocks)
        else:
            self._lose(head, "no part of a plan is called so")
            self._lose_all(section.blocks, "its heading is no part of a plan")

    def draft(self) -> Draft:
        kept, lost = self.steps[:MOST_STEPS], self.steps[MOST_STEPS:]
        self.unplaced += [Unplaced(step.line, step.title, f"a plan has at most {MOST_STEPS:,} steps") for step in lost]
        ids = [f"S{n}" for n in range(1, len(kept) + 1)]
        after, unknown = waits_of(kept, ids)
        made = [step.fields(name, waits) for step, name, waits in zip(kept, ids, after, strict=True)]
        self.unplaced += [each for step in kept for each in step.unplaced] + unknown
        self.unplaced += [
            Unplaced(step.line, step.title, "no action could be read; a search for the title is used instead")
            for step in kept
            if not step.actions
        ]
        plan: Document = {
            "schemaVersion": VERSION,
            "planId": None,
            **({"title": self.title} if self.title else {}),
            "planType": first_of(words.PLAN_TYPES, self.title) or "feature",
            **self.metadata.fields(),
            "steps": made,
        }
        return Draft(plan, tuple(sorted(self.unplaced, key=lambda each: each.line)))

    def _preamble(self, blocks: list[Block], number: int) -> None:
        for block in blocks:
            if isinstance(block, Line):
                self.metadata.preamble(block)
            elif isinstance(block, Items) and _has_steps([block]):
                self._steps([block], "steps", number)
            elif isinstance(block, Items):
                for item in block.items:
                    if not self.metadata.context_of(item.line):
                        self._lose(item.line, "a list under the title is read as steps if it has numbers or checkboxes")
            else:
                self._lose_all([block], "only text and lists are read here")

    def _steps(self, blocks: list[Block], group: str, number: int) -> None:
        for block in blocks:
            if not isinstance(block, Items):
                self._lose_all([block], "it is between steps; write it under the one that it belongs to")
                continue
            for item in block.items:
                step = DraftStep(item.line.line, item.line.text, cut(group, _TITLE), number)
                step.number, step.in_order, step.done = item.number, item.number is not None, bool(item.checked)
                step.read(item.line, item.blocks)
                self.steps.append(step)

    def _step_of_heading(self, section: Section, written: int, title: str) -> None:
        assert section.heading
        if self.inside is None:
            self.inside = (section.level - 1, "steps")
        step = DraftStep(section.heading.line, title, cut(self.inside[1], _TITLE), -self.inside[0])
        step.number, step.in_order = written, True
        step.read(Line(title, section.heading.codes, section.heading.line), section.blocks)
        self.steps.append(step)

    def _add_metadata(self, role: words.Role, blocks: list[Block]) -> None:
        for block in blocks:
            if isinstance(block, Code | Other):
                self._lose_all([block], "only text and lists are read here")
                continue
            for line in [block] if isinstance(block, Line) else [item.line for item in _all_items(block)]:
                if reason := self.metadata.add(role, line):
                    self._lose(line, reason)

    def _lose(self, line: Line, reason: str) -> None:
        self.unplaced.append(Unplaced(line.line, line.text, reason))

    def _lose_all(self, blocks: list[Block], reason: str) -> None:
        for block in blocks:
            if isinstance(block, Items):
                for item in _all_items(block):
                    self._lose(item.line, reason)
            else:
                self.unplaced.append(Unplaced(block.line, block.text, reason))


def _all_items(items: Items) -> list[Item]:
    found = []
    for item in items.items:
        found.append(item)
        found += [inner for block in item.blocks if isinstance(block, Items) for inner in _all_items(block)]
    return found


def _has_steps(blocks: list[Block]) -> bool:
    lists = [block for block in blocks if isinstance(block, Items)]
    return any(item.number is not None or item.checked is not None for each in lists for item in each.items)


def _step_heading(text: str, *, listed: bool, inside: bool) -> tuple[int, str] | None:
    """Return number and title of a heading that is a step: "Step 3: ...", "S3 ...", or "3. ..." among steps."""
    head, _, rest = text.partition(" ")
    word = head.casefold().strip(":.)")
    if word in ("step", "étape", "task", "tâche"):
        head, _, rest = rest.partition(" ")
        named = True
    else:
        named = word[:1] == "s" and word[1:].isascii() and word[1:].isdigit()
        head = head[1:] if named else head
    digits = head.strip(":.)—-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 6) or not (named or (inside and not listed)):
        return None
    return int(digits), rest.strip(" :—–-") or text
