"""When packages are: what they wait for, the calendars, the people; and that every spine has a schedule."""

from datetime import date, timedelta
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planloom.planes.strategic.compute.effort import at_once, uses
from planloom.planes.strategic.compute.schedule import schedule
from planloom.planes.strategic.facts.fact import Closure
from planloom.planes.strategic.spine.rows import Approval, Decision, Demand, Gate, Need, Party, Role, Share
from tests.thorough import THOROUGH
from tests.unit.strategic.compute.sound import framed
from tests.unit.strategic.compute.spines import START, package, realistic, spine_of


def days(packages, **tables):
    """Start and end of each package as days from START, a Monday."""
    found = schedule(spine_of(packages, **tables)).packages
    return {name: ((d.start - START).days, (d.end - START).days) for name, d in found.items()}


def one(name="R1", people=1, **more):
    return Role(id=name, title="Builder", people=people, **more)


def on(day):
    return START + timedelta(day)


def test_what_needs_a_package_starts_on_the_next_working_day_after_its_end():
    assert days([package("P1", 5), package("P2", 2, "P1")]) == {"P1": (0, 4), "P2": (7, 8)}


def test_days_pass_after_a_gate_and_an_approval_waits_for_another():
    gate = Gate(id="G1", title="Go", day=on(4), needs=["P1"])
    first = Approval(id="A1", title="Permit", likely=10, papers=["P1"])
    second = Approval(id="A2", title="Licence", likely=10, papers=["A1"], frees=["P3"])
    packages = [package("P1", 5), package("P2", 1, Need(id="G1", lag=3)), package("P3", 1)]
    assert days(packages, gates=(gate,), approvals=(first, second)) == {"P1": (0, 4), "P2": (10, 10), "P3": (25, 25)}


@pytest.mark.parametrize(
    ("need", "start"),
    [
        (Need(id="P1", lag=2), 9),
        (Need(id="P1", lag=-2), 3),
        (Need(id="P1", lag=-200), 0),
        (Need(id="P1", kind="start_start"), 0),
        (Need(id="P1", kind="start_start", lag=3), 3),
        (Need(id="P1", kind="start_start", lag=5), 7),
    ],
)
def test_lags_are_working_days_after_an_end_or_a_start(need, start):
    assert days([package("P1", 5), package("P2", 1, need)])["P2"] == (start, start)


def test_a_package_takes_the_mean_of_its_estimate_and_at_least_a_day():
    packages = [package("P1", low=2, likely=4, high=12), package("P2", low=0, likely=0, high=1)]
    found = schedule(spine_of(packages))
    assert {name: dated.days for name, dated in found.packages.items()} == {"P1": 5, "P2": 1}
    assert schedule(found.spine, factor=2).packages["P1"].days == 10
    assert schedule(found.spine, days={"P1": 3}).packages["P1"].days == 3


def test_not_before_is_a_bound_and_a_fixed_day_is_kept_whatever_it_needs():
    bound = [package("P1", 5), package("P2", 1, "P1", not_before=on(2)), package("P3", 1, not_before=on(20))]
    assert days(bound) == {"P1": (0, 4), "P2": (7, 7), "P3": (21, 21)}
    fixed = [package("P1", 5), package("P2", 2, "P1", not_before=on(2), fixed=True), package("P3", 1, "P2")]
    assert days(fixed) == {"P1": (0, 4), "P2": (2, 3), "P3": (4, 4)}


def test_a_fixed_day_counts_where_its_calendar_is_closed():
    saturday = package("P1", 1, not_before=on(5), fixed=True)
    assert days([saturday, package("P2", 1, "P1")]) == {"P1": (5, 5), "P2": (7, 7)}


def test_every_day_counts_for_what_waits_and_closures_bind_work_outdoors():
    closed = Closure(text="no work in March", start=0, end=16, months=(3,), outdoor=True)
    packages = [package("P1", 10, every_day=True), package("P2", 1, "P1"), package("P3", 2, outdoor=True)]
    found = schedule(spine_of(packages), (closed,)).packages
    assert [(d.start, d.end) for d in found.values()] == [
        (START, on(9)), (on(10), on(10)), (date(2027, 4, 1), date(2027, 4, 2))
    ]  # fmt: skip


