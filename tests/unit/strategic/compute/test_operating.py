"""Years of operation, break even, working capital and swings; sums of lines and sources."""

from datetime import date
from typing import Any

from planloom.planes.strategic.compute.cash import sums
from planloom.planes.strategic.compute.computed import Sum, Swing, Year
from planloom.planes.strategic.compute.operating import break_even, swings, working_capital, years
from planloom.planes.strategic.compute.schedule import schedule
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.spine import Spine


def spine(**tables: Any) -> Spine:
    """One package from 4 to 29 January 2027; it operates from 1 February unless a row says otherwise."""
    packages = (r.Package(id="P1", title="Build", low=10, likely=20, high=30),)
    frame = r.Frame(title="Shed", objective="Build a shed", currency="EUR", start=date(2027, 1, 4))
    return Spine(frame=frame, **{"packages": packages, **tables})


def stream(**fields: Any) -> r.Stream:
    return r.Stream(
        **{
            "id": "O1",
            "title": "Rides",
            "volume": 1_200,
            "price": 10,
            "unit_cost": 4,
            "first": date(2027, 2, 1),
            **fields,
        }
    )


UPKEEP = r.Upkeep(id="U1", title="Rent", low=2_000, likely=2_400, high=3_600)


def test_five_years_are_computed_from_the_first_stream_on() -> None:
    found = years(schedule(spine(streams=(stream(paid_after=73),), upkeep=(UPKEEP,))))
    assert [year.first for year in found] == [date(year, 2, 1) for year in range(2027, 2032)]
    assert found[0] == Year(
        number=1, first=date(2027, 2, 1), earned=12_000, variable=4_800, fixed=2_400, result=4_800, tied_up=2_400
    )
    assert found[4].result == 4_800


def test_a_ramp_earns_less_and_ties_up_what_it_eats() -> None:
    first, second = years(schedule(spine(streams=(stream(ramp_months=5),), upkeep=(UPKEEP,))))[:2]
    # month 1 sells a sixth: 100 of margin against 200 of rent
    assert (first.earned, first.result, first.tied_up) == (9_500, 3_300, 100)
    assert (second.earned, second.result, second.tied_up) == (12_000, 4_800, 0)


def test_what_a_party_or_a_source_pays_by_the_year_is_carried_and_the_year_does_not_lose_it() -> None:
    paid = UPKEEP.model_copy(update={"paid_by": "B1", "low": 0})
    [year, *_], [own, *_] = (years(schedule(spine(streams=(stream(),), upkeep=(row,)))) for row in (paid, UPKEEP))
    assert (year.fixed, year.carried, own.carried) == (2_400, 2_400, 0)
    assert year.result == own.result + 2_400
    assert "U1" not in {swing.id for swing in swings(schedule(spine(streams=(stream(),), upkeep=(paid,))))}


def test_nothing_that_runs_has_no_years() -> None:
    assert years(schedule(spine())) == ()
    assert break_even(schedule(spine())) is None
    assert working_capital(schedule(spine())) == (0.0, None)


def test_the_cost_is_paid_back_in_the_month_in_which_the_results_reach_it() -> None:
    lines = (r.Line(id="L1", title="Works", rate=1_000), r.Line(id="L2", title="Reserve", rate=900, kind="reserve"))
    tables = {"streams": (stream(),), "upkeep": (UPKEEP,), "lines": lines}
    # 400 a month
    assert break_even(schedule(spine(**tables))) == date(2027, 4, 1)
    assert break_even(schedule(spine(**tables | {"streams": (stream(price=4),)}))) is None


def test_working_capital_is_the_deepest_cash_of_operation() -> None:
    # each month pays 400 + 200 on its first day; 1,000 comes 60 days after its end
    found = working_capital(schedule(spine(streams=(stream(paid_after=60),), upkeep=(UPKEEP,))))
    assert found == (1_800.0, date(2027, 4, 1))


def test_swings_are_differences_from_the_likely_result_with_the_widest_first() -> None:
    ranged = stream(volume_low=1_000, volume_high=1_300, price_low=9, price_high=10)
    approval = r.Approval(id="A1", title="Permit", low=1, likely=2, high=3)
    risks = (
        r.Risk(id="K1", cause="Rain", event="It floods", cost=50),
        r.Risk(id="K2", cause="Wind", event="It falls", cost=70),
        r.Risk(id="K3", cause="Sun", event="It burns"),
    )
    tables = {"streams": (ranged,), "upkeep": (UPKEEP,), "risks": risks, "approvals": (approval,)}
    assert swings(schedule(spine(**tables))) == (
        Swing(id="P1", title="Build", result="end_days", low=-14, high=14),
        Swing(id="K2", title="It falls", result="cost", low=0, high=70),
        Swing(id="K1", title="It floods", result="cost", low=0, high=50),
        Swing(id="O1", title="Rides: volume", result="year_result", low=-1_200, high=600),
        Swing(id="U1", title="Rent", result="year_result", low=400, high=-1_200),
        Swing(id="O1", title="Rides: price", result="year_result", low=-1_200, high=0),
    )


def test_lines_are_summed_by_kind_and_sources_by_status() -> None:
    lines = (
        r.Line(id="L1", title="Works", quantity=3, rate=100),
        r.Line(id="L2", title="Pay", rate=100, kind="staff"),
        r.Line(id="L3", title="Contingency", rate=60, kind="contingency"),
        r.Line(id="L4", title="Reserve", rate=40, kind="reserve"),
    )
    sources = (
        r.Source(id="F1", title="Own", amount=200, status="there"),
        r.Source(id="F2", title="Loan", amount=300, status="promised"),
        r.Source(id="F3", title="Bank", amount=1, status="promised"),
    )
    assert sums(spine(lines=lines, sources=sources)) == (
        Sum(name="one_off", amount=300),
        Sum(name="staff", amount=100),
        Sum(name="contingency", amount=60),
        Sum(name="reserve", amount=40),
        Sum(name="cost", amount=400),
        Sum(name="total", amount=500),
        Sum(name="contingency_share", amount=0.15),
        Sum(name="there", amount=200),
        Sum(name="promised", amount=301),
        Sum(name="sources", amount=501),
    )
