"""The work breakdown of a prompt: what the tables hold for it, and what it forces itself."""

import pytest

from planloom.knowledge.tables import Package
from planloom.knowledge.work_breakdown import bundles, works
from tests.unit.knowledge.planning import TODAY, brief, day
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP], ids=["cafe", "flood wall", "nurse app"])


@GOALS
def test_every_package_has_a_key_of_its_own_and_an_id_in_its_deliverable(prompt):
    made = bundles(brief(prompt))
    keys = [work.row.id for bundle in made for work in bundle.works]
    assert len(keys) == len(set(keys))
    assert [b.id for b in made] == [str(n) for n in range(1, len(made) + 1)]
    for bundle in made:
        assert [w.id for w in bundle.works] == [f"{bundle.id}.{n}" for n in range(1, len(bundle.works) + 1)]
        assert all(w.phase == bundle.row.phase for w in bundle.works)


@GOALS
def test_money_permits_people_acceptance_and_handover_are_always_there(prompt):
    keys = {work.row.id for work in works(brief(prompt))}
    assert {"charter", "budget", "permits", "staffing", "procurement", "acceptance", "handover"} <= keys


@GOALS
def test_packages_that_the_prompt_does_not_call_are_left_out(prompt):
    planned = brief(prompt)
    lower = prompt.lower()
    for work in works(planned):
        assert not work.row.when or any(word in lower for word in work.row.when), work.row.title


def test_deliverables_come_in_the_order_of_phases():
    planned = brief(CAFE)
    order = [phase.id for phase in planned.phases]
    at = [order.index(bundle.row.phase) for bundle in bundles(planned)]
    assert at == sorted(at)


def test_an_approval_that_the_prompt_names_is_a_lead_time_before_what_it_holds_up():
    approval = next(w for w in works(brief(CAFE)) if "duct by the city" in w.row.title)
    assert approval.row.kind == "permit"
    assert approval.row.fixed
    assert "oven_line" in approval.before
    assert "extraction duct approved by the city" in approval.said.text


def test_a_permit_before_tendering_holds_up_the_tender():
    permit = next(w for w in works(brief(FLOOD_WALL)) if w.row.title.startswith("Coastal protection permit"))
    assert "national coastal authority" in permit.row.title
    assert "procurement" in permit.before


def test_an_approval_of_the_finished_thing_is_not_asked_for_at_the_start():
    release = next(w for w in works(brief(NURSE_APP)) if "county health departments" in w.row.title)
    assert "charter" not in release.row.after
    assert {"pilot", "acceptance"} & set(release.row.after)


def test_success_is_read_when_the_prompt_says_so():
    read = [w for w in works(brief(CAFE)) if w.row.id.startswith("success_read")]
    assert [w.row.title for w in read] == [
        "Success figures read after 6 months",
        "Success figures read after 14 months",
    ]
    assert [w.lag for w in read] == [130, 304]
    assert all(w.row.after[0] == "acceptance" for w in read)


def test_success_that_the_pilot_shows_is_read_on_the_pilot():
    read = next(w for w in works(brief(NURSE_APP)) if w.row.id.startswith("success_read"))
    assert (read.row.after, read.lag) == (("pilot",), 0)


def test_a_dated_step_that_no_package_stands_for_becomes_one():
    prompt = f"{CAFE} The mural of the tram must hang by 3 March 2027."
    step = day(prompt, "3 March 2027", TODAY.replace(year=2027, month=3, day=3), "milestone", "mural of the tram hangs")
    planned = brief(prompt, days=(step,))
    assert any(w.row.title == "Mural of the tram hangs" for w in works(planned))


def test_a_pilot_that_no_table_plans_is_planned():
    prompt = "Build a bridge over the river in Zwolle by 1 June 2028 after a pilot with 20 walkers."
    planned = works(brief(prompt))
    pilot = next(w for w in planned if w.row.id == "pilot")
    assert "acceptance" in pilot.before
    assert "20 walkers" in pilot.said.text


def test_the_same_goal_gives_the_same_packages_again():
    assert bundles(brief(CAFE)) == bundles(brief(CAFE))


def test_different_goals_share_few_packages():
    cafe, wall = ({w.row.title for w in works(brief(p))} for p in (CAFE, FLOOD_WALL))
    assert len(cafe & wall) <= 3


def test_owners_are_the_posts_of_the_team():
    owners = {work.owner for work in works(brief(CAFE))}
    assert all(owner[:1].isupper() for owner in owners)
    assert len(owners) >= 4
    assert not any(isinstance(owner, Package) for owner in owners)


def test_the_lead_time_of_a_decision_is_the_one_that_the_goal_expects():
    prompt = (
        "Start a kelp farm of 12 hectares in Roscoff as a shared business by May 2028. The concession is decided by "
        "the prefecture after a public inquiry; similar files took between ten and eighteen months."
    )
    decided = next(w for w in works(brief(prompt)) if "concession" in w.row.title.lower())
    assert decided.row.fixed
    assert decided.row.days == (210, 294, 378)


def test_a_figure_of_success_a_condition_and_a_time_after_the_plan_are_no_work():
    prompt = (
        "Start a kelp farm in Roscoff by May 2028. Success means at least 90 tonnes sold by December 2028. If fewer "
        "than 150 tonnes are under contract by March 2028 we stop. The harvest should reach 320 tonnes by June 2030."
    )
    assert [w.row.title for w in works(brief(prompt)) if "tonnes" in w.row.title] == []


def test_an_approval_of_nothing_in_particular_is_asked_for_early():
    prompt = (
        "Open a bakery café in Lisbon by 1 May 2027. The shop sign needs approval, and the extraction duct must leave "
        "through the rear courtyard, for which the other owners have to agree."
    )
    asked = next(w for w in works(brief(prompt)) if "other owners" in w.row.title)
    assert asked.row.title == "Approval by the other owners"
    assert "trial_days" not in asked.row.after
