"""Three-point estimates."""

from random import Random
from statistics import fmean, pstdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.domain.pert import ThreePoint, ordered

points = st.lists(st.floats(0.5, 400), min_size=3, max_size=3)


def test_mean_and_deviation_are_those_of_pert():
    estimate = ThreePoint(4, 7, 16)
    assert (estimate.mean, estimate.deviation, estimate.days) == (8, 2, 8)


@given(points)
def test_an_estimate_lies_between_its_ends_however_its_points_came(values):
    estimate = ordered(values)
    assert estimate.optimistic <= estimate.mean + 1e-9
    assert estimate.mean <= estimate.pessimistic + 1e-9
    assert estimate.days >= 1


@given(points, st.floats(0.3, 3))
def test_scaling_keeps_the_order_and_prints_whole_or_half_days(values, factor):
    scaled = ordered(values).scaled(factor)
    for value in (scaled.optimistic, scaled.likely, scaled.pessimistic):
        assert value == int(value) if value >= 2 else value * 2 == int(value * 2)


@pytest.mark.parametrize("values", [(0, 1, 2), (3, 2, 4), (1, 5, 4), (-1, 2, 3)])
def test_points_out_of_order_are_refused(values):
    with pytest.raises(ValueError, match="optimistic"):
        ThreePoint(*values)


def test_samples_have_the_mean_and_about_the_deviation_of_pert():
    estimate = ThreePoint(10, 20, 40)
    draw = estimate.sampler(Random(7))
    drawn = [draw() for _ in range(4000)]
    assert min(drawn) >= 10
    assert max(drawn) <= 40
    assert fmean(drawn) == pytest.approx(estimate.mean, abs=0.3)
    assert pstdev(drawn) == pytest.approx(estimate.deviation, rel=0.15)


def test_an_estimate_without_spread_is_its_own_sample():
    assert ThreePoint(5, 5, 5).sampler(Random(1))() == 5
