"""Levers are choices with a cost each; the vital few are decided; what the goal fixes or rules out is shown."""

from datetime import timedelta

import pytest

from planloom.stages.levers import Levers, assemble
from planloom.stages.parts.lever import Decision, Lever, LeverScore, Ranking, Setting, Tension
from tests.unit.stages.drafting import TODAY, draft
from tests.unit.stages.more_goals import MORE
from tests.unit.stages.sections import page_of, section
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = {"cafe": CAFE, "flood wall": FLOOD_WALL, "nurse app": NURSE_APP, **MORE}
EVERY_GOAL = pytest.mark.parametrize("prompt", GOALS.values(), ids=GOALS)


def levers(prompt: str) -> Levers:
    found = section(prompt, "levers")
    assert isinstance(found, Levers)
    return found


def lever(id_: str, impact: int = 3, **more: object) -> Lever:
    settings = [
        Setting(label=stance, text=f"Do it the {stance} way.", cost="Some weeks.", stance=stance)
        for stance in ("careful", "balanced", "bold")
    ]
    fields = {
        "id": id_,
        "title": f"Lever {id_}",
        "question": "Which way is it done?",
        "anchor": "“the goal”",
        "settings": settings,
        "impact": impact,
        "irreversibility": 3,
    }
    return Lever.model_validate(fields | more)


def decision(id_: str, proposed: str = "balanced") -> Decision:
    return Decision(
        lever=id_,
        question="Which way is it done?",
        proposed=proposed,
        because="It costs less than the others here.",
        gives_up="Some weeks.",
        role="Founder",
        by=TODAY,
    )


@EVERY_GOAL
def test_each_lever_has_settings_that_exclude_each_other_with_a_cost_each(prompt: str) -> None:
    for each in levers(prompt).levers:
        labels = [setting.label for setting in each.settings]
        assert len(set(labels)) == len(labels) >= 3
        assert {"careful", "balanced", "bold"} <= {setting.stance for setting in each.settings}
        assert len({setting.cost for setting in each.settings}) == len(labels)


@EVERY_GOAL
def test_the_vital_few_are_heavy_open_and_decided_on_different_days(prompt: str) -> None:
    found = levers(prompt)
    by_id = {each.id: each for each in found.levers}
    assert 3 <= len(found.vital) <= 5
    assert [d.lever for d in found.decisions] == list(found.vital)
    assert not any(by_id[id_].fixed for id_ in found.vital)
    light = min(by_id[id_].weight for id_ in found.vital)
    assert all(each.weight <= light for each in found.levers if each.id not in found.vital and not each.fixed)
    assert len({d.by for d in found.decisions}) > 1


@EVERY_GOAL
def test_levers_stand_by_weight(prompt: str) -> None:
    weights = [each.weight for each in levers(prompt).levers]
    assert weights == sorted(weights, reverse=True)


def test_a_lever_quotes_the_words_of_the_goal_that_it_bears_on() -> None:
    cap = next(each for each in levers(CAFE).levers if each.id == "over_the_cap")
    assert cap.anchor == "“Rent must not exceed €3,200 a month”"
    assert "EUR 3,200" in cap.question
    roll_out = next(each for each in levers(NURSE_APP).levers if each.id == "roll_out" or "roll" in each.title.lower())
    assert "900 nurses" in roll_out.anchor


def test_targets_that_must_hold_from_the_first_day_are_not_played_against_each_other() -> None:
    assert any(each.id == "leading_target" for each in levers(CAFE).levers)
    assert not any(each.id == "leading_target" for each in levers(NURSE_APP).levers)


def test_a_setting_that_the_goal_rules_out_is_shown_and_never_proposed() -> None:
    prompt = CAFE.replace(
        "franchise agreements", "new, used or leased equipment from an auction, building the fit-out once"
    )
    drafted = draft(prompt, "levers")["levers"]
    assert isinstance(drafted, Levers)
    barred = [(each, s) for each in drafted.levers for s in each.settings if s.ruled_out]
    proposed = {(d.lever, d.proposed) for d in drafted.decisions}
    assert not any((each.id, s.label) in proposed for each, s in barred)


def test_the_setting_of_a_stance_is_the_fixed_one_or_the_nearest_that_is_not_ruled_out() -> None:
    open_, fixed = lever("one"), lever("two", fixed="bold")
    assert (open_.setting("careful").label, fixed.setting("careful").label) == ("careful", "bold")
    barred = [s.model_copy(update={"ruled_out": "“no”"}) if s.stance == "bold" else s for s in open_.settings]
    assert open_.model_copy(update={"settings": barred}).setting("bold").label == "balanced"


def test_a_ranking_drops_duplicates_and_what_it_invents() -> None:
    one, two, same = lever("one", 5), lever("two", 2), lever("same", 4)
    ranking = Ranking(
        scores=[
            LeverScore(id="same", impact=4, irreversibility=3, why="as one", duplicate_of="one"),
            LeverScore(id="two", impact=5, irreversibility=5, why="the goal says so"),
        ],
        tensions=[
            Tension(one="one", other="two", text="More of one is less of two.", settle="One goes first."),
            Tension(one="one", other="nowhere", text="More of one is less of it.", settle="One goes first."),
        ],
        decisions=[
            decision("two"),
            decision("nowhere"),
            decision("one", "a setting it does not have"),
            decision("two"),
        ],
    )
    found = assemble((one, two, same), ranking)
    assert [each.id for each in found.levers] == ["two", "one"]
    assert found.levers[0].weight == 25
    assert (found.vital, [t.other for t in found.tensions]) == (("two",), ["two"])


def test_a_ranking_without_a_usable_decision_leaves_the_heaviest_as_vital() -> None:
    ranking = Ranking(scores=[], decisions=[decision("nowhere")])
    assert assemble((lever("one", 2), lever("two", 5)), ranking).vital == ("two", "one")


def test_decisions_are_due_before_the_second_gate() -> None:
    assert all(d.by < TODAY + timedelta(days=150) for d in levers(CAFE).decisions)


def test_the_page_names_each_decision_with_what_it_gives_up() -> None:
    page = page_of(FLOOD_WALL, "levers")
    assert all(d.proposed in page and d.gives_up in page for d in levers(FLOOD_WALL).decisions)
