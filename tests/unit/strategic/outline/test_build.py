"""An outline says what the goal says, in its words, and what is usual for its kind, as assumed."""

from datetime import date
from typing import Any

import pytest

from planloom.planes.strategic.compute.compute import compute
from planloom.planes.strategic.compute.schedule import schedule
from planloom.planes.strategic.facts import fact as f
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.outline.build import outline_spine
from planloom.planes.strategic.outline.choose import GENERAL, kinds
from planloom.planes.strategic.spine.repair import repaired
from planloom.planes.strategic.spine.spine import Spine

TODAY = date(2026, 11, 2)
PROMPT = (
    "Renew the ferry at Culemborg by 1 May 2029. It costs at most EUR 900,000, of which the engine takes EUR 200,000. "
    "The province gives EUR 500,000 once the council agrees. The engine must be tested by 1 March 2028. "
    "No diesel may be used. The word green is banned. Two skippers sail it."
)


def span(text: str, prompt: str = PROMPT) -> dict[str, Any]:
    start = prompt.index(text)
    return {"text": text, "start": start, "end": start + len(text)}


def money(text: str, high: float, role: str, **more: Any) -> f.Money:
    return f.Money.model_validate({**span(text), "low": high, "high": high, "currency": "EUR", "role": role, **more})


def day(text: str, found: date, role: str) -> f.Day:
    return f.Day.model_validate({**span(text), "earliest": found, "latest": found, "role": role})


FACTS = f.Facts(
    title="Renew the Ferry",
    subject="a ferry",
    objective=f.Spanned(**span("Renew the ferry at Culemborg by 1 May 2029.")),
    sentences=tuple(f.Spanned(**span(f"{s}.")) for s in PROMPT.removesuffix(".").split(". ")),
    money=(
        money("EUR 900,000", 900_000, "total"),
        money("EUR 200,000", 200_000, "part", noun="engine"),
        money("EUR 500,000", 500_000, "funding", who="the province", condition="once the council agrees"),
    ),
    days=(day("1 May 2029", date(2029, 5, 1), "deadline"), day("1 March 2028", date(2028, 3, 1), "milestone")),
    demands=(f.Demand(**span("The engine must be tested by 1 March 2028."), strength="must"),),
    bans=(
        f.Ban(**span("No diesel may be used"), kind="approach", what="diesel"),
        f.Ban(**span("The word green is banned"), kind="word", what="green"),
    ),
    roles=(f.Role(**span("Two skippers"), title="skippers", count=2),),
    kind=f.Kind(table="construction"),
    read_by="model",
)


def outline(prompt: str = PROMPT, **facts: Any) -> Spine:
    return outline_spine(Goal(prompt, FACTS.model_copy(update=facts), TODAY))


@pytest.mark.parametrize("kind", [*kinds(), GENERAL])
@pytest.mark.parametrize("deadline", [True, False])
def test_an_outline_needs_no_repair_and_nothing_severe_is_found_in_it(kind: str, deadline: bool) -> None:
    days = FACTS.days[:1] if deadline else ()
    spine = outline(kind=f.Kind(table=kind), days=days, demands=())
    assert repaired(spine, TODAY) == (spine, ())
    assert [found.text for found in compute(spine, runs=50).findings if found.severity != "low"] == []


def test_the_frame_holds_what_the_goal_sets() -> None:
    frame = outline().frame
    assert (frame.start, frame.end, frame.budget, frame.currency) == (TODAY, date(2029, 5, 1), 900_000, "EUR")


def test_the_lines_sum_to_the_total_with_the_parts_that_the_goal_states() -> None:
    spine = outline()
    assert sum(line.amount for line in spine.lines) == 900_000
    assert [(line.title, line.amount) for line in spine.lines if line.basis == "goal"] == [("Engine", 200_000)]
    assert [line.kind for line in spine.lines][-1] == "contingency"


def test_without_a_total_there_are_no_lines_but_a_question() -> None:
    spine = outline(money=())
    assert (spine.lines, spine.sources, spine.frame.budget) == ((), (), 0)
    assert any("How much money" in question.text for question in spine.questions)


def test_the_sources_are_those_of_the_goal_and_what_has_none_yet() -> None:
    assert [(s.title, s.amount, s.condition) for s in outline().sources[:1]] == [
        ("the province", 500_000, "once the council agrees")
    ]
    assert sum(source.amount for source in outline().sources) == 900_000


