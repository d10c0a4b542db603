"""Approvals and webhooks over HTTP, and the page of a signed link, as the gateway calls them."""

import logging
import re
from typing import Any
from urllib.parse import urlencode

import pytest

from planloom.approvals.approval import LONGEST_COMMENT, Escalation, Rule
from planloom.approvals.endpoints import ENDPOINTS
from planloom.approvals.service import Approvals
from planloom.approvals.signed_links import make_link
from planloom.wiring import approvals as wiring_approvals
from planloom.wiring import notifications as wiring_notifications
from tests.fake_ports import Fakes
from tests.unit.api.calling import Answer, http
from tests.unit.approvals.fakes import BRIEF, HOUR, NOW, Clock, an_approval, approvals, subject
from tests.unit.notifications.fakes import URL, Setting, an_event

SECRET = b"secret of the deployment"
SCRIPT = "<script>alert('x')</script>"
FORM = {"content-type": "application/x-www-form-urlencoded"}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def service(fakes: Fakes, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Approvals:
    found = approvals(clock=clock)
    monkeypatch.setattr(wiring_approvals, "approvals", lambda: found)
    monkeypatch.setattr(wiring_notifications, "link_secret", lambda: SECRET)
    return found


@pytest.fixture
def setting(fakes: Fakes, monkeypatch: pytest.MonkeyPatch) -> Setting:
    found = Setting()
    monkeypatch.setattr(wiring_notifications, "webhooks", lambda: found.webhooks)
    return found


def opened(token: str) -> Answer:
    return http("GET", f"/approve/{token}", account=None)


def confirmed(token: str, **fields: str) -> Answer:
    return http("POST", f"/approve/{token}", urlencode(fields).encode(), account=None, headers=FORM)


def test_an_approval_is_read_with_what_is_to_be_approved_and_without_keys(service: Approvals) -> None:
    service.request(
        an_approval(
            made_with=("a" * 64,),
            subject=subject(content="The brief."),
            expires_at=NOW + 2 * HOUR,
            escalation=Escalation(at=NOW + HOUR, to=("board",)),
        )
    )
    assert http("GET", "/v1/approvals/a1").body == {
        "approval_id": "a1",
        "state": "pending",
        "subject": {
            "plane": "workflows",
            "run_id": "r1",
            "node_id": "approve-brief",
            "title": "Brief",
            "sha256": BRIEF,
            "objective": "",
            "instructions": "",
            "content": "The brief.",
            "complete": True,
        },
        "approvers": ["founder"],
        "people": ["founder"],
        "rule": "any",
        "needed": 1,
        "separate_duties": False,
        "made_by": [],
        "requested_at": "2027-03-01T09:00:00Z",
        "expires_at": "2027-03-01T11:00:00Z",
        "decided_at": None,
        "escalation": {"at": "2027-03-01T10:00:00Z", "to": ["board"], "escalated": False},
        "delegations": {},
        "responses": [],
        "reason": "",
    }


def test_the_second_caller_learns_that_the_approval_was_decided(service: Approvals) -> None:
    service.request(an_approval(approvers=("founder", "cmo")))
    first = http("POST", "/v1/approvals/a1/respond", {"by": "founder", "decision": "approve", "sha256": BRIEF})
    second = http("POST", "/v1/approvals/a1/respond", {"by": "cmo", "decision": "reject"})
    assert [(each.status, each.body["outcome"], each.body["counted"]) for each in (first, second)] == [
        (200, "decided", True),
        (200, "already_decided", False),
    ]
    assert second.body["approval"] == first.body["approval"]
    assert [
        each["approval_id"] for each in http("GET", "/v1/approvals", query={"state": "ended"}).body["approvals"]
    ] == ["a1"]


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("respond", {"by": "stranger", "decision": "approve"}, 403, "NOT_AN_APPROVER"),
        ("respond", {"by": "cmo", "decision": "approve"}, 403, "SEPARATION_OF_DUTIES"),
        ("respond", {"by": "founder", "decision": "approve", "sha256": "0" * 64}, 409, "ANOTHER_VERSION"),
        ("respond", {"by": "founder", "decision": "maybe"}, 422, "INVALID_ARGUMENT"),
        ("delegate", {"by": "founder", "to": "cmo"}, 422, "INVALID_APPROVAL"),
        ("link", {"person": "stranger"}, 403, "NOT_AN_APPROVER"),
    ],
)
def test_a_response_that_may_not_be_given_is_refused(
    service: Approvals, path: str, body: dict[str, str], status: int, code: str
) -> None:
    service.request(an_approval(approvers=("founder", "cmo"), made_by=("cmo",), separate_duties=True))
    found = http("POST", f"/v1/approvals/a1/{path}", body)
    assert (found.status, found.body["error"]["code"]) == (status, code)


