"""A plan as an item of the table, and back."""

from planloom.adapters.plan_items import plan_fields, plan_of
from planloom.planes.strategic.quality_score import FindingCounts, QualitySummary
from tests.fake_ports import make_fakes
from tests.unit.strategic.services.walk import begin


def test_a_plan_without_a_score_comes_back_as_it_was() -> None:
    quality = QualitySummary(score=None, findings=FindingCounts(high=2))
    plan = begin(make_fakes()).model_copy(update={"quality": quality})

    assert plan_of(plan_fields(plan)) == plan
