"""Everything computed of one spine: total, always the same, and named for texts."""

from datetime import date, timedelta

from hypothesis import HealthCheck, Phase, given, settings

from planloom.planes.strategic.compute.compute import compute
from planloom.planes.strategic.compute.computed import Computed, Finding
from planloom.planes.strategic.compute.found import chance_text, ordered, verdict
from planloom.planes.strategic.compute.values import computed_values
from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.repair import repaired
from planloom.planes.strategic.spine.spine import Spine
from tests.unit.strategic.compute.sound import changed, sound
from tests.unit.strategic.spine.spines import TODAY, spines


# shrinking a whole spine takes minutes
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), phases=[Phase.generate])
@given(spines())
def test_every_repaired_spine_is_computed_and_always_the_same(spine: Spine) -> None:
    fixed, _ = repaired(spine, TODAY)
    found = compute(fixed, runs=5)
    assert compute(fixed, runs=5) == found
    assert Computed.model_validate_json(found.model_dump_json()) == found
    assert computed_values(fixed, found) == computed_values(fixed, found)
    assert all(len(f.places) >= 2 for f in found.findings), [f.id for f in found.findings if len(f.places) < 2]


def test_amounts_and_days_at_their_bounds_are_computed() -> None:
    extreme = Spine(
        frame=r.Frame(title="Far", objective="Far", start=date(2026, 1, 5), budget=1e13),
        packages=(r.Package(id="P1", title="Long", low=5_000, likely=5_000, high=5_000),),
        lines=(
            r.Line(id="L1", title="Most", quantity=1e9, rate=1e12, paid="even", first=date.min, last=date.max),
            r.Line(id="L2", title="Early", rate=1, paid="on_days", days=[date.min, date.max], package="P1"),
        ),
        sources=(r.Source(id="F1", title="Late", amount=1e12, day=date.max),),
        streams=(
            r.Stream(id="O1", title="Far", volume=1e12, price=1e9, first=date.max, paid_after=365, ramp_months=60),
            r.Stream(id="O2", title="Old", volume=1e12, price=1e9, first=date.min, paid_after=365, ramp_months=60),
        ),
        upkeep=(r.Upkeep(id="U1", title="Old", likely=1e12, first=date.min),),
        gates=(r.Gate(id="G1", title="Go", leaving_cost=float("inf")),),
        risks=(r.Risk(id="K1", cause="x", event="y", cost=1e12, days=3650, trigger_by=date.max, package="P1"),),
    )
    found = compute(extreme, runs=5)
    assert Computed.model_validate_json(found.model_dump_json()) == found
    assert computed_values(extreme, found)["L1.amount"] == "1,000,000,000,000,000,000,000"


def test_texts_name_figures_of_rows_and_of_the_whole() -> None:
    spine = sound()
    found = compute(spine, runs=50)
    values = computed_values(spine, found)
    named = ("P5.start", "P5.end", "P5.days", "P6.effort", "A2.answer", "A2.releases", "N2.due", "D1.A.cost", "K1.odds")
    assert {name: values[name] for name in named} == {
        "P5.start": "2 October 2026",
        "P5.end": "8 October 2026",
        "P5.days": "5 working days",
        "P6.effort": "180 person-days",
        "A2.answer": "8 July 2026",
        "A2.releases": "EUR 150,000",
        "N2.due": "31 August 2027",
        "D1.A.cost": "EUR 60,000",
        "K1.odds": "20%",
    }
    whole = (
        "start",
        "total_cost",
        "cost",
        "cost_staff",
        "contingency",
        "contingency_share",
        "sources_total",
        "gap",
        "budget",
    )
    assert {name: values[name] for name in whole} == {
        "start": "12 January 2026",
        "total_cost": "EUR 380,270",
        "cost": "EUR 280,270",
        "cost_staff": "EUR 15,770",
        "contingency": "EUR 40,000",
        "contingency_share": "14%",
        "sources_total": "EUR 400,000",
        "gap": "none",
        "budget": "EUR 400,000",
    }
    run = ("year1.earned", "year2.result", "G1.day", "G1.leaving_cost", "L2.amount", "F3.day", "end.due")
    assert {name: values[name] for name in run} == {
        "year1.earned": "EUR 175,000",
        "year2.result": "EUR 43,000",
        "G1.day": "1 October 2026",
        "G1.leaving_cost": "EUR 4,000",
        "L2.amount": "EUR 120,000",
        "F3.day": "1 September 2026",
        "end.due": "29 October 2027",
    }
    assert {"N2.computed", "N2.p50", "N2.p80", "N2.chance", "N2.stressed", "R1.load_peak", "break_even"} <= set(values)


def test_a_gap_is_named_with_its_month() -> None:
    late = changed(changed(sound(), "F1", amount=120_000), "F3", amount=130_000, day=date(2027, 6, 1))
    found = compute(late, runs=1)
    values = computed_values(late, found)
    assert (values["gap"], values["gap_month"]) == ("EUR 10,270", "March 2027")


def test_chances_are_rounded_to_five_percent() -> None:
    assert [chance_text(c) for c in (0, 0.04, 0.05, 0.42, 0.43, 0.9, 1)] == [
        "under 5%",
        "under 5%",
        "5%",
        "40%",
        "45%",
        "90%",
        "over 95%",
    ]


def test_the_verdict_is_that_of_the_chance_as_printed() -> None:
    said = {chance_text(c): verdict(c) for c in (1, 0.8, 0.78, 0.77, 0.5, 0.45, 0.2, 0.17, 0)}
    assert said == {
        "over 95%": "holds",
        "80%": "holds",
        "75%": "likely",
        "50%": "likely",
        "45%": "at risk",
        "20%": "at risk",
        "15%": "does not hold",
        "under 5%": "does not hold",
    }


def test_findings_are_sorted_and_eight_of_a_check_are_kept() -> None:
    rows = [_finding("b.low", "low", n) for n in range(9)] + [_finding("a.high", "high", n) for n in range(2)]
    kept = ordered(rows)
    assert [f.check for f in kept] == ["a.high"] * 2 + ["b.low"] * 8
    assert (kept[-1].advice, kept[-2].advice) == ("1 more of this check.", "")
    many = [_finding(f"c.{check}", "medium", n) for check in range(20) for n in range(5)]
    assert len(ordered(many)) == 80


def test_the_computed_days_agree_with_the_schedule() -> None:
    found = compute(sound(), runs=1)
    assert found.end == max(p.end for p in found.packages)
    assert found.months[0].first == date(2026, 1, 1)
    assert found.answers["D1"] == date(2026, 6, 30)
    assert all(m.first + timedelta(days=31) >= n.first for m, n in zip(found.months, found.months[1:], strict=False))


def _finding(check: str, severity: str, number: int) -> Finding:
    return Finding.model_validate(
        {"id": f"{check}:{number}", "check": check, "severity": severity, "ids": (), "text": "x", "places": ()}
    )
