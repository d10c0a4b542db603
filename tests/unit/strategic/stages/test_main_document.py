"""The author revises the draft by corrections and sections; last readers have passages corrected; programs check."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

import pytest

from planloom.core.frozen import Answer
from planloom.models.model import Question
from planloom.planes.strategic.facts.fact import Ban
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.patch import Change
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.figures import figures, listed
from planloom.planes.strategic.stages.main_document import CHAPTERS, STAGE, draft
from planloom.planes.strategic.stages.results import Choice, CriticFinding, Patched, Repaired, Review, Ruling
from planloom.planes.strategic.stages.revision import OPENING, PARTS, READERS, Name
from tests.unit.strategic.compute.sound import added, changed, without
from tests.unit.strategic.stages.computed_plans import TEXTS, a_plan, a_spine, given
from tests.unit.strategic.stages.contexts import make_context, make_goal

VERDICTS: tuple[Any, ...] = ("accepted", "rejected", "open")
SMOKE = r.Package(id="P30", title="Test the smoke doors", owner="R2", needs=[r.Need(id="P6")], done_when="Signed")
DRAFT = """\
# The café in the fire station

## In short

Sixty seats in ninety minutes. Open on 3 May 2027.

## How it works

The narrowest point is the till, which costs EUR 4,000 (assumed).

### The hardest day

| Hour | Guests |
|---|---|
| 12 | 60 |
| 13 | 40 |

## Money

The hall costs EUR 120,000.

## Who does it

