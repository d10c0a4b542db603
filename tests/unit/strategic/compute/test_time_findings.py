"""What is wrong with the time of a plan is found, with the rows that disagree; and nothing else is."""

from datetime import timedelta

import pytest

from planloom.planes.strategic.compute.load import loads
from planloom.planes.strategic.compute.odds import odds
from planloom.planes.strategic.compute.role_findings import role_findings
from planloom.planes.strategic.compute.schedule import schedule
from planloom.planes.strategic.compute.time_findings import time_findings
from planloom.planes.strategic.compute.view import PlanView
from planloom.planes.strategic.spine.rows import Approval, Demand, Gate, Party, Period, Role, Share, Stream
from tests.unit.strategic.compute.spines import START, package, realistic, spine_of

BUILDER = Role(id="R1", title="Builder")
SPREAD = {"low": 8, "likely": 10, "high": 16}


def found_in(spine):
    dated = schedule(spine)
    view = PlanView(dated, odds(dated, 200), loads(dated))
    return [*time_findings(view), *role_findings(view)]


def found(packages, roles=(BUILDER,), **tables):
    """Each finding as check, severity and ids."""
    return [(f.check, f.severity, f.ids) for f in found_in(spine_of(packages, roles=roles, **tables))]


def owned(name, days=5, *needs, owner="R1", **more):
    return package(name, days, *needs, owner=owner, **more)


def on(day):
    return START + timedelta(day)


def demand(due, *met_by):
    return Demand(id="N1", text="Open", due=on(due), met_by=list(met_by))


def test_a_plan_that_fits_has_no_findings():
    packages = [owned("P1", **SPREAD), owned("P2", 1, "P1", **SPREAD), owned("P3", 1, "P2", kind="opening")]
    assert found(packages, demands=(demand(90, "P3"),)) == []


def test_a_demand_that_is_computed_too_late_is_a_severe_finding_with_both_places():
    (one,) = found_in(spine_of([owned("P1", 10)], roles=(BUILDER,), demands=(demand(4, "P1"),)))
    assert (one.id, one.check, one.severity, one.ids) == ("time.missed:N1,P1", "time.missed", "high", ("N1", "P1"))
    assert len(one.places) == 2
    assert "5 March 2027" in one.places[0]
    assert "12 March 2027" in one.places[1]


def test_the_end_of_the_goal_is_missed_too():
    assert found([owned("P1", 10)], end=on(4)) == [("time.missed", "high", ("P1",))]


def test_a_day_that_most_runs_miss_is_found_though_it_is_computed_in_time():
    packages = [owned(f"P{n}", owner=f"R{n}", **SPREAD) for n in range(1, 7)]
    roles = tuple(Role(id=f"R{n}", title="One") for n in range(1, 7))
    spine = spine_of(packages, roles=roles, demands=(demand(14, *[p.id for p in packages]),))
    assert [(f.check, f.severity) for f in found_in(spine)] == [("time.unlikely", "medium")]


@pytest.mark.parametrize(("frees", "severity"), [([], "medium"), (["P2"], "high")])
def test_a_gate_whose_needs_end_after_its_day_is_missed(frees, severity):
    gate = Gate(id="G1", title="Go", day=on(2), needs=["P1"], frees=frees)
    packages = [owned("P1"), owned("P2", owner="R2")]
    roles = (BUILDER, Role(id="R2", title="Host"))
    assert found(packages, roles, gates=(gate,)) == [("time.missed", severity, ("G1", "P1"))]


def test_a_fixed_package_before_the_end_of_what_it_needs_is_found():
    packages = [owned("P1"), owned("P2", 1, "P1", owner="R2", fixed=True, not_before=on(2))]
    roles = (BUILDER, Role(id="R2", title="Host"))
    assert found(packages, roles) == [("time.fixed_before_need", "high", ("P2", "P1"))]
    assert found([packages[0], packages[1].model_copy(update={"not_before": on(7)})], roles) == []


