"""The author writes the main document anew; programs put in figures and tables, and say what is wrong in it."""

import asyncio
from dataclasses import replace
from datetime import date
from typing import Any, get_args

import pytest

from planloom.models.model import Question
from planloom.planes.strategic.facts.fact import Ban
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.patch import Change
from planloom.planes.strategic.stages.chapter_tables import document_tables
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.document_text import OPENING, PARTS, FinalPlan, Name
from planloom.planes.strategic.stages.figures import figures, listed
from planloom.planes.strategic.stages.main_document import CHAPTERS, STAGE, draft
from planloom.planes.strategic.stages.results import CriticFinding, Patched, Repaired, Review, Ruling
from tests.unit.strategic.compute.sound import added, changed, without
from tests.unit.strategic.stages.computed_plans import BASE, TEXTS, a_plan, a_spine, given
from tests.unit.strategic.stages.contexts import make_context, make_goal

VERDICTS: tuple[Any, ...] = ("accepted", "rejected", "open")
SMOKE = r.Package(id="P30", title="Test the smoke doors", owner="R2", needs=[r.Need(id="P6")], done_when="Signed")
LONG = "The till is served by two people from eleven until the last guest has paid in the evening."


def run(context: StageContext) -> Any:
    return asyncio.run(draft(context))


def context(answers: Any, asked: list[Question[Any]] | None = None, spine: Any = None, **more: Any) -> Any:
    """Return the context of a plan whose rows became *spine* after the draft was written."""
    results = given(spine) | more.pop("results", {})
    return make_context("main_document", texts=TEXTS, answers=answers, asked=asked, results=results, **more)


def final(names: Any = PARTS, **texts: str) -> dict[str, Any]:
    """Return an answer with the parts *names*, of which *texts* gives the text of some."""
    return {"parts": [part(name, texts.get(name, f"What is said of {name}.")) for name in names]}


def part(name: str, text: str) -> dict[str, str]:
    return {"part": name, "title": f"The {name}", "text": text}


def pages_of(*args: Any, **more: Any) -> Any:
    return STAGE.pages(run(context(*args, **more)))


def part_of(question: Question[Any], title: str) -> str:
    return next(part.text for part in question.context if part.title.startswith(title))


def test_the_parts_are_the_sections_of_the_interface_and_the_opening_is_apart() -> None:
    result = run(context({"document": final()}))

    assert result.opening.text == "What is said of opening.\n"
    assert [chapter.name for chapter in result.chapters] == [name for name in PARTS if name != OPENING]
    assert {OPENING, *CHAPTERS} == set(PARTS) == set(get_args(Name))
    assert STAGE.pages(result)["levers"] == "# The levers\n\nWhat is said of levers.\n"
    assert result.missing == ()


def test_figures_and_tables_are_put_in_by_programs() -> None:
    text = "### Dates\n\nBuilt by {{P6.end}}.\n\n{{table:sources}}\n\nThe hall costs {{L2.amount}}."
    page = pages_of({"document": final(levers=text)}, spine=changed(a_spine(), "L2", rate=400))["levers"]

    sources = document_tables(a_plan())["sources"].text.splitlines()[0]
    assert page.startswith(f"# The levers\n\n## Dates\n\nBuilt by {_end('P6')}.\n\n{sources}\n|---")
    assert page.endswith("The hall costs EUR 160,000.\n")


