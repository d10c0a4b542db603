"""The order of the work: acyclic, parallel, permits first, and nothing left hanging."""

from graphlib import TopologicalSorter

import pytest

from planloom.knowledge.sequence import orders, successors
from planloom.knowledge.work_breakdown import works
from tests.unit.knowledge.planning import brief
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

GOALS = pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP], ids=["cafe", "flood wall", "nurse app"])


def ordered(prompt):
    planned = brief(prompt)
    made = works(planned)
    return made, orders(planned, made)


def upstream_of(key, made, found):
    ids = {w.row.id: w.id for w in made}
    keys = {w.id: w.row.id for w in made}
    return {keys[i] for i in successors([(o.after, o.task) for o in found], [ids[key]])}


@GOALS
def test_the_order_has_no_circle_and_names_only_what_is_there(prompt):
    made, found = ordered(prompt)
    ids = {w.id for w in made}
    assert all(o.task in ids and o.after in ids and o.task != o.after for o in found)
    TopologicalSorter({w.id: [o.after for o in found if o.task == w.id] for w in made}).prepare()


@GOALS
def test_nothing_is_left_hanging_before_acceptance(prompt):
    made, found = ordered(prompt)
    accepted = next(w.id for w in made if w.row.id == "acceptance")
    after = successors([(o.task, o.after) for o in found], [accepted])
    waited_for = {o.after for o in found}
    assert {w.id for w in made} - waited_for <= after | {accepted}
    assert successors([(o.after, o.task) for o in found], [accepted])


@GOALS
def test_no_link_is_stated_twice_and_each_says_why(prompt):
    _, found = ordered(prompt)
    pairs = [(o.task, o.after) for o in found]
    assert len(pairs) == len(set(pairs))
    assert all(len(o.why) > 10 for o in found)


@GOALS
def test_several_packages_can_go_on_at_once(prompt):
    made, found = ordered(prompt)
    rank = {}
    for w_id in TopologicalSorter({w.id: [o.after for o in found if o.task == w.id] for w in made}).static_order():
        rank[w_id] = max((rank[o.after] + 1 for o in found if o.task == w_id), default=0)
    widest = max(list(rank.values()).count(r) for r in rank.values())
    assert widest >= 4
    assert max(rank.values()) < len(made) / 2


@GOALS
def test_no_link_repeats_what_others_say_together(prompt):
    _, found = ordered(prompt)
    pairs = [(o.task, o.after) for o in found]
    upstream = {task: successors([(a, t) for t, a in pairs], [task]) for task, _ in pairs}
    for task, after in pairs:
        others = [a for t, a in pairs if t == task and a != after]
        assert not any(after in upstream.get(other, ()) for other in others)


@GOALS
def test_reasons_differ_as_what_passes_does(prompt):
    _, found = ordered(prompt)
    assert len({o.why for o in found}) > len(found) / 2


def test_the_loan_comes_before_the_lease():
    made, found = ordered(CAFE)
    assert "funding_secured" in upstream_of("premises_contract", made, found)


def test_the_duct_is_approved_before_the_oven_line_is_built():
    made, found = ordered(CAFE)
    approval = next(w.row.id for w in made if "duct by the city" in w.row.title)
    assert approval in upstream_of("oven_line", made, found)


def test_the_coastal_permit_comes_before_the_tender_and_says_so_in_the_goals_words():
    made, found = ordered(FLOOD_WALL)
    permit = next(w for w in made if w.row.title.startswith("Coastal protection permit"))
    tender = next(w for w in made if w.row.id == "procurement")
    link = next(o for o in found if o.task == tender.id and o.after == permit.id)
    assert "must issue the coastal protection permit before tendering" in link.why


def test_people_are_there_before_they_build():
    made, found = ordered(NURSE_APP)
    assert "staffing" in upstream_of("core_build", made, found)


def test_a_package_that_is_left_out_hands_its_predecessors_on():
    made, found = ordered("Open a bookshop in Porto by 1 June 2027 from our own savings.")
    assert not any(w.row.id == "funding_secured" for w in made)
    assert "budget" in upstream_of("premises_contract", made, found)
