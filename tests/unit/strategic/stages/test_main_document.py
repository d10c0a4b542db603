"""The main document is the base document with its author's edits; its figures and tables of rows follow the plan."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from planloom.models.model import Question
from planloom.planes.strategic.compute.found import chance_text
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.patch import Change
from planloom.planes.strategic.stages.blocks import blocks_of
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.document_sections import BY_PLACE, parts
from planloom.planes.strategic.stages.edit_document import DocumentEdits
from planloom.planes.strategic.stages.figures import figures, listed
from planloom.planes.strategic.stages.main_document import CHAPTERS, STAGE, draft
from planloom.planes.strategic.stages.results import (
    Choice,
    CriticFinding,
    Patched,
    Repaired,
    Review,
    Ruling,
    Structured,
)
from tests.unit.strategic.compute.sound import added, changed, without
from tests.unit.strategic.stages.base_documents import base_of
from tests.unit.strategic.stages.computed_plans import TEXTS, a_plan, a_spine, given
from tests.unit.strategic.stages.contexts import make_context

NAMES = ["project_plan", "levers", "approvals", "calendar", "team", "budget", "risks", "next_steps"]
VERDICTS: tuple[Any, ...] = ("accepted", "rejected", "open")
SMOKE = r.Package(id="P30", title="Test the smoke doors", owner="R2", needs=[r.Need(id="P6")], done_when="Signed")


def run(context: StageContext) -> Any:
    return asyncio.run(draft(context))


def context(answers: Any, asked: list[Question[Any]] | None = None, spine: Any = None, **more: Any) -> Any:
    """Return the context of a plan whose rows became *spine* after the base document was written."""
    results = given(spine) | more.pop("results", {})
    return make_context("main_document", texts=TEXTS, answers=answers, asked=asked, results=results, **more)


def edits(*made: tuple[str, ...]) -> dict[str, Any]:
    """Return an answer of edits, each as how, block and text."""
    return {"edits": [{"how": how, "block": first, "text": text} for how, first, text in made]}


def pages_of(*args: Any, **more: Any) -> Any:
    return STAGE.pages(run(context(*args, **more)))


def part_of(question: Question[Any], title: str) -> str:
    return next(part.text for part in question.context if part.title.startswith(title))


def label(question: Question[Any], words: str) -> str:
    """Return the number of the block with *words* in the question."""
    found = re.search(rf"(?m)^\[(\w+)\][^\n]*{re.escape(words)}", part_of(question, "the base document"))
    assert found
    return found[1]


def test_blocks_that_nobody_edits_stay_word_for_word_in_their_sections() -> None:
    result = run(context({"document": edits()}))
    pages = STAGE.pages(result)

    assert list(pages) == NAMES
    assert set(NAMES) == set(CHAPTERS)
    assert result.opening.text == "A café with sixty seats. It costs EUR 380,270 in all (computed).\n"
    assert pages["project_plan"].startswith(
        "# 2. How it works on its hardest day\n\nSixty guests in ninety minutes; the narrowest point is the till,"
    )
    assert pages["next_steps"].endswith(
        "| 1 | Measure the hall | Project lead |\n| 2 | Ask for bids | Project lead |\n"
    )
    assert "| Measure the hall |" not in pages["risks"]


def test_each_task_has_owner_days_amount_and_check_in_its_row() -> None:
    page = pages_of({"document": edits()})["calendar"]

    assert "| No. | Task | Owner (role) | Start | End | Own lines (EUR) | Done when | After |" in page
    assert (
        "| P8 | Order the kitchen | Project lead | 9 Oct 2026 | 13 Oct 2026 | 60,000 | done | P7, P5, A2, D1 |" in page
    )


def test_a_table_of_tasks_with_other_columns_keeps_them_beside_the_computed_ones() -> None:
    other = base_of(a_spine()).replace("| Result | Owner (role) |", "| Result | Mark |")
    base = re.sub(r"(\| P\d+ \| [^|]+\| V\d \|) R\d \|", r"\1 assumed |", other)
    page = pages_of({"document": edits()}, results={"choice": Choice(base=base)})["calendar"]

    assert "| Not before | Done when | Line | Start | End | Own lines (EUR) |" in page
    assert re.search(
        r"\| P8 \| Order the kitchen \| V\d \| assumed \|.*\| 9 Oct 2026 \| 13 Oct 2026 \| 60,000 \|", page
    )


def test_the_author_is_shown_what_changed_and_where_and_why() -> None:
    asked: list[Question[Any]] = []
    final = added(without(changed(a_spine(), "L2", rate=400), "P17", "L11"), SMOKE)
    finding = CriticFinding(
        id="E1", critic="Cook", ids=(), place="", text="No drain.", consequence="", severity="high", advice=""
    )
    rulings = tuple(Ruling(finding=f"E{n}", verdict=v, reason=f"So {v}.") for n, v in enumerate(VERDICTS, 1))
    review = Review(spine=final, findings=(finding,), rulings=rulings, cannot_hold=("N1: open without it.",))
    patch = Patched(
        title="", changes=(Change(op="set", id="L2", field="rate", value="400", reason="Bids are higher."),)
    )
    repaired = Repaired(spine=final, patches=(patch,))
    run(context({"document": edits()}, asked, final, results={"review_plan": review, "repair": repaired}))

    changes = part_of(asked[0], "what changed").splitlines()
    where = f"[{label(asked[0], 'Works of the hall')}]"
    said = "Works of the hall: rate EUR 300 → EUR 400; EUR 120,000 → EUR 160,000. Why: Bids are higher."
    assert f"- L2 in {where}: {said}" in changes
    assert any(line.startswith("- P30 in [P30]: new: P30 | Test the smoke doors") for line in changes)
    assert any(line.startswith("- P17 in no block: removed: Rent a kitchen") for line in changes)
    shown = "\n".join(part.text for part in asked[0].context)
    assert all(said in shown for said in ("No drain. Accepted: So accepted.", "open without it", "P1.end"))
    assert "So rejected." not in shown
    assert {"P6", "L2", "frame"} <= asked[0].rows.keys()


def test_figures_and_rows_follow_the_plan_without_an_edit() -> None:
    final = added(without(changed(a_spine(), "L2", rate=400), "P17", "L11"), SMOKE)
    pages = pages_of({"document": edits()}, spine=final)

    assert "| L2 | Works of the hall | 400 | m2 | 400 | 160,000 |" in pages["budget"]
    assert "| **Total** |  |  |  | 415,770 |" in pages["budget"]
    assert "L11" not in pages["budget"]
    assert re.search(
        r"\| P6 \|.*\n\| P30 \| Test the smoke doors \| Architect \|.*\| Signed \| P6 \|", pages["calendar"]
    )


def test_ids_that_no_table_of_the_document_explains_are_explained_below_their_section() -> None:
    spine = a_spine()
    roles = "\n".join(f"| {row.id} | {row.title} | {row.filled_by or 'hired'} |" for row in spine.roles)
    base = base_of(spine).replace(f"| No. | Role | Filled from where |\n|---|---|---|\n{roles}", "R1 is there all day.")
    assert "Filled from where" not in base
    team = pages_of({"document": edits()}, results={"choice": Choice(base=base)})["team"]

    assert f"{spine.roles[0].title} is there all day." in team
    assert f"| R1 | {spine.roles[0].title} |" in team


def test_edits_replace_add_and_remove_blocks_with_figures_by_name() -> None:
    asked: list[Question[Any]] = []
    run(context({"document": edits()}, asked))
    narrow, lead = label(asked[0], "Sixty guests"), label(asked[0], "Tasks that do not need")
    made = edits(
        ("replace", narrow, "Built by {{P6.end}}."), ("delete", lead, ""), ("insert_after", lead, "Odds {{N2.chance}}.")
    )
    pages = pages_of({"document": made})

    assert pages["project_plan"].startswith(f"# 2. How it works on its hardest day\n\nBuilt by {_end('P6')}.")
    assert pages["calendar"].startswith("# 5. The work and its calendar\n\nOdds ")
    assert "{{" not in "".join(pages.values())


def test_what_is_wrong_is_sent_back_once_and_the_better_document_is_kept() -> None:
    asked: list[Question[Any]] = []
    final = changed(a_spine(), "L2", rate=400)
    base = base_of(a_spine()).replace("forty guests an hour", "forty guests an hour for EUR 120,000")
    choice = {"choice": Choice(base=base)}
    wrong = edits(
        ("insert_after", "5", "The hall costs EUR 777,000 and {{L99.rate}}. P77 waits, steel to ASTM B456."),
        ("delete", "999", ""),
    )

    def answer(question: Question[Any]) -> Any:
        if question.name == "document":
            return wrong
        numbers = re.findall(r"(?m)^\[(\d+)\] (.*)", part_of(question, "the blocks"))
        bad = next(number for number, text in numbers if "777,000" in text)
        return edits(("replace", bad, "The hall costs {{L2.amount}}."))

    result = run(context(answer, asked, final, results=choice))

    places = part_of(asked[1], "the blocks")
    assert [question.name for question in asked] == ["document", "document-figures"]
    assert all(said in places for said in ("777,000", "L99.rate", "P77: no row", "there is no block [999]"))
    assert "B456: no row" not in places
    assert "120,000 is stated by hand: if it is L2.amount, L2.amount is 160,000 now" in places
    assert "The hall costs EUR 160,000." in STAGE.pages(result)["project_plan"]
    assert result.unknown_figures == ()


def test_a_day_that_only_the_end_of_a_role_had_is_no_old_value_where_the_role_is_not_named() -> None:
    asked: list[Question[Any]] = []
    before = changed(a_spine(), "R1", last=date(2027, 3, 3))
    base = base_of(before).replace("forty guests an hour", "forty guests an hour on 3 March 2027. For R1: 3 March 2027")
    results = {"choice": Choice(base=base), "spine": Structured(spine=before, drafted=before)}
    run(context({"document": edits()}, asked, changed(before, "R1", last=date(2027, 5, 5)), results=results))

    assert part_of(asked[0], "places that programs found out of date").count("3 March 2027 is stated by hand") == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("| No. | Line | A |\n|---|---|---|\n| a | x | 1,000 |\n| b | y | 2,000 |\n| c | z | 3,000 |\n"
         "| Total |  | 7,000 |", "the total 7,000, but the rows above it add up to 6,000"),
        ("The till is served by two people from eleven until the last guest has paid in the evening.\n\n"
         "The till is served by two people from eleven until the last guest has paid in the evening.",
         "said in [6] already"),
    ],
)  # fmt: skip
def test_sums_and_repetitions_are_sent_back(text: str, said: str) -> None:
    asked: list[Question[Any]] = []
    run(context({"document": edits(("insert_after", "5", text))}, asked))

    assert said in part_of(asked[1], "the blocks")


def test_odds_that_the_author_only_estimated_are_shown_as_out_of_date() -> None:
    asked: list[Question[Any]] = []
    dates = "| No. | Due | Odds |\n|---|---|---|\n| N2 | 31 August 2027 | 12% |\n"
    dates += "\n| Gate | Measure | Passes at |\n|---|---|---|\n| G1 | members in favour | 13% |\n"
    base = base_of(a_spine()).replace("## 6. People", f"{dates}\n## 6. People")
    run(context({"document": edits()}, asked, results={"choice": Choice(base=base)}))

    odds = next(odds for odds in a_plan().computed.odds if odds.what == "N2")
    said = f"those of N2 are {{{{N2.chance}}}}, {chance_text(odds.chance or 0)}"
    assert part_of(asked[0], "places").count("other odds") == 1
    assert f"[{label(asked[0], '12%')}] other odds than computed: {said}" in part_of(asked[0], "places")


def test_a_demand_that_the_base_does_not_mention_is_put_in_with_what_keeps_it() -> None:
    final = added(a_spine(), r.Demand(id="N9", text="No noise after ten", met_by=["P2"]))
    page = pages_of({"document": edits()}, spine=final)["risks"]

    assert "| Id | Demand or limit | Due | Met or kept by | Computed | Odds in time |\n|---|" in page
    assert page.endswith("| N9 | No noise after ten |  | P2 |  |  |\n")


def test_texts_to_send_may_repeat_what_is_said_elsewhere_and_are_not_cut() -> None:
    asked: list[Question[Any]] = []
    said = "The till is served by two people from eleven until the last guest has paid in the evening."
    base = base_of(a_spine()) + f"\n### Letter to the cook\n\n> {said}\n>\n> {said}\n\n{said}\n"
    choice = {"choice": Choice(base=base)}
    run(context({"document": edits(("replace", "5", "Sixty guests."))}, asked, results=choice))
    number = label(asked[0], "> The till")
    run(context({"document": edits(("delete", number, ""), ("replace", "5", "Ten."))}, asked, results=choice))

    assert [question.name for question in asked] == ["document", "document", "document-figures"]
    assert "the texts to send have 0 words" in part_of(asked[2], "the blocks")


def test_a_new_row_that_no_block_mentions_is_sent_back() -> None:
    asked: list[Question[Any]] = []
    final = added(a_spine(), r.Risk(id="K9", cause="Frost", event="The pipes burst"))
    run(context({"document": edits(("replace", "5", "Sixty guests."))}, asked, final))

    assert "no block mentions K9 | The pipes burst" in part_of(asked[1], "the blocks")


def test_a_lost_answer_leaves_the_base_document_up_to_date_and_says_so() -> None:
    final = changed(a_spine(), "L2", rate=400)
    review = {"review_plan": Review(spine=final, cannot_hold=("N1: open without it.",))}
    result = run(context({}, spine=final, results=review))

    assert len(result.missing) == 1
    assert "160,000" in STAGE.pages(result)["budget"]
    assert re.match(r"- N1 \(.*\): open without it\.\n\nA café with sixty seats\.", result.opening.text)


def test_short_answers_edit_a_section_each_from_the_same_instructions() -> None:
    asked: list[Question[Any]] = []

    def answer(question: Question[Any]) -> Any:
        return edits(("insert_after", "5", f"Of {question.name}.")) if question.name[-1].isdigit() else None

    short = context(answer, asked)
    pages = STAGE.pages(run(replace(short, about=replace(short.about, long_answers=False))))

    calls = [question for question in asked if question.name[-1].isdigit()]
    assert [question.name for question in calls] == [f"document-{n}" for n in range(1, 9)]
    assert "".join(pages.values()).count("Of document-") == 1
    assert "Of document-2." in pages["project_plan"]
    assert len({question.context for question in calls}) == 1


def test_blocks_that_name_changed_rows_are_corrected_and_no_other() -> None:
    asked: list[Question[Any]] = []
    before = DocumentEdits.model_validate(edits(("replace", "5", "P6 is cheap."))).with_rows_changed(
        {"P6": "P6 | Build in the hall | 9 d"}
    )

    async def answer(question: Question[Any]) -> Any:
        asked.append(question)
        if question.name == "document":
            return before
        number = next(n for n, text in _numbered(part_of(question, "the blocks")) if "cheap" in text)
        return DocumentEdits.model_validate(edits(("replace", number, "P6 is dear.")))

    result = run(replace(context({}), answer=answer))

    assert [question.name for question in asked] == ["document", "document-changed"]
    assert "Tasks that do not need" not in part_of(asked[1], "the blocks")
    rows = part_of(asked[1], "the rows as they were")
    assert "was: P6 | Build in the hall | 9 d\nnow: P6 | " in rows
    assert f"P6.end {_end('P6')}" in rows
    assert re.search(r"P6 \(.*\) is dear\.", STAGE.pages(result)["project_plan"])


def test_an_edited_table_of_the_plan_leaves_the_figures_of_the_base_by_name() -> None:
    final = changed(a_spine(), "L2", rate=400)
    edited = Structured(spine=final, drafted=a_spine())
    page = pages_of({"document": edits()}, spine=final, results={"spine": edited})["budget"]

    assert "| L2 | Works of the hall | 400 | m2 | 400 | 160,000 |" in page


def test_instructions_stay_the_same_when_a_value_changes() -> None:
    asked: list[Question[Any]] = []
    for each in (a_spine(), changed(a_spine(), "P6", likely=61)):
        run(context({"document": edits()}, asked, each))

    assert asked[0].instructions == asked[1].instructions
    assert asked[0].edits == asked[1].edits
    unmarked = [[part for part in q.context if not part.by_id] for q in asked]
    assert unmarked[0] == unmarked[1]
    assert [part.source for part in asked[0].context] == [part.source for part in asked[1].context]


def test_a_section_whose_rows_its_author_removed_is_filed_by_its_place() -> None:
    letters = ("D", "S", "D", "A", "P", "", "L", "K", "", "")
    table = "| No. | What |\n|---|---|\n| {0}1 | a |\n| {0}2 | b |"
    text = "\n\n".join(
        f"## {n}. Part\n\n{table.format(letter) if letter else 'Words.'}" for n, letter in enumerate(letters, 1)
    )

    assert list(parts(blocks_of(f"# Plan\n\n{text}"))) == [*BY_PLACE]


def test_another_order_of_sections_is_filed_by_the_rows_that_they_hold() -> None:
    title, *sections = re.split(r"(?m)^(?=## )", base_of(a_spine()))
    result = run(context({"document": edits()}, results={"choice": Choice(base=f"{title}{sections[6]}{sections[4]}")}))

    assert [(chapter.name, chapter.title) for chapter in result.chapters][:2] == [
        ("budget", "7. Money"),
        ("calendar", "5. The work and its calendar"),
    ]


def test_tables_whose_rows_all_stand_in_the_document_are_known() -> None:
    result = run(context({"document": edits()}))

    assert {"calendar", "lines"} <= set(result.placed)
    assert not {"gates", "cash"} & set(result.placed)


def test_a_chapter_that_a_person_changed_is_no_longer_as_it_was_written() -> None:
    before = run(context({"document": edits()}))
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
    run(context({"document": edits()}, asked, detail="brief"))

    assert "at most 4,000 words" in " ".join(asked[0].instructions.split())


def test_a_long_table_gives_the_names_of_its_figures_once() -> None:
    plan = a_plan()
    names = listed(plan, figures(plan.spine, plan.computed))

    assert "P1.end" in names
    assert "P2.end" not in names
    assert "L2.amount EUR 120,000" in names


def _end(package: str) -> str:
    end = a_plan().dated[package].end
    return f"{end.day} {end:%B %Y}"


def _numbered(shown: str) -> Iterable[tuple[str, str]]:
    return re.findall(r"(?m)^\[(\w+)\] (.*)", shown)