def test_an_approval_without_a_meeting_is_answered_its_likely_time_after_the_papers():
    approval = Approval(id="A1", title="Permit", low=5, likely=10, high=30, papers=["P1"], frees=["P2"])
    found = schedule(spine_of([package("P1", 5), package("P2", 1)], approvals=(approval,)))
    assert found.approvals == {"A1": on(14)}
    assert (found.packages["P2"].start, found.packages["P2"].driver) == (on(15), "A1")


@pytest.mark.parametrize(
    ("length", "answer"),
    [(5, 18), (6, 32), (16, 46), (26, 33 + 60)],
)
def test_an_approval_is_answered_at_the_first_meeting_that_its_papers_reach(length, answer):
    council = Party(id="B1", name="Council", papers_days=14, meeting_days=[on(4), on(18), on(32), on(46)])
    approval = Approval(id="A1", title="Vote", party="B1", likely=60, papers=["P1"], meeting=on(18), frees=["P2"])
    spine = spine_of([package("P1", length), package("P2", 1)], approvals=(approval,), parties=(council,))
    last = schedule(spine).packages["P1"].end
    expected = on(answer) if length < 26 else last + timedelta(60)
    assert schedule(spine).approvals == {"A1": expected}
    assert schedule(spine).packages["P2"].start > expected


def test_a_gate_is_on_its_day_or_when_what_it_needs_ends_and_frees_what_starts_after():
    gates = (
        Gate(id="G1", title="Early", day=on(10), needs=["P1"], frees=["P2"]),
        Gate(id="G2", title="Late", day=on(1), needs=["P1"]),
        Gate(id="G3", title="Open", needs=["P1"]),
        Gate(id="G4", title="Never"),
    )
    found = schedule(spine_of([package("P1", 5), package("P2", 1)], gates=gates))
    assert found.gates == {"G1": on(10), "G2": on(4), "G3": on(4)}
    assert (found.packages["P2"].start, found.packages["P2"].driver) == (on(11), "G1")


def test_what_a_decision_frees_starts_after_its_day():
    decisions = (
        Decision(id="D1", question="Which?", by=on(2), frees=["P1"]),
        Decision(id="D2", question="?", frees=["P2"]),
    )
    found = schedule(spine_of([package("P1"), package("P2")], decisions=decisions))
    assert found.decisions == {"D1": on(2)}
    assert [(d.start, d.driver) for d in found.packages.values()] == [(on(3), "D1"), (START, "")]


def test_slack_ends_at_the_end_at_demands_and_at_gates():
    packages = [package("P1", 10), package("P2", 2), package("P3", 2), package("P4", 1), package("P5", 3)]
    demands = (
        Demand(id="N1", text="Soon", due=on(4), met_by=["P3"]),
        Demand(id="N2", text="Too soon", due=on(1), met_by=["P5"]),
    )
    gates = (Gate(id="G1", title="Go", day=on(3), needs=["P4"]),)
    found = schedule(spine_of(packages, demands=demands, gates=gates))
    assert {name: d.slack for name, d in found.packages.items()} == {"P1": 0, "P2": 8, "P3": 3, "P4": 3, "P5": -1}
    assert [name for name, d in found.packages.items() if d.critical] == ["P1", "P5"]


def test_papers_have_slack_up_to_their_meeting():
    council = Party(id="B1", name="Council", papers_days=7)
    approval = Approval(id="A1", title="Vote", party="B1", papers=["P1"], meeting=on(21), frees=["P2"])
    found = schedule(spine_of([package("P1", 5), package("P2", 1)], approvals=(approval,), parties=(council,)))
    assert found.packages["P1"].slack == 6
    assert found.path == ("P2",)
    assert found.path_to("P2") == ("A1", "P2")


