"""The author decides on every finding; what is accepted changes the spine, what is open becomes a question."""

import asyncio
import re
from datetime import date
from typing import Any

from planloom.compute.computed import Finding
from planloom.models.model import Question
from planloom.stages.results import CriticFinding, Criticism, Repaired, Review, Story
from planloom.stages.review_plan import BATCH, MOST_AT_ONCE, STAGE, in_batches
from tests.unit.stages.contexts import make_context
from tests.unit.stages.plans import CHOICE, SPINE


def finding(number: int, *ids: str) -> CriticFinding:
    return CriticFinding(
        id=f"E{number}",
        critic="a ferry master",
        ids=ids,
        place="P3",
        text=f"What is wrong in number {number}.",
        consequence="EUR 20,000",
        severity="medium",
        advice="Hire a third skipper",
    )


OPEN = Finding(
    id="time.late:P2", check="time.late", severity="high", ids=("P2",), text="P2 is late.", places=("P2: late",)
)
STORY = Story(
    title="No water",
    kind="technology",
    story="The ferry stayed on land.",
    chain=("Low water",),
    warning="Gauge",
    tripwire="110 cm",
    containment="A bus",
    owner="Skipper",
)


def change(op: str, id_: str, value: str, field: str = "") -> dict[str, str]:
    return {"op": op, "id": id_, "field": field, "value": value, "reason": "It was found"}


def ruling(id_: str, verdict: str, *changes: dict[str, str], **fields: Any) -> dict[str, Any]:
    return {"finding": id_, "verdict": verdict, "reason": f"Because of {id_}.", "changes": list(changes), **fields}


def reviewed(*found: CriticFinding, rulings: Any = (), **given: Any) -> Review:
    results = {
        "choice": CHOICE,
        "repair": Repaired(spine=SPINE, after=given.pop("after", ())),
        "expert_criticism": Criticism(findings=found, stories=given.pop("stories", ())),
    }
    answers = rulings if callable(rulings) else {"rulings-1": {"rulings": list(rulings)}}
    return asyncio.run(STAGE.draft(make_context("review_plan", results=results, answers=answers, **given)))


def test_the_author_is_shown_the_plan_all_findings_and_which_to_decide_on() -> None:
    asked: list[Question[Any]] = []
    reviewed(finding(1, "P3"), after=(OPEN,), stories=(STORY,), asked=asked)
    *shared, found, to_decide = asked[0].context
    assert [part.by_id for part in shared] == [False, False, True, True]
    assert all(text in found.text for text in ("Hire a third skipper", "The ferry stayed on land.", "P2 is late."))
    assert to_decide.text == "E1, E2, E3"


def test_an_accepted_finding_changes_the_spine_and_the_page_says_from_what_to_what() -> None:
    result = reviewed(finding(1), rulings=[ruling("E1", "accepted", change("set", "R2", "3", "people"))])
    assert result.spine.by_id()["R2"].people == 3
    page = STAGE.pages(result)["review_plan"]
    assert "1 FTE → 3 FTE" in page
    assert page.index("1 accepted") < page.index("1 field set") < page.index("What is wrong in number 1.")


def test_a_rejected_finding_changes_nothing_even_if_it_comes_with_changes() -> None:
    result = reviewed(finding(1), rulings=[ruling("E1", "rejected", change("set", "R2", "3", "people"))])
    assert result.spine == SPINE
    assert (result.rulings[0].verdict, result.patches) == ("rejected", ())


def test_an_open_finding_becomes_a_question_of_the_spine_with_its_owner_and_day() -> None:
    open_ = ruling("E1", "open", question="Who relieves the skipper?", owner="R1", by="2027-02-01")
    result = reviewed(finding(1), rulings=[open_])
    (row,) = result.spine.questions
    assert (row.id, row.text, row.owner, row.by) == ("Q1", "Who relieves the skipper?", "R1", date(2027, 2, 1))
    assert "Q1" in result.rulings[0].question


