"""What stage 018 asks for and what it makes: the documents that matter, each with its draft."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.stages.stage import StageResult


class DocumentRow(Answer):
    """A document that matters."""

    id: str = Field(pattern=r"^[a-z0-9-]{2,50}$")
    kind: Literal["create", "find"]
    title: str = Field(min_length=3, max_length=160)
    purpose: str = Field(min_length=5, max_length=400)
    role: str = Field(min_length=2, max_length=80, description="Who writes or finds it")
    approval: str = Field(
        min_length=2, max_length=160, description="create: who approves. find: who confirms it is current"
    )
    by: date
    where: str = Field(default="", max_length=400, description="find: where, how recent, how to get access")


class ListAnswer(Answer):
    """First call: at most twelve, duplicates merged."""

    documents: list[DocumentRow] = Field(min_length=3, max_length=12)


class SectionRow(Answer):
    """A heading, and what must stand under it for this goal."""

    heading: str = Field(min_length=2, max_length=160)
    says: str = Field(min_length=5, max_length=600)


class DraftAnswer(Answer):
    """Second round: one document. To find: what to look for in it, heading by heading."""

    sections: list[SectionRow] = Field(min_length=2, max_length=10)


class DocumentDraft(Answer):
    """A document and its draft; None where the model gave no usable one."""

    document: DocumentRow
    draft: DraftAnswer | None


class Documents(StageResult):
    """Stage 018's result."""

    documents: tuple[DocumentDraft, ...]
