"""Signed links: they open without a key, change nothing by being opened, and work once."""

from datetime import timedelta

import pytest

from planloom.approvals.approval import ApprovalState, Decision, Outcome, Response, Rule
from planloom.approvals.errors import ApprovalLinkRefused, NotAnApprover
from planloom.approvals.service import Approvals
from planloom.approvals.signed_links import LIFE, make_link, open_link, respond_by_link
from tests.unit.approvals.fakes import HOUR, NOW, Clock, an_approval, approvals

SECRET = b"secret of the deployment"


def reason(error: pytest.ExceptionInfo[ApprovalLinkRefused]) -> str:
    return str(error.value.details["reason"])


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(clock: Clock) -> Approvals:
    found = approvals(clock=clock)
    found.request(an_approval(expires_at=NOW + HOUR, approvers=("founder", "cmo"), rule=Rule(kind="all")))
    return found


def link(service: Approvals, person: str = "founder") -> str:
    return make_link(service.get("acme", "a1"), person, SECRET)


def test_opening_a_link_ten_times_approves_nothing(service: Approvals) -> None:
    token, before = link(service), service.get("acme", "a1")
    opened = [open_link(service, token, SECRET) for _ in range(10)]
    assert {(each.claims.person, each.approval.subject.sha256, each.used) for each in opened} == {
        ("founder", before.subject.sha256, None)
    }
    assert service.get("acme", "a1") == before


def test_a_link_brings_one_response_of_its_person(service: Approvals) -> None:
    opened, outcome = respond_by_link(service, link(service), SECRET, Decision.APPROVE, "Good.")
    assert outcome is Outcome.RECORDED
    assert opened.used is not None
    assert (opened.used.by, opened.used.comment, opened.used.key) == ("founder", "Good.", "")
    assert service.get("acme", "a1").state is ApprovalState.PENDING


def test_a_link_works_once_and_shows_afterwards_what_it_brought(service: Approvals) -> None:
    token = link(service)
    respond_by_link(service, token, SECRET, Decision.APPROVE)
    with pytest.raises(ApprovalLinkRefused) as error:
        respond_by_link(service, token, SECRET, Decision.REJECT)
    assert reason(error) == "used"
    used = open_link(service, token, SECRET).used
    assert used is not None
    assert used.decision is Decision.APPROVE


def test_a_link_is_refused_after_its_end(service: Approvals, clock: Clock) -> None:
    token = link(service)
    clock.time = NOW + HOUR
    with pytest.raises(ApprovalLinkRefused) as error:
        respond_by_link(service, token, SECRET, Decision.APPROVE)
    assert reason(error) == "expired"
    assert service.get("acme", "a1").responses == ()


def test_a_link_to_an_approval_without_expiry_ends_as_well() -> None:
    clock = Clock()
    service = approvals(clock=clock)
    token = make_link(service.request(an_approval()), "founder", SECRET)
    clock.time = NOW + LIFE - timedelta(seconds=1)
    assert open_link(service, token, SECRET).used is None
    clock.time = NOW + LIFE
    with pytest.raises(ApprovalLinkRefused) as error:
        open_link(service, token, SECRET)
    assert reason(error) == "expired"


def test_a_link_of_another_deployment_is_not_genuine(service: Approvals) -> None:
    with pytest.raises(ApprovalLinkRefused) as error:
        open_link(service, make_link(service.get("acme", "a1"), "founder", b"another secret"), SECRET)
    assert reason(error) == "not_genuine"


@pytest.mark.parametrize("token", ["", ".", "x", "e30.e30", "ü.ü", "a" * 3000, "%2e.%00"])
def test_a_text_that_is_no_link_is_not_genuine(service: Approvals, token: str) -> None:
    with pytest.raises(ApprovalLinkRefused) as error:
        open_link(service, token, SECRET)
    assert reason(error) == "not_genuine"


def test_a_link_with_any_character_changed_is_not_genuine(service: Approvals) -> None:
    token = link(service)
    for place, char in enumerate(token):
        changed = token[:place] + ("A" if char != "A" else "B") + token[place + 1 :]
        with pytest.raises(ApprovalLinkRefused) as error:
            open_link(service, changed, SECRET)
        assert reason(error) == "not_genuine"


def test_a_link_of_a_delegate_ends_with_the_delegation(service: Approvals) -> None:
    token = make_link(service.delegate("acme", "a1", "founder", "deputy"), "deputy", SECRET)
    service.delegate("acme", "a1", "founder", "another")
    with pytest.raises(NotAnApprover):
        respond_by_link(service, token, SECRET, Decision.APPROVE)


def test_a_link_whose_person_answered_otherwise_brings_nothing_and_says_so(service: Approvals) -> None:
    token = link(service)
    service.respond("acme", "a1", Response(by="founder", decision=Decision.APPROVE))
    opened, outcome = respond_by_link(service, token, SECRET, Decision.REJECT)
    assert (opened.used, outcome) == (None, Outcome.ALREADY_ANSWERED)


def test_a_link_to_a_deleted_approval_says_so(service: Approvals) -> None:
    token = link(service)
    service.delete("acme", ["a1"])
    with pytest.raises(ApprovalLinkRefused) as error:
        open_link(service, token, SECRET)
    assert reason(error) == "gone"


def test_a_link_made_again_is_the_same_link(service: Approvals) -> None:
    assert link(service) == link(service)
    assert link(service, "cmo") != link(service)