def test_two_fixed_packages_of_one_day_may_follow_each_other_on_it():
    day = {"fixed": True, "not_before": on(2)}
    roles = (BUILDER, Role(id="R2", title="Host"))
    assert found([owned("P1", 1, **day), owned("P2", 1, "P1", owner="R2", **day)], roles) == []
    longer = [owned("P1", 2, **day), owned("P2", 1, "P1", owner="R2", **day)]
    assert found(longer, roles) == [("time.fixed_before_need", "high", ("P2", "P1"))]


def test_a_package_whose_second_role_comes_later_is_found():
    packages = [owned("P1", 3, also=[Share(role="R2", days=1)])]
    late = Role(id="R2", title="Host", first=on(9))
    assert found(packages, (BUILDER, late)) == [("time.waits_for_role", "medium", ("P1", "R2"))]


def test_a_role_that_is_a_share_of_a_person_and_a_whole_one_for_a_time_has_its_days():
    work = owned("P1", 20, effort=20, not_before=on(31))
    rider = Role(id="R1", title="Rider", people=0.2, last=on(150))
    later = owned("P2", 1, not_before=on(150))
    april = Period(first=on(31), last=on(60), people=1)
    assert ("time.role_short", "medium", ("R1", "P1")) in found([work, later], (rider,))
    assert found([work, later], (rider.model_copy(update={"periods": [april]}),)) == []


def test_papers_that_miss_their_meeting_are_found():
    council = Party(id="B1", name="Council", papers_days=14, meeting_days=[on(30)])
    approval = Approval(id="A1", title="Vote", party="B1", meeting=on(16), papers=["P1"], frees=["P2"])
    tables = {"parties": (council,), "approvals": (approval,)}
    packages = [owned("P1"), owned("P2")]
    assert found(packages, **tables) == [("time.papers_miss_meeting", "high", ("A1", "P1"))]
    in_time = council.model_copy(update={"papers_days": 7})
    assert found(packages, parties=(in_time,), approvals=(approval,)) == []


def test_one_person_in_two_fixed_packages_at_once_is_found():
    packages = [owned("P1", fixed=True, not_before=on(0)), owned("P2", fixed=True, not_before=on(2))]
    assert ("time.two_packages_at_once", "high", ("R1", "P1", "P2")) in found(packages)


def test_a_package_that_waits_for_one_person_is_found_where_that_is_long():
    assert found([owned("P1", **SPREAD), owned("P2", **SPREAD)]) == [
        ("time.two_packages_at_once", "medium", ("R1", "P1", "P2"))
    ]
    assert found([owned("P1", 2), owned("P2", 2)]) == []
    assert found([owned("P1", **SPREAD), owned("P2", **SPREAD)], (Role(id="R1", title="Builders", people=2),)) == []


def test_a_package_that_needs_more_people_than_there_are_is_found():
    found_here = found([owned("P1", 10, effort=20)])
    assert ("time.package_needs_more_people", "medium", ("P1", "R1")) in found_here


def test_months_with_more_work_than_people_are_one_finding_for_a_role():
    packages = [owned("P1", 45, effort=120), owned("P2", 45, effort=45, kind="operation")]
    over = [f for f in found(packages) if f[0] == "time.role_overloaded"]
    assert over == [("time.role_overloaded", "high", ("R1", "P1"))]


def test_work_before_a_role_comes_and_after_it_has_gone_is_found():
    early = owned("P1", 3, fixed=True, not_before=on(0))
    assert found([early], (Role(id="R1", title="Builder", first=on(7)),)) == [
        ("time.role_not_there_yet", "medium", ("R1", "P1"))
    ]
    assert found([owned("P1", 3)], (Role(id="R1", title="Builder", last=on(1)),)) == [
        ("time.role_gone", "medium", ("R1", "P1"))
    ]
    assert found([owned("P1", 3)], (Role(id="R1", title="Builder", first=on(7), last=on(9)),)) == []