def test_an_owner_that_is_no_role_or_party_is_left_out_of_the_question() -> None:
    result = reviewed(finding(1), rulings=[ruling("E1", "open", question="Who?", owner="P1")])
    assert result.spine.questions[0].owner == ""


def test_a_finding_that_nobody_ruled_on_is_open_and_named() -> None:
    result = reviewed(finding(1), finding(2), rulings=[ruling("E2", "rejected")])
    assert [r.verdict for r in result.rulings] == ["open", "rejected"]
    assert result.spine.questions == ()
    assert "E1" in result.missing[0]


def test_of_two_decisions_on_one_field_the_first_counts_and_the_other_is_said() -> None:
    rulings = [
        ruling("E1", "accepted", change("set", "R2", "3", "people")),
        ruling("E2", "accepted", change("set", "R2", "4", "people")),
    ]
    result = reviewed(finding(1), finding(2), rulings=rulings)
    assert result.spine.by_id()["R2"].people == 3
    assert len(result.patches[1].refused) == 1


def test_many_findings_are_decided_in_parallel_batches_with_the_same_beginning() -> None:
    found = [finding(n, f"P{n % 3 + 1}") for n in range(1, 31)]
    asked: list[Question[Any]] = []

    def answer(question: Question[Any]) -> dict[str, Any]:
        ids = re.findall(r"E\d+", question.context[-1].text)
        return {"rulings": [ruling(id_, "rejected") for id_ in ids]}

    result = reviewed(*found, rulings=answer, asked=asked)
    assert [question.name for question in asked] == ["rulings-1", "rulings-2", "rulings-3"]
    assert len({question.context[:-1] for question in asked}) == 1
    assert [r.finding for r in result.rulings] == [f.id for f in found]
    assert {r.verdict for r in result.rulings} == {"rejected"}


def test_batches_keep_findings_on_the_same_row_together_and_are_about_as_large() -> None:
    found = [finding(n, f"P{n % 2 + 1}") for n in range(1, 2 * BATCH + 1)]
    batches = in_batches(found)
    assert [{f.ids for f in batch} for batch in batches] == [{("P1",)}, {("P2",)}]
    assert in_batches(found[:MOST_AT_ONCE]) == [tuple(found[:MOST_AT_ONCE])]


def test_rows_that_two_batches_add_with_the_same_id_are_both_there() -> None:
    found = [finding(n, f"P{n % 3 + 1}") for n in range(1, 31)]

    def answer(question: Question[Any]) -> dict[str, Any]:
        first = re.findall(r"E\d+", question.context[-1].text)[0]
        row = change("add", "P4", f'{{"title": "Package for {first}", "owner": "R1"}}')
        return {"rulings": [ruling(first, "accepted", row, change("set", "K1", '"P4"', "package"))]}

    result = reviewed(*found, rulings=answer)
    titles = [row.title for row in result.spine.packages if row.title.startswith("Package for")]
    assert len(titles) == 3
    assert result.spine.by_id()["K1"].package == "P4"


def test_a_lost_batch_leaves_its_findings_open_and_is_named() -> None:
    found = [finding(n) for n in range(1, 31)]

    def answer(question: Question[Any]) -> Any:
        ids = re.findall(r"E\d+", question.context[-1].text)
        return None if question.name == "rulings-2" else {"rulings": [ruling(id_, "rejected") for id_ in ids]}

    result = reviewed(*found, rulings=answer)
    assert [r.verdict for r in result.rulings].count("open") == 10
    assert len(result.missing) == 1


def test_without_a_model_what_programs_found_stays_open_and_nothing_is_asked() -> None:
    asked: list[Question[Any]] = []
    result = reviewed(after=(OPEN,), outline_only=True, asked=asked)
    assert asked == []
    assert [(r.finding, r.verdict) for r in result.rulings] == [("E1", "open")]
    assert "P2 is late." in STAGE.pages(result)["review_plan"]
    assert result.spine == SPINE


def test_nothing_is_asked_where_nothing_was_found() -> None:
    asked: list[Question[Any]] = []
    assert reviewed(asked=asked).rulings == ()
    assert asked == []