def test_everything_of_another_account_is_refused(service: Approvals) -> None:
    service.request(an_approval())
    body = {"by": "founder", "decision": "approve", "to": "deputy", "person": "founder"}
    for endpoint in ENDPOINTS:
        assert endpoint.http is not None
        if endpoint.name == "approval_list":
            continue
        path = endpoint.http.path.format(approval_id="a1")
        found = http(endpoint.http.method, path, body if endpoint.http.method == "POST" else None, account="other")
        assert (found.status, found.body["error"]["code"]) == (404, "APPROVAL_NOT_FOUND")
    assert http("GET", "/v1/approvals", account="other").body == {"approvals": [], "next": None}


def test_the_key_that_made_the_subject_gets_no_link(service: Approvals) -> None:
    service.request(an_approval(separate_duties=True))
    known = service.store.get("a1")
    assert known is not None
    service.store.replace(known.model_copy(update={"made_with": ("key of acme",), "version": 2}), 1)
    assert http("POST", "/v1/approvals/a1/link", {"person": "founder"}).body["error"]["code"] == "SEPARATION_OF_DUTIES"


def test_a_link_opened_ten_times_approves_nothing_and_its_form_confirms_once(service: Approvals) -> None:
    service.request(an_approval(expires_at=NOW + HOUR))
    link = http("POST", "/v1/approvals/a1/link", {"person": "founder"}).body
    assert link["expires_at"] == "2027-03-01T10:00:00Z"
    token = link["url"].rpartition("/approve/")[2]
    pages = [opened(token) for _ in range(10)]
    assert {(each.status, "<form" in each.body, BRIEF in each.body) for each in pages} == {(200, True, True)}
    assert service.get("acme", "a1").state == "pending"
    done = confirmed(token, decision="approve", comment="Good")
    assert (done.status, "<form" in done.body) == (200, False)
    assert service.get("acme", "a1").state == "approved"
    again = confirmed(token, decision="reject")
    assert (again.status, "This link was used" in again.body) == (409, True)
    assert service.get("acme", "a1").state == "approved"
    assert "You approved" in opened(token).body


def test_a_link_after_its_expiry_with_another_key_or_changed_is_refused_clearly(
    service: Approvals, clock: Clock
) -> None:
    made = service.request(an_approval(expires_at=NOW + HOUR))
    foreign, own = make_link(made, "founder", b"another secret"), make_link(made, "founder", SECRET)
    for token in (foreign, own + "A", "nothing"):
        assert [
            (each.status, "not genuine" in each.body) for each in (opened(token), confirmed(token, decision="approve"))
        ] == [
            (404, True),
            (404, True),
        ]
    clock.time = NOW + HOUR
    assert [(each.status, "expired" in each.body) for each in (opened(own), confirmed(own, decision="approve"))] == [
        (410, True),
        (410, True),
    ]
    assert service.get("acme", "a1").responses == ()


def test_a_response_that_comes_too_late_by_a_link_says_so(service: Approvals) -> None:
    made = service.request(an_approval(approvers=("founder", "cmo")))
    token = make_link(made, "cmo", SECRET)
    http("POST", "/v1/approvals/a1/respond", {"by": "founder", "decision": "approve"})
    late = confirmed(token, decision="reject")
    assert (late.status, "others decided before" in late.body) == (409, True)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({}, "No response was chosen"),
        ({"decision": "maybe"}, "No response was chosen"),
        ({"decision": "approve", "comment": "x" * (LONGEST_COMMENT + 1)}, "longer than"),
        ({"decision": "approve", "comment": "\U0001f4dd" * LONGEST_COMMENT * 2}, "too long"),
    ],
)
def test_a_form_that_does_not_fit_changes_nothing_and_says_why(
    service: Approvals, fields: dict[str, str], why: str
) -> None:
    token = make_link(service.request(an_approval()), "founder", SECRET)
    found = confirmed(token, **fields)
    assert (found.status, why in found.body) == (422, True)
    assert "Your response was not counted" in found.body, "the link itself works"
    assert service.get("acme", "a1").responses == ()


