"""How likely days are, what that rests on, and that it is never more than judged inputs allow."""

from datetime import date, timedelta

import pytest

from planloom.planes.strategic.compute import odds as module
from planloom.planes.strategic.compute.odds import LEAST, is_narrow, most, odds
from planloom.planes.strategic.compute.schedule import schedule
from planloom.planes.strategic.spine.rows import Approval, Demand, Gate, Party, Risk, Role
from tests.unit.strategic.compute.spines import START, package, realistic, spine_of

FAR = date(2029, 1, 1)
SPREAD = {"low": 8, "likely": 10, "high": 16}


def of(packages, due=FAR, runs=400, met_by=("P1",), **tables):
    """The odds of a demand that *met_by* meet."""
    demand = Demand(id="N1", text="This", due=due, met_by=list(met_by))
    return odds(schedule(spine_of(packages, demands=(demand,), **tables)), runs)[0]


def on(day):
    return START + timedelta(day)


def test_without_spread_every_run_ends_as_computed():
    fixed = of([package("P1", 5, basis="goal")], due=on(4))
    assert (fixed.computed, fixed.p50, fixed.p80, fixed.chance) == (on(4), on(4), on(4), fixed.most)
    assert of([package("P1", 5, basis="goal")], due=on(3)).chance == 0


def test_low_and_high_are_reached_in_one_and_nine_of_ten_runs():
    def chance(due):
        found = of([package("P1", every_day=True, **SPREAD)], due=due, runs=2000)
        return found.chance

    assert chance(on(7)) == pytest.approx(0.1, abs=0.06)
    assert chance(on(9)) == pytest.approx(0.5, abs=0.08)
    assert chance(on(15)) == pytest.approx(0.9, abs=0.03)


def test_four_of_five_takes_longer_than_half_and_stress_longer_than_computed():
    found = of([package("P1", **SPREAD)])
    assert START < found.p50 < found.p80
    assert found.computed < found.stressed


def test_no_chance_exceeds_what_its_inputs_allow():
    council = Approval(id="A1", title="Vote", likely=5, high=9, papers=["P2"], frees=["P1"])
    packages = [package("P1", **SPREAD), package("P2", **SPREAD)]
    sure = of(packages)
    waits = of(packages, approvals=(council,))
    known = of(packages, approvals=(council.model_copy(update={"basis": "goal"}),))
    narrow = of([package("P1", 10)])
    assert (sure.chance, sure.most) == (0.9, 0.9)
    assert (waits.chance, waits.most) == (0.87, 0.87)
    assert known.most == 0.9
    assert (narrow.chance, narrow.most) == (0.81, 0.81)


def test_what_a_chance_rests_on_counts_durations_approvals_and_risks_on_the_way():
    council = Approval(id="A1", title="Vote", papers=["P2"], frees=["P1"])
    risks = (
        Risk(id="K1", cause="Rain", event="Mud", days=5, hits=["P2"]),
        Risk(id="K2", cause="?", event="?", hits=["P2"]),
    )
    found = of([package("P1"), package("P2"), package("P3")], approvals=(council,), risks=risks)
    said = "2 of 2 durations are judged; 1 approval to verify; 1 risk on the way"
    assert found.rests_on.startswith(said)


def test_a_demand_that_something_begins_is_kept_by_its_start():
    long = package("P1", 200)
    early, late = (Demand(id="N1", text="It begins", due=on(days), met_by=["P1"], begins=True) for days in (0, -1))
    (begun, *_), (missed, *_) = (odds(schedule(spine_of([long], demands=(each,)))) for each in (early, late))
    assert (begun.computed, begun.p80, begun.chance) == (on(0), on(0), begun.most)
    assert missed.chance == 0