def test_the_tables_of_tasks_and_lines_are_printed_once_wherever_the_author_wants_them() -> None:
    table = document_tables(a_plan())["lines"].text.splitlines()[0]
    below = pages_of({"document": final()})
    placed = run(context({"document": final(levers="Money:\n\n{{table:lines}}")}))

    assert table in below["budget"]
    assert table in STAGE.pages(placed)["levers"]
    assert table not in STAGE.pages(placed)["budget"]
    assert set(placed.placed) == {"calendar", "lines"}


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
    run(context({"document": final()}, asked, now, results={"review_plan": review, "repair": repaired}))

    changes = part_of(asked[0], "what changed").splitlines()
    said = "L2: Works of the hall: rate EUR 300 → EUR 400; EUR 120,000 → EUR 160,000. Bids are higher."
    assert f"- {said}" in changes
    assert "- P30: new: Test the smoke doors." in changes
    assert any(line.startswith("- P17: removed: Rent a kitchen") for line in changes)
    shown = "\n".join(part.text for part in asked[0].context)
    assert all(said in shown for said in (BASE, "No drain. Accepted: So accepted.", "open without it", "P1.end"))
    assert "So rejected." not in shown
    assert {"P6", "L2", "frame"} <= asked[0].rows.keys()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The hall costs EUR 777,000.", "777,000: stated by hand"),
        ("The hall costs {{L99.rate}}.", "L99.rate}}: no such name"),
        ("First P77, then the doors.", "P77: no row has this id"),
        ("R1 decides.", "R1: call it by its name, {{R1}}"),
        ("The hall costs EUR 120,000.", "was L2.amount, which has another value now"),
        (f"A brand of its own. {'Sixty guests sit there. ' * 200}".strip(), "“brand” is a word that the goal bans"),
        ("{{table:gates}}", "{{table:gates}}: no such table"),
        (f"{LONG}\n\n{LONG}", "is in the part levers already"),
    ],
)
def test_what_is_wrong_is_sent_back_with_its_passage(text: str, said: str) -> None:
    asked: list[Question[Any]] = []
    goal = make_goal(bans=(Ban(text="no brand", start=0, end=0, what="brand", kind="word"),))
    run(context({"document": final(levers=text)}, asked, changed(a_spine(), "L2", rate=400), goal=goal))

    assert [question.name for question in asked] == ["document", "document-figures"]
    assert f"[levers] {text.split(chr(10))[0]}" in part_of(asked[1], "what is wrong")
    assert said in part_of(asked[1], "what is wrong")


@pytest.mark.parametrize(
    "text",
    [
        "The hall costs {{L2.amount}}. P6 (steel to ASTM B456) comes last, in {{P6.end}}.",
        "The till costs EUR 4,000, of the draft. Open from 3 May 2031.",
        "Thirty-two days are paid, EUR 1,280 (32 × 40), and leave EUR 503.",
        f"> {LONG}\n> We pay EUR 777,000.\n\n{LONG}",
    ],
)
def test_what_is_right_is_not_sent_back(text: str) -> None:
    asked: list[Question[Any]] = []
    run(context({"document": final(levers=text)}, asked))

    assert [question.name for question in asked] == ["document"]


def test_prices_in_the_currency_of_the_goal_are_no_ids() -> None:
    asked: list[Question[Any]] = []
    run(context({"document": final(levers="A sole costs R1, or R99.")}, asked, goal=make_goal("It sells at R349.")))

    said = "\n".join(part.text for question in asked[1:] for part in question.context)
    assert "by its name" not in said
    assert "no row has this id" not in said


def test_corrections_are_made_and_the_better_document_is_kept() -> None:
    wrong = "The hall costs EUR 777,000. R1 decides."
    right = {"corrections": [{"was": "EUR 777,000", "now": "{{L2.amount}}"}, {"was": "R1", "now": "{{R1}}"}]}
    worse = {"corrections": [{"was": "EUR 777,000", "now": "EUR 888,000, EUR 999,000, R2"}]}

    for answer, said in ((right, "The hall costs EUR 120,000. Project lead decides."), (worse, "EUR 777,000")):
        result = run(context({"document": final(levers=wrong), "document-figures": answer}))
        assert said in STAGE.pages(result)["levers"]
        assert result.unknown_figures == ()


def test_a_document_that_is_too_long_is_sent_back_and_parts_are_taken_anew() -> None:
    asked: list[Question[Any]] = []
    words = "Sixty guests sit there. " * 1_500
    shorter = {"parts": [part("levers", "Sixty guests.")]}
    page = pages_of({"document": final(levers=words, team=words), "document-figures": shorter}, asked)["levers"]

    assert "12,035 words of yours, 5,535 too many" in part_of(asked[1], "what is wrong")
    assert "Sixty guests sit there." in part_of(asked[1], "the document")
    assert page == "# The levers\n\nSixty guests.\n"


def test_a_part_that_was_cut_off_is_asked_for() -> None:
    asked: list[Question[Any]] = []
    rest = final([name for name in PARTS if name in ("risks", "next_steps")])
    answers = {
        "document": final([name for name in PARTS if name not in ("risks", "next_steps")]),
        "document-rest": rest,
    }
    pages = pages_of(answers, asked)

    assert [question.name for question in asked] == ["document", "document-rest"]
    assert asked[1].instructions.endswith("of theirs and repeat none.\n")
    assert "nothing else: risks, next_steps." in asked[1].instructions
    assert "What is said of team." in part_of(asked[1], "the parts that are written")
    assert list(pages) == [name for name in PARTS if name != OPENING]


