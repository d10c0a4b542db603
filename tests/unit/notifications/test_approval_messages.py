"""Events about approvals: what they say, and the signed links that webhooks get."""

import json

from planloom.approvals.approval import Approval, Decision, Escalation, Response, Rule, withdraw
from planloom.approvals.ports import Change
from planloom.approvals.signed_links import open_link
from planloom.notifications.approval_messages import approval_event, approval_message, with_links
from planloom.notifications.events import Event
from tests.unit.approvals.fakes import BRIEF, HOUR, NOW, FakeApprovalStore, an_approval, approvals, subject
from tests.unit.notifications.fakes import Setting

SECRET = b"secret of the deployment"


def test_the_message_of_a_request_says_what_by_whom_until_when_and_which_version() -> None:
    waiting = an_approval(
        approvers=("founder", "cmo"),
        rule=Rule(kind="all"),
        subject=subject(title="Launch\nbrief"),
        expires_at=NOW + HOUR,
    )
    found = approval_message(waiting, "requested")
    assert found.subject == "Approval requested: Launch brief"
    assert found.text.splitlines() == [
        "Subject: Launch brief",
        "Asked of: founder, cmo",
        "All 2 approvers must approve. 0 approved so far.",
        "Respond by: 01 March 2027, 10:00 UTC",
        f"Version: SHA-256 {BRIEF}",
    ]


def test_the_message_of_an_end_says_how_it_ended_and_what_people_said() -> None:
    service = approvals()
    service.request(an_approval())
    said = Response(by="founder", decision=Decision.REQUEST_CHANGES, comment="Shorter,\nplease")
    found = approval_message(service.respond("acme", "a1", said).approval, "ended")
    assert found.subject == "Changes requested: Brief"
    assert "founder said request changes: Shorter, please" in found.text.splitlines()


def test_the_event_of_an_end_names_the_key_that_brought_the_response_and_not_its_hash() -> None:
    service = approvals()
    service.request(an_approval())
    said = Response(by="founder", decision=Decision.APPROVE, key="0" * 64)
    event = approval_event(service.respond("acme", "a1", said).approval, "ended", NOW)
    assert event.data["responses"][0]["key"] == "pex_000"
    assert "0" * 64 not in json.dumps(event.data["responses"])


def test_an_event_published_again_is_the_same_event() -> None:
    changes: tuple[Change, ...] = ("requested", "escalated", "ended")
    ended = withdraw(an_approval(), "", NOW)
    ids = [
        {approval_event(each, change, NOW).event_id for each in (ended, ended.model_copy(update={"version": 9}))}
        for change in changes
    ]
    assert [len(each) for each in ids] == [1, 1, 1]
    assert len(set.union(*ids)) == 3


def published(store: FakeApprovalStore, event: Event) -> dict[str, str]:
    """Return the links in what a webhook gets of *event*."""
    setting = Setting(complete=with_links(store, lambda: SECRET))
    setting.add()
    setting.publish(event)
    links = setting.only().event.data["links"]
    assert isinstance(links, dict)
    return links


def test_a_webhook_gets_a_signed_link_for_each_person_who_may_respond() -> None:
    store = FakeApprovalStore()
    service = approvals(store=store)
    waiting = service.request(
        an_approval(
            approvers=("cmo", "founder"),
            made_by=("cmo",),
            separate_duties=True,
            escalation=Escalation(at=NOW + HOUR, to=("board",)),
        )
    )
    links = published(store, approval_event(waiting, "requested", NOW))
    assert set(links) == {"founder"}
    base, _, token = links["founder"].rpartition("/")
    assert base == "https://api.example.com/api/approve"
    assert open_link(service, token, SECRET).claims.person == "founder"


def test_an_event_gets_no_links_once_its_approval_has_ended() -> None:
    store = FakeApprovalStore()
    service = approvals(store=store)
    waiting: Approval = service.request(an_approval())
    ended = service.withdraw("acme", "a1", "replaced")
    assert published(store, approval_event(waiting, "requested", NOW)) == {}
    assert published(store, approval_event(ended, "ended", NOW)) == {}


def test_an_event_of_an_approval_of_another_account_gets_no_links() -> None:
    store = FakeApprovalStore()
    foreign = approvals(store=store).request(an_approval(account="other"))
    event = approval_event(foreign, "requested", NOW).model_copy(update={"account": "acme"})
    assert published(store, event) == {}


def test_the_event_of_the_largest_approval_fits_into_a_message_of_the_queue() -> None:
    wide = "\U0001f4dd"
    people = tuple(f"{number:02}{wide * 198}" for number in range(50))
    said = [Response(by=each, approver=each, decision=Decision.APPROVE, comment=wide * 2000, at=NOW) for each in people]
    largest = an_approval(approvers=people, rule=Rule(kind="all"), subject=subject(title=wide * 500), responses=said)
    event = approval_event(largest, "delegated", NOW)
    assert len(event.data["responses"]) == 20
    assert len(json.dumps(event.model_dump(mode="json"), ensure_ascii=False).encode()) < 250_000