@pytest.mark.parametrize(("unverified", "narrow"), [(0, 0), (1, 0.5), (40, 1)])
def test_what_inputs_allow_falls_with_each_doubt_and_has_a_least(unverified, narrow):
    assert LEAST <= most(unverified, narrow) <= 0.9
    assert most(unverified + 1, narrow) <= most(unverified, narrow)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (package("P1", 10), True),
        (package("P1", **SPREAD), False),
        (package("P1", 10, basis="goal"), False),
        (package("P1", 10, every_day=True), False),
        (package("P1", 10, fixed=True), False),
    ],
)
def test_a_range_is_narrow_where_nobody_can_know_it_that_exactly(row, expected):
    assert is_narrow(row) is expected


def test_a_narrow_range_is_drawn_wider():
    judged, known = of([package("P1", 20)]), of([package("P1", 20, basis="goal")])
    assert judged.p80 > known.p80 == known.p50


def test_what_all_have_in_common_makes_a_chain_less_sure(monkeypatch):
    chain = [package(f"P{n}", 1, *[f"P{n - 1}"][: n - 1], **SPREAD) for n in range(1, 11)]

    def width():
        found = of(chain, met_by=("P10",), runs=1000)
        return (found.p80 - found.p50).days

    shared = width()
    monkeypatch.setattr(module, "SHARED", 0.0)
    alone = width()
    assert shared > 1.5 * alone > 0


def test_paths_that_meet_make_a_day_later_though_none_is_longer():
    six = [package(f"P{n}", **SPREAD) for n in range(1, 7)]
    assert of(six, met_by=[p.id for p in six]).p50 > of(six).p50


def test_papers_that_miss_a_meeting_wait_for_the_next_one():
    council = Party(id="B1", name="Council", papers_days=7, meeting_days=[on(21), on(49)])
    approval = Approval(id="A1", title="Vote", party="B1", meeting=on(21), papers=["P2"], frees=["P1"])
    found = of([package("P1"), package("P2", **SPREAD)], approvals=(approval,), parties=(council,))
    assert found.computed == found.p50 == on(22)
    assert found.p80 == on(50)


def test_lead_times_of_approvals_are_drawn():
    approval = Approval(id="A1", title="Permit", low=20, likely=30, high=90, papers=["P2"], frees=["P1"])
    found = of([package("P1"), package("P2")], approvals=(approval,))
    assert (found.p80 - found.p50).days > 10


def test_a_risk_delays_what_it_hits_at_its_odds():
    risk = Risk(id="K1", cause="Rain", event="Mud", odds=0.4, days=60, hits=["P1"])
    found = of([package("P1", 5, basis="goal")], due=on(10), risks=(risk,), runs=1000)
    assert found.chance == pytest.approx(0.6, abs=0.05)
    assert (found.p50, found.p80) == (on(4), on(64))


def test_risks_of_one_cause_happen_together_and_the_longer_delay_counts():
    def chance(**second):
        first = Risk(id="K1", cause="Rain", event="Mud", odds=0.4, days=60, hits=["P1"])
        other = Risk(id="K2", event="Flood", **{"odds": 0.3, "days": 40, "hits": ["P1"], "cause": "Melt"} | second)
        found = of([package("P1", 5, basis="goal")], due=on(10), risks=(first, other), runs=1000)
        return found.chance, found.p80

    apart, _ = chance()
    assert apart == pytest.approx(0.42, abs=0.05)
    for second in ({"same_cause": "K1"}, {"cause": "rain"}):
        together, latest = chance(**second)
        assert together == pytest.approx(0.6, abs=0.05)
        assert latest == on(64)


def test_risks_of_one_cause_that_hit_packages_one_after_the_other_delay_them_once():
    def end(*hits):
        risks = (
            Risk(id="K1", cause="A strike", event="Work rests", odds=1, days=28, hits=["P1"]),
            Risk(id="K2", cause="A strike", event="No delivery", odds=1, days=14, hits=[*hits]),
        )
        packages = [package("P1", 5), package("P2", 5, "P1"), package("P3", 5, "P2")]
        return odds(schedule(spine_of(packages, risks=risks)), 5)[-1].p50

    assert end() == end("P3") == end("P1")