def test_a_part_that_is_lost_is_its_tables() -> None:
    result = run(context({"document": final([name for name in PARTS if name != "team"])}))

    roles = document_tables(a_plan())["roles"].text.splitlines()[0]
    assert roles in STAGE.pages(result)["team"]
    assert len(result.missing) == 1


def test_a_lost_answer_leaves_the_tables_and_the_draft_and_says_so() -> None:
    review = {"review_plan": Review(spine=a_spine(), cannot_hold=("N1: open without it.",))}
    result = run(context({}, results=review))

    assert len(result.missing) == 1
    assert result.opening is None
    assert [chapter.name for chapter in result.chapters] == [name for name in PARTS if name != OPENING]
    assert BASE.splitlines()[-1] in STAGE.pages(result)["project_plan"]
    assert "open without it." in STAGE.pages(result)["project_plan"]


def test_short_answers_write_one_part_after_the_other_and_see_those_before() -> None:
    asked: list[Question[Any]] = []

    def answer(question: Question[Any]) -> Any:
        name = question.name.partition("-")[2]
        return final([name]) if name in PARTS else None

    short = context(answer, asked)
    pages = STAGE.pages(run(replace(short, about=replace(short.about, long_answers=False))))

    assert [question.name for question in asked] == [f"document-{name}" for name in (*[*PARTS][1:], OPENING)]
    assert part_of(asked[-1], "the parts that are written").count("What is said of") == len(PARTS) - 1
    assert list(pages) == [name for name in PARTS if name != OPENING]


def test_passages_that_name_changed_rows_are_corrected_and_no_others() -> None:
    asked: list[Question[Any]] = []
    parts = final(levers="The hall is cheap, {{P6.end}}.\n\nThe quay is not.")
    before = FinalPlan.model_validate(parts).with_rows_changed({"P6": "P6 | Build in the hall | 9 d"})
    correction = {"corrections": [{"was": "is cheap", "now": "is dear"}]}

    async def answer(question: Question[Any]) -> Any:
        asked.append(question)
        return before if question.name == "document" else question.answer.model_validate(correction)

    result = run(replace(context({}), answer=answer))

    assert [question.name for question in asked] == ["document", "document-changed"]
    assert part_of(asked[1], "the passages") == "[levers] The hall is cheap, {{P6.end}}."
    rows = part_of(asked[1], "the rows as they were")
    assert "was: P6 | Build in the hall | 9 d\nnow: P6 | " in rows
    assert f"P6.end {_end('P6')}" in rows
    assert "The hall is dear," in STAGE.pages(result)["levers"]


def test_instructions_and_shown_parts_stay_the_same_when_a_value_changes() -> None:
    asked: list[Question[Any]] = []
    for each in (a_spine(), changed(a_spine(), "P6", likely=61)):
        run(context({"document": final()}, asked, each))

    assert asked[0].updates
    assert asked[0].instructions == asked[1].instructions
    unmarked = [[part for part in q.context if not part.by_id] for q in asked]
    assert unmarked[0] == unmarked[1]
    assert [part.source for part in asked[0].context] == [part.source for part in asked[1].context]


def test_a_chapter_that_a_person_changed_is_no_longer_as_it_was_written() -> None:
    before = run(context({"document": final()}))
    chapters = tuple(c.model_copy(update={"text": "Mine.\n"}) if c.name == "team" else c for c in before.chapters)
    after = STAGE.edited("", before, before.model_copy(update={"chapters": chapters}))  # type: ignore[misc]

    assert [chapter.name for chapter in after.chapters if not chapter.source] == ["team"]


def test_without_a_model_every_chapter_is_computed() -> None:
    asked: list[Question[Any]] = []
    result = run(context({}, asked, outline_only=True))

    assert asked == []
    assert [chapter.name for chapter in result.chapters] == [*CHAPTERS]
    assert all(chapter.words for chapter in result.chapters)


def test_a_brief_plan_has_less_than_half_of_the_words() -> None:
    asked: list[Question[Any]] = []
    run(context({"document": final()}, asked, detail="brief"))

    assert "At most 2,800 words" in " ".join(asked[0].instructions.split())


def test_a_long_table_gives_the_names_of_its_figures_once() -> None:
    plan = a_plan()
    names = listed(plan, figures(plan.spine, plan.computed))

    assert "P1.end" in names
    assert "P2.end" not in names
    assert "L2.amount EUR 120,000" in names


def _end(package: str) -> str:
    end: date = a_plan().dated[package].end
    return f"{end.day} {end:%B %Y}"