def test_the_deadline_is_met_by_what_delivers_and_a_date_that_no_package_fits_by_none() -> None:
    spine = outline()
    rows = {demand.due: demand for demand in spine.demands}
    titles = {package.id: package.title for package in spine.packages}
    assert [titles[id] for id in rows[date(2029, 5, 1)].met_by] == ["Acceptance and start of use"]
    tested = rows[date(2028, 3, 1)]
    assert (tested.text, tested.met_by) == ("The engine must be tested by 1 March 2028.", [])
    assert any(tested.text in question.text for question in spine.questions)


def test_a_day_before_which_nothing_may_begin_is_no_due_day() -> None:
    prompt = "Build a wall. Work must not start before 1 March 2028."
    whole = tuple(
        f.Spanned(**span(text, prompt)) for text in ("Build a wall.", "Work must not start before 1 March 2028.")
    )
    stated = f.Day(**span("1 March 2028", prompt), earliest=date(2028, 3, 1), latest=date(2028, 3, 1), role="milestone")
    demand = f.Demand(**whole[1].model_dump(include={"text", "start", "end"}), strength="must")
    for reader in ("rules", "model"):
        facts = f.Facts(
            title="Wall", subject="a wall", objective=whole[0], sentences=whole, days=(stated,), demands=(demand,),
            read_by=reader,
        )  # fmt: skip
        assert [row.due for row in outline_spine(Goal(prompt, facts, TODAY)).demands] == [None]


def test_people_of_the_goal_come_first_and_only_where_a_model_read_them() -> None:
    assert [(role.id, role.title, role.people) for role in outline().roles][:1] == [("R1", "skippers", 2)]
    assert "skippers" not in [role.title for role in outline(read_by="rules").roles]


def test_what_is_banned_is_quoted_and_banned_words_are_not_printed() -> None:
    spine = outline()
    assert any("No diesel may be used" in constraint.text for constraint in spine.constraints)
    assert "green" not in spine.model_dump_json().lower()


def test_packages_take_less_time_where_there_is_less_but_never_less_than_their_low() -> None:
    usual, short = (outline(days=days).packages for days in ((), (day("1 May 2029", date(2027, 3, 1), "deadline"),)))
    by_title = {package.title: package for package in usual}
    assert all(package.likely <= by_title[package.title].likely for package in short)
    assert all(package.low == by_title[package.title].low <= package.likely for package in short)
    assert sum(p.likely for p in short) < sum(by_title[p.title].likely for p in short)


def test_work_after_the_day_of_the_goal_is_named_without_dates() -> None:
    spine = outline()
    assert max(dated.end for dated in schedule(spine).packages.values()) <= date(2029, 5, 1)
    assert "Final account" in spine.frame.out_of_scope[-1]
    assert "Final account" in [package.title for package in outline(days=()).packages]


def test_an_event_takes_place_on_its_day() -> None:
    prompt = "The harvest festival takes place on 5 and 6 June 2028."
    whole = f.Spanned(**span(prompt, prompt))
    held = f.Day(
        **span("5 and 6 June 2028", prompt), earliest=date(2028, 6, 5), latest=date(2028, 6, 6), role="deadline"
    )
    facts = f.Facts(
        title="Festival", subject="a festival", objective=whole, sentences=(whole,), days=(held,),
        kind=f.Kind(table="event"), read_by="model",
    )  # fmt: skip
    spine = outline_spine(Goal(prompt, facts, TODAY))
    event = next(package for package in spine.packages if package.kind == "opening")
    dated = schedule(spine).packages[event.id]
    assert (event.fixed, event.basis, dated.start, dated.end) == (True, "goal", date(2028, 6, 5), date(2028, 6, 6))


def test_work_is_faster_where_an_earlier_date_asks_for_it() -> None:
    prompt = "Build a quay by 1 May 2031. The main structure must be complete by 1 June 2028."
    aim, bound = (f.Spanned(**span(f"{s}.", prompt)) for s in prompt.removesuffix(".").split(". "))
    dates = (("1 May 2031", date(2031, 5, 1), "deadline"), ("1 June 2028", date(2028, 6, 1), "milestone"))
    days = tuple(f.Day.model_validate({**span(t, prompt), "earliest": d, "latest": d, "role": r}) for t, d, r in dates)
    demand = f.Demand(**bound.model_dump(include={"text", "start", "end"}), strength="must")
    facts = f.Facts(
        title="Quay", subject="a quay", objective=aim, sentences=(aim, bound), days=days, demands=(demand,),
        kind=f.Kind(table="construction"), read_by="model",
    )  # fmt: skip
    spine = outline_spine(Goal(prompt, facts, TODAY))
    (met,) = next(row.met_by for row in spine.demands if row.due == date(2028, 6, 1))
    dated = schedule(spine).packages[met]
    assert dated.end <= date(2028, 6, 1)