def test_the_path_goes_through_packages_approvals_and_people():
    approval = Approval(id="A1", title="Permit", likely=10, papers=["P2"], frees=["P3"])
    packages = [package("P1", 5, owner="R1"), package("P2", 6, owner="R1"), package("P3", 1), package("P4", 2, "P1")]
    soon = Demand(id="N1", text="Soon", due=on(4), met_by=["P1"])
    found = schedule(spine_of(packages, approvals=(approval,), roles=(one(),), demands=(soon,)))
    assert found.path == ("P1", "P2", "P3")
    assert found.path_to("P3") == ("P1", "P2", "A1", "P3")
    assert found.end == found.packages["P3"].end


def test_one_person_does_two_packages_one_after_the_other_the_one_with_less_slack_first():
    packages = [package("P1", 5, owner="R1"), package("P2", 5, owner="R1"), package("P3", 9, "P2")]
    found = schedule(spine_of(packages, roles=(one(),)))
    p1, p2, _ = found.packages.values()
    assert (p2.start, p2.held_by_role, p2.driver) == (START, 0, "")
    assert (p1.start, p1.held_by_role, p1.driver) == (on(7), 5, "R1")
    assert schedule(found.spine, level=False).packages["P1"].start == START


def test_parts_of_people_add_up_and_waiting_takes_nobody():
    half = [package(f"P{n}", 4, owner="R1", effort=2) for n in (1, 2, 3)]
    waits = package("P4", 4, owner="R1", kind="delivery")
    assert days([*half, waits], roles=(one(),)) == {"P1": (0, 3), "P2": (0, 3), "P3": (4, 9), "P4": (0, 3)}


def test_a_second_role_is_waited_for_too():
    packages = [package("P1", 5, owner="R1"), package("P2", 5, owner="R2", also=[Share(role="R1", days=5)])]
    assert days(packages, roles=(one(), one("R2"))) == {"P1": (0, 4), "P2": (7, 11)}


def test_who_comes_later_is_waited_for_and_who_has_gone_is_not():
    roles = (one(first=on(3)), one("R2", last=on(1)))
    found = schedule(spine_of([package("P1", owner="R1"), package("P2", 5, owner="R2")], roles=roles)).packages
    assert (found["P1"].start, found["P1"].driver, found["P1"].held_by_role) == (on(3), "R1", 3)
    assert (found["P2"].start, found["P2"].end) == (START, on(4))


def test_a_package_that_needs_more_people_than_there_are_does_not_wait_and_others_make_way():
    large = package("P1", 5, owner="R1", effort=20)
    assert days([large, package("P2", 5, owner="R1")], roles=(one(),)) == {"P1": (0, 4), "P2": (7, 11)}


def test_nobody_does_at_the_weekend_what_waits_for_the_week():
    soon = Demand(id="N1", text="Soon", due=on(8), met_by=["P1"])
    packages = [package("P1", 7, owner="R1"), package("P2", 2, owner="R1", every_day=True, effort=2)]
    assert days(packages, roles=(one(),), demands=(soon,)) == {"P1": (0, 8), "P2": (9, 10)}


def test_others_make_way_for_a_fixed_package():
    packages = [package("P1", 5, owner="R1"), package("P2", 2, owner="R1", fixed=True, not_before=on(2))]
    assert days(packages, roles=(one(),)) == {"P1": (4, 10), "P2": (2, 3)}


@pytest.mark.parametrize("kind", ["delivery", "operation"])
def test_what_goes_on_beside_other_work_takes_nobody_unless_it_says_so(kind):
    def start(effort):
        packages = [package("P1", 5, owner="R1", kind=kind, effort=effort), package("P2", 9, owner="R1")]
        return days(packages, roles=(one(),), demands=(Demand(id="N1", text="This", due=on(4), met_by=["P1"]),))["P2"][
            0
        ]

    assert (start(0), start(5)) == (0, 7)


