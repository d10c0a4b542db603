"""The state machine of runs on the embedded AWS, which reads no timeout from the state."""

import pytest
import yaml

from infra.run_steps import DEFINITION, FIXED_TIMEOUTS, with_fixed_timeouts


@pytest.mark.parametrize("days", [0.001, 1, 30, 400])
def test_with_fixed_timeouts_a_wait_takes_few_looks_and_misses_no_deadline(days: float) -> None:
    states = with_fixed_timeouts(yaml.safe_load(DEFINITION.read_text())["States"]["park"])
    left, looks = days * 86_400, 0
    while left > 0:
        choices = states["park"]["Choices"]
        fitting = [each["Next"] for each in choices if left >= each["NumericGreaterThanEquals"]]
        parked = states[fitting[0] if fitting else states["park"]["Default"]]
        assert "TimeoutSecondsPath" not in parked
        assert parked["TimeoutSeconds"] <= max(left, FIXED_TIMEOUTS[0])
        left, looks = left - parked["TimeoutSeconds"], looks + 1
    assert looks <= len(FIXED_TIMEOUTS) + days / 30
