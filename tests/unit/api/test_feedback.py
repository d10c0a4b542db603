"""Feedback: about a plan of one's own or about none, kept for the operators."""

import pytest

from planloom.planes.strategic.services.feedback import list_feedback
from tests.fake_ports import Fakes
from tests.unit.api.calling import http, tool
from tests.unit.strategic.services.walk import begin


def test_feedback_is_kept_by_account_and_listed_newest_first(fakes: Fakes) -> None:
    plan = begin(fakes)
    given = tool("plan_feedback", rating=5, category="plan", text="Clear.", plan_id=plan.plan_id)
    fakes.clock.pass_(minutes=1)
    answer = http("POST", "/v1/feedback", {"rating": 2, "category": "service"}, account="other")
    assert (given.is_error, given.body["plan_id"]) == (False, plan.plan_id)
    assert (answer.status, answer.body["plan_id"]) == (201, None)
    found = [(each.account, each.rating, each.text, each.plan_id) for each in list_feedback(fakes.ports.feedback)]
    assert found == [("other", 2, "", None), ("acme", 5, "Clear.", plan.plan_id)]
    assert [each.rating for each in list_feedback(fakes.ports.feedback, "acme")] == [5]
    assert list_feedback(fakes.ports.feedback, "nobody") == []


@pytest.mark.parametrize("sent", [{"rating": 0}, {"rating": 6}, {"category": "weather"}, {"text": "x" * 4001}])
def test_feedback_that_does_not_fit_is_rejected(fakes: Fakes, sent: dict[str, object]) -> None:
    answer = http("POST", "/v1/feedback", {"rating": 3, "category": "other", **sent})
    assert (answer.status, answer.body["error"]["details"]["fields"]) == (422, list(sent))
    assert list_feedback(fakes.ports.feedback) == []