def test_a_share_of_a_person_is_a_whole_one_on_a_day_that_needs_it():
    half_days = [package("P1", 5, owner="R1", effort=2), package("P2", 5, owner="R1", effort=2)]
    whole_days = [package("P1", 5, owner="R1", effort=5), package("P2", 5, owner="R1", effort=5)]
    assert days(half_days, roles=(one(people=0.3),)) == {"P1": (0, 4), "P2": (0, 4)}
    assert days(whole_days, roles=(one(people=0.3),)) == {"P1": (0, 4), "P2": (7, 11)}
    assert days(whole_days, roles=(one(people=0.3, heads=2),)) == {"P1": (0, 4), "P2": (0, 4)}


def test_effort_is_that_of_all_roles():
    packages = [package("P1", 5, owner="R1", also=[Share(role="R2", days=2)]), package("P2", 5, owner="R1", effort=3)]
    found = schedule(spine_of(packages, roles=(one(), one("R2"))))
    assert [d.effort for d in found.packages.values()] == [7, 3]


def test_variations_keep_the_order_of_work():
    found = schedule(spine_of([package("P1", 5, owner="R1"), package("P2", 4, owner="R1")], roles=(one(),)))
    assert found.end_if({}) == found.end == on(10)
    assert found.end_if({"P1": 6, "P9": 100}) == on(11)
    assert found.end_if({"P2": 1}) == on(7)


def test_a_package_that_waits_for_a_long_enough_gap_waits_in_variations_too():
    packages = [package("P1", 5, owner="R1"), package("P2", 2, owner="R1", fixed=True, not_before=on(2))]
    found = schedule(spine_of(packages, roles=(one(),)))
    assert found.end_if({}) == found.end == on(10)
    assert found.end_if({"P2": 4}) == on(14)


def test_a_role_that_is_missing_stops_its_own_packages():
    packages = [package("P1", 5, owner="R1"), package("P2", 2, "P1", owner="R2")]
    spine = spine_of(packages, roles=(one(), one("R2")))
    found = schedule(spine, without=("R1", on(2), 5)).packages
    assert [(d.start, d.end) for d in found.values()] == [(START, on(11)), (on(14), on(15))]


def test_a_spine_without_packages_starts_and_ends_on_its_start():
    found = schedule(spine_of())
    assert (found.start, found.end, found.path) == (START, START, ())


def test_the_levelled_order_gives_the_levelled_dates_again():
    found = schedule(realistic())
    starts, ends = found.network.forward(found.lengths)
    at = found.network.at
    assert {n: (d.start.toordinal(), d.end.toordinal() + 1) for n, d in found.packages.items()} == {
        name: (starts[at[name]], ends[at[name]]) for name in found.packages
    }


# -- any spine


IDS = [f"P{n}" for n in range(1, 13)]
DAY = st.dates(date(2026, 6, 1), date(2029, 1, 1))
KINDS = st.sampled_from(["finish_start", "start_start"])
FEW_DAYS = st.one_of(st.integers(0, 30), st.integers(0, 5000))


