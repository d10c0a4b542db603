"""Faults planted in a sound plan, each found with both of its places."""

from collections.abc import Callable
from datetime import date

import pytest

from planloom.planes.strategic.compute.compute import compute
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.spine import Spine
from tests.unit.strategic.compute.sound import added, changed, sound, without

RUNS = 50


def reserve_spent_twice(s: Spine) -> Spine:
    return changed(changed(s, "K1", cost=40_000, line="L10"), "K2", cost=30_000, line="L10")


def reserve_pays_for_work(s: Spine) -> Spine:
    return changed(s, "L10", package="P6")


def tender_before_design(s: Spine) -> Spine:
    return changed(s, "P4", needs=[r.Need(id="P1")])


def order_on_a_day_before_its_approval(s: Spine) -> Spine:
    return changed(s, "P5", fixed=True, not_before=date(2026, 5, 4))


def contract_before_the_permit_of_its_work(s: Spine) -> Spine:
    return changed(changed(s, "A1", frees=["P6"]), "P3", not_before=date(2026, 8, 3))


def grant_decided_late(s: Spine) -> Spine:
    late = changed(s, "A2", meeting=date(2026, 12, 8), frees=[], releases=0)
    return changed(changed(late, "F1", amount=40_000), "F2", amount=270_000)


def demand_on_another_deliverable(s: Spine) -> Spine:
    return changed(s, "N2", met_by=["P6"])


def trial_without_licence(s: Spine) -> Spine:
    return changed(s, "A3", frees=["P14"])


def training_after_the_opening(s: Spine) -> Spine:
    return changed(changed(s, "P13", needs=[r.Need(id="P9")]), "P11", needs=[r.Need(id="P14")])


def hired_after_the_work_begins(s: Spine) -> Spine:
    return changed(changed(s, "P10", not_before=date(2027, 2, 15)), "P12", needs=[r.Need(id="P9")])


def pay_ends_before_the_work(s: Spine) -> Spine:
    return changed(s, "L6", first=date(2026, 12, 1), last=date(2027, 2, 26))


def pay_begins_after_the_work(s: Spine) -> Spine:
    return changed(s, "L5", first=date(2026, 9, 1), last=date(2027, 3, 31))


def fallback_takes_too_long(s: Spine) -> Spine:
    return changed(s, "K2", trigger_by=date(2027, 8, 10))


def gate_before_its_condition(s: Spine) -> Spine:
    condition = r.Condition(measure="The licence A3", value="granted")
    return changed(s, "G1", conditions=[*s.gates[0].conditions, condition])


def permit_waited_out_twice(s: Spine) -> Spine:
    wait = {"every_day": True, "low": 75.0, "likely": 80.0, "high": 90.0}
    office = r.Package(id="P20", title="The office examines", owner="R2", needs=[r.Need(id="P3")], **wait)
    return changed(added(s, office), "A1", papers=["P20"])


def fixed_before_the_goal_allows_it(s: Spine) -> Spine:
    early = changed(s, "N2", not_before=date(2027, 8, 1))
    return changed(early, "P14", fixed=True, not_before=date(2027, 7, 1))


def undone_before_it_is_decided(s: Spine) -> Spine:
    option, other = s.decisions[0].options
    return changed(s, "D1", options=[option.model_copy(update={"undo_by": date(2026, 6, 1)}), other])


def option_that_its_lines_have_left_behind(s: Spine) -> Spine:
    option, other = s.decisions[0].options
    return changed(s, "D1", options=[option.model_copy(update={"effect": "L3 and L8 pay for it"}), other])


def undone_after_the_order(s: Spine) -> Spine:
    option, other = s.decisions[0].options
    return changed(s, "D1", options=[option.model_copy(update={"undo_by": date(2026, 12, 1)}), other])


def cost_above_budget(s: Spine) -> Spine:
    return changed(s, "L2", rate=500)


def sources_below_cost(s: Spine) -> Spine:
    return changed(s, "F1", amount=20_000)


def loan_comes_after_the_works(s: Spine) -> Spine:
    return changed(changed(s, "F1", amount=120_000), "F3", amount=130_000, day=date(2027, 6, 1))


def money_tied_to_too_much(s: Spine) -> Spine:
    tied = changed(changed(s, "L2", paid_by="B1"), "L3", paid_by="B1")
    return changed(tied, "F2", given_by="B1")


def tied_money_comes_late(s: Spine) -> Spine:
    return changed(changed(s, "L8", paid_by="B1"), "F2", given_by="B1", day=date(2027, 8, 1))


def no_working_capital(s: Spine) -> Spine:
    return changed(without(s, "L10"), "F1", amount=90_000)


def no_contingency(s: Spine) -> Spine:
    return without(s, "L9", "L10")


