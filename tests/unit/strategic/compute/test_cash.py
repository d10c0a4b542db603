"""What is paid and received when, the gap, and what gates decide over."""

from datetime import date, timedelta
from typing import Any

from planloom.planes.strategic.compute.cash import Cash, Flow, cash_of, gate_money, payments_of, spread, sums_of
from planloom.planes.strategic.compute.causes import drawn_lines
from planloom.planes.strategic.compute.computed import Drawn, GateMoney, Month
from planloom.planes.strategic.compute.schedule import schedule
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.spine import Spine

START = date(2027, 2, 1)  # a Monday


def spine(**tables: Any) -> Spine:
    """Two packages of ten working days: 1 to 12 February, 15 to 26 February."""
    packages = (
        r.Package(id="P1", title="Order", kind="order", owner="R1", low=10, likely=10, high=10),
        r.Package(
            id="P2", title="Build", kind="build", owner="R1", low=10, likely=10, high=10, needs=[r.Need(id="P1")]
        ),
    )
    frame = r.Frame(title="Shed", objective="Build a shed", currency="EUR", start=START)
    return Spine(frame=frame, roles=(r.Role(id="R1", title="Carpenter"),), **{"packages": packages, **tables})


def cash(**tables: Any) -> Cash:
    return cash_of(schedule(spine(**tables)))


def paid(line: r.Line) -> list[tuple[date, float]]:
    return [(flow.day, round(flow.amount, 2)) for flow in payments_of(line, schedule(spine()))]


def line(**fields: Any) -> r.Line:
    return r.Line(**{"id": "L1", "title": "Line", "quantity": 2, "rate": 50, **fields})


def test_a_line_is_paid_at_the_start_or_end_of_its_package() -> None:
    assert paid(line(package="P2", paid="start")) == [(date(2027, 2, 15), 100)]
    assert paid(line(package="P2", paid="end")) == [(date(2027, 2, 26), 100)]


def test_a_line_without_package_is_paid_at_the_end_of_the_plan() -> None:
    assert paid(line()) == [(date(2027, 2, 26), 100)]


def test_a_line_is_paid_in_equal_parts_on_its_days() -> None:
    days = [date(2027, 5, 1), date(2027, 3, 1)]
    assert paid(line(paid="on_days", days=days)) == [(date(2027, 3, 1), 50), (date(2027, 5, 1), 50)]


def test_shares_say_how_much_is_paid_on_each_day() -> None:
    days, shares = [date(2027, 5, 1), date(2027, 3, 1)], [0.6, 0.4]
    assert paid(line(paid="on_days", days=days, shares=shares)) == [(date(2027, 3, 1), 40), (date(2027, 5, 1), 60)]
    assert paid(line(paid="on_days", days=days, shares=[1.0])) == paid(line(paid="on_days", days=days))


def test_lines_and_sources_in_kind_are_cost_and_money_and_no_cash() -> None:
    hours = r.Source(id="F1", title="Own hours", amount=100, day=date(2027, 1, 4), in_kind=True)
    made = cash(lines=(line(in_kind=True),), sources=(hours,))
    assert (made.flows, made.gap) == ((), (0.0, None))
    assert (sums_of(made.schedule.spine)["cost"], sums_of(made.schedule.spine)["sources"]) == (100, 100)


def test_a_line_is_paid_evenly_at_the_end_of_each_month() -> None:
    even = line(paid="even", first=date(2027, 1, 22), last=date(2027, 3, 2), rate=20)
    assert paid(even) == [(date(2027, 1, 31), 10), (date(2027, 2, 28), 28), (date(2027, 3, 2), 2)]


def test_pay_of_a_role_runs_over_its_packages() -> None:
    assert paid(line(kind="staff", role="R1")) == [(date(2027, 2, 26), 100)]
    longer = line(kind="staff", role="R1", last=date(2027, 3, 28))
    assert paid(longer) == [(date(2027, 2, 28), 50), (date(2027, 3, 28), 50)]