@st.composite
def spines(draw, wild=True):
    names = IDS[: draw(st.integers(1, len(IDS)))]
    lags = st.integers(-250, 1000) if wild else st.integers(0, 20)
    packages = []
    for n, name in enumerate(names):
        # what is no row, and circles, is left in wild spines: repair comes before, but every spine has a schedule
        earlier = st.sampled_from(["P99", *names] if wild else names[:n]) if wild or n else st.nothing()
        needs = draw(st.lists(earlier, max_size=3)) if wild or n else []
        low, likely, high = sorted(draw(st.tuples(*[FEW_DAYS if wild else st.integers(0, 30)] * 3)))
        packages.append(
            package(
                name, 1, *(Need(id=other, lag=draw(lags), kind=draw(KINDS)) for other in needs),
                low=low, likely=likely, high=high,
                owner=draw(st.sampled_from(["", "R1", "R2"])),
                effort=draw(st.sampled_from([0, 0, 3, 40])),
                also=[Share(role=r, days=draw(st.integers(0, 9))) for r in draw(st.sampled_from([[], ["R2"]]))],
                not_before=draw(st.none() | DAY),
                fixed=draw(st.booleans()) and wild,
                outdoor=draw(st.booleans()),
                every_day=draw(st.booleans()),
            )
        )  # fmt: skip
    some = st.lists(st.sampled_from(names), max_size=3)
    return spine_of(
        packages,
        roles=(
            one(people=draw(st.sampled_from([0, 0.5, 1, 3])), first=draw(st.none() | DAY)),
            one("R2", last=draw(st.none() | DAY)),
        ),
        approvals=tuple(
            Approval(
                id=f"A{n}", title="Permit", party="B1", likely=draw(st.integers(0, 400)), papers=draw(some),
                frees=draw(some) if wild else [], meeting=draw(st.none() | DAY),
            )
            for n in range(draw(st.integers(0, 3)))
        ),
        parties=(Party(id="B1", name="Council", papers_days=10, meeting_days=draw(st.lists(DAY, max_size=4))),),
        gates=tuple(
            Gate(id=f"G{n}", title="Go", day=draw(st.none() | DAY), needs=draw(some), frees=draw(some) if wild else [])
            for n in range(draw(st.integers(0, 2)))
        ),
        demands=(Demand(id="N1", text="This", due=draw(st.none() | DAY), met_by=draw(some)),),
        decisions=(Decision(id="D1", question="Which?", by=draw(st.none() | DAY), frees=draw(some)),),
    )  # fmt: skip


MONTHS = st.lists(st.integers(1, 12), max_size=12).map(tuple)
WEEKDAYS = st.lists(st.integers(0, 6), max_size=5).map(tuple)
RULES = {"forbidden": st.booleans(), "outdoor": st.booleans(), "months": MONTHS, "weekdays": WEEKDAYS}
CLOSURE = st.builds(Closure, text=st.just("closed"), start=st.just(0), end=st.just(6), **RULES)
CLOSURES = st.lists(CLOSURE, max_size=2).map(tuple)


def test_a_meeting_on_a_saturday_takes_no_working_day_of_those_who_attend():
    meeting = package("P1", 1, owner="R1", effort=1, not_before=on(5), fixed=True)
    after = package("P2", 1, Need(id="P1"), owner="R1", effort=1)
    later = package("P3", 1, owner="R1", effort=1, not_before=on(40), fixed=True)
    assert days([meeting, after, later], roles=(one(people=0.24),)) == {"P1": (5, 5), "P2": (7, 7), "P3": (40, 40)}


def test_on_a_day_off_people_do_one_thing_at_a_time():
    both = [package(f"P{n}", 1, owner="R1", effort=1, every_day=True, not_before=on(5)) for n in (1, 2)]
    assert days(both, roles=(one(),)) == {"P1": (5, 5), "P2": (6, 6)}


@settings(max_examples=40 if THOROUGH else 12, deadline=None)
@given(spines(), CLOSURES, st.sampled_from([0.1, 1, 1.25]))
def test_every_spine_has_one_schedule(spine, closures, factor):
    found = schedule(spine, closures, factor=factor)
    assert (
        found == schedule(spine, closures, factor=factor)
        or found.packages == schedule(spine, closures, factor=factor).packages
    )
    assert set(found.packages) == {p.id for p in spine.packages}
    assert all(d.start <= d.end <= found.end for d in found.packages.values())
    assert set(found.path) <= set(found.packages)


@settings(max_examples=40 if THOROUGH else 12, deadline=None)
@given(spines(wild=False))
def test_no_package_starts_before_what_it_needs(spine):
    found = schedule(spine)
    for row in spine.packages:
        dated = found.packages[row.id]
        assert dated.start >= max(spine.frame.start, row.not_before or spine.frame.start)
        for need in row.needs:
            other = found.packages[need.id]
            assert dated.start > other.end if need.kind == "finish_start" else dated.start >= other.start


