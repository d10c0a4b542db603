"""The outline of each example goal passes every check: a finding there is a fault of the outline or of the check."""

import os

import pytest

from planloom.api.example_prompts import example_prompts
from planloom.quality.checks import assess
from tests.unit.quality.whole import whole

#: A café, a wall and an app: goals as unlike as the examples have them. `PLANLOOM_ALL_EXAMPLES=1` takes all twelve.
CHOSEN = {"bakery-cafe-lisbon", "flood-wall-aalborg", "offline-nurse-app-kenya"}
SAMPLES = {
    sample["id"]: sample["prompt"]
    for sample in example_prompts()
    if os.environ.get("PLANLOOM_ALL_EXAMPLES") or sample["id"] in CHOSEN
}


@pytest.mark.parametrize("prompt", SAMPLES.values(), ids=SAMPLES)
def test_nothing_is_found_in_the_outline_of_an_example_goal(prompt):
    found = assess(whole(prompt)).findings

    assert [(finding.check, finding.message) for finding in found] == []
