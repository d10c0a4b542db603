"""Each check finds the fault that was planted for it, alone, and names both places; all faults are all reports."""

import pytest

from planloom.quality.checks import assess
from tests.unit.quality.planted import FAULTS
from tests.unit.quality.whole import whole
from tests.unit.three_goals import CAFE, FLOOD_WALL, NURSE_APP

ORDER = "deadline network dates money register denied demands people wording names actions".split()  # noqa: SIM905


def test_there_is_a_fault_for_each_check_but_the_last():
    assert {fault.check for fault in FAULTS.values()} == set(ORDER)
    assert len(FAULTS) == len(ORDER)


@pytest.mark.parametrize("prompt", [CAFE, FLOOD_WALL, NURSE_APP], ids=["cafe", "wall", "app"])
def test_a_plan_without_a_planted_fault_passes_every_check(prompt):
    quality = assess(whole(prompt))

    assert quality.findings == ()
    assert quality.score == 100
    assert [checked.check for checked in quality.checks] == [*ORDER, "carried", "missing"]
    assert all(any(c.isdigit() for c in checked.looked_at) for checked in quality.checks), "each says what it read"


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_the_check_that_a_fault_was_planted_for_finds_it_and_no_other_does(fault):
    found = assess(fault.plant(whole(CAFE))).findings

    assert [(finding.check, finding.severity) for finding in found] == [(fault.check, fault.severity)]
    assert tuple(place.file for place in found[0].places) == fault.files
    assert all(place.quote for place in found[0].places)


def test_a_plan_with_all_faults_reports_all():
    draft = whole(CAFE)
    for fault in FAULTS.values():
        draft = fault.plant(draft)

    quality = assess(draft)

    assert {finding.check for finding in quality.findings} == set(ORDER)
    assert quality.summary.findings.model_dump() == {"high": 7, "medium": 2, "low": 2}
    assert quality.score == 0
