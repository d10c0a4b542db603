"""Approvals and webhooks through the whole service: a workflow asks, a webhook gets a link, the link approves once."""

import json
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from planloom.notifications.signing import verify
from tests.e2e.conftest import Running, until
from tests.e2e.webhook_receiver import APPROVE, receiving


def call(service: Running, method: str, path: str, body: Any = None) -> dict[str, Any]:
    request = urllib.request.Request(
        f"{service.address.http_url}{path}",
        None if body is None else json.dumps(body).encode(),
        {"X-API-Key": service.address.key, "Content-Type": "application/json"},
        method=method,
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        return dict(json.load(response))


def page(url: str, **form: str) -> tuple[int, str]:
    """Return status and text of a page, without a key; with *form* it is posted."""
    data = urllib.parse.urlencode(form).encode() if form else None
    try:
        with urllib.request.urlopen(urllib.request.Request(url, data), timeout=60) as response:
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_a_webhook_gets_a_link_that_approves_once_and_the_run_completes(service: Running) -> None:
    with receiving() as (url, received):
        secret = call(service, "POST", "/v1/webhooks", {"name": "ops", "url": url})["secret"]
        assert call(service, "POST", "/v1/webhooks/ops/test")["delivered"]
        run = call(service, "POST", "/v1/workflows/runs", APPROVE | {"workstreamId": "notifications"})

        def message(kind: str) -> dict[str, Any] | None:
            for headers, body in received:
                found = json.loads(body)
                if found["type"] == kind:
                    assert verify(headers, body, secret, int(headers["webhook-timestamp"]))
                    return dict(found["data"])
            return None

        requested = until(lambda: message("approval.requested"), "the message of the request")
        link = requested["links"]["founder"]
        assert [page(link)[0] for _ in range(3)] == [200, 200, 200]
        assert call(service, "GET", f"/v1/approvals/{requested['approval_id']}")["state"] == "pending"
        assert page(link, decision="approve", comment="Good")[0] == 200
        assert page(link, decision="reject")[0] == 409
        assert page(link[:-3] + "AAA")[0] == 404
        ended = until(lambda: message("run.ended"), "the message of the end")
        assert (ended["state"], ended["run_id"] in json.dumps(run)) == ("completed", True)
        assert until(lambda: message("approval.ended"), "the message of the approval's end")
        call(service, "DELETE", "/v1/webhooks/ops")