def runs_at_a_loss(s: Spine) -> Spine:
    return changed(s, "O1", volume=8_000, volume_low=7_000, volume_high=9_000)


def line_without_rate(s: Spine) -> Spine:
    return changed(s, "L8", rate=0)


def pay_of_too_few_days(s: Spine) -> Spine:
    return changed(s, "L5", quantity=20)


def work_that_nobody_pays(s: Spine) -> Spine:
    return without(s, "L6")


def order_without_line(s: Spine) -> Spine:
    return without(s, "L3", "L8", "L11")


def risk_without_money(s: Spine) -> Spine:
    return changed(changed(s, "K1", line=""), "L9", rate=4_000)


def risk_above_its_reserve(s: Spine) -> Spine:
    return changed(s, "K1", cost=70_000, line="L10")


def yearly_cost_without_payer(s: Spine) -> Spine:
    return without(s, "O1")


def response_paid_from_other_work(s: Spine) -> Spine:
    return changed(s, "K2", line="L3")


def no_alternative_costed(s: Spine) -> Spine:
    option, other = s.decisions[0].options
    return changed(s, "D1", options=[option, other.model_copy(update={"cost": 0, "days": 0})])


def one_option(s: Spine) -> Spine:
    return changed(s, "D1", options=s.decisions[0].options[:1])


def gate_without_conditions(s: Spine) -> Spine:
    return changed(s, "G1", conditions=[])


def demand_met_by_nothing(s: Spine) -> Spine:
    return changed(s, "N1", met_by=[])


def one_person_in_two_fixed_packages(s: Spine) -> Spine:
    day = {"fixed": True, "not_before": date(2026, 3, 3)}
    return changed(changed(s, "P4", effort=20, **day), "P16", likely=20, high=24, effort=18, **day)


def too_few_people(s: Spine) -> Spine:
    return changed(s, "R3", people=1)


def papers_after_the_meeting(s: Spine) -> Spine:
    return changed(s, "A2", meeting=date(2026, 2, 8))


def gate_before_what_it_needs(s: Spine) -> Spine:
    return changed(s, "G1", day=date(2026, 3, 10))


def demand_missed(s: Spine) -> Spine:
    return changed(s, "N2", due=date(2027, 3, 1))


def demand_unlikely(s: Spine) -> Spine:
    return changed(s, "N2", due=date(2027, 3, 24))


def role_leaves_before_its_work(s: Spine) -> Spine:
    return changed(s, "R4", last=date(2027, 2, 28))


def fixed_before_what_it_needs(s: Spine) -> Spine:
    return changed(s, "P14", fixed=True, not_before=date(2027, 3, 1))


