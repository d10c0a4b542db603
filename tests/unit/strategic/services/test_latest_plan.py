"""The latest plan of an account: archived ones and those that are gone are passed over."""

import pytest

from planloom.core.errors import PlanNotFound
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.services.archive_plan import archive_plan
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.services.delete_plan import delete_plan
from planloom.planes.strategic.services.latest_plan import latest_plan
from planloom.planes.strategic.services.stop_plan import stop_plan
from tests.fake_ports import PROMPT, Fakes, make_fakes


@pytest.fixture
def fakes() -> Fakes:
    return make_fakes()


@pytest.fixture
def plans(fakes: Fakes) -> list[Plan]:
    """Two plans that were stopped, the older one first."""
    made = []
    for _ in range(2):
        plan = create_plan(fakes.ports.run_control, fakes.ports.models, "acme", PROMPT)
        made.append(stop_plan(fakes.ports.run_control, "acme", plan.plan_id))
        fakes.clock.pass_(minutes=1)
    return made


def test_17_3_archived_plans_are_passed_over_and_where_there_are_no_others_it_says_so(
    fakes: Fakes, plans: list[Plan]
) -> None:
    older, newer = plans
    archive_plan(fakes.ports.plan_records, "acme", newer.plan_id)
    assert latest_plan(fakes.ports.plans, "acme") == older
    archive_plan(fakes.ports.plan_records, "acme", older.plan_id)
    with pytest.raises(PlanNotFound, match="archived true"):
        latest_plan(fakes.ports.plans, "acme")
    with pytest.raises(PlanNotFound, match="no plans yet"):
        latest_plan(fakes.ports.plans, "other")


def test_17_3_a_plan_that_a_list_still_shows_though_it_is_gone_is_passed_over(
    fakes: Fakes, plans: list[Plan], monkeypatch: pytest.MonkeyPatch
) -> None:
    older, newer = plans
    lagging = fakes.plans.newest_of("acme", 5, None)
    monkeypatch.setattr(fakes.plans, "newest_of", lambda *_, archived=False: [] if archived else lagging)
    delete_plan(fakes.ports.plan_records, fakes.ports.shares, fakes.ports.billing, "acme", newer.plan_id)
    assert latest_plan(fakes.ports.plans, "acme") == older
    archive_plan(fakes.ports.plan_records, "acme", older.plan_id)
    with pytest.raises(PlanNotFound):
        latest_plan(fakes.ports.plans, "acme")
