"""Approvals: who may respond, which response counts, and how responses become a decision."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.approvals.approval import (
    Approval,
    ApprovalState,
    Decision,
    Escalation,
    Outcome,
    Response,
    Rule,
    Subject,
    covers,
    delegate,
    due,
    people,
    pin,
    request,
    respond,
    settled,
    withdraw,
)
from planloom.approvals.errors import (
    AnotherVersion,
    ApprovalClosed,
    InvalidApproval,
    NotAnApprover,
    SeparationOfDuties,
)

NOW = datetime(2027, 3, 1, 9, tzinfo=UTC)
HOUR = timedelta(hours=1)
BRIEF = pin("the brief")
YES, CHANGES, NO = Decision.APPROVE, Decision.REQUEST_CHANGES, Decision.REJECT


def an_approval(*approvers: str, **fields: Any) -> Approval:
    subject = Subject(plane="workflows", run_id="r1", node_id="approve-brief", title="Brief", sha256=BRIEF)
    fields = {"approval_id": "a1", "account": "acme", "subject": subject, "requested_at": NOW} | fields
    return request(Approval(approvers=approvers or ("founder",), **fields))


def after(approval: Approval, *said: tuple[str, Decision], at: datetime = NOW) -> tuple[Approval, list[Outcome]]:
    outcomes = []
    for by, decision in said:
        approval, outcome = respond(approval, Response(by=by, decision=decision), at)
        outcomes.append(outcome)
    return approval, outcomes


@pytest.mark.parametrize(
    ("decision", "state"),
    [(YES, ApprovalState.APPROVED), (CHANGES, ApprovalState.CHANGES_REQUESTED), (NO, ApprovalState.REJECTED)],
)
def test_the_response_of_the_only_approver_decides(decision: Decision, state: ApprovalState) -> None:
    found, outcomes = after(an_approval(), ("founder", decision))
    assert (found.state, found.decided_at, outcomes) == (state, NOW, [Outcome.DECIDED])


def test_a_counted_response_keeps_who_said_what_when_and_through_what() -> None:
    given_ = Response(by="founder", decision=NO, comment="Too long.", key="a" * 64, sha256=BRIEF)
    found, _ = respond(an_approval(), given_, NOW)
    assert found.responses == (given_.model_copy(update={"approver": "founder", "at": NOW}),)


@pytest.mark.parametrize(
    ("rule", "said", "state"),
    [
        (Rule(kind="any"), [("a", YES)], "approved"),
        (Rule(kind="any"), [("b", CHANGES)], "changes_requested"),
        (Rule(kind="all"), [("a", YES), ("b", YES)], "pending"),
        (Rule(kind="all"), [("a", YES), ("b", YES), ("c", YES)], "approved"),
        (Rule(kind="all"), [("a", NO)], "rejected"),
        (Rule(kind="quorum", count=2), [("a", NO), ("b", YES)], "pending"),
        (Rule(kind="quorum", count=2), [("a", NO), ("b", YES), ("c", YES)], "approved"),
        (Rule(kind="quorum", count=2), [("a", CHANGES), ("b", CHANGES)], "changes_requested"),
        (Rule(kind="quorum", count=2), [("a", CHANGES), ("b", NO)], "rejected"),
    ],
)
def test_the_rule_says_how_many_must_approve(rule: Rule, said: list[tuple[str, Decision]], state: str) -> None:
    found, _ = after(an_approval("a", "b", "c", rule=rule), *said)
    assert found.state == state


def test_a_second_response_does_not_count_and_its_outcome_says_so() -> None:
    found, outcomes = after(an_approval("a", "b", rule=Rule(kind="all")), ("a", YES), ("a", YES), ("a", NO))
    assert outcomes == [Outcome.RECORDED, Outcome.REPEATED, Outcome.ALREADY_ANSWERED]
    assert [(each.approver, each.decision) for each in found.responses] == [("a", YES)]


def test_a_response_after_the_decision_does_not_count() -> None:
    found, outcomes = after(an_approval("a", "b"), ("a", YES), ("b", NO), ("a", YES))
    assert outcomes == [Outcome.DECIDED, Outcome.ALREADY_DECIDED, Outcome.REPEATED]
    assert found.state is ApprovalState.APPROVED


def test_an_approval_expires_with_a_state_of_its_own() -> None:
    waiting = an_approval(expires_at=NOW + HOUR)
    assert due(waiting) == NOW + HOUR
    assert settled(waiting, NOW + HOUR - timedelta(seconds=1)) == waiting
    found, outcomes = after(waiting, ("founder", YES), at=NOW + 2 * HOUR)
    assert (found.state, found.decided_at, outcomes) == (ApprovalState.EXPIRED, NOW + HOUR, [Outcome.EXPIRED])
    assert (found.responses, due(found)) == ((), None)


def test_a_stranger_cannot_respond() -> None:
    with pytest.raises(NotAnApprover):
        after(an_approval(), ("intern", YES))


def test_who_made_it_cannot_approve_it_where_duties_are_separate() -> None:
    apart = an_approval("cmo", "founder", made_by=("cmo",), separate_duties=True)
    with pytest.raises(SeparationOfDuties):
        after(apart, ("cmo", YES))
    assert people(apart) == ("founder",)
    together, _ = after(an_approval("cmo", made_by=("cmo",)), ("cmo", YES))
    assert together.state is ApprovalState.APPROVED


def test_the_key_that_made_it_cannot_approve_it_under_another_name() -> None:
    apart = an_approval(made_with=("a" * 64,), separate_duties=True)
    with pytest.raises(SeparationOfDuties):
        respond(apart, Response(by="founder", decision=YES, key="a" * 64), NOW)
    assert respond(apart, Response(by="founder", decision=YES, key="f" * 64), NOW).outcome is Outcome.DECIDED


@pytest.mark.parametrize(
    ("decision", "state"),
    [(Decision.REJECT, ApprovalState.REJECTED), (Decision.REQUEST_CHANGES, ApprovalState.CHANGES_REQUESTED)],
)
def test_who_made_it_may_reject_it_or_request_changes(decision: Decision, state: ApprovalState) -> None:
    apart = an_approval("cmo", "founder", made_by=("cmo",), made_with=("a" * 64,), separate_duties=True)
    for person in ("cmo", "founder"):
        found = respond(apart, Response(by=person, decision=decision, key="a" * 64), NOW)
        assert (found.approval.state, found.outcome) == (state, Outcome.DECIDED)


def test_an_approval_in_place_of_who_made_it_does_not_count() -> None:
    apart = delegate(
        an_approval("cmo", "founder", made_by=("cmo",), separate_duties=True), by="cmo", to="deputy", now=NOW
    )
    assert after(apart, ("deputy", YES))[0].state is ApprovalState.PENDING


def test_a_rejection_by_who_made_it_takes_no_approval_from_a_quorum() -> None:
    rule = Rule(kind="quorum", count=2)
    apart = an_approval("cmo", "founder", "cfo", made_by=("cmo",), separate_duties=True, rule=rule)
    found, _ = after(apart, ("cmo", Decision.REJECT))
    assert found.state is ApprovalState.PENDING
    assert after(found, ("founder", YES), ("cfo", YES))[0].state is ApprovalState.APPROVED
    assert after(found, ("founder", Decision.REQUEST_CHANGES))[0].state is ApprovalState.REJECTED


def test_a_response_to_another_version_is_refused() -> None:
    with pytest.raises(AnotherVersion):
        respond(an_approval(), Response(by="founder", decision=YES, sha256=pin("another brief")), NOW)


def test_an_approval_covers_the_version_that_it_pins_and_no_other() -> None:
    found, _ = after(an_approval(), ("founder", YES))
    assert [covers(found, BRIEF), covers(found, pin("another brief")), covers(an_approval(), BRIEF)] == [
        True,
        False,
        False,
    ]


def test_equal_json_has_one_pin_whatever_the_order_of_its_keys() -> None:
    assert pin({"a": 1, "b": ["ü"]}) == pin({"b": ["ü"], "a": 1})
    assert pin(b"x") == pin("x") != pin(["x"])


def test_a_delegate_responds_in_place_of_the_approver_and_the_first_response_counts() -> None:
    shared = delegate(an_approval("a", "b", rule=Rule(kind="all")), "a", "deputy", NOW)
    found, outcomes = after(shared, ("deputy", YES), ("a", NO), ("b", YES))
    assert outcomes == [Outcome.RECORDED, Outcome.ALREADY_ANSWERED, Outcome.DECIDED]
    assert [(each.by, each.approver) for each in found.responses] == [("deputy", "a"), ("b", "b")]


def test_a_later_delegation_replaces_an_earlier_one() -> None:
    moved = delegate(delegate(an_approval(), "founder", "one", NOW), "founder", "two", NOW)
    assert people(moved) == ("founder", "two")
    with pytest.raises(NotAnApprover):
        after(moved, ("one", YES))


@pytest.mark.parametrize(
    ("by", "to", "error"),
    [
        ("stranger", "deputy", NotAnApprover),
        ("a", "b", InvalidApproval),
        ("a", "", InvalidApproval),
        ("a", "cmo", SeparationOfDuties),
        ("c", "deputy", ApprovalClosed),
    ],
)
def test_a_delegation_that_would_break_the_rule_is_refused(by: str, to: str, error: type[Exception]) -> None:
    waiting = an_approval("a", "b", "c", rule=Rule(kind="all"), made_by=("cmo",), separate_duties=True)
    waiting, _ = after(waiting, ("c", YES))
    with pytest.raises(error):
        delegate(waiting, by, to, NOW)


def test_after_its_escalation_one_of_those_named_decides_alone() -> None:
    waiting = an_approval(
        "a", "b", rule=Rule(kind="all"), escalation=Escalation(at=NOW + HOUR, to=("board",)), expires_at=NOW + 2 * HOUR
    )
    with pytest.raises(NotAnApprover):
        after(waiting, ("board", YES))
    assert due(waiting) == NOW + HOUR
    escalated = settled(waiting, NOW + HOUR)
    assert (people(escalated), due(escalated)) == (("a", "b", "board"), NOW + 2 * HOUR)
    found, outcomes = after(escalated, ("a", NO), at=NOW + HOUR)
    assert (found.state, outcomes) == (ApprovalState.REJECTED, [Outcome.DECIDED])
    found, _ = after(escalated, ("board", YES), at=NOW + HOUR)
    assert found.state is ApprovalState.APPROVED


def test_a_withdrawn_approval_takes_no_response() -> None:
    gone = withdraw(an_approval(), "The plan was replaced.", NOW)
    found, outcomes = after(gone, ("founder", YES))
    assert (found.state, found.reason, outcomes) == (
        ApprovalState.WITHDRAWN,
        "The plan was replaced.",
        [Outcome.WITHDRAWN],
    )
    decided, _ = after(an_approval(), ("founder", YES))
    assert withdraw(decided, "late", NOW) == decided


@pytest.mark.parametrize(
    "fields",
    [
        {"approvers": ("a", "a")},
        {"approvers": ("a", "b"), "rule": Rule(kind="quorum", count=3)},
        {"approvers": ("a",), "made_by": ("a",), "separate_duties": True},
        {"approvers": ("a", "b"), "rule": Rule(kind="all"), "made_by": ("a",), "separate_duties": True},
        {"approvers": ("a",), "expires_at": NOW},
        {"approvers": ("a",), "escalation": Escalation(at=NOW + HOUR, to=("a",))},
    ],
)
def test_an_approval_that_could_not_be_decided_as_asked_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(InvalidApproval):
        an_approval(*fields.pop("approvers"), **fields)


PERSONS = ("a", "b", "c", "d")
RULES = st.one_of(
    st.sampled_from([Rule(kind="any"), Rule(kind="all")]), st.integers(1, 3).map(lambda n: Rule(kind="quorum", count=n))
)


@given(
    rule=RULES,
    said=st.lists(st.tuples(st.sampled_from(PERSONS), st.sampled_from(Decision), st.integers(0, 12)), max_size=12),
    deputy=st.booleans(),
)
def test_however_responses_arrive_each_approver_counts_once_and_the_end_never_changes(
    rule: Rule, said: list[tuple[str, Decision, int]], deputy: bool
) -> None:
    approval = an_approval(
        "a", "b", "c", rule=rule, expires_at=NOW + 10 * HOUR, escalation=Escalation(at=NOW + 5 * HOUR, to=("d",))
    )
    if deputy:
        approval = delegate(approval, "a", "d", NOW)
    decided = 0
    for by, decision, hour in said:
        before = approval
        try:
            approval, outcome = respond(approval, Response(by=by, decision=decision), NOW + hour * HOUR)
        except NotAnApprover:
            continue
        decided += outcome is Outcome.DECIDED
        if before.state is not ApprovalState.PENDING:
            assert approval == before
        if outcome in (Outcome.RECORDED, Outcome.DECIDED):
            assert approval.version > before.version
            assert len(approval.responses) > len(before.responses)
        else:
            assert approval.responses == before.responses
    assert decided <= 1
    approvers = [each.approver for each in approval.responses]
    assert len(approvers) == len(set(approvers))
    approvals = sum(each.decision is YES for each in approval.responses if each.approver in approval.approvers)
    if approval.state is ApprovalState.APPROVED:
        alone = any(each.approver == "d" for each in approval.responses)
        assert alone or approvals >= rule.needed(3)
