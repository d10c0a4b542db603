"""Beside the ten: what matters is carried by work: grave risks, documents to write, success criteria; and fillers."""

import re
from collections.abc import Iterator

from planloom.quality.finding import Finding, Outcome, finding, place
from planloom.stages.parts.checked.draft import DOCUMENTS_FILE, PLAN_FILE, RISKS_FILE, WBS_FILE, Draft
from planloom.stages.parts.checked.words import carries, count_words, fillers, terms

CHECK = "carried"
TITLE = "Risks, documents and measures carried by work; filler words"

#: A risk of this score (of 25) can end the plan.
GRAVE = 15
#: So much of a title must stand in a package, leaf or line for that to be its work.
ENOUGH = 0.33
#: Filler words in a thousand that a reader does not yet notice.
MOST_FILLERS = 2.0
#: A package that reads all the success figures measures each of them.
_MEASURES = re.compile(
    r"\b(?:success|target|goal|result|outcome|effect|benefit|closing)\w* "
    r"(?:figures?|measures?|indicators?|criteria|values?)"
    r"|\bfigures? (?:of success|read|measured)|\bmeasur\w+ (?:against|of success)|\b(?:evaluation|final) report\b",
    re.I,
)


def check(draft: Draft) -> Outcome:
    """Low throughout: each is a gap that a reader can close in a minute."""
    words = sum(count_words(p.own) for p in draft.body)
    found = [(p, word) for p in draft.body for word in fillers(p.own)]
    per_thousand = 1000 * len(found) / (words or 1)
    grave = [risk for risk in draft.risks if risk.score >= GRAVE]
    looked = (
        f"{len(grave)} grave risks, {len(draft.documents)} documents, {len(draft.criteria)} criteria; "
        f"{per_thousand:.1f} filler words in a thousand"
    )
    work = _work(draft)
    findings = [*_risks(draft, work), *_documents(draft, work), *_criteria(draft, work)]
    if per_thousand > MOST_FILLERS:
        passage, _ = found[0]
        named = ", ".join(sorted({word for _, word in found})[:8])
        message = f"{per_thousand:.1f} filler words in a thousand: {named}."
        here, there = place(passage.file, passage.text), place(found[-1][0].file, found[-1][0].text)
        findings.append(finding(CHECK, "low", message, here, there))
    return Outcome(looked_at=looked, findings=tuple(findings))


def _work(draft: Draft) -> list[frozenset[str]]:
    titles = [f"{job.title} {job.test}" for job in draft.schedule.jobs] + list(draft.schedule.leaves)
    return [terms(title) for title in titles]


def _done(text: str, work: list[frozenset[str]]) -> bool:
    wanted = terms(text)
    return not wanted or any(carries(wanted, held, ENOUGH) for held in work)


def _risks(draft: Draft, work: list[frozenset[str]]) -> Iterator[Finding]:
    lines = [terms(f"{line.title} {line.basis}") for line in draft.budget.lines]
    for risk in (r for r in draft.risks if r.score >= GRAVE):
        here = place(RISKS_FILE, f"{risk.id} {risk.title}: {risk.action}")
        said = f"{risk.title} {risk.action}"
        lacks = []
        if not _any(said, work) and not _taken_up(draft, risk.id):
            lacks.append("task")
        if not risk.owner.strip():
            lacks.append("owner")
        if not risk.cost and not draft.budget.contingency and not _any(said, lines):
            lacks.append("money")
        if lacks:
            message = f"{risk.id} scores {risk.score} of 25 and has no {' and no '.join(lacks)}."
            yield finding(CHECK, "low", message, here, place(WBS_FILE, "no package answers it"))


def _taken_up(draft: Draft, risk: str) -> bool:
    """Return whether a row of another section acts on the risk by its id."""
    said = re.compile(rf"\b{re.escape(risk)}\b")
    return any(p.file != RISKS_FILE and p.kind == "cell" and said.search(p.text) for p in draft.body)


def _any(text: str, work: list[frozenset[str]]) -> bool:
    wanted = terms(text)
    return any(len(wanted & held) >= min(2, len(held)) for held in work if held)


def _documents(draft: Draft, work: list[frozenset[str]]) -> Iterator[Finding]:
    for title in draft.documents:
        if not _done(title, work):
            message = f"“{title}” is to be written, and no package or task of the work breakdown makes it."
            yield finding(
                CHECK, "low", message, place(DOCUMENTS_FILE, title), place(WBS_FILE, "no package or task of it")
            )


def _criteria(draft: Draft, work: list[frozenset[str]]) -> Iterator[Finding]:
    reads_all = any(_MEASURES.search(f"{job.title} {job.test}") for job in draft.schedule.jobs)
    for text in draft.criteria:
        if not reads_all and not _any(text, work):
            message = f"No task measures this success criterion: “{text[:160]}”"
            yield finding(CHECK, "low", message, place(PLAN_FILE, text), place(WBS_FILE, "no task measures it"))
