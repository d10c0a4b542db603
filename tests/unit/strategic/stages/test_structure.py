import asyncio
import sys
from dataclasses import replace
from datetime import date
from types import ModuleType

import pytest

from planloom.models.errors import AnswerLost
from planloom.planes.strategic.facts.fact import Day, Money
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.spine import Spine
from planloom.planes.strategic.stages.results import Choice, Graft, Structured
from planloom.planes.strategic.stages.structure import STAGE, draft
from tests.unit.strategic.stages.contexts import PROMPT, make_context, make_goal

BASE = """# A ferry at Culemborg

The engineer designs the landing ramp from January 2027 (20 to 45 days) and builds it once the drawings are signed.
Steel for the ramp, 12 t at USD 4,000 a ton, is paid when it is delivered.

| Hour | Bicycles |
|---|---|
| 7 | 30 |
| 8 | 60 |
"""
CHOICE = Choice(base=BASE, grafts=(Graft(title="Ice", place="Risks", text="The river froze in 1996.", because="x"),))
FRAME = {"title": "A Ferry", "objective": "Carry 60 bicycles.", "start": "2020-01-01", "currency": "USD"}
ANSWERS = {
    "index": {
        "roles": [{"id": "R1", "title": "Engineer"}],
        "packages": [
            {"id": "P1", "title": "Design the landing ramp"},
            {"id": "P2", "title": "Build the landing ramp"},
            {"id": "p1", "title": "A copy of P1"},
        ],
        "lines": [{"id": "L1", "title": "Steel for the ramp"}],
    },
    "frame": {"frame": FRAME, "deliverables": [{"id": "V1", "title": "Landing ramp"}]},
    "decisions": {},
    "parties": {"roles": [{"id": "R1", "title": "Engineer"}]},
    "packages-1": {
        "packages": [
            {"id": "P1", "title": "Design the landing ramp", "owner": "R1", "low": 20, "likely": 30, "high": 45},
            {"id": "P2", "title": "Build the landing ramp", "owner": "R1", "low": 40, "likely": 50, "high": 80}
            | {"needs": [{"id": "P1"}]},
        ]
    },
    "lines-1": {"lines": [{"id": "L1", "title": "Steel for the ramp", "quantity": 12, "rate": 4000, "package": "P2"}]},
    "money": {},
    "risks": {},
}


def run(answers=ANSWERS, *, goal=None, choice=CHOICE, asked=None, long=True):
    context = make_context("spine", goal=goal, results={"choice": choice}, answers=answers, asked=asked)
    context = replace(context, about=replace(context.about, long_answers=long))
    return asyncio.run(draft(context)), context


def with_packages(**changes):
    """Return ANSWERS whose packages have *changes* by id."""
    rows = [{**row, **changes.get(row["id"], {})} for row in ANSWERS["packages-1"]["packages"]]
    return {**ANSWERS, "packages-1": {"packages": rows}}


def test_the_tables_are_asked_for_in_parallel_by_ids_that_one_call_fixed_and_see_the_plan_whole():
    asked = []
    result, _ = run(asked=asked)
    names = [question.name for question in asked]
    assert names == ["index", "frame", "decisions", "parties", "packages-1", "lines-1", "money", "risks"]
    for question in asked[1:]:
        assert [part.text for part in question.context][1:] == [
            BASE,
            "### Ice\n\nTo stand at: Risks\n\nThe river froze in 1996.",
            "R1 Engineer\nP1 Design the landing ramp\nP2 Build the landing ramp\nL1 Steel for the ramp",
        ]
    assert [package.id for package in result.spine.packages] == ["P1", "P2"]
    assert result.spine.packages[1].needs == [r.Need(id="P1")]
    assert result.spine.lines[0].amount == 48_000
    assert (result.repairs, result.not_found) == ((), ())


@pytest.mark.parametrize(("long", "portions"), [(True, ["packages-1"]), (False, ["packages-1", "packages-2"])])
def test_long_tables_are_split_for_short_answers_and_a_row_of_another_portion_is_not_taken_twice(long, portions):
    titles = [f"{what} of {thing}" for what in ("Design", "Test") for thing in map(str, range(100, 113))]
    entries = [{"id": f"P{n}", "title": title} for n, title in enumerate(titles, 1)]
    packages = [{**entry, "low": 4, "likely": 5, "high": 8} for entry in entries]
    asked = []
    answers = {
        **ANSWERS,
        "index": {**ANSWERS["index"], "packages": entries},
        "packages-1": {"packages": packages if long else packages[:21]},
        "packages-2": {"packages": packages[20:]},
    }
    result, _ = run({**answers, "missing-1": {}}, asked=asked, long=long)
    assert [question.name for question in asked if "packages" in question.name] == portions
    assert [package.title for package in result.spine.packages] == titles
    assert result.repairs == ()


