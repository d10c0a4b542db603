"""Approvals that are stored: each change is written once, under the account's name, and published."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from planloom.approvals.approval import ApprovalState, Decision, Escalation, Outcome, Response, Rule
from planloom.approvals.errors import ApprovalNotFound, InvalidApproval
from tests.unit.approvals.fakes import HOUR, NOW, Clock, FakeApprovalStore, Published, an_approval, approvals, subject

YES = Response(by="founder", decision=Decision.APPROVE)


def test_a_response_is_stored_and_its_end_published() -> None:
    published = Published()
    service = approvals(published)
    service.request(an_approval())
    found, outcome = service.respond("acme", "a1", YES)
    assert (found, outcome) == (service.get("acme", "a1"), Outcome.DECIDED)
    assert found.state is ApprovalState.APPROVED
    assert published.changes == [("pending", "requested"), ("approved", "ended")]


def test_a_repeated_response_changes_nothing_and_publishes_the_end_again() -> None:
    published = Published()
    service = approvals(published)
    service.request(an_approval())
    first, _ = service.respond("acme", "a1", YES)
    second, outcome = service.respond("acme", "a1", YES)
    assert (second, outcome) == (first, Outcome.REPEATED)
    assert published.changes[1:] == [("approved", "ended"), ("approved", "ended")]


def test_a_repeated_request_is_the_same_approval() -> None:
    service = approvals()
    service.request(an_approval())
    service.respond("acme", "a1", YES)
    assert service.request(an_approval()).state is ApprovalState.APPROVED


def test_another_version_needs_an_approval_with_another_id() -> None:
    service = approvals()
    service.request(an_approval())
    with pytest.raises(InvalidApproval):
        service.request(an_approval(subject=subject(sha256="1" * 64)))


def test_an_approval_of_another_account_is_not_found() -> None:
    service = approvals()
    service.request(an_approval())
    for call in (
        lambda: service.get("other", "a1"),
        lambda: service.respond("other", "a1", YES),
        lambda: service.delegate("other", "a1", "founder", "deputy"),
        lambda: service.withdraw("other", "a1", "no"),
        lambda: service.settle("other", "a1"),
    ):
        with pytest.raises(ApprovalNotFound):
            call()
    service.delete("other", ["a1"])
    assert service.newest("other") == ([], None)
    assert service.get("acme", "a1").state is ApprovalState.PENDING


def test_of_many_responses_at_once_one_decides() -> None:
    service = approvals()
    service.request(an_approval(approvers=tuple(f"p{n}" for n in range(20))))
    said = [Response(by=f"p{n}", decision=list(Decision)[n % 3]) for n in range(20)]
    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(lambda each: service.respond("acme", "a1", each).outcome, said))
    assert sorted(outcomes) == [Outcome.ALREADY_DECIDED] * 19 + [Outcome.DECIDED]
    assert len(service.get("acme", "a1").responses) == 1


def test_a_write_that_lost_against_another_is_tried_again_on_what_that_stored() -> None:
    class Raced(FakeApprovalStore):
        raced = False

        def replace(self, *args: Any) -> bool:
            if not self.raced:
                self.raced = True
                service.respond("acme", "a1", Response(by="b", decision=Decision.APPROVE))
            return super().replace(*args)

    service = approvals(store=Raced())
    service.request(an_approval(approvers=("a", "b"), rule=Rule(kind="all")))
    found, outcome = service.respond("acme", "a1", Response(by="a", decision=Decision.APPROVE))
    assert (found.state, outcome) == (ApprovalState.APPROVED, Outcome.DECIDED)


def test_a_timer_stores_and_publishes_escalation_and_expiry() -> None:
    published, clock = Published(), Clock()
    service = approvals(published, clock=clock)
    service.request(an_approval(expires_at=NOW + 2 * HOUR, escalation=Escalation(at=NOW + HOUR, to=("board",))))
    service.settle("acme", "a1")
    clock.time = NOW + HOUR
    service.settle("acme", "a1")
    service.settle("acme", "a1")
    clock.time = NOW + 2 * HOUR
    assert service.settle("acme", "a1").state is ApprovalState.EXPIRED
    assert published.changes == [("pending", "requested"), ("pending", "escalated"), ("expired", "ended")]


def test_an_approval_reads_as_expired_before_its_timer_ran() -> None:
    clock = Clock()
    service = approvals(clock=clock)
    service.request(an_approval(expires_at=NOW + HOUR))
    clock.time = NOW + HOUR
    assert service.get("acme", "a1").state is ApprovalState.EXPIRED


def test_people_see_what_they_may_respond_to_and_what_they_did() -> None:
    service = approvals()
    service.request(an_approval("a1", approvers=("founder",)))
    service.request(an_approval("a2", approvers=("cmo",), requested_at=NOW + HOUR))
    service.request(an_approval("a3", approvers=("founder",), requested_at=NOW + 2 * HOUR))
    service.respond("acme", "a3", YES)
    service.delegate("acme", "a2", "cmo", "founder")
    pending, _ = service.newest("acme", person="founder")
    ended, _ = service.newest("acme", person="founder", pending=False)
    assert [[each.approval_id for each in found] for found in (pending, ended)] == [["a2", "a1"], ["a3"]]
    assert service.newest("acme", person="cmo", plane="graphs") == ([], None)


def test_a_list_goes_on_after_its_last_position() -> None:
    service = approvals()
    for number in range(3):
        service.request(an_approval(f"a{number}", requested_at=NOW + number * HOUR))
    first, position = service.newest("acme", limit=2)
    second, end = service.newest("acme", limit=2, before=position)
    assert [each.approval_id for each in (*first, *second)] == ["a2", "a1", "a0"]
    assert end is None


def test_approvals_of_a_deleted_run_are_deleted() -> None:
    service = approvals()
    service.request(an_approval())
    service.delete("acme", ["a1", "unknown"])
    with pytest.raises(ApprovalNotFound):
        service.get("acme", "a1")
