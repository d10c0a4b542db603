"""Documents without a language model: the tables' list, merged, and what each heading must say for this goal."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import dangers
from planloom.knowledge.gates import due_day, gate_day, gate_text, open_day
from planloom.knowledge.mandates import mandates
from planloom.knowledge.mixed_rows import mixed_rows
from planloom.knowledge.package_days import package_start, packages, packages_about
from planloom.knowledge.tables import Document, Leaf
from planloom.knowledge.tracing import stems
from planloom.stages.parts.documents_answer import DocumentRow, DraftAnswer, ListAnswer, SectionRow
from planloom.stages.parts.draft_sections import application, heading_says
from planloom.stages.parts.plan_gates import slug
from planloom.stages.parts.plan_rows import nearest, rows
from planloom.stages.project_plan import ProjectPlan

MOST_CREATED, MOST_FOUND = 8, 4
_APPLICATION = "Application for the "


def documents(brief: Brief) -> ListAnswer:
    """Return at most twelve: applications that the prompt forces, then those of the tables; same things merged."""
    made = _merged([*_applications(brief), *(_tabled(brief, row) for row in mixed_rows(brief, "documents", Document))])
    create = [d for d in made if d.kind == "create"][:MOST_CREATED]
    find = [d for d in made if d.kind == "find"][:MOST_FOUND]
    return ListAnswer(documents=[*sorted(create, key=lambda d: d.by), *sorted(find, key=lambda d: d.by)])


def _merged(made: Sequence[DocumentRow]) -> list[DocumentRow]:
    """Keep the first of documents whose titles share two telling words, or whose title holds the other's."""
    kept: list[DocumentRow] = []
    for row in made:
        words = stems(row.title)
        if not any(len(words & stems(k.title)) > 1 or words <= stems(k.title) for k in kept if k.kind == row.kind):
            kept.append(row)
    return kept


def _applications(brief: Brief) -> Iterator[DocumentRow]:
    for danger in [d for d in dangers(brief.facts) if d.kind == "approval" and d.thing][:2]:
        role = "finance" if {"loan", "grant"} & set(danger.thing.lower().split()) else "legal"
        held = f", so that {danger.gate} can follow" if danger.gate else ""
        day = open_day(brief, gate_day(brief, brief.phases[0].id) - timedelta(days=21))
        yield DocumentRow(
            id=slug(f"application {danger.thing}"),
            kind="create",
            title=clip(f"{_APPLICATION}{danger.thing}", 160),
            purpose=clip(f"Get the decision that the goal makes a condition{held}: {quote(danger.said, 220)}", 400),
            role=brief.role_title(role),
            approval=clip(_approval(brief, role, danger.thing), 160),
            by=max(day, due_day(brief, 10)),
        )


def _tabled(brief: Brief, row: Document) -> DocumentRow:
    return DocumentRow(
        id=slug(row.title),
        kind=row.kind,
        title=clip(row.title, 160),
        purpose=clip(row.purpose, 400),
        role=brief.role_title(row.role),
        approval=clip(_approval(brief, row.role, row.title if row.kind == "create" else ""), 160),
        by=_by(brief, row),
        where=clip(row.where, 400),
    )


def _approval(brief: Brief, role: str, text: str) -> str:
    """Those who sign by the prompt where money or a contract is at stake; else somebody who did not write it."""
    signers = next((m for m in mandates(brief) if m.kind in ("signature", "limit", "release")), None)
    bound = {"contra", "budget", "agreem", "loan", "lease", "tender", "releas", "accept"}
    if signers and bound & stems(text):
        return f"{signers.title} ({signers.limit or 'by the goal'})"
    writer = brief.role_title(role)
    return next(t for t in map(brief.role_title, ("lead", "finance", "legal", "quality")) if t != writer)


def _by(brief: Brief, row: Document) -> date:
    package = packages(brief).get(row.package)
    if package is None:
        return due_day(brief, 10 if row.kind == "find" else 20)
    return open_day(brief, package_start(brief, package.id) + timedelta(days=round(package.days[1] * 1.4)))


def sections(brief: Brief, plan: ProjectPlan, document: DocumentRow) -> DraftAnswer:
    """Return the headings of *document* and what must stand under each."""
    if document.kind == "find":
        return DraftAnswer(sections=list(_looked_for(brief, plan, document)))
    row = next((r for r in brief.rows("documents", Document) if slug(r.title) == document.id), None)
    if row is None or len(row.outline) < 2:
        thing = document.title.removeprefix(_APPLICATION)
        made = application(brief, plan, thing)
        return DraftAnswer(sections=[SectionRow(heading=head, says=clip(says, 600)) for head, says in made])
    package = packages(brief).get(row.package)
    leaves = list(package.leaves) if package else []
    said: set[str] = set()
    return DraftAnswer(sections=[_section(brief, plan, document, head, leaves, said) for head in row.outline[:10]])


def _section(
    brief: Brief, plan: ProjectPlan, document: DocumentRow, heading: str, leaves: list[Leaf], said: set[str]
) -> SectionRow:
    """The leaf whose words are nearest, what the heading calls for in the plan, and the goal's words on it."""
    says = []
    own = max(leaves, key=lambda x: len(stems(heading) & stems(f"{x.title} {x.test}")), default=None)
    if own:
        leaves.remove(own)
    leaf = own or _elsewhere(brief, document, heading, said)
    if leaf:
        says.append(f"{leaf.title}; done when: {lower_first(leaf.test)}")
        said.add(leaf.title)
    says.append(heading_says(brief, plan, heading, f"{document.title} {document.purpose}", said))
    text = ". ".join(part.rstrip(".") for part in says if part)
    text = text or f"Not known yet: {lower_first(heading)}. {document.role} supplies it by {day_text(document.by)}"
    return SectionRow(heading=clip(heading, 160), says=clip(f"{text}.", 600))


def _elsewhere(brief: Brief, document: DocumentRow, heading: str, said: set[str]) -> Leaf | None:
    """A leaf of another package that speaks of *heading* in a document of this kind."""
    for package in packages_about(brief, f"{heading} {document.title} {document.purpose}", 4):
        for leaf in package.leaves:
            if stems(heading) & stems(f"{leaf.title} {leaf.test}") and leaf.title not in said:
                return leaf
    return None


def _looked_for(brief: Brief, plan: ProjectPlan, document: DocumentRow) -> Iterator[SectionRow]:
    about = f"{document.title} {document.purpose}"
    touched = nearest(rows(plan), about)
    used = packages_about(brief, about, 2)
    compared = f" Compared word for word with: {touched.text}." if touched else ""
    yield SectionRow(heading="What to look for", says=clip(f"{document.purpose}{compared}", 600))
    if touched or used:
        changed = "; ".join([*([touched.text] if touched else []), *(p.title for p in used)])
        says = f"{changed}. {document.role} changes each of them the same day."
        yield SectionRow(heading="What it changes if it says otherwise", says=clip(says, 600))
    yield SectionRow(
        heading="Version and access",
        says=clip(
            f"{document.where}. {document.approval} confirms the version in force before "
            f"{gate_text(brief, brief.phases[0].id)}.",
            600,
        ),
    )