Two people.
"""
#: What each section of the draft is about, but for the last.
ABOUT = [(1, "opening"), (2, "project_plan"), (3, "budget")]
REVISED = {"parts": [{"section": number, "part": part} for number, part in ABOUT]}
PROOFS = tuple(f"proof-{name}" for name in READERS)


def run(context: StageContext) -> Any:
    return asyncio.run(draft(context))


def context(answers: Any, asked: list[Question[Any]] | None = None, spine: Any = None, **more: Any) -> Any:
    """Return the context of a plan whose rows became *spine* after the draft was written."""
    drafted = more.pop("drafted", DRAFT)
    results = given(spine) | {"choice": Choice(base=drafted, stance="bold")} | more.pop("results", {})
    return make_context("main_document", texts=TEXTS, answers=answers, asked=asked, results=results, **more)


def text_of(result: Any) -> str:
    """Return the whole document: the opening, and all chapters."""
    return "\n".join(chapter.text for chapter in (result.opening, *result.chapters) if chapter)


def correcting(*corrections: tuple[str, str]) -> dict[str, Any]:
    return {"corrections": [{"was": was, "now": now} for was, now in corrections]}


def part_of(question: Question[Any], title: str) -> str:
    return next(part.text for part in question.context if part.title.startswith(title))


def test_sections_of_the_draft_are_chapters_by_what_they_are_about() -> None:
    result = run(context({"document": REVISED}))

    assert (result.opening.title, result.opening.text) == (
        "In short",
        "Sixty seats in ninety minutes. Open on 3 May 2027.\n",
    )
    assert [(chapter.name, chapter.title) for chapter in result.chapters] == [
        ("project_plan", "How it works"),
        ("budget", "Money"),
    ]
    # of a section without a part, that of the one before it
    assert STAGE.pages(result)["budget"].endswith("EUR 120,000.\n\n## Who does it\n\nTwo people.\n")
    assert "## The hardest day\n\n| Hour" in STAGE.pages(result)["project_plan"]
    assert {OPENING, *CHAPTERS} == set(PARTS) == set(get_args(Name))
    # the readers gave no answer
    assert len(result.missing) == len(READERS)


@pytest.mark.parametrize(
    "drafted", ["Open in May.", "# A café\n\nOpen in May.", "# A café\n\n## Money\n\nOpen in May."]
)
def test_a_draft_of_few_or_no_sections_is_kept_whole(drafted: str) -> None:
    assert "Open in May." in text_of(run(context({"document": {}}, drafted=drafted)))


def test_the_author_is_shown_what_changed_and_why() -> None:
    asked: list[Question[Any]] = []
    now = added(without(changed(a_spine(), "L2", rate=400), "P17", "L11"), SMOKE)
    finding = CriticFinding(
        id="E1", critic="Cook", ids=(), place="", text="No drain.", consequence="", severity="high", advice=""
    )
    rulings = tuple(Ruling(finding=f"E{n}", verdict=v, reason=f"So {v}.") for n, v in enumerate(VERDICTS, 1))
    review = Review(spine=now, findings=(finding,), rulings=rulings, cannot_hold=("N1: open without it.",))
    patch = Patched(
        title="", changes=(Change(op="set", id="L2", field="rate", value="400", reason="Bids are higher."),)
    )
    repaired = Repaired(spine=now, patches=(patch,))
    run(context({"document": REVISED}, asked, now, results={"review_plan": review, "repair": repaired}))

    changes = part_of(asked[0], "what changed").splitlines()
    assert "- L2: Works of the hall: rate EUR 300 → EUR 400; EUR 120,000 → EUR 160,000. Bids are higher." in changes
    assert "- P30: new: Test the smoke doors." in changes
    assert any(line.startswith("- P17: removed: Rent a kitchen") for line in changes)
    shown = "\n".join(part.text for part in asked[0].context)
    assert all(said in shown for said in (DRAFT.strip(), "No drain. Accepted: So accepted.", "open without it"))
    assert "So rejected." not in shown
    assert part_of(asked[0], "values in the document").startswith("- EUR 120,000: L2.amount is EUR 160,000 now")
    assert part_of(asked[0], "the sections").splitlines()[1] == "1. In short: 12 words"
    assert {"P6", "L2", "frame"} <= asked[0].rows.keys()


def test_the_author_is_shown_what_the_judge_found() -> None:
    asked: list[Question[Any]] = []
    choice = Choice(base=DRAFT, letter="B", scores=("numbers: the base 3. B adds 2 and 2 to 5.",))
    run(context({"document": REVISED}, asked, results={"choice": choice}))

    assert part_of(asked[0], "what the judge found in both drafts, of which yours is B") == f"- {choice.scores[0]}\n"


def test_tasks_whose_days_moved_are_shown() -> None:
    asked: list[Question[Any]] = []
    longer = changed(a_spine(), "P6", likely=90, high=120)
    run(context({"document": REVISED}, asked, longer))

    before, now = (a_plan(each).dated["P6"] for each in (None, longer))
    assert before.end < now.end
    said = f"- P6 Build in the hall: {before.start} to {before.end} → {now.start} to {now.end}"
    assert said in part_of(asked[0], "tasks whose days moved").splitlines()


@pytest.mark.parametrize(
    ("answer", "there", "gone"),
    [
        (correcting(("The hall costs EUR 120,000.", "The hall costs EUR 160,000.")), "EUR 160,000", "EUR 120,000"),
        (correcting(("Sixty  seats\nin ninety minutes. ", "")), "Open on 3 May", "Sixty seats"),
        (correcting(("| 12 | 60 |", "")), "| Hour | Guests |\n|---|---|\n| 13 | 40 |", "| 12"),
        (correcting(("| 12 | 60 |\n", "| 12 | 60 |\n| 12 | 50 |\n")), "| 12 | 60 |\n| 12 | 50 |\n| 13", "nothing"),
        ({"sections": [{"section": 3, "text": "## The money\n\nEUR 9."}]}, "EUR 9.", "EUR 120,000"),
        ({"sections": [{"section": 3, "text": "EUR 9."}]}, "EUR 9.", "EUR 120,000"),
        ({"sections": [{"section": 4, "text": ""}]}, "EUR 120,000", "Two people"),
        ({"sections": [{"section": 77, "text": "Of nothing."}]}, "Two people", "Of nothing"),
    ],
    ids=[
        "passage",
        "other spaces",
        "removed row",
        "new row",
        "section",
        "section without heading",
        "removed",
        "no such section",
    ],
)
def test_a_revision_changes_what_it_names_and_nothing_else(answer: dict[str, Any], there: str, gone: str) -> None:
    text = text_of(run(context({"document": REVISED | answer})))

    assert there in text
    assert gone not in text
    assert "the till, which costs EUR 4,000 (assumed)" in text


def test_a_section_with_another_heading_is_about_what_it_was() -> None:
    anew = {"sections": [{"section": 3, "text": "## The whole cost\n\nEUR 9."}]}
    pages = STAGE.pages(run(context({"document": REVISED | anew})))

    assert pages["budget"].startswith("# The whole cost\n\nEUR 9.")


def test_three_readers_are_shown_the_revised_document_and_correct_it_in_parallel() -> None:
    asked: list[Question[Any]] = []
    answers = {
        "document": REVISED | correcting(("Two people.", "Three people.")),
        "proof-numbers": correcting(("EUR 120,000", "EUR 160,000")),
        "proof-days": correcting(("3 May 2027", "4 May 2027"), ("EUR 120,000.", "EUR 1.")),
        "proof-readers": correcting(("narrowest point", "slowest place")),
    }
    result = run(context(answers, asked))

    assert [question.name for question in asked] == ["document", *PROOFS]
    assert all("Three people." in part_of(question, "the document") for question in asked[1:])
    assert len({question.context[:-1] for question in asked[1:]}) == 1
    assert all(said in text_of(result) for said in ("EUR 160,000.", "4 May 2027", "slowest place", "Three people"))
    assert result.missing == ()


@pytest.mark.parametrize(
    ("text", "reader", "said"),
    [
        ("The hall costs EUR 120,000. So it stays.", "numbers", "An old value? EUR 120,000: L2.amount is EUR 160,000"),
        ("A brand of its own.", "readers", "“brand” is a word that the goal bans"),
        ("Go " * 10_300, "readers", "too many: shorten the longest"),
    ],
)
def test_what_programs_notice_is_shown_to_the_reader_who_looks_for_it(text: str, reader: str, said: str) -> None:
    asked: list[Question[Any]] = []
    goal = make_goal(bans=(Ban(text="no brand", start=0, end=0, what="brand", kind="word"),))
    anew = REVISED | {"sections": [{"section": 4, "text": text}]}
    run(context({"document": anew}, asked, changed(a_spine(), "L2", rate=400), goal=goal))

    found = {q.name: f"{part_of(q, 'what programs noticed')} {q.instructions}" for q in asked if q.name in PROOFS}
    assert said in " ".join(found[f"proof-{reader}"].split())
    assert sum(said in each for each in found.values()) <= 1


def test_corrections_without_a_single_place_are_left_out_and_shown() -> None:
    asked: list[Question[Any]] = []
    twice = correcting(("costs EUR", "is EUR"), ("Of nowhere", "Somewhere"))
    result = run(context({"document": REVISED | twice}, asked))

    assert "is EUR" not in text_of(result)
    noticed = part_of(next(question for question in asked if question.name == "proof-numbers"), "what programs noticed")
    assert "“costs EUR” occurs 2 times; it was to become “is EUR”" in noticed
    assert "“Of nowhere” is not in the document" in noticed


def test_a_lost_revision_leaves_the_draft_with_what_cannot_hold_and_says_so() -> None:
    review = {"review_plan": Review(spine=a_spine(), cannot_hold=("N1: open without it.",))}
    result = run(context({name: {} for name in PROOFS}, results=review))

    assert len(result.missing) == 1
    assert "The hall costs EUR 120,000." in text_of(result)
    assert "open without it." in result.opening.text


def test_short_answers_revise_one_section_each() -> None:
    asked: list[Question[Any]] = []

    def answer(question: Question[Any]) -> Any:
        if question.name == "document-3":
            return {"sections": [{"section": 3, "text": "EUR 9."}], "parts": [{"section": 3, "part": "budget"}]}
        return {}

    short = context(answer, asked)
    result = run(replace(short, about=replace(short.about, long_answers=False)))

    assert [question.name for question in asked] == [*(f"document-{n}" for n in range(5)), *PROOFS]
    assert "Revise section 3 alone now, “Money”" in asked[3].instructions
    assert STAGE.pages(result)["budget"].startswith("# Money\n\nEUR 9.")


def with_changed_rows(answers: dict[str, Any], rows: dict[str, str], asked: list[Question[Any]]) -> StageContext:
    """Return a context whose revision was given when *rows* were as they say."""

    async def answer(question: Question[Any]) -> Answer:
        asked.append(question)
        given = question.answer.model_validate(answers.get(question.name, {}))
        return given.with_rows_changed(rows) if question.name == "document" else given

    return replace(context({}), answer=answer)


def test_a_document_is_corrected_for_rows_that_were_edited_since() -> None:
    asked: list[Question[Any]] = []
    answers = {"document": REVISED, "document-changed": correcting(("EUR 120,000", "EUR 121,000"))}
    result = run(with_changed_rows(answers, {"P6": "P6 | Build in the hall | 9 d", "L2": ""}, asked))

    assert asked[-1].name == "document-changed"
    rows = part_of(asked[-1], "the rows as they were")
    assert "was: P6 | Build in the hall | 9 d\nnow: P6 | " in rows
    assert "was: not there\nnow: L2 | " in rows
    assert "EUR 121,000" in text_of(result)


def test_annexes_see_the_document_they_were_written_from_while_rows_alone_change() -> None:
    def sources(corrected: Callable[[], dict[str, Any]]) -> list[str]:
        answers = {"document": REVISED, **corrected()}
        return [chapter.source for chapter in run(with_changed_rows(answers, {"L2": ""}, [])).chapters]

    same = sources(dict)
    assert sources(lambda: {"document-changed": correcting(("EUR 120,000", "EUR 121,000"))}) == same
    assert sources(lambda: {"proof-days": correcting(("EUR 120,000", "EUR 121,000"))}) != same


def test_instructions_and_shown_parts_stay_the_same_when_a_value_changes() -> None:
    asked: list[Question[Any]] = []
    for each in (a_spine(), changed(a_spine(), "P6", likely=61)):
        run(context({"document": REVISED}, asked, each))

    questions = zip(asked[: len(asked) // 2], asked[len(asked) // 2 :], strict=True)
    for before, after in questions:
        assert before.updates
        assert before.instructions == after.instructions
        assert [part for part in before.context if not part.by_id] == [p for p in after.context if not p.by_id]
        assert [part.source for part in before.context] == [part.source for part in after.context]


def test_a_chapter_that_a_person_changed_is_no_longer_as_it_was_written() -> None:
    before = run(context({"document": REVISED}))
    chapters = tuple(c.model_copy(update={"text": "Mine.\n"}) if c.name == "budget" else c for c in before.chapters)
    after = STAGE.edited("", before, before.model_copy(update={"chapters": chapters}))  # type: ignore[misc]

    assert [chapter.name for chapter in after.chapters if not chapter.source] == ["budget"]


def test_without_a_model_every_chapter_is_computed() -> None:
    asked: list[Question[Any]] = []
    result = run(context({}, asked, outline_only=True))

    assert asked == []
    assert [chapter.name for chapter in result.chapters] == [*CHAPTERS]
    assert all(chapter.words for chapter in result.chapters)


def test_a_brief_plan_has_less_than_half_of_the_words() -> None:
    asked: list[Question[Any]] = []
    run(context({"document": REVISED}, asked, detail="brief"))

    assert "has at most 4,300" in " ".join(asked[0].instructions.split())


def test_a_long_table_gives_the_names_of_its_figures_once() -> None:
    plan = a_plan()
    names = listed(plan, figures(plan.spine, plan.computed))

    assert "P1.end" in names
    assert "P2.end" not in names
    assert "L2.amount EUR 120,000" in names
