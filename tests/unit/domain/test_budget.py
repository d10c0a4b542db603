"""The arithmetic of the budget: exact sums, nothing negative, stated amounts and caps kept."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.domain.budget import Budget, Funding, LineDraft, Pay, apportion, make_budget, share_out

totals = st.integers(min_value=0, max_value=10_000_000_000)
weights = st.lists(st.floats(min_value=0, max_value=1, allow_nan=False), min_size=1, max_size=20)


def line(name: str, weight: float, **more: object) -> LineDraft:
    return LineDraft(id=name, title=name, weight=weight, seed=(1.0, 2.0, 1.0), basis="assumed", **more)  # type: ignore[arg-type]


def budget(total: int, drafts: Sequence[LineDraft], contingency: int = 0) -> Budget:
    return make_budget(
        currency="EUR",
        total=total,
        contingency=contingency,
        contingency_stated=False,
        drafts=drafts,
        phases=[("prepare", 0.2), ("build", 0.6), ("launch", 0.2)],
        estimate_class=4,
    )


@st.composite
def drafts(draw: st.DrawFn) -> list[LineDraft]:
    def one(n: int) -> LineDraft:
        return LineDraft(
            id=f"l{n}",
            title=f"Line {n}",
            weight=draw(st.floats(min_value=0.001, max_value=1)),
            seed=tuple(draw(st.floats(min_value=0, max_value=9)) for _ in range(3)),
            basis="assumed",
            fixed=draw(st.none() | st.integers(min_value=0, max_value=400_000)),
            cap=draw(st.none() | st.integers(min_value=0, max_value=400_000)),
            pay=draw(st.none() | st.just(Pay(posts=("p",), heads=2, fte_months=7.5))),
        )

    return [one(n) for n in range(draw(st.integers(min_value=1, max_value=12)))]


@given(totals, weights)
def test_parts_sum_to_the_whole_and_none_is_negative(total: int, shares: list[float]) -> None:
    parts = apportion(total, shares)

    assert sum(parts) == total
    assert min(parts) >= 0


@given(totals, weights)
def test_no_part_is_a_whole_unit_from_its_exact_share(total: int, shares: list[float]) -> None:
    whole = sum(shares)
    if whole == 0:
        return

    for part, share in zip(apportion(total, shares), shares, strict=True):
        assert abs(part - total * share / whole) < 1 + 1e-6 * total


def test_the_largest_remainders_get_the_odd_units() -> None:
    assert apportion(100, [1, 1, 1]) == (34, 33, 33)
    assert apportion(10, [0.16, 0.17, 0.67]) == (1, 2, 7)


@pytest.mark.parametrize(("total", "shares"), [(5, []), (-1, [1.0]), (5, [1.0, -0.5])])
def test_what_cannot_be_apportioned_is_refused(total: int, shares: list[float]) -> None:
    with pytest.raises(ValueError, match="apportion needs weights"):
        apportion(total, shares)


@given(st.integers(min_value=0, max_value=2_000_000), st.integers(min_value=0, max_value=300_000), drafts())
def test_lines_and_contingency_sum_to_the_total_in_both_directions(
    total: int, contingency: int, lines: list[LineDraft]
) -> None:
    made = budget(total, lines, min(contingency, total))

    assert sum(each.amount for each in made.lines) + made.contingency == total
    assert all(sum(each.by_phase) == each.amount for each in made.lines)
    assert sum(made.phase_totals) + made.contingency == total
    assert min(made.contingency, *(cell for each in made.lines for cell in each.by_phase)) >= 0


@given(st.integers(min_value=1_000, max_value=2_000_000), st.integers(min_value=0, max_value=900))
def test_a_stated_amount_stays_as_it_is_stated(total: int, stated: int) -> None:
    made = budget(total, [line("rent", 0.5, fixed=stated), line("oven", 0.5)], contingency=total // 10)

    assert (made.lines[0].amount, made.lines[0].stated) == (stated, True)
    assert made.overrun == 0


def test_a_cap_binds_and_the_other_lines_take_what_it_cuts_off() -> None:
    contingency, amounts, overrun = share_out(1_000, 100, [line("rent", 0.6, cap=200), line("oven", 0.4)])

    assert (contingency, amounts, overrun) == (100, (200, 700), 0)


def test_stated_amounts_eat_contingency_before_they_overrun() -> None:
    assert share_out(1_000, 100, [line("a", 1, fixed=950)]) == (50, (950,), 0)
    assert share_out(1_000, 100, [line("a", 1, fixed=1_500), line("b", 1, fixed=500)]) == (0, (750, 250), 1_000)


def test_pay_follows_its_people_and_other_lines_the_weight_of_the_phases() -> None:
    pay = LineDraft("pay", "Pay", 0.5, (0.0, 1.0, 1.0), "assumed", pay=Pay(posts=("cook",), heads=1, fte_months=10))

    made = budget(1_000, [pay, line("rest", 0.5)])

    assert made.lines[0].by_phase == (0, 250, 250)
    assert made.lines[0].rate == 50
    assert made.lines[1].by_phase == (63, 375, 62)


def test_what_the_funding_leaves_open_is_the_gap() -> None:
    made = budget(240, [line("all", 1)]).model_copy(
        update={"funding": (Funding(title="Savings", amount=90, condition="none", basis="the goal"),)}
    )

    assert made.gap == 150