def test_contingency_and_reserve_are_not_paid() -> None:
    assert paid(line(kind="contingency")) == paid(line(kind="reserve")) == []


def test_the_days_of_a_line_that_are_the_wrong_way_round_are_one_day() -> None:
    assert list(spread(10, date(2027, 3, 1), date(2027, 3, 1))) == [(date(2027, 3, 1), 10)]
    assert paid(line(paid="even", first=date(2027, 5, 1), last=date(2027, 3, 1))) == [(date(2027, 5, 1), 100)]


def test_months_run_from_the_first_payment_to_the_last() -> None:
    tables = {
        "lines": (
            line(package="P1", paid="start"),
            line(id="L2", package="P2", paid="on_days", days=[date(2027, 4, 10)], rate=100),
        ),
        "sources": (
            r.Source(id="F1", title="Own", amount=30, day=date(2027, 1, 4), status="there"),
            r.Source(id="F2", title="Loan", amount=250, day=date(2027, 4, 20), status="promised"),
        ),
    }
    found = cash(**tables)
    assert found.months == (
        Month(first=date(2027, 2, 1), paid=100, received=0, balance=-70, committed=300),
        Month(first=date(2027, 3, 1), paid=0, received=0, balance=-70, committed=300),
        Month(first=date(2027, 4, 1), paid=200, received=250, balance=-270, committed=300),
    )
    assert found.gap == (270, date(2027, 4, 10))


def test_a_line_is_committed_when_its_first_work_starts_and_never_less_than_is_paid() -> None:
    def committed(*lines: r.Line) -> list[tuple[date, float]]:
        return [(flow.day, round(flow.amount)) for flow in cash(lines=lines).committed]

    assert committed(line(package="P2")) == [(date(2027, 2, 15), 100)]
    assert committed(line(package="P2", other_packages=["P1"])) == [(START, 100)]
    assert committed(line(package="P2", paid="on_days", days=[START])) == [(START, 100)]
    assert committed(line()) == [(date(2027, 2, 26), 100)]
    upkeep = r.Upkeep(id="U1", title="Rent", likely=1200, first=START)
    (month,) = cash(lines=(line(package="P1", paid="start"),), upkeep=(upkeep,)).months
    assert (month.paid, month.committed) == (200, 200)


def test_contingency_is_in_no_month_and_in_what_is_left_if_all_of_it_is_spent() -> None:
    lines = (line(package="P1"), line(id="L2", kind="contingency", package="P2"))
    found = cash(lines=lines, sources=(r.Source(id="F1", title="Own", amount=150, day=START),))
    assert [month.paid for month in found.months] == [100]
    assert (found.gap, found.all_spent) == ((0, None), -50)


def test_a_line_of_several_packages_is_paid_from_the_first_to_the_last_of_them() -> None:
    assert paid(line(package="P2", other_packages=["P1"], paid="start")) == [(START, 100)]
    assert paid(line(package="P1", other_packages=["P2"], paid="end")) == [(date(2027, 2, 26), 100)]


def test_a_deposit_is_paid_on_its_day_and_the_rest_at_the_end() -> None:
    days = [date(2027, 1, 20)]
    assert paid(line(package="P2", days=days, shares=[0.3])) == [(days[0], 30), (date(2027, 2, 26), 70)]
    assert paid(line(package="P2", days=days)) == [(date(2027, 2, 26), 100)]


def test_on_one_day_receipts_go_before_payments() -> None:
    lines = (line(package="P1", paid="start"),)
    source = r.Source(id="F1", title="Own", amount=100, day=START)
    assert cash(lines=lines, sources=(source,)).gap == (0, None)
    late = source.model_copy(update={"day": START + timedelta(days=1)})
    assert cash(lines=lines, sources=(late,)).gap == (100, START)