def test_as_many_packages_as_a_large_undertaking_has_are_all_asked_for():
    entries = [{"id": f"P{n}", "title": f"Task {n}"} for n in range(1, 91)]
    asked = []
    portions = {f"packages-{n}": {"packages": entries[40 * n - 40 : 40 * n]} for n in (1, 2, 3)}
    result, context = run({**ANSWERS, "index": {**ANSWERS["index"], "packages": entries}, **portions}, asked=asked)
    assert sum("packages" in question.name for question in asked) == 3
    assert (len(result.spine.packages), context.lost) == (90, {})


def test_a_package_on_another_day_than_in_the_plan_is_asked_for_and_so_moved():
    asked = []
    answers = with_packages(P2={"starts": "2027-03-01", "ends": "2027-05-10"})
    later = {"changes": [{"op": "set", "id": "P2", "field": "not_before", "value": "2027-03-01"}]}
    result, _ = run({**answers, "missing-1": later}, asked=asked)
    assert asked[-1].context[-1].text == (
        "1. days of P2, Build the landing ramp: 1 March 2027 to 10 May 2027 in the plan; computed of its row: "
        "15 December 2026 to 1 March 2027, waiting for P1"
    )
    assert result.not_found == ()
    assert type(result.spine.packages[1]) is r.Package


def test_a_package_stays_where_its_row_puts_it_for_a_reason_that_is_kept():
    because = {"no_rows": [{"number": 1, "because": "the plan forgets the inspection"}]}
    result, _ = run({**with_packages(P2={"starts": "2027-03-01"}), "missing-1": because})
    assert len(result.not_found) == 1
    assert result.not_found[0].endswith("waiting for P1 (the plan forgets the inspection)")


def test_of_packages_that_move_together_the_first_is_asked_for():
    asked = []
    run(with_packages(P1={"starts": "2027-02-01"}, P2={"starts": "2027-04-01"}), asked=asked)
    assert [line.partition(",")[0] for line in asked[-1].context[-1].text.splitlines()] == ["1. days of P1"]


def test_packages_near_the_days_of_the_plan_are_not_asked_for():
    asked = []
    run(with_packages(P1={"starts": "2026-11-04", "ends": "2026-12-11"}, P2={"starts": "2026-12-20"}), asked=asked)
    assert "missing-1" not in [question.name for question in asked]


def test_what_the_goal_states_counts_more_than_what_the_model_says():
    goal = make_goal(
        days=(day("deadline", date(2028, 5, 1)), day("start", date(2027, 1, 4))),
        money=(Money(**span("EUR 900,000"), low=900_000, high=900_000, currency="EUR", role="total"),),
    )
    frame = run(goal=goal)[0].spine.frame
    assert (frame.start, frame.end, frame.budget, frame.currency) == (
        date(2027, 1, 4),
        date(2028, 5, 1),
        900_000,
        "EUR",
    )


def test_the_work_never_starts_before_the_day_of_drafting():
    assert run()[0].spine.frame.start == date(2026, 11, 2)


def test_a_lost_table_is_empty_and_a_lost_frame_is_made_of_the_facts():
    answers = {name: answer for name, answer in ANSWERS.items() if name not in ("frame", "risks", "money")}
    asked = []
    result, context = run({**answers, "missing-1": {}}, asked=asked)
    assert (result.spine.frame.objective, result.spine.risks) == (PROMPT, ())
    assert sorted(context.lost) == ["frame", "money", "risks"]
    assert asked[-1].context[-1].text.splitlines() == [
        "1. no rows were made of what the plan says on criteria, constraints, demands",
        "2. no rows were made of what the plan says on sources, streams, upkeep",
        "3. no rows were made of what the plan says on risks, assumptions, questions",
    ]


def test_without_ids_there_is_no_spine():
    with pytest.raises(AnswerLost):
        run({name: answer for name, answer in ANSWERS.items() if name != "index"})