def test_estimates_without_range_are_one_finding():
    exact = [owned("P1", 5), owned("P2", 5, "P1"), owned("P3", 5, "P2")]
    assert found(exact) == [("time.no_range", "medium", ("P1", "P2", "P3"))]
    wide = [owned(f"P{n}", 1, f"P{n - 1}", **SPREAD) for n in range(4, 11)]
    assert found([*exact, *wide]) == []


def test_a_package_that_is_too_long_is_found_but_not_waiting_or_running():
    assert found([owned("P1", 61)]) == [("time.long_package", "low", ("P1",))]
    assert found([owned("P1", 61, kind="operation"), owned("P2", 61, kind="delivery", every_day=True)]) == []


def test_a_package_without_owner_is_found_and_a_party_may_own_one():
    assert found([package("P1")]) == [("time.no_owner", "medium", ("P1",))]
    assert found([package("P1", owner="B1")], parties=(Party(id="B1", name="Contractor"),)) == []


def test_work_for_others_that_nothing_needs_is_found():
    packages = [owned("P1", 1, kind="design"), owned("P2", 1, kind="build"), owned("P3", 1, kind="research")]
    assert found(packages, demands=(demand(90, "P3"),)) == [("time.needed_by_nothing", "low", ("P1",))]
    packages[1] = owned("P2", 1, "P1", kind="build")
    assert found(packages, demands=(demand(90, "P3"),)) == []


def test_second_roles_are_looked_at_too():
    packages = [owned("P1", 10, effort=1, also=[Share(role="R2", days=30)])]
    roles = (BUILDER, Role(id="R2", title="Helper"))
    assert ("time.package_needs_more_people", "medium", ("P1", "R2")) in found(packages, roles)


def test_findings_have_unique_ids_and_name_two_places():
    rows = found_in(realistic())
    assert len({row.id for row in rows}) == len(rows) > 0
    assert all(len(row.places) >= 2 for row in rows)


def test_a_share_of_a_person_with_fewer_days_than_its_packages_need_is_found():
    packages = [owned("P1", 10, effort=10), owned("P2", 10, effort=10)]
    short = found(packages, (Role(id="R1", title="Ecologist", people=0.2),))
    assert ("time.role_short", "medium", ("R1", "P1")) in short
    assert not any(check == "time.role_overloaded" for check, _, _ in short)
    enough = found(packages, (Role(id="R1", title="Ecologist", people=0.99),))
    assert not any(check == "time.role_short" for check, _, _ in enough)


def test_a_gate_that_is_unlikely_on_its_day_is_a_note_where_the_demand_after_it_holds():
    gate = Gate(id="G1", title="Go", day=on(14), needs=["P1", "P2"], frees=["P3"])
    packages = [owned("P1", **SPREAD), owned("P2", owner="R2", **SPREAD), owned("P3", 1, owner="R3")]
    roles = tuple(Role(id=f"R{n}", title="One") for n in range(1, 4))

    def severity(due):
        (one,) = [f for f in found_in(spine_of(packages, roles=roles, gates=(gate,), demands=(demand(due, "P3"),)))
                  if f.ids[0] == "G1"]  # fmt: skip
        return one.check, one.severity, one.advice.startswith("Move G1 to ")

    assert severity(90) == ("time.unlikely", "low", True)
    assert severity(15) == ("time.unlikely", "medium", True)


def test_a_long_package_is_none_that_takes_little_of_anybody_or_runs_after_the_opening():
    assert found([owned("P1", 80, effort=8)]) == []
    stream = Stream(id="O1", title="Tickets", first=on(0))
    assert [f for f in found([owned("P1", 80)], streams=(stream,)) if f[0] == "time.long_package"] == []


def test_days_in_texts_of_a_package_are_compared_with_the_computed_ones():
    late = owned("P1", 10, done_when="Signed on 2027-03-05", before="Asks for bids by 1 April 2027")
    assert found([late]) == [("time.typed_day", "low", ("P1",))]
    assert len(found_in(spine_of([late], roles=(BUILDER,)))[0].places) == 3
    assert found([owned("P1", 10, done_when="Signed on 2027-03-30", before="Asks by 2027-02-30")]) == []