def test_money_that_waits_for_an_approval_comes_with_its_answer() -> None:
    approval = r.Approval(id="A1", title="Vote", low=20, likely=20, high=20, papers=["P1"])
    sources = (
        r.Source(id="F1", title="Grant", amount=100, day=START, after="A1"),
        r.Source(id="F2", title="Rest", amount=10, day=date(2027, 6, 1), after="A1"),
        r.Source(id="F3", title="No day", amount=1),
    )
    found = cash(approvals=(approval,), sources=sources)
    answer = found.schedule.approvals["A1"]
    assert found.flows == (Flow(START, 1, "F3"), Flow(answer, 100, "F1"), Flow(date(2027, 6, 1), 10, "F2"))


def test_what_runs_within_the_plan_earns_and_costs() -> None:
    tables = {
        "streams": (
            r.Stream(
                id="O1", title="Rides", volume=120, price=3, unit_cost=1, first=START, ramp_months=1, paid_after=0
            ),
        ),
        "upkeep": (r.Upkeep(id="U1", title="Rent", likely=60, first=START), r.Upkeep(id="U2", title="Later", likely=9)),
        "packages": (r.Package(id="P1", title="Run", low=38, likely=38, high=38),),
    }
    flows = [flow for flow in cash(**tables).flows if flow.id != "U2"]
    assert flows == [
        Flow(START, -5, "O1"),
        Flow(START, -5, "U1"),
        Flow(date(2027, 2, 28), 15, "O1"),
        Flow(date(2027, 3, 1), -10, "O1"),
        Flow(date(2027, 3, 1), -5, "U1"),
    ]


def test_what_a_party_pays_by_the_year_is_no_cash_of_the_plan_and_what_a_source_pays_is() -> None:
    rent = r.Upkeep(id="U1", title="Rent", likely=1200, first=START)
    others = (rent.model_copy(update={"paid_by": payer}) for payer in ("B1", "F1", ""))
    assert [cash(upkeep=(row,)).flows for row in others] == [(), *[(Flow(START, -100, "U1"),)] * 2]


def test_risks_draw_on_the_lines_that_they_name_or_on_the_contingency() -> None:
    lines = (line(id="L1", kind="reserve"), line(id="L2", kind="contingency"), line(id="L3"))
    risk = {"cause": "x", "event": "y", "odds": 0.5}
    risks = (
        r.Risk(id="K1", cost=40, line="L1", **risk),
        r.Risk(id="K2", cost=60, **risk),
        r.Risk(id="K3", cost=20, same_cause="K2", line="L2", **risk),
        r.Risk(id="K4", cost=10, line="L3", **risk),
        r.Risk(id="K5", cost=10, package="P1", **risk),
    )
    assert drawn_lines(spine(lines=lines, risks=risks)) == (
        Drawn(line="L1", amount=100, risks=("K1",), whole=40, expected=20),
        Drawn(line="L2", amount=100, risks=("K2", "K3"), whole=60, expected=30),
    )


def test_a_gate_decides_over_what_is_paid_and_what_is_owed() -> None:
    lines = (
        line(package="P1", paid="on_days", days=[date(2027, 2, 8), date(2027, 6, 1)]),
        line(id="L2", package="P2", paid="start", rate=10),
    )
    gates = (
        r.Gate(id="G1", title="Go", day=date(2027, 2, 19), leaving_cost=7),
        r.Gate(id="G2", title="Stop", day=date(2027, 7, 1), leaving_cost=float("inf")),
    )
    assert gate_money(cash(lines=lines, gates=gates)) == (
        GateMoney(id="G1", day=date(2027, 2, 19), sunk=70, owed=50, leaving_cost=7),
        GateMoney(id="G2", day=date(2027, 7, 1), sunk=120, owed=0, leaving_cost=0),
    )


def test_the_table_of_cash_has_at_most_ten_years() -> None:
    days = [date(2027, 3, 1), date(2090, 3, 1)]
    found = cash(lines=(line(paid="on_days", days=days),))
    assert len(found.months) == 120
    assert found.gap == (100, date(2090, 3, 1))