@settings(max_examples=40 if THOROUGH else 12, deadline=None)
@given(spines(wild=False))
def test_in_no_span_of_days_has_a_role_more_work_than_people_but_for_packages_that_need_more(spine):
    found = schedule(spine)
    roles = {role.id: role for role in spine.roles}
    work = [(row, found.packages[row.id]) for row in spine.packages]
    for name, role in roles.items():
        claims = []
        for row, dated in work:
            first, last = dated.start.toordinal(), dated.end.toordinal() + 1
            ours = found.network.ours.count(first, last)
            for used, rate in uses(row, dated.days, roles):
                if used == name and ours and rate <= at_once(role) + 1e-6:
                    assert dated.start >= (role.first or dated.start)
                    claims.append((first, last, rate * min(dated.days, ours)))
        for first, last in product({c[0] for c in claims}, {c[1] for c in claims}):
            if last <= first or role.people == 0:
                continue
            within = sum(days for begun, ended, days in claims if begun >= first and ended <= last)
            days = found.network.ours.count(first, last)
            assert within <= at_once(role) * days + 1e-4


@settings(max_examples=40 if THOROUGH else 12, deadline=None)
@given(spines(wild=False), st.data())
def test_a_longer_package_never_makes_the_end_earlier(spine, data):
    found = schedule(spine)
    name = data.draw(st.sampled_from([p.id for p in spine.packages]))
    assert found.end_if({name: found.packages[name].days + 7}) >= found.end_if({})


def test_a_lag_counts_working_days_or_calendar_days():
    def start(**more):
        return schedule(spine_of([package("P1"), package("P2", 1, Need(id="P1", lag=14, **more))])).packages["P2"].start

    assert start(calendar_days=True) == START + timedelta(15)
    assert start() == START + timedelta(21)


def test_what_meets_a_demand_starts_on_the_day_that_the_demand_allows():
    allowed = START + timedelta(30)
    demand = Demand(id="N1", text="Not before April", not_before=allowed, met_by=["P2"])
    found = schedule(spine_of([package("P1"), package("P2")], demands=(demand,)))
    assert (found.packages["P1"].start, found.packages["P2"].start) == (START, allowed)


def test_a_gate_waits_for_the_approvals_that_it_needs():
    approval = Approval(id="A1", title="Permit", low=30, likely=30, high=30, papers=["P1"])
    gate = Gate(id="G1", title="Go", needs=["A1"])
    found = schedule(spine_of([package("P1")], approvals=(approval,), gates=(gate,)))
    assert found.gates["G1"] == found.approvals["A1"]


@pytest.mark.parametrize(
    ("gate_day", "start"),
    [(on(7), on(8)), (on(40), on(14)), (None, on(14))],
    ids=["gate-first", "day-first", "papers-late"],
)
def test_a_package_waits_for_a_gate_or_a_day_whichever_is_first(gate_day, start):
    gate = Gate(id="G1", title="Go", day=gate_day, needs=[] if gate_day else ["P1"], frees=["P2"])
    waiting = package("P2", 3, Need(id="G1", or_day=on(14)))
    found = schedule(spine_of([package("P1", 20), waiting], gates=(gate,)))
    assert found.packages["P2"].start == start
    assert found.path_to("P2") == (("G1", "P2") if start == on(8) else ("P2",))


def test_what_a_day_replaces_has_slack_beyond_it():
    early, late = (package("P2", 3, Need(id="P1", or_day=day)) for day in (on(1), on(100)))
    longest = package("P3", 10)
    slack = [schedule(spine_of([package("P1", 5), p, longest])).packages["P1"].slack for p in (early, late)]
    assert slack == [5, 2]


def test_the_end_of_the_goal_binds_what_meets_a_demand_of_that_day_and_no_other_work():
    packages = [package("P1", 5), package("P2", 50)]
    demand = Demand(id="N1", text="This", due=on(9), met_by=["P1"])
    found = schedule(framed(spine_of(packages, demands=(demand,)), end=on(9)))
    assert (found.packages["P1"].slack, found.packages["P2"].slack) == (3, 0)
