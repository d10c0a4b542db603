"""The work of each role in each month, and the end without it."""

from datetime import date, timedelta

import pytest

from planloom.planes.strategic.compute.computed import Load, WithoutRole
from planloom.planes.strategic.compute.load import MOST_ROLES, loads, without_roles
from planloom.planes.strategic.compute.role_findings import role_findings
from planloom.planes.strategic.compute.schedule import schedule
from planloom.planes.strategic.compute.view import PlanView
from planloom.planes.strategic.spine.rows import Role, Share
from tests.unit.strategic.compute.spines import START, package, realistic, spine_of

MARCH, APRIL = date(2027, 3, 1), date(2027, 4, 1)


def test_work_is_counted_by_month_against_the_days_of_the_people():
    packages = [package("P1", 25, owner="R1"), package("P2", 25, owner="R2", effort=5, also=[Share(role="R1", days=0)])]
    roles = (Role(id="R1", title="Builder"), Role(id="R2", title="Lead", people=2))
    assert loads(schedule(spine_of(packages, roles=roles))) == (
        Load(role="R1", first=MARCH, needed=23, there=23),
        Load(role="R1", first=APRIL, needed=2, there=2),
        Load(role="R2", first=MARCH, needed=4.6, there=46),
        Load(role="R2", first=APRIL, needed=0.4, there=4),
    )


def test_a_role_is_there_from_its_first_to_its_last_day():
    role = Role(id="R1", title="Builder", first=date(2027, 3, 8), last=date(2027, 3, 19))
    found = loads(schedule(spine_of([package("P1", 20, owner="R1")], roles=(role,))))
    assert [(load.first, load.needed, load.there) for load in found] == [(MARCH, 18, 10), (APRIL, 2, 0)]


def test_a_role_of_unknown_size_has_no_load():
    role = Role(id="R1", title="Representatives", people=0)
    assert loads(schedule(spine_of([package("P1", 20, owner="R1")], roles=(role,)))) == ()


def test_a_fixed_day_on_which_nobody_works_counts():
    saturday = package("P1", 1, owner="R1", fixed=True, not_before=START + timedelta(5))
    found = loads(schedule(spine_of([saturday], roles=(Role(id="R1", title="Crew"),))))
    assert [load.needed for load in found] == [1]


def test_days_off_on_which_a_role_works_are_days_on_which_it_is_there():
    ride = package("P1", 31, owner="R1", effort=31, every_day=True)
    other = package("P2", 5, owner="R2")
    roles = (Role(id="R1", title="Rider"), Role(id="R2", title="Driver"))
    found = schedule(spine_of([ride, other], roles=roles))
    assert [(load.role, load.needed, load.there) for load in loads(found)] == [("R1", 31, 31), ("R2", 5, 23)]
    assert not list(role_findings(PlanView(found, (), loads(found))))


def test_all_effort_is_in_some_month():
    found = schedule(realistic())
    assert sum(load.needed for load in loads(found)) == pytest.approx(
        sum(dated.effort for dated in found.packages.values()), abs=2
    )


def test_the_end_without_a_role_is_later_by_what_its_packages_rest():
    packages = [package("P1", 10, owner="R1"), package("P2", 1, owner="R2"), package("P3", 1, "P1", owner="R3")]
    roles = tuple(Role(id=f"R{n}", title="One", people=p) for n, p in ((1, 1), (2, 1), (3, 1), (4, 1)))
    base = date(2027, 3, 15)
    assert without_roles(schedule(spine_of(packages, roles=roles))) == (
        WithoutRole(role="R1", end=base + timedelta(28), days_later=28),
        WithoutRole(role="R3", end=base + timedelta(28), days_later=28),
        WithoutRole(role="R2", end=date(2027, 3, 29), days_later=14),
    )


def test_only_the_roles_with_the_most_work_are_left_out_in_turn():
    packages = [package(f"P{n}", n, owner=f"R{n}") for n in range(1, 11)]
    roles = tuple(Role(id=f"R{n}", title="One") for n in range(1, 11))
    found = {row.role for row in without_roles(schedule(spine_of(packages, roles=roles)))}
    assert found == {f"R{n}" for n in range(3, 11)}
    assert len(found) == MOST_ROLES


def test_a_plan_without_roles_has_no_load():
    found = schedule(spine_of([package("P1")]))
    assert (loads(found), without_roles(found)) == ((), ())
