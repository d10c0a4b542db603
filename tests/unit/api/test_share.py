"""Shared reports: opened without a key by anyone who has the link, until it expires or is revoked."""

import logging
from urllib.parse import urlsplit

import pytest

from planloom.core.artifacts import artifact
from planloom.planes.strategic.services.end_run import end_plan
from tests.fake_ports import Fakes
from tests.unit.api.calling import Raw, fetch, http, tool
from tests.unit.strategic.services.walk import begin, deliver, work

POLICY = "default-src &#39;none&#39;; style-src &#39;sha256-AAA=&#39;; script-src &#39;sha256-BBB=&#39;"
STRICTEST = "frame-ancestors 'none'; sandbox allow-scripts allow-modals allow-popups; default-src 'none'"
REPORT = f'<!doctype html><meta http-equiv="Content-Security-Policy" content="{POLICY}"><p>café</p>'.encode()
AWS = {"domainName": "abc.execute-api.eu-west-1.amazonaws.com", "path": "/api/v1/x"}


@pytest.fixture
def plan_id(fakes: Fakes) -> str:
    """A completed plan with a small report."""
    plan = begin(fakes)
    work(fakes, plan, "start")
    deliver(fakes)
    fakes.files.write(plan.plan_id, "030-report.html", REPORT, "text/html")
    fakes.plans.files[plan.plan_id]["030-report.html"] = artifact("030-report.html", REPORT, fakes.clock())
    end_plan(fakes.ports.run_control, fakes.plans.plans[plan.plan_id], "completed")
    return plan.plan_id


def opened(url: str) -> Raw:
    path = urlsplit(url).path
    return fetch(path[path.index("/shared/") :], account=None)


def test_16_a_link_opens_the_report_without_a_key(fakes: Fakes, plan_id: str) -> None:
    shared = http("POST", f"/v1/plans/{plan_id}/share")
    assert (shared.status, shared.body["expires_at"]) == (201, "2026-12-02T09:00:00Z")
    answer = opened(shared.body["url"])
    assert (answer.status, answer.content) == (200, REPORT)
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    token = shared.body["url"].rsplit("/", 1)[1]
    assert len(token) == 43
    assert token not in str(fakes.ports.shares) + str(fakes.files.contents), "only its hash is kept"


def test_a_shared_report_runs_its_own_script_in_a_sandbox_and_is_neither_indexed_nor_stored(
    fakes: Fakes, plan_id: str
) -> None:
    headers = opened(tool("plan_share", plan_id=plan_id).body["url"]).headers
    assert headers["content-security-policy"] == (
        "frame-ancestors 'none'; sandbox allow-scripts allow-modals allow-popups; "
        "default-src 'none'; style-src 'sha256-AAA='; script-src 'sha256-BBB='"
    )
    assert headers["cache-control"] == "no-store"
    assert headers["x-robots-tag"] == "noindex, nofollow, noarchive"
    assert headers["referrer-policy"] == "no-referrer"


def test_a_report_without_a_policy_of_its_own_gets_the_strictest(fakes: Fakes, plan_id: str) -> None:
    url = tool("plan_share", plan_id=plan_id).body["url"]
    fakes.files.write(plan_id, "030-report.html", b"<script>alert(1)</script>", "text/html")
    assert opened(url).headers["content-security-policy"] == STRICTEST


@pytest.mark.parametrize("policy", ["x, y", "x&#10;Set-Cookie: a=b", "x&#13;", "script-src é", ""])
def test_a_policy_that_is_more_than_a_policy_is_not_passed_on(fakes: Fakes, plan_id: str, policy: str) -> None:
    url = tool("plan_share", plan_id=plan_id).body["url"]
    report = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    fakes.files.write(plan_id, "030-report.html", report.encode(), "text/html")
    assert opened(url).headers["content-security-policy"] == STRICTEST


