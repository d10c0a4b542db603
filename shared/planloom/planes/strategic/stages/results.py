"""The results of the drafting stages, in the order of the pipeline."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.planes.strategic.compute.computed import Computed, Finding
from planloom.planes.strategic.spine.patch import Change
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.stage import StageResult

#: The title of the executive summary, in English.
SUMMARY = "Executive summary"


class WholeDraft(Frozen):
    """A whole plan that one author wrote in one go, as Markdown; *stance* is how this author was asked to plan."""

    stance: str
    text: str


class Drafts(StageResult):
    """Stage 004's result: one or two whole plans; none where no language model drafts."""

    drafts: tuple[WholeDraft, ...] = ()


class Graft(Frozen):
    """What is taken over from the other draft: *text*, for *place* in the base, and why."""

    title: str
    place: str
    text: str
    because: str


class Choice(StageResult):
    """Stage 005's result: the draft that is the *base*, whole, and what is taken over into it."""

    base: str = Field(default="", description="Markdown; empty where no language model drafts")
    letter: str = Field(default="", description="What the judge called it, A or B; empty where nobody judged")
    stance: str = ""
    because: str = ""
    scores: tuple[str, ...] = Field(default=(), description="A line for each criterion, on both drafts")
    grafts: tuple[Graft, ...] = ()

    @property
    def beside(self) -> str:
        """The grafts as Markdown."""
        return "\n\n".join(f"### {each.title}\n\nTo stand at: {each.place}\n\n{each.text}" for each in self.grafts)


class Structured(StageResult):
    """Stage 011's result: the spine as it was extracted, what a program repaired of it, and what it does not hold."""

    spine: Spine
    repairs: tuple[str, ...] = ()
    not_found: tuple[str, ...] = Field(default=(), description="Rows and figures of the draft that no row carries")
    drafted: Spine | None = Field(
        default=None,
        exclude_if=lambda spine: spine is None,
        description="The tables before a person first changed them: by them figures are found in the draft",
    )

    @property
    def first(self) -> Spine:
        """The tables as the draft has them."""
        return self.drafted or self.spine


class Patched(Frozen):
    """One patch as it was applied: its changes with their reasons, and those that did not fit, each in a sentence.

    ``changed`` says of each change what was there before and what is there now, ``repairs`` what a program had to
    repair after it. ``json_patch`` is all of it as operations of RFC 6902, addressed by id.
    """

    title: str
    changes: tuple[Change, ...] = ()
    changed: tuple[str, ...] = ()
    json_patch: tuple[dict[str, Any], ...] = ()
    refused: tuple[str, ...] = ()
    repairs: tuple[str, ...] = ()


class Repaired(StageResult):
    """Stage 013's result: the spine after the author answered what programs found; patches in order."""

    spine: Spine
    before: tuple[Finding, ...] = Field(default=(), description="What was found in the spine of stage 011")
    concept: str = Field(default="", description="Whether the concept holds, or what changes in it and why")
    patches: tuple[Patched, ...] = ()
    after: tuple[Finding, ...] = Field(default=(), description="What is still found")
    cannot_hold: tuple[str, ...] = Field(default=(), description="What cannot hold, with the options that would")


class CriticFinding(Frozen):
    """A finding of a critic: ``id`` is E and a number; *ids* are the rows that it is about."""

    id: str
    critic: str
    ids: tuple[str, ...]
    place: str
    text: str
    consequence: str
    severity: Literal["high", "medium", "low"]
    advice: str
    price: str = Field(default="", description="What following the advice costs, in money and days")


class Story(Frozen):
    """A premortem story: how it failed, the chain of causes, the warning that could be measured, and who watches."""

    title: str
    kind: Literal["process", "technology", "market", "people"]
    story: str
    chain: tuple[str, ...]
    warning: str
    tripwire: str
    containment: str
    owner: str


class Criticism(StageResult):
    """Stage 016's result: who criticised, what they found, and how it could fail."""

    critics: tuple[str, ...] = Field(default=(), description="Each with why this goal needs it")
    findings: tuple[CriticFinding, ...] = ()
    stories: tuple[Story, ...] = ()


class Ruling(Frozen):
    """The author's decision on one finding of a critic or of a program."""

    finding: str
    verdict: Literal["accepted", "rejected", "open"]
    reason: str
    question: str = Field(default="", description="open: what must be answered, by whom, by when")
    same_as: str = Field(default="", description="Id of the finding whose decision this is; its repair is the same")


class Review(StageResult):
    """Stage 024's result: the spine after the author decided on every finding and restored the balance."""

    spine: Spine
    before_after: str = Field(default="", description="Markdown table: what is computed before and after the decisions")
    findings: tuple[CriticFinding, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    patches: tuple[Patched, ...] = ()
    concept: str = Field(default="", description="As Repaired has it: for those who rewrite the document")
    cannot_hold: tuple[str, ...] = Field(default=(), description="As Repaired has it: said on the first page")


class Schedule(StageResult):
    """Stage 026's result: all that programs compute of the final spine."""

    spine: Spine
    computed: Computed


class Chapter(Frozen):
    """A section of the main document or an annex: Markdown whose figures are rendered already.

    ``source`` is a digest of the text as it was written: figures by name, or before edits of rows; empty where no model
    wrote it or a person changed it.
    """

    name: str
    title: str
    text: str
    words: int = 0
    source: str = ""
    unknown_figures: tuple[str, ...] = Field(default=(), description="Figures that it named and no program knows")


class MainDocument(StageResult):
    """Stage 020's result: the main document, in order; its *opening* is printed as the executive summary."""

    chapters: tuple[Chapter, ...]
    opening: Chapter | None = Field(default=None, description="None where no language model wrote it")
    labels: Mapping[str, str] = Field(default={}, description="What programs print, by its English words")


class Annexes(StageResult):
    """Stage 021's result."""

    chapters: tuple[Chapter, ...]


class ExecutiveSummary(StageResult):
    """Stage 025's result."""

    title: str = SUMMARY
    text: str


class AuditCheck(Frozen):
    """One check of the self-audit."""

    title: str
    verdict: Literal["passes", "partly", "fails", "not_checked"]
    evidence: str
    missing: str = ""
    fix: str = ""


class SelfAudit(StageResult):
    """Stage 029's result."""

    checks: tuple[AuditCheck, ...]
