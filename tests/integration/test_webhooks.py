"""Webhooks on the table, SSM and SQS, and posted over real connections to this machine."""

import http.server
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import boto3
import pytest

from functions.notify import handler as notify
from planloom.adapters import table_keys
from planloom.adapters.dynamodb_webhooks import DynamoDeliveryStore, DynamoWebhookStore
from planloom.adapters.webhook_post import WebhookPoster
from planloom.approvals.approval import Decision, Response
from planloom.notifications.ports import DeliveryStore, WebhookStore
from planloom.notifications.signing import verify
from planloom.notifications.webhook import KEPT, Attempt, Delivery, DeliveryState, Webhook, attempted, new_delivery
from planloom.settings import Settings
from planloom.tools.address_guard import AddressRefused
from planloom.wiring import approvals as wiring_approvals
from planloom.wiring import aws as wiring_aws
from planloom.wiring import notifications as wiring_notifications
from tests.integration.conftest import TABLE
from tests.unit.approvals.fakes import an_approval
from tests.unit.functions.conftest import Context
from tests.unit.notifications.fakes import NOW, URL, FakeDeliveryStore, FakeWebhookStore, an_event


@pytest.fixture(params=["fake", "dynamodb"])
def stores(request: pytest.FixtureRequest) -> tuple[WebhookStore, DeliveryStore]:
    if request.param == "fake":
        return FakeWebhookStore(), FakeDeliveryStore()
    request.getfixturevalue("aws")
    client = boto3.client("dynamodb")
    return DynamoWebhookStore(client, TABLE), DynamoDeliveryStore(client, TABLE)


def a_webhook(name: str = "ops", account: str = "acme", url: str = URL) -> Webhook:
    return Webhook(
        account=account, name=name, url=url, events=("run.ended",), base_url="https://a.example", created_at=NOW
    )


def a_delivery(run_id: str = "r1", minutes: int = 0) -> Delivery:
    return new_delivery(an_event(run_id), a_webhook(), NOW + timedelta(minutes=minutes))


def test_webhooks_are_kept_by_account_and_name(stores: tuple[WebhookStore, DeliveryStore]) -> None:
    store, _ = stores
    for each in (a_webhook("b"), a_webhook("a"), a_webhook(account="other")):
        store.put(each)
    store.put(a_webhook("b", url="https://new.example/"))
    assert store.of_account("acme") == [a_webhook("a"), a_webhook("b", url="https://new.example/")]
    store.delete("acme", "a")
    store.delete("acme", "a")
    assert (store.get("acme", "a"), store.get("other", "ops")) == (None, a_webhook(account="other"))


def test_a_delivery_is_added_once_and_replaced_under_its_version(stores: tuple[WebhookStore, DeliveryStore]) -> None:
    _, store = stores
    first = a_delivery()
    assert [store.add(first), store.add(first)] == [True, False]
    after = attempted(first, Attempt(status=500, error="no"), NOW)
    assert [store.replace(after, 1), store.replace(after, 1)] == [True, False]
    assert (store.get(first.delivery_id), store.get("other")) == (after, None)


def test_deliveries_are_listed_newest_first_and_found_while_overdue(
    stores: tuple[WebhookStore, DeliveryStore],
) -> None:
    _, store = stores
    made = [a_delivery(f"r{minutes}", minutes) for minutes in range(4)]
    for each in made:
        store.add(each)
    store.replace(attempted(made[1], Attempt(status=200), NOW), 1)
    first = store.newest_of("acme", "ops", 3)
    rest = store.newest_of("acme", "ops", 3, first[-1][0])
    assert [each.event.data["run_id"] for _, each in (*first, *rest)] == ["r3", "r2", "r1", "r0"]
    ids = [made[0].delivery_id, made[2].delivery_id]
    assert store.overdue(NOW + timedelta(minutes=3), 9) == ids
    assert store.overdue(NOW + timedelta(minutes=3), 1) == ids[:1]