def test_a_fixed_day_is_not_reached_where_what_it_needs_is_late():
    packages = [package("P1", 1, "P2", fixed=True, not_before=on(14)), package("P2", low=5, likely=10, high=20)]
    found = of(packages, due=on(14))
    assert found.computed == on(14)
    assert found.chance == pytest.approx(0.5, abs=0.1)
    assert found.p80 > on(14)


def test_people_keep_their_order_in_every_run():
    last = package("P1", owner="R1", **SPREAD)
    first = package("P2", 20, owner="R1", basis="goal")
    soon = Demand(id="N2", text="Soon", due=on(1), met_by=["P2"])
    spine = spine_of([first, last], roles=(Role(id="R1", title="One"),), demands=(soon,))
    end = odds(schedule(spine), 200)[-1]
    assert end.p50 >= of([last]).p50 + timedelta(28)


def test_gates_count_by_what_they_need_and_the_end_by_all():
    gates = (Gate(id="G1", title="Go", day=on(30), needs=["P1"]), Gate(id="G2", title="Later", needs=["P1"]))
    packages = [package("P1", 5, basis="goal"), package("P2", 10, basis="goal")]
    found = odds(schedule(spine_of(packages, gates=gates)), 10)
    assert [(o.what, o.of, o.due, o.computed, o.chance) for o in found] == [
        ("G1", ("P1",), on(30), on(4), 0.9),
        ("end", ("P1", "P2"), None, on(11), None),
    ]


def test_the_same_plan_has_the_same_odds_again():
    found = schedule(realistic())
    assert odds(found, 50) == odds(found, 50)


def test_a_plan_without_packages_has_no_odds():
    assert odds(schedule(spine_of()), 10) == ()


def chain(hits, **last):
    """The median end of three packages in a row of which a certain risk hits *hits*."""
    risk = Risk(id="K1", cause="A strike", event="Work rests", odds=1, days=28, hits=hits)
    packages = [package("P1", 5), package("P2", 5, "P1"), package("P3", 5, "P2", **last)]
    return odds(schedule(spine_of(packages, risks=(risk,))), 5)[-1].p50


def test_a_risk_that_hits_packages_one_after_the_other_delays_them_once():
    assert chain(["P1", "P2", "P3"]) == chain(["P1"])


def test_a_later_package_is_delayed_too_where_the_delay_of_the_earlier_one_is_absorbed():
    season = date(2027, 6, 7)
    assert chain(["P1"], not_before=season) < date(2027, 6, 28) < chain(["P1", "P3"], not_before=season)


def test_an_approval_that_is_needed_only_if_something_is_found_binds_the_odds_and_not_the_days():
    def plan(chance, only_if="Asbestos is found"):
        points = dict.fromkeys(("low", "likely", "high"), 60)
        approval = Approval(
            id="A1", title="Removal", papers=["P1"], frees=["P2"], only_if=only_if, chance=chance, **points
        )
        return schedule(spine_of([package("P1"), package("P2", 1, "P1")], approvals=(approval,)))

    free = plan(0.5)
    assert free.approvals == {}
    assert (plan(0.5, "").end - free.end).days > 50
    never, always = (odds(plan(chance), 5)[-1].p50 for chance in (0.001, 1))
    assert never < free.end + timedelta(20) < always
    assert "1 approval that may be needed" in odds(free, 5)[-1].rests_on


def test_a_demand_for_the_last_day_is_what_is_due_then_and_other_work_may_end_later():
    demand = Demand(id="N1", text="Open", due=on(4), met_by=["P1"])
    later = package("P2", 20, "P1", basis="goal")
    spine = spine_of([package("P1", 5, basis="goal"), later], demands=(demand,))
    asked = spine.model_copy(update={"frame": spine.frame.model_copy(update={"end": on(4)})})
    other = spine.model_copy(update={"frame": spine.frame.model_copy(update={"end": on(9)})})

    [end] = [each for each in odds(schedule(asked), 50) if each.what == "end"]
    [all_work] = [each for each in odds(schedule(other), 50) if each.what == "end"]

    assert (end.of, end.computed, end.chance) == (("P1",), on(4), end.most)
    assert (all_work.of, all_work.chance) == (("P2",), 0)