def test_a_report_does_not_choose_its_own_sandbox(fakes: Fakes, plan_id: str) -> None:
    url = tool("plan_share", plan_id=plan_id).body["url"]
    report = b'<meta http-equiv="Content-Security-Policy" content="sandbox allow-same-origin allow-scripts">'
    fakes.files.write(plan_id, "030-report.html", report, "text/html")
    directives = opened(url).headers["content-security-policy"].split("; ")
    first = next(directive for directive in directives if directive.startswith("sandbox"))
    assert first == "sandbox allow-scripts allow-modals allow-popups"


@pytest.mark.parametrize("how", ["http", "mcp"])
def test_revoking_shuts_every_link_of_the_plan_at_once(fakes: Fakes, plan_id: str, how: str) -> None:
    urls = [tool("plan_share", plan_id=plan_id).body["url"] for _ in range(2)]
    assert len(set(urls)) == 2
    if how == "http":
        revoked = http("DELETE", f"/v1/plans/{plan_id}/share").body
    else:
        revoked = tool("plan_unshare", plan_id=plan_id).body
    assert revoked == {"plan_id": plan_id, "revoked": 2}
    assert [opened(url).status for url in urls] == [404, 404]


def test_a_link_expires(fakes: Fakes, plan_id: str) -> None:
    url = http("POST", f"/v1/plans/{plan_id}/share", {"days": 2}).body["url"]
    fakes.clock.pass_(days=1, hours=23)
    assert opened(url).status == 200
    fakes.clock.pass_(hours=1)
    assert opened(url).status == 404
    assert http("POST", f"/v1/plans/{plan_id}/share", {"days": 0}).status == 422


def test_the_link_of_a_deleted_plan_opens_nothing(fakes: Fakes, plan_id: str) -> None:
    url = tool("plan_share", plan_id=plan_id).body["url"]
    tool("plan_delete", plan_id=plan_id)
    assert opened(url).status == 404


@pytest.mark.parametrize("token", ["x", "a" * 43, "..%2f..%2fhealth"])
def test_a_token_that_nobody_made_opens_nothing_and_tells_nothing(fakes: Fakes, plan_id: str, token: str) -> None:
    answer = fetch(f"/shared/{token}", account=None)
    assert answer.status == 404
    assert plan_id not in str(answer)


def test_there_is_nothing_to_share_before_a_plan_is_completed(fakes: Fakes) -> None:
    plan = begin(fakes)
    assert http("POST", f"/v1/plans/{plan.plan_id}/share").status == 409
    tool("plan_stop", plan_id=plan.plan_id)
    refused = tool("plan_share", plan_id=plan.plan_id)
    assert (refused.body["error"]["code"], refused.is_error) == ("PLAN_NOT_COMPLETED", True)
    assert "plan_resume" in refused.body["error"]["message"]


def test_the_log_does_not_open_the_report(fakes: Fakes, plan_id: str, caplog: pytest.LogCaptureFixture) -> None:
    url = tool("plan_share", plan_id=plan_id).body["url"]
    with caplog.at_level(logging.DEBUG):
        opened(url)
    assert caplog.records
    assert url.rsplit("/", 1)[1] not in str([vars(record) for record in caplog.records])


@pytest.mark.parametrize(
    ("context", "host", "base"),
    [
        (
            {"domainName": "abc.execute-api.eu-west-1.amazonaws.com", "path": "/api/v1/plans"},
            "x",
            "https://abc.execute-api.eu-west-1.amazonaws.com/api",
        ),
        ({"domainName": "plans.example.org", "path": "/v1/plans"}, "x", "https://plans.example.org"),
        (
            {"apiId": "a1b2c3", "path": "/api/v1/plans"},
            "127.0.0.1:4566",
            "http://127.0.0.1:4566/_aws/execute-api/a1b2c3/api",
        ),
    ],
)
def test_links_begin_where_the_request_came_in(context: dict[str, str], host: str, base: str) -> None:
    from planloom.transports.caller import RequestCaller

    event = {"path": "/v1/plans", "requestContext": context}
    assert RequestCaller({"aws.event": event, "headers": [(b"host", host.encode())]}).base_url == base
