"""A plan as an item of the table, and back."""

from planloom.adapters.plan_items import plan_fields, plan_of
from planloom.domain.quality import FindingCounts, QualitySummary
from tests.unit.services.walk import begin
from tests.worlds import make_fakes


def test_a_plan_without_a_score_comes_back_as_it_was() -> None:
    quality = QualitySummary(score=None, findings=FindingCounts(high=2))
    plan = begin(make_fakes()).model_copy(update={"quality": quality})

    assert plan_of(plan_fields(plan)) == plan
