"""The author decides on every finding in one patch, and restores the balance where the plan got worse."""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from planloom.models.model import Question
from planloom.planes.strategic.compute.computed import Computed, Finding
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages import repair
from planloom.planes.strategic.stages.results import CriticFinding, Criticism, Repaired, Review, Story
from planloom.planes.strategic.stages.review_plan import STAGE, all_findings
from tests.unit.strategic.stages.contexts import make_context
from tests.unit.strategic.stages.plans import CHOICE, SPINE


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


def change(op: str, id_: str, value: str, field: str = "", *, serves: str = "E1") -> dict[str, Any]:
    return {"op": op, "id": id_, "field": field, "value": value, "reason": "It was found", "findings": serves.split()}


def ruling(id_: str, verdict: str, **fields: Any) -> dict[str, Any]:
    return {"finding": id_, "verdict": verdict, "reason": f"Because of {id_}.", **fields}


def decided(*rulings: dict[str, Any], changes: tuple[dict[str, Any], ...] = (), **balance: Any) -> dict[str, Any]:
    return {"decisions-1": ruled(rulings) | {"changes": list(changes)}, "balance": balance}


def ruled(rulings: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return *rulings* as an answer has them: those that are accepted apart from the others."""
    accepted, others = ([r for r in rulings if (r["verdict"] == "accepted") is is_] for is_ in (True, False))
    return {"accepted": accepted, "rulings": others}


def reviewed(*found: CriticFinding, answers: Any = None, short: bool = False, **given: Any) -> Review:
    results = {
        "choice": CHOICE,
        "repair": given.pop("repair", None) or Repaired(spine=SPINE, after=given.pop("after", ())),
        "expert_criticism": Criticism(findings=found, stories=given.pop("stories", ())),
    }
    context = make_context("review_plan", results=results, answers=answers or {}, **given)
    return asyncio.run(STAGE.draft(replace(context, about=replace(context.about, long_answers=not short))))


#: A third skipper, and one whom the plan cannot pay.
THIRD = change("set", "R2", "3", "people")
RUINOUS = change("increase", "L1", "5000000", "rate", serves="E2")
FIRST_RUINOUS = RUINOUS | {"findings": ["E1"]}


#: A change that is refused, so that the author is asked for the balance.
UNKNOWN = change("set", "P99", "3", "likely")
Limit = Callable[[Callable[[Spine], bool]], None]


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch) -> Limit:
    """Return a function that says in which plans something severe is found."""

    def found_where(severe: Callable[[Spine], bool]) -> None:
        def computed(spine: Spine, closures: Any) -> Computed:
            day = date(2027, 1, 4)
            found = (OPEN,) if severe(spine) else ()
            return Computed(start=day, end=day, packages=(), path=(), odds=(), findings=found)

        monkeypatch.setattr(repair, "compute", computed)

    return found_where


@pytest.fixture
def sound(limit: Limit) -> None:
    """Let nothing be found in a plan, but in one whose line costs more than the budget."""
    limit(lambda spine: rate(spine) > 900_000)


def rate(spine: Spine) -> float:
    return next(line.rate for line in spine.lines if line.id == "L1")


def refused_at_first(*changes: dict[str, Any]) -> dict[str, Any]:
    """Return decisions of which nothing can be made, and the changes that restore the balance."""
    return decided(ruling("E1", "accepted"), changes=(UNKNOWN,)) | {"balance": {"changes": list(changes)}}


def test_the_author_is_shown_the_plan_all_findings_and_which_to_decide_on() -> None:
    asked: list[Question[Any]] = []
    reviewed(finding(1, "P3"), after=(OPEN,), stories=(STORY,), asked=asked)
    *shared, found, to_decide = asked[0].context
    assert [part.by_id for part in shared] == [False, False, True, True]
    assert all(text in found.text for text in ("Hire a third skipper", "The ferry stayed on land.", "P2 is late."))
    assert to_decide.text == "E1, E2, E3"


@pytest.mark.usefixtures("sound")
def test_one_call_decides_where_the_plan_stays_sound() -> None:
    asked: list[Question[Any]] = []
    result = reviewed(finding(1), answers=decided(ruling("E1", "accepted"), changes=(THIRD,)), asked=asked)
    assert [question.name for question in asked] == ["decisions-1"]
    assert result.spine.by_id()["R2"].people == 3
    page = STAGE.pages(result)["review_plan"]
    assert "1 FTE → 3 FTE (E1: It was found)" in page
    assert page.index("1 accepted") < page.index("What is wrong in number 1.") < page.index("1 field set")


@pytest.mark.usefixtures("sound")
def test_a_change_that_serves_only_what_is_rejected_is_not_made_and_said() -> None:
    both = change("set", "R2", '"Skippers"', "title", serves="E1 E2")
    answers = decided(ruling("E1", "rejected"), ruling("E2", "accepted"), changes=(THIRD, both))
    result = reviewed(finding(1), finding(2), answers=answers)
    assert (result.spine.by_id()["R2"].people, result.spine.by_id()["R2"].title) == (1, "Skippers")
    assert "E1" in result.patches[0].refused[0]


@pytest.mark.usefixtures("sound")
def test_of_too_many_accepted_findings_the_first_eight_change_the_plan() -> None:
    found = [finding(n) for n in range(1, 21)]
    changes = tuple(change("set", "R2", f'"Title {n}"', "title", serves=f"E{n}") for n in (8, 9))

    def answer(question: Question[Any]) -> dict[str, Any]:
        ids = re.findall(r"E\d+", question.context[-1].text)
        first = question.name == "decisions-1"
        return ruled([ruling(id_, "accepted") for id_ in ids[:6]]) | {"changes": list(changes) if first else []}

    result = reviewed(*found, answers=answer, short=True)
    assert [r.finding for r in result.rulings if r.verdict == "accepted"] == [f"E{n}" for n in (*range(1, 7), 15, 16)]
    assert result.spine.by_id()["R2"].title not in ("Title 8", "Title 9")
    assert [said.rpartition(": ")[2] for said in result.patches[0].refused] == [
        "it serves only what is not accepted (E8).",
        "it serves only what is not accepted (E9).",
    ]


@pytest.mark.usefixtures("sound")
def test_a_finding_that_is_the_same_as_another_shares_its_ruling_and_its_question() -> None:
    open_ = ruling("E1", "open", question="Who relieves the skipper?", owner="R1", by="2027-02-01")
    same = ruling("E2", "rejected", same_as="E1")
    result = reviewed(finding(1), finding(2), answers=decided(open_, same))
    (row,) = result.spine.questions
    assert (row.id, row.text, row.owner, row.by) == ("Q1", "Who relieves the skipper?", "R1", date(2027, 2, 1))
    assert [(r.verdict, r.question[:2], r.same_as) for r in result.rulings] == [
        ("open", "Q1", ""),
        ("open", "Q1", "E1"),
    ]
    assert "| E1; E2 |" in STAGE.pages(result)["review_plan"]


def test_an_owner_that_is_no_role_or_party_is_left_out_of_the_question() -> None:
    result = reviewed(finding(1), answers=decided(ruling("E1", "open", question="Who?", owner="P1")))
    assert result.spine.questions[0].owner == ""


def test_a_finding_that_nobody_ruled_on_is_open_and_named() -> None:
    result = reviewed(finding(1), finding(2), answers=decided(ruling("E2", "rejected")))
    assert [r.verdict for r in result.rulings] == ["open", "rejected"]
    assert result.spine.questions == ()
    assert "E1" in result.missing[0]


@pytest.mark.usefixtures("sound")
def test_the_author_restores_the_balance_of_a_plan_that_got_worse() -> None:
    asked: list[Question[Any]] = []
    cheaper = change("set", "L1", "500000", "rate", serves="E2")
    answers = decided(ruling("E1", "accepted"), ruling("E2", "accepted"), changes=(THIRD, RUINOUS))
    result = reviewed(finding(1), finding(2), answers=answers | {"balance": {"changes": [cheaper]}}, asked=asked)
    assert [question.name for question in asked] == ["decisions-1", "balance"]
    assert "P2 is late." in asked[1].context[-1].text
    assert result.spine.by_id()["L1"].rate == 500_000
    assert [patch.title for patch in result.patches] == ["decisions", "balance"]


@pytest.mark.usefixtures("sound")
def test_a_withdrawn_acceptance_is_rejected_and_only_its_changes_are_undone() -> None:
    asked: list[Question[Any]] = []
    answers = decided(ruling("E1", "accepted"), ruling("E2", "accepted"), changes=(THIRD, RUINOUS))
    withdrawn = {"withdrawn": [{"finding": "E2", "reason": "EUR 5,000,000 for EUR 20,000."}]}
    result = reviewed(finding(1), finding(2), answers=answers | {"balance": withdrawn}, asked=asked)
    assert (result.spine.by_id()["L1"].rate, result.spine.by_id()["R2"].people) == (400_000, 3)
    assert [r.verdict for r in result.rulings] == ["accepted", "rejected"]
    assert "EUR 5,000,000 for EUR 20,000." in result.rulings[1].reason


@pytest.mark.usefixtures("sound")
def test_of_the_plan_before_and_after_the_second_answer_the_better_is_kept() -> None:
    answers = decided(ruling("E1", "accepted"), changes=(THIRD, UNKNOWN))
    before = Repaired(spine=SPINE, cannot_hold=("The day.",))
    result = reviewed(
        finding(1), answers=answers | {"balance": {"changes": [FIRST_RUINOUS], "now_holds": [1]}}, repair=before
    )
    assert result.cannot_hold == ("The day.",)
    assert result.spine.by_id()["L1"].rate == 400_000
    assert result.spine.by_id()["R2"].people == 3
    assert len(result.patches[1].refused) == 1


def test_of_the_second_answer_the_changes_are_kept_that_make_the_plan_no_worse(limit: Limit) -> None:
    limit(lambda spine: rate(spine) > 900_000)
    renamed, longer = change("set", "R2", '"Skippers"', "title"), change("set", "P1", "9", "high")
    result = reviewed(finding(1), answers=refused_at_first(FIRST_RUINOUS, renamed, longer))
    assert (rate(result.spine), result.spine.by_id()["R2"].title) == (400_000, "Skippers")
    assert [each.field for each in result.patches[1].changes] == ["title", "high"]
    assert result.patches[1].refused == (
        "increase L1.rate: the plan is worse with it, findings of high severity: 1, not 0 (P2 is late.)",
    )


def test_an_added_row_and_what_names_it_are_kept_or_refused_together(limit: Limit) -> None:
    limit(lambda spine: "L9" in spine.by_id())
    line = change("add", "L9", '{"title": "A second yard", "rate": 70000}')
    names = change("append", "K1", '"L9"', "other_lines")
    renamed = change("set", "R2", '"Skippers"', "title")
    result = reviewed(finding(1), answers=refused_at_first(renamed, line, names))
    assert result.spine.by_id()["R2"].title == "Skippers"
    assert "L9" not in result.spine.by_id()
    assert [said.partition(":")[0] for said in result.patches[1].refused] == ["add L9, append K1.other_lines"]


def test_a_change_that_needs_a_later_one_is_tried_again_when_that_is_made(limit: Limit) -> None:
    limit(lambda spine: (rate(spine) > 900_000 and spine.by_id()["R2"].people < 5) or spine.frame.title == "Worse")
    dear, people = change("set", "L1", "1000000", "rate"), change("set", "R2", "5", "people")
    worst = change("set", "frame", "Worse", "title")
    result = reviewed(finding(1), answers=refused_at_first(dear, people, worst))
    assert (rate(result.spine), result.spine.by_id()["R2"].people) == (1_000_000, 5)
    assert len(result.patches[1].refused) == 1


def test_a_withdrawal_with_which_the_plan_is_worse_is_not_made(limit: Limit) -> None:
    limit(lambda spine: spine.by_id()["R2"].people < 3)
    answers = decided(ruling("E1", "accepted"), changes=(THIRD, UNKNOWN), withdrawn=[{"finding": "E1", "reason": "x"}])
    result = reviewed(finding(1), answers=answers)
    assert (result.rulings[0].verdict, result.spine.by_id()["R2"].people) == ("accepted", 3)
    assert result.patches[1].refused[0].startswith("withdrawal of E1: the plan is worse with it")


@pytest.mark.usefixtures("sound")
def test_what_cannot_hold_is_added_to_what_was_said_before_and_still_counts() -> None:
    before = Repaired(spine=SPINE, concept="holds: One boat.", cannot_hold=("The day.", "The sum."))
    no = {"finding": OPEN.id, "what": "1 May 2028", "options": ["a second yard"], "who": "council"}
    answers = decided(ruling("E1", "accepted"), changes=(FIRST_RUINOUS,), cannot_hold=[no], now_holds=[2])
    result = reviewed(finding(1), answers=answers, repair=before)
    assert result.cannot_hold[0] == "The day."
    assert "a second yard" in result.cannot_hold[1]
    assert result.concept == "holds: One boat."


def test_a_lost_second_answer_leaves_the_decisions_and_is_said() -> None:
    answers = decided(ruling("E1", "accepted"), changes=(THIRD, change("set", "P99", "3", "likely")))
    result = reviewed(finding(1), answers={"decisions-1": answers["decisions-1"]})
    assert result.spine.by_id()["R2"].people == 3
    assert len(result.missing) == 1


def test_models_with_short_answers_decide_in_turn_and_see_what_was_decided_before() -> None:
    found = [finding(n) for n in range(1, 31)]
    asked: list[Question[Any]] = []

    def answer(question: Question[Any]) -> dict[str, Any] | None:
        ids = re.findall(r"E\d+", question.context[-1].text)
        if question.name == "decisions-2":
            return None
        return {"rulings": [ruling(id_, "rejected") for id_ in ids]} if question.name != "balance" else {}

    result = reviewed(*found, answers=answer, asked=asked, short=True)
    names = [question.name for question in asked if question.name != "balance"]
    assert names == ["decisions-1", "decisions-2", "decisions-3"]
    assert "Because of E14." in asked[2].context[-2].text
    assert [r.finding for r in result.rulings] == [f.id for f in found]
    assert [r.verdict for r in result.rulings].count("open") == 14
    assert len(result.missing) == 1


def test_findings_of_programs_with_one_cause_are_one_and_the_least_are_left_out() -> None:
    late = OPEN.model_copy(update={"id": "time.late:P2,N1", "ids": ("P2", "N1"), "text": "N1 is late."})
    low = [OPEN.model_copy(update={"severity": "low", "ids": (f"L{n}",), "id": f"low:{n}"}) for n in range(12)]
    found = all_findings(Criticism(), (OPEN, late, *low))
    assert found[0].ids == ("P2", "N1")
    assert found[0].text == "P2 is late. N1 is late."
    assert len(found) == 11


def test_without_a_model_what_programs_found_stays_open_and_nothing_is_asked() -> None:
    asked: list[Question[Any]] = []
    result = reviewed(after=(OPEN,), outline_only=True, asked=asked)
    assert asked == []
    assert [(r.finding, r.verdict) for r in result.rulings] == [("E1", "open")]
    assert "P2 (Build the hull) is late." in STAGE.pages(result)["review_plan"]
    assert result.spine == SPINE


def test_nothing_is_asked_where_nothing_was_found() -> None:
    asked: list[Question[Any]] = []
    assert reviewed(asked=asked).rulings == ()
    assert asked == []
