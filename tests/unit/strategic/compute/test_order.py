"""Findings on order and money: one with all its values, and what is right and must not be found."""

from collections.abc import Callable
from datetime import date

import pytest

from planloom.planes.strategic.compute.computed import Finding
from planloom.planes.strategic.compute.missing_findings import missing_findings
from planloom.planes.strategic.compute.money_findings import money_findings
from planloom.planes.strategic.compute.order import order_findings
from planloom.planes.strategic.compute.reserve_findings import reserve_findings
from planloom.planes.strategic.compute.role_findings import role_findings
from planloom.planes.strategic.compute.schedule import schedule
from planloom.planes.strategic.compute.view import Before, PlanView
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.spine import Spine
from tests.unit.strategic.compute.sound import added, changed, framed, sound, without


def checks(spine: Spine) -> list[str]:
    view = PlanView(schedule(spine))
    checks = (order_findings, reserve_findings, money_findings, missing_findings)
    found = [one for check in checks for one in check(view)]
    found += [one for one in role_findings(view) if one.check.startswith("order.")]
    return [one.check for one in found if one.severity != "low"]


def test_a_finding_has_both_places_with_their_words() -> None:
    view = PlanView(schedule(changed(sound(), "P4", needs=[r.Need(id="P1")])))
    assert list(order_findings(view)) == [
        Finding(
            id="order.tender_before_design:P4,P2",
            check="order.tender_before_design",
            severity="high",
            ids=("P4", "P2"),
            text="A tender does not wait for the design of its deliverable. P4 Tender the works of the hall: starts "
            "23 January 2026; P2 Draw the hall: ends 2 March 2026.",
            places=(
                "P4 Tender the works of the hall: starts 23 January 2026",
                "P2 Draw the hall: ends 2 March 2026",
            ),
            advice="Let P4 need P2, or say in P4 what is asked for before the design.",
        )
    ]


def test_what_goes_before_is_found_through_approvals_gates_and_decisions() -> None:
    before = Before(sound())
    assert before.of("P5") == {"P1", "P2", "P3", "P4", "P16", "A1", "A2", "G1"}
    assert before.of_all(["A1", "P16"]) == {"A1", "P1", "P2", "P3", "P16"}
    assert before.needed_by("P5") == {"P1", "P2", "P4"}
    assert before.needed & {"P14", "P16", "P17"} == {"P14", "P16"}


def designer_found_by_tender(s: Spine) -> Spine:
    tender = r.Package(id="P20", title="Tender the design", deliverable="V2", kind="tender", owner="R1", effort=1)
    return changed(added(s, tender), "P2", needs=[r.Need(id="P1"), r.Need(id="P20")])


def trial_that_the_licence_asks_for(s: Spine) -> Spine:
    asked = changed(s, "A3", papers=["P12", "P13"], frees=["P14"])
    return changed(asked, "P13", needs=[r.Need(id="P11")])


def licence_that_is_renewed(s: Spine) -> Spine:
    first = r.Approval(id="A9", title="Licence of a first year", party="B3", papers=["P2"], low=9, likely=9, high=9)
    return changed(added(changed(s, "A3", frees=["P14"]), first), "P13", needs=[r.Need(id="P11"), r.Need(id="A9")])


def contract_of_who_writes_the_papers(s: Spine) -> Spine:
    contract = r.Package(id="P20", title="Contract", deliverable="V2", kind="contract", owner="R1", effort=1)
    line = r.Line(id="L20", title="Retainer", rate=100, package="P20")
    return changed(added(s, contract, line), "P3", needs=[r.Need(id="P2"), r.Need(id="P20")])


def second_training_after_the_opening(s: Spine) -> Spine:
    again = r.Package(
        id="P20",
        title="Train again",
        deliverable="V4",
        kind="training",
        owner="R4",
        effort=1,
        needs=[r.Need(id="P14")],
    )
    return added(s, again)


def precaution_done_before_its_trigger(s: Spine) -> Spine:
    needs = [r.Need(id="P8"), r.Need(id="P6"), r.Need(id="P17")]
    return changed(changed(s, "P9", needs=needs), "K2", trigger_by=date(2027, 2, 10))