def test_the_table_forgets_a_delivery_after_30_days(aws: None) -> None:
    DynamoDeliveryStore(boto3.client("dynamodb"), TABLE).add(a_delivery())
    rows = boto3.client("dynamodb").scan(TableName=TABLE)["Items"]
    expires = [int(row[table_keys.EXPIRES]["N"]) for row in rows if table_keys.EXPIRES in row]
    assert expires == [int((NOW + KEPT).timestamp())]


@dataclass
class Receiver:
    """A server on this machine that keeps what is posted to it."""

    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    received: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    url: str = ""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    known = Receiver()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            known.received.append((self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            self.send_response(known.status)
            for name, value in known.headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=lambda: server.serve_forever(0.01))
    thread.start()
    known.url = f"http://127.0.0.1:{server.server_port}/hook?a=b"
    yield known
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_message_arrives_with_its_path_headers_and_body(receiver: Receiver) -> None:
    poster = WebhookPoster(loopback=True)
    assert poster.post(receiver.url, {"webhook-id": "m1"}, b"{}") == Attempt(status=200)
    ((path, headers, body),) = receiver.received
    host = receiver.url.split("/")[2]
    assert (path, headers["webhook-id"], headers["host"], body) == ("/hook?a=b", "m1", host, b"{}")


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    receiver.status, receiver.headers = 307, {"Location": receiver.url}
    attempt = WebhookPoster(loopback=True).post(receiver.url, {}, b"{}")
    assert (attempt.status, attempt.delivered, attempt.refused, len(receiver.received)) == (307, False, False, 1)


def test_a_receiver_that_is_gone_says_so_for_all_attempts(receiver: Receiver) -> None:
    receiver.status = 410
    assert WebhookPoster(loopback=True).post(receiver.url, {}, b"{}").refused is True


def test_a_receiver_that_cannot_be_reached_is_a_failed_attempt() -> None:
    # the port of the discard service, which nothing listens on
    attempt = WebhookPoster(loopback=True).post("http://127.0.0.1:9/", {}, b"{}")
    assert (attempt.status, attempt.delivered) == (None, False)
    assert "did not respond" in attempt.error


@pytest.mark.parametrize("host", ["127.0.0.1", "10.0.0.1", "169.254.169.254", "[::1]", "192.168.1.1"])
def test_a_private_address_is_refused_when_added_and_at_each_attempt(host: str) -> None:
    poster = WebhookPoster(loopback=False)
    with pytest.raises(AddressRefused):
        poster.check(f"https://{host}/")
    attempt = poster.post(f"https://{host}/", {}, b"{}")
    assert (attempt.status, "no public address" in attempt.error) == (None, True)


@pytest.fixture
def deployed(aws: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The composition root over mocked AWS; the URL of the queue."""
    url = boto3.client("sqs").create_queue(QueueName="notifications")["QueueUrl"]
    named = {"PLANLOOM_TABLE": TABLE, "PLANLOOM_NOTIFICATIONS": url, "PLANLOOM_LOOPBACK_TOOLS": "true"}
    known = Settings.read(named)
    monkeypatch.setattr(wiring_notifications, "settings", lambda: known)
    monkeypatch.setattr(wiring_approvals, "settings", lambda: known)
    # no run waits for these approvals
    monkeypatch.setattr(wiring_approvals, "LISTENERS", {})
    monkeypatch.setattr(wiring_notifications, "request_state_key", lambda: b"secret of the deployment")
    monkeypatch.setattr(notify.metrics.provider, "namespace", "planloom")
    cached = (wiring_approvals.approvals, wiring_notifications.webhooks, wiring_aws.clients)
    for each in cached:
        each.cache_clear()
    yield url
    for each in cached:
        each.cache_clear()


def work(url: str) -> None:
    """Process what is in the queue now, as Lambda's event source does."""
    sqs = boto3.client("sqs")
    while messages := sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        records = [
            {"messageId": each["MessageId"], "body": each["Body"], "eventSource": "aws:sqs"} for each in messages
        ]
        assert notify.handler({"Records": records}, Context()) == {"batchItemFailures": []}  # type: ignore[arg-type]
        for each in messages:
            sqs.delete_message(QueueUrl=url, ReceiptHandle=each["ReceiptHandle"])


def test_an_approval_reaches_the_webhook_with_a_link_and_then_its_end(deployed: str, receiver: Receiver) -> None:
    webhooks, approvals = wiring_notifications.webhooks(), wiring_approvals.approvals()
    _, secret = webhooks.add("acme", "ops", receiver.url, (), "https://api.example.com/api")
    approvals.request(an_approval())
    approvals.respond("acme", "a1", Response(by="founder", decision=Decision.APPROVE))
    work(deployed)
    now = webhooks.now().timestamp()
    messages = {json.loads(body)["type"]: json.loads(body) for _, _, body in receiver.received}
    assert {verify(headers, body, secret, now)[:4] for _, headers, body in receiver.received} == {"dlv_"}
    assert set(messages) == {"approval.requested", "approval.ended"}
    assert messages["approval.ended"]["data"]["state"] == "approved"
    states = [each.state for each in webhooks.delivered("acme", "ops")[0]]
    assert states == [DeliveryState.DELIVERED, DeliveryState.DELIVERED]


def test_a_pending_approval_comes_with_a_link_that_opens_it(deployed: str, receiver: Receiver) -> None:
    wiring_notifications.webhooks().add("acme", "ops", receiver.url, (), "https://api.example.com/api")
    wiring_approvals.approvals().request(an_approval())
    work(deployed)
    ((_, _, body),) = receiver.received
    (link,) = json.loads(body)["data"]["links"].values()
    assert link.startswith("https://api.example.com/api/approve/")


def test_a_failed_attempt_is_delayed_by_the_queue(deployed: str, receiver: Receiver) -> None:
    receiver.status = 503
    webhooks = wiring_notifications.webhooks()
    webhooks.add("acme", "ops", receiver.url, ("run.ended",), "https://api.example.com/api")
    webhooks.publish(an_event())
    work(deployed)
    (found,), _ = webhooks.delivered("acme", "ops")
    assert (found.state, found.attempts, found.status) == (DeliveryState.PENDING, 1, 503)
    counted = boto3.client("sqs").get_queue_attributes(
        QueueUrl=deployed, AttributeNames=["ApproximateNumberOfMessagesDelayed"]
    )
    assert counted["Attributes"] == {"ApproximateNumberOfMessagesDelayed": "1"}


def test_many_events_at_once_all_reach_the_webhook(deployed: str, receiver: Receiver) -> None:
    webhooks = wiring_notifications.webhooks()
    webhooks.add("acme", "ops", receiver.url, ("run.ended",), "https://api.example.com/api")
    webhooks.publish(*(an_event(f"r{number}") for number in range(12)))
    work(deployed)
    assert {json.loads(body)["data"]["run_id"] for _, _, body in receiver.received} == {
        f"r{number}" for number in range(12)
    }
    assert len(receiver.received) == 12


def test_the_secret_of_a_webhook_is_a_secure_string_that_goes_with_it(deployed: str, receiver: Receiver) -> None:
    webhooks = wiring_notifications.webhooks()
    _, secret = webhooks.add("acme", "ops", receiver.url, (), "https://api.example.com/api")
    ssm = boto3.client("ssm")
    kept = ssm.describe_parameters()["Parameters"]
    assert [each["Type"] for each in kept] == ["SecureString"]
    rows = boto3.client("dynamodb").scan(TableName=TABLE)["Items"]
    assert secret not in json.dumps(rows)
    webhooks.remove("acme", "ops")
    assert ssm.describe_parameters()["Parameters"] == []