def test_what_is_in_no_row_is_asked_for_once_more_and_what_is_left_is_said():
    risk = '{"cause": "Frost", "event": "The river freezes", "odds": 0.1}'
    answers = {
        **ANSWERS,
        "lines-1": None,
        "missing-1": {
            "changes": [
                {"op": "add", "id": "L1", "value": '{"title": "Steel for the ramp", "quantity": 12, "rate": 4000}'},
                {"op": "add", "id": "K1", "value": risk},
                {"op": "set", "id": "P9", "field": "likely", "value": "3"},
            ],
            "no_rows": [{"number": 2, "because": "it is an example"}, {"number": 40, "because": "not in the list"}],
        },
    }
    asked = []
    goal = make_goal(days=(day("milestone", date(2027, 6, 1)),))
    result, context = run(answers, goal=goal, asked=asked)
    question = asked[-1]
    assert question.name == "missing-1"
    assert set(question.rows) == {"frame", "P1", "P2", "R1", "V1"}
    assert [part.title for part in question.context if part.by_id] == ["rows made of the plan"]
    items = question.context[-1].text.splitlines()
    assert "L1" in items[0]
    assert "1 June 2027" in items[1]
    assert [line.amount for line in result.spine.lines] == [48_000]
    assert [risk.event for risk in result.spine.risks] == ["The river freezes"]
    assert any("P9.likely" in repair for repair in result.repairs)
    assert result.not_found == (f"{items[1].removeprefix('2. ')} (it is an example)",)
    assert list(context.lost) == ["lines-1"]


def test_what_is_not_found_is_said_where_nobody_answers():
    result, context = run({**ANSWERS, "lines-1": None})
    assert [line for line in result.not_found if "Steel" in line] == list(result.not_found) != []
    assert list(context.lost) == ["lines-1", "missing-1"]


def test_without_a_model_the_outline_makes_the_spine(monkeypatch):
    outlined = Spine(frame=r.Frame(title="A Ferry", objective=PROMPT, start=date(2026, 11, 2)))
    build = ModuleType("planloom.planes.strategic.outline.build")
    build.outline_spine = lambda goal: outlined if goal.prompt == PROMPT else None
    monkeypatch.setitem(sys.modules, "planloom.planes.strategic.outline.build", build)
    asked = []
    context = make_context("spine", results={"choice": Choice()}, outline_only=True, asked=asked)
    assert (asyncio.run(draft(context)), asked) == (Structured(spine=outlined), [])


def test_an_edited_spine_holds_together_again():
    before, _ = run()
    packages = tuple(p.model_copy(update={"owner": "R7"}) for p in before.spine.packages)
    after = before.model_copy(update={"spine": before.spine.model_copy(update={"packages": packages})})
    made = STAGE.edited(PROMPT, before, after)
    assert {package.owner for package in made.spine.packages} == {"R1"}
    assert made.repairs


def test_each_table_is_a_file_whose_name_does_not_depend_on_other_tables():
    made = STAGE.files(run()[0])
    assert list(made) == [
        "011-3-packages.csv",
        "011-4-lines.csv",
        "011-12-roles.csv",
        "011-13-deliverables.csv",
        "011-1-spine.json",
        "011-2-spine.md",
    ]
    page = made["011-2-spine.md"].splitlines()
    assert [line for line in page if line.startswith("# ")] == ["# Tables of the plan"]


def span(text):
    return {"text": text, "start": 0, "end": len(text)}


def day(role, value):
    return Day(**span(value.isoformat()), earliest=value, latest=value, role=role)


def test_work_before_the_start_of_the_goal_begins_the_plan():
    early = {"packages": [{"id": "P1", "title": "Ask the province", "not_before": "2026-12-01"}]}
    started = make_goal(
        days=(Day(text="x", start=0, end=1, earliest=date(2027, 1, 4), latest=date(2027, 1, 4), role="start"),)
    )
    result, _ = run(ANSWERS | {"packages-1": early}, goal=started)
    assert result.spine.frame.start == date(2026, 12, 1)


def test_what_the_plan_starts_before_the_start_of_the_goal_begins_it_too():
    started = make_goal(
        days=(Day(text="x", start=0, end=1, earliest=date(2027, 1, 4), latest=date(2027, 1, 4), role="start"),)
    )
    result, _ = run(with_packages(P1={"starts": "2026-12-01"}), goal=started)
    assert result.spine.frame.start == date(2026, 12, 1)