def fallback_that_misses_no_demand(s: Spine) -> Spine:
    return changed(s, "K2", trigger_by=date(2027, 2, 10))


def wait_beside_an_approval(s: Spine) -> Spine:
    wait = {"every_day": True, "low": 75.0, "likely": 80.0, "high": 90.0}
    return added(s, r.Package(id="P20", title="The ground settles", owner="R2", needs=[r.Need(id="P3")], **wait))


def option_that_costs_its_lines(s: Spine) -> Spine:
    option, other = s.decisions[0].options
    costs = option.model_copy(update={"effect": "L3 and L8 pay for it", "cost": 69_000})
    return changed(s, "D1", options=[costs, other])


def contingency_that_covers_what_is_expected(s: Spine) -> Spine:
    return changed(changed(s, "K1", cost=35_000), "K2", cost=30_000, line="L9")


def contingency_of_a_package(s: Spine) -> Spine:
    return changed(s, "L9", package="P6")


def pay_that_ends_with_its_package(s: Spine) -> Spine:
    return changed(s, "L6", package="P12")


def pay_that_ends_within_days_of_the_work(s: Spine) -> Spine:
    return changed(s, "L6", first=date(2026, 12, 1), last=date(2027, 3, 19))


def day_of_the_grant_before_its_vote(s: Spine) -> Spine:
    return changed(s, "F2", day=date(2026, 1, 31))


def demand_in_words_of_the_package_alone(s: Spine) -> Spine:
    return changed(s, "N2", text="Guests of the kitchen can eat; it is open")


def demand_in_another_language(s: Spine) -> Spine:
    return changed(s, "N2", text="8月までに開店する", met_by=["P6"])


def limit_in_words_alone(s: Spine) -> Spine:
    return framed(s, budget=0)


def no_money_at_all(s: Spine) -> Spine:
    ids = [row.id for name in ("lines", "sources", "streams", "upkeep") for row in getattr(s, name)]
    for role in s.roles:
        s = changed(s, role.id, day_rate=0)
    return framed(changed(changed(without(s, *ids), "K1", cost=0), "K2", cost=0), budget=0)


def work_paid_by_a_line_of_its_package(s: Spine) -> Spine:
    return changed(s, "R3", day_rate=300)


@pytest.mark.parametrize(
    "change",
    [
        designer_found_by_tender,
        trial_that_the_licence_asks_for,
        licence_that_is_renewed,
        contract_of_who_writes_the_papers,
        second_training_after_the_opening,
        precaution_done_before_its_trigger,
        fallback_that_misses_no_demand,
        wait_beside_an_approval,
        option_that_costs_its_lines,
        contingency_that_covers_what_is_expected,
        contingency_of_a_package,
        pay_that_ends_with_its_package,
        pay_that_ends_within_days_of_the_work,
        day_of_the_grant_before_its_vote,
        demand_in_words_of_the_package_alone,
        demand_in_another_language,
        limit_in_words_alone,
        no_money_at_all,
        work_paid_by_a_line_of_its_package,
    ],
    ids=lambda change: change.__name__,
)
def test_what_is_right_is_not_found(change: Callable[[Spine], Spine]) -> None:
    assert checks(change(sound())) == []


def test_a_budget_that_the_lines_leave_mostly_unused_is_a_low_finding() -> None:
    view = PlanView(schedule(framed(sound(), budget=1_000_000)))
    found = (*money_findings(view), *missing_findings(view))
    assert [(f.check, f.severity) for f in found] == [("money.far_below_budget", "low")]


def test_lines_that_name_no_packages_say_nothing_about_packages() -> None:
    spine = sound()
    for line in spine.lines:
        spine = changed(spine, line.id, package="")
    assert "money.package_without_line" not in checks(spine)


def test_lines_without_any_source_are_found() -> None:
    assert checks(without(sound(), "F1", "F2", "F3")) == ["money.no_sources"]