FAULTS: list[tuple[Callable[[Spine], Spine], str, set[str]]] = [
    (reserve_spent_twice, "order.reserve_used_twice", {"L10", "K1", "K2"}),
    (reserve_pays_for_work, "order.reserve_spent", {"L10", "P6"}),
    (tender_before_design, "order.tender_before_design", {"P4", "P2"}),
    (order_on_a_day_before_its_approval, "order.before_approval", {"P5", "A1"}),
    (contract_before_the_permit_of_its_work, "order.commitment_before_approval", {"P5", "A1"}),
    (grant_decided_late, "order.paid_before_granted", {"F2", "A2"}),
    (grant_decided_late, "order.commitment_above_approved", {"L3", "A2"}),
    (demand_on_another_deliverable, "order.wrong_milestone", {"N2", "P6", "V4"}),
    (trial_without_licence, "order.trial_before_licence", {"P13", "A3"}),
    (training_after_the_opening, "order.training_after_opening", {"P11", "P14"}),
    (hired_after_the_work_begins, "order.hired_late", {"P10", "P12"}),
    (pay_ends_before_the_work, "order.pay_ends_before_work", {"L6", "P14"}),
    (pay_begins_after_the_work, "order.pay_begins_after_work", {"L5", "P16"}),
    (fallback_takes_too_long, "order.fallback_too_long", {"K2", "P17", "P9", "N2"}),
    (gate_before_its_condition, "time.gate_before_condition", {"G1", "A3"}),
    (permit_waited_out_twice, "time.waited_twice", {"P20", "A1"}),
    (fixed_before_the_goal_allows_it, "time.before_allowed", {"N2", "P14"}),
    (undone_before_it_is_decided, "order.undo_before_decision", {"D1"}),
    (option_that_its_lines_have_left_behind, "money.option_cost_stale", {"D1", "L3", "L8"}),
    (undone_after_the_order, "order.undo_after_commitment", {"D1", "P8"}),
    (cost_above_budget, "money.above_budget", {"L2"}),
    (sources_below_cost, "money.above_sources", {"L2", "F2"}),
    (loan_comes_after_the_works, "money.funding_gap", {"F3"}),
    (money_tied_to_too_much, "money.giver_short", {"B1", "L2"}),
    (tied_money_comes_late, "money.giver_late", {"B1", "L8"}),
    (no_working_capital, "money.working_capital", {"O1", "U1"}),
    (no_contingency, "money.no_contingency", {"L2"}),
    (runs_at_a_loss, "money.runs_at_a_loss", {"O1", "U1"}),
    (line_without_rate, "money.line_without_amount", {"L8", "P9"}),
    (pay_of_too_few_days, "money.staff_line_disagrees", {"L5", "R1"}),
    (work_that_nobody_pays, "money.work_without_pay", {"R4"}),
    (order_without_line, "money.package_without_line", {"P8"}),
    (risk_without_money, "money.risk_without_money", {"K1", "P6"}),
    (risk_above_its_reserve, "order.reserve_too_small", {"L10", "K1"}),
    (yearly_cost_without_payer, "money.upkeep_without_payer", {"U1", "U2"}),
    (response_paid_from_other_work, "order.response_paid_elsewhere", {"K2", "L3"}),
    (no_alternative_costed, "decisions.no_alternative_costed", {"D1"}),
    (one_option, "decisions.no_alternative_costed", {"D1", "P8"}),
    (gate_without_conditions, "gates.no_conditions", {"G1", "P5"}),
    (one_person_in_two_fixed_packages, "time.two_packages_at_once", {"R1", "P4", "P16"}),
    (one_person_in_two_fixed_packages, "time.role_overloaded", {"R1", "P16"}),
    (too_few_people, "time.package_needs_more_people", {"R3", "P6"}),
    (papers_after_the_meeting, "time.papers_miss_meeting", {"A2", "P16"}),
    (gate_before_what_it_needs, "time.missed", {"G1", "P4"}),
    (demand_missed, "time.missed", {"N2", "P14"}),
    (demand_unlikely, "time.unlikely", {"N2", "P14"}),
    (role_leaves_before_its_work, "time.role_gone", {"R4", "P14"}),
    (fixed_before_what_it_needs, "time.fixed_before_need", {"P14", "P13"}),
    (demand_met_by_nothing, "demands.met_by_nothing", {"N1"}),
]


@pytest.mark.parametrize(
    ("plant", "check", "ids"), FAULTS, ids=[f"{plant.__name__}-{check}" for plant, check, _ in FAULTS]
)
def test_a_planted_fault_is_found_with_both_places(plant: Callable[[Spine], Spine], check: str, ids: set[str]) -> None:
    found = [f for f in compute(plant(sound()), runs=RUNS).findings if f.check == check]
    assert found, check
    assert any(ids <= set(f.ids) and len(f.places) >= 2 for f in found), [f.ids for f in found]
    assert found[0].severity in ("high", "medium")


@pytest.mark.parametrize(
    ("plant", "check"),
    [
        (lambda s: changed(reserve_spent_twice(s), "K2", same_cause="K1"), "order.reserve_used_twice"),
        (lambda s: changed(changed(yearly_cost_without_payer(s), "U1", paid_by="B2"), "U2", paid_by="F2"),
         "money.upkeep_without_payer"),
        (lambda s: changed(runs_at_a_loss(s), "U1", paid_by="B2"), "money.runs_at_a_loss"),
        (lambda s: changed(changed(s, "L2", rate=500), "L2", in_kind=True), "money.above_budget"),
        (lambda s: changed(changed(s, "L2", rate=500), "L2", in_kind=True), "money.above_sources"),
        (lambda s: changed(changed(s, "F1", amount=20_000), "O1", first=date(2026, 2, 1), volume=60_000),
         "money.above_sources"),
        (lambda s: changed(s, "K1", line="", cost=1_000), "order.reserve_used_twice"),
        (lambda s: changed(line_without_rate(s), "L8", in_kind=True), "money.line_without_amount"),
        (lambda s: changed(undone_after_the_order(s), "P8", free_until=date(2026, 12, 1)),
         "order.undo_after_commitment"),
        (lambda s: changed(one_person_in_two_fixed_packages(s), "R1",
                           periods=[r.Period(first=date(2026, 1, 1), last=date(2027, 12, 31), people=2)]),
         "time.role_overloaded"),
    ],
    ids=["one-loss", "payers", "carried-loss", "hours-in-budget", "hours-in-sources", "earned", "pooled", "given",
         "free-hold", "two-at-times"],
)  # fmt: skip
def test_what_is_right_is_no_fault(plant: Callable[[Spine], Spine], check: str) -> None:
    assert check not in {f.check for f in compute(plant(sound()), runs=RUNS).findings}


def test_a_sound_plan_has_no_severe_finding() -> None:
    assert [f for f in compute(sound(), runs=RUNS).findings if f.severity != "low"] == []
