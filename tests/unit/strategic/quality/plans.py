"""A finished plan as the checks read it, without a fault: what a test plants one in."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from functools import cache

from planloom.planes.strategic.compute.compute import compute
from planloom.planes.strategic.facts.fact import Ban, Day, Demand, Facts, Money, Quantity, Spanned
from planloom.planes.strategic.quality.draft import Draft, Page, Part
from tests.unit.strategic.compute.sound import sound

GOAL = (
    "Convert the old fire station and open a café with 40 seats in it by 31 August 2027 for EUR 400,000. The tower "
    "must stay open to the public. We do not want single-use plastic cups. Never write the word 'vibrant'."
)
SUMMARY, PLAN, RISKS = "025-2-executive_summary.md", "020-2-project_plan.md", "020-8-risks.md"
GOVERNANCE, PITCH, DRAFT = "021-5-governance.md", "021-2-pitch.md", "004-2-draft.md"

_PAGES: tuple[tuple[str, Part, str], ...] = (
    (SUMMARY, "main", "The café opens by 31 August 2027 with 40 seats, for EUR 400,000 at most."),
    (PLAN, "main", "## Scope\n\nThe tower stays open to the public on every day of the works."),
    (RISKS, "main", "| Risk | Owner |\n|---|---|\n| The tower is damp | Architect |"),
    (PITCH, "annex", "A café in a fire station."),
    (GOVERNANCE, "annex", "The board meets each month."),
    (DRAFT, "paper", "A first text."),
)


def _at(text: str) -> dict[str, object]:
    start = GOAL.index(text)
    return {"text": text, "start": start, "end": start + len(text)}


@cache
def facts() -> Facts:
    """Return the facts of GOAL."""
    due = date(2027, 8, 31)
    return Facts(
        title="Café in the old fire station",
        subject="a café",
        objective=Spanned(text=GOAL, start=0, end=len(GOAL)),
        money=(Money(**_at("EUR 400,000"), low=400_000, high=400_000, currency="EUR", role="total"),),
        days=(Day(**_at("31 August 2027"), earliest=due, latest=due, role="deadline"),),
        quantities=(Quantity(**_at("40 seats"), low=40, high=40, noun="seats", role="size"),),
        demands=(Demand(**_at("The tower must stay open to the public."), strength="must"),),
        bans=(
            Ban(**_at("single-use plastic cups"), kind="approach", what="single-use plastic cups"),
            Ban(**_at("vibrant"), kind="word", what="vibrant"),
        ),
    )


@cache
def whole() -> Draft:
    """Return a plan in which the checks find nothing."""
    spine = sound()
    return Draft(
        prompt=GOAL,
        facts=facts(),
        today=date(2026, 1, 12),
        pages=tuple(Page(file, file[6:-3], part, f"# {file[6:-3]}\n\n{text}\n") for file, part, text in _PAGES),
        spine=spine,
        computed=compute(spine, runs=20).model_copy(update={"findings": ()}),
    )


def with_pages(texts: Mapping[str, str], draft: Draft | None = None) -> Draft:
    """Return the plan with *texts* in place of those of the same files."""
    draft = draft or whole()
    pages = tuple(replace(page, text=texts.get(page.file, page.text)) for page in draft.pages)
    return replace(draft, pages=pages)


def with_line(file: str, line: str, draft: Draft | None = None) -> Draft:
    """Return the plan with the paragraph *line* at the end of *file*."""
    draft = draft or whole()
    text = next(page.text for page in draft.pages if page.file == file)
    return with_pages({file: f"{text.rstrip()}\n\n{line}\n"}, draft)
