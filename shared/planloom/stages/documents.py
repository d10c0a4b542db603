"""Stage 018: the documents to create and to find; those to create are drafted."""

import asyncio
from functools import partial

from planloom.domain.wording import day_text
from planloom.models.model import Part
from planloom.stages.desk import Desk
from planloom.stages.parts.documents_answer import (
    DocumentDraft,
    DocumentRow,
    Documents,
    DraftAnswer,
    ListAnswer,
    SectionRow,
)
from planloom.stages.parts.documents_outline import documents, sections
from planloom.stages.parts.plan_sections import (
    AMOUNTS,
    CHASED,
    CRITERIA,
    FRAME,
    FUNDING,
    PARTIES,
    PERMIT_PAPERS,
    of_plan,
)
from planloom.stages.project_plan import ProjectPlan
from planloom.stages.stage import Stage
from planloom.stages.text import table

__all__ = ["STAGE", "DocumentDraft", "DocumentRow", "Documents", "SectionRow"]

LIST = """\
List the documents that this plan stands or falls with: at most twelve, those to create and those to find. Merge what
says the same thing for two readers. Leave out reports, minutes and whatever is written by habit.

To create: what it is for, as a decision or an act that cannot happen without it; who writes it; who approves it, by
the limits of the goal where it sets some; the day by which it must be there, before the work that rests on it. To
find: what it is needed for, in which kind of place it lies, how recent it must be, how one gets at it, and who
confirms that it is the version in force. Titles name this project's things ("Application for the extraction duct"),
not kinds of paper ("Technical documentation").
"""

DRAFT = """\
Draft the one document that you are shown: its headings in order, and under each what it must say for this goal.

Not what such a document usually holds: the sentences, figures, dates and limits that this one has to carry, from the
plan, exact. Where a figure is not known yet, say which, who supplies it and by when. A reader who has only this draft
can write the document in a day and forgets no condition. For a document to find: what to look for in it, which row of
the plan each finding would change, and what to do if it says the opposite.
"""


#: What papers decide: permits with theirs, money and its conditions, who can stop the work, on what it waits.
LIST_READS = of_plan(5000, PERMIT_PAPERS, FUNDING, CHASED, PARTIES)
DRAFT_READS = of_plan(2000, CRITERIA, AMOUNTS, FUNDING, PERMIT_PAPERS)


async def draft(desk: Desk) -> Documents:
    """Two rounds: the list; then each document drafted, side by side."""
    brief, plan = desk.brief, desk.read("project_plan", ProjectPlan)
    frame = desk.excerpt(FRAME)
    shared = (frame, desk.excerpt(DRAFT_READS))
    found = await desk.ask("list", LIST, (frame, desk.excerpt(LIST_READS)), ListAnswer, lambda: documents(brief))
    drafts = await asyncio.gather(
        *(
            desk.ask_part(
                f"draft-{n:02}",
                DRAFT,
                (*shared, _part(row)),
                DraftAnswer,
                partial(sections, brief, plan, row),
                part=f"the draft of “{row.title}”",
            )
            for n, row in enumerate(found.documents, 1)
        )
    )
    made = [DocumentDraft(document=row, draft=text) for row, text in zip(found.documents, drafts, strict=True)]
    return Documents(documents=tuple(made))


def _part(row: DocumentRow) -> Part:
    return Part(
        "document", f"{row.title} (to {row.kind}), by {row.by.isoformat()}\nFor: {row.purpose}\n{row.where}".rstrip()
    )


def markdown(result: Documents) -> str:
    """Return the list, then each draft."""
    rows = [made.document for made in result.documents]
    parts = [
        "# Documents",
        "## To create",
        table(
            ("By", "Document", "For", "Written by", "Approved by"),
            ((day_text(r.by), r.title, r.purpose, r.role, r.approval) for r in rows if r.kind == "create"),
        )
        or "None beyond what is there already.",
        "## To find",
        table(
            ("By", "Document", "For", "Where, how recent, access", "Found by", "Confirmed by"),
            ((day_text(r.by), r.title, r.purpose, r.where, r.role, r.approval) for r in rows if r.kind == "find"),
        )
        or "None known.",
        "## Drafts",
    ]
    for made in result.documents:
        if made.draft:
            rows_of_draft = ((section.heading, section.says) for section in made.draft.sections)
            parts += [f"### {made.document.title}", table(("Heading", "What it must say"), rows_of_draft)]
    return "\n\n".join(part.rstrip() for part in parts)


STAGE = Stage(
    number=18,
    name="documents",
    title="Documents",
    needs=("project_plan",),
    version=5,
    result=Documents,
    draft=draft,
    markdown=markdown,
)