def test_the_longest_comment_fits_with_its_line_breaks(service: Approvals) -> None:
    token = make_link(service.request(an_approval()), "founder", SECRET)
    confirmed(token, decision="approve", comment="\r\n".join(["\u00fc"] * (LONGEST_COMMENT // 2)))
    assert service.get("acme", "a1").responses[0].comment == "\n".join(["\u00fc"] * (LONGEST_COMMENT // 2))


def test_scripts_in_titles_texts_names_and_comments_do_not_run(service: Approvals) -> None:
    made = service.request(
        an_approval(
            approvers=(SCRIPT, "cmo"),
            rule=Rule(kind="all"),
            subject=subject(
                title=SCRIPT, content=SCRIPT, run_id=SCRIPT, objective=f"To {SCRIPT}", instructions=f"Look {SCRIPT}"
            ),
        )
    )
    token = make_link(made, SCRIPT, SECRET)
    first = opened(token)
    second = confirmed(token, decision="approve", comment=SCRIPT)
    for page in (first, second):
        assert "<script" not in page.body
        assert page.body.count("&lt;script&gt;") >= 6
        assert "To &lt;script&gt;" in page.body
        assert "Look &lt;script&gt;" in page.body
        policy = page.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "script-src" not in policy
        assert page.headers["cache-control"] == "no-store"
        assert page.headers["referrer-policy"] == "no-referrer"


def test_the_policy_of_the_page_names_the_hash_of_its_style(service: Approvals) -> None:
    import base64
    import hashlib

    page = opened("nothing")
    style = re.search(r"<style>(.*)</style>", page.body, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    assert f"'sha256-{digest}'" in page.headers["content-security-policy"]


def test_a_webhook_is_added_with_its_secret_tested_listed_and_removed(setting: Setting) -> None:
    added = http("POST", "/v1/webhooks", {"name": "ops", "url": URL, "events": ["run.ended"]})
    assert (added.status, added.headers["location"]) == (201, "/v1/webhooks/ops")
    assert added.body["secret"].startswith("whsec_")
    listed = http("GET", "/v1/webhooks").body["webhooks"]
    assert listed == [{name: value for name, value in added.body.items() if name != "secret"}]
    assert http("POST", "/v1/webhooks/ops/test").body == {"delivered": True, "status": 200, "error": ""}
    assert setting.webhooks.get("acme", "ops").base_url.startswith("http")
    assert http("DELETE", "/v1/webhooks/ops").body == {"removed": "ops"}
    assert http("POST", "/v1/webhooks/ops/test").body["error"]["code"] == "WEBHOOK_NOT_FOUND"


def test_deliveries_are_shown_without_their_data_and_sent_again_by_command(setting: Setting) -> None:
    setting.add()
    setting.publish(an_event())
    (shown,) = http("GET", "/v1/webhooks/ops/deliveries").body["deliveries"]
    assert (shown["type"], shown["state"], shown["attempts"], shown["next_at"]) == ("run.ended", "delivered", 1, None)
    assert "data" not in shown
    replay: Any = {"delivery_id": shown["delivery_id"]}
    assert http("POST", "/v1/webhooks/ops/replay", replay).body == {"delivery_ids": [shown["delivery_id"]]}
    other = http("POST", "/v1/webhooks/ops/replay", replay, account="other")
    assert (other.status, other.body["error"]["code"]) == (404, "WEBHOOK_NOT_FOUND")


def test_a_webhook_to_a_private_address_is_refused(setting: Setting) -> None:
    found = http("POST", "/v1/webhooks", {"name": "ops", "url": "https://internal/"})
    assert (found.status, found.body["error"]["code"]) == (422, "INVALID_WEBHOOK")


def test_every_class_of_events_is_documented_with_its_schema(setting: Setting) -> None:
    found = {each["type"]: each for each in http("GET", "/v1/webhook-events").body["events"]}
    assert {"approval.requested", "approval.ended", "run.ended", "node.ready"} <= set(found)
    assert all(each["description"] and each["json_schema"]["properties"] for each in found.values())


def test_the_log_does_not_open_the_approval(service: Approvals, caplog: pytest.LogCaptureFixture) -> None:
    token = make_link(service.request(an_approval()), "founder", SECRET)
    with caplog.at_level(logging.DEBUG):
        assert opened(token).status == 200
        assert confirmed(token, decision="approve").status == 200
    logged = [f"{record.getMessage()} {vars(record)}" for record in caplog.records]
    assert any("/approve/..." in line for line in logged)
    assert not any(token in line for line in logged)
