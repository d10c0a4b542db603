"""The outline of each example goal passes every check but for what was not understood of the goal."""

import pytest

from planloom.api.example_prompts import example_prompts
from planloom.quality.checks import assess
from tests.thorough import sampled
from tests.unit.quality.whole import whole

SAMPLES = {sample["id"]: sample["prompt"] for sample in sampled(example_prompts(), every=6)}


@pytest.mark.parametrize("prompt", SAMPLES.values(), ids=SAMPLES)
def test_nothing_is_found_in_the_outline_of_an_example_goal(prompt):
    found = assess(whole(prompt)).findings

    assert [(f.check, f.message) for f in found if "and no fact holds it" not in f.message] == []
