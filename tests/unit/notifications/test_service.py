"""Webhooks: added under bounds, given each event of theirs, signed, retried for a day and replayed by command."""

import itertools
import json
from datetime import timedelta

import pytest

from planloom.notifications.errors import DeliveryNotFound, InvalidWebhook, WebhookNotFound
from planloom.notifications.events import EVENT_CLASSES
from planloom.notifications.service import MOST_WEBHOOKS
from planloom.notifications.signing import verify
from planloom.notifications.webhook import DELAYS, LOST_AFTER, Attempt, DeliveryState
from tests.unit.notifications.fakes import NOW, URL, FakePoster, Setting, an_event

DAY = timedelta(days=1)
FAILED = Attempt(status=500, error="The receiver responded with status 500.")


def test_an_event_is_posted_once_to_each_webhook_that_subscribes_to_it() -> None:
    setting = Setting()
    setting.add("a", "run.ended")
    setting.add("b", "approval.ended")
    setting.add("c")
    setting.add("a", account="other")
    setting.publish(an_event())
    setting.publish(an_event())
    assert [each.webhook for each in setting.deliveries.deliveries.values()] == ["a", "c"]
    assert len(setting.poster.posted) == 2


def test_a_message_is_signed_with_the_secret_that_add_returned() -> None:
    setting = Setting()
    secret = setting.add()
    setting.publish(an_event())
    ((url, headers, body),) = setting.poster.posted
    assert (url, headers["content-type"]) == (URL, "application/json")
    assert verify(headers, body, secret, NOW.timestamp()) == setting.only().delivery_id
    assert json.loads(body) == {
        "id": an_event().event_id,
        "type": "run.ended",
        "timestamp": NOW.isoformat(),
        "data": {"plane": "workflows", "run_id": "r1", "title": "Launch", "state": "completed", "reason": ""},
    }


def test_an_event_without_a_webhook_for_it_is_not_queued() -> None:
    setting = Setting()
    setting.add("a", "approval.ended")
    setting.webhooks.publish(an_event())
    assert setting.queue.events == []


def test_a_failed_delivery_is_retried_with_increasing_delays_within_a_day_and_is_then_dead() -> None:
    setting = Setting(poster=FakePoster([FAILED]))
    secret = setting.add()
    setting.publish(an_event())
    assert (setting.only().state, setting.only().attempts) == (DeliveryState.PENDING, 1)
    setting.work(NOW + DAY)
    dead = setting.only()
    assert (dead.state, dead.attempts, dead.status) == (DeliveryState.DEAD, len(DELAYS) + 1, 500)
    sent = [int(headers["webhook-timestamp"]) - int(NOW.timestamp()) for _, headers, _ in setting.poster.posted]
    assert [later - earlier for earlier, later in itertools.pairwise(sent)] == list(DELAYS)
    assert DAY - timedelta(hours=1) < timedelta(seconds=sent[-1]) <= DAY
    for _, headers, body in setting.poster.posted:
        assert verify(headers, body, secret, int(headers["webhook-timestamp"])) == dead.delivery_id


def test_a_receiver_that_recovers_gets_the_event() -> None:
    setting = Setting(poster=FakePoster([FAILED, Attempt(error="no response"), Attempt(status=204)]))
    setting.add()
    setting.publish(an_event())
    setting.work(NOW + DAY)
    found = setting.only()
    assert (found.state, found.attempts, found.status, found.error) == (DeliveryState.DELIVERED, 3, 204, "")


def test_a_receiver_that_is_gone_gets_no_further_attempt() -> None:
    setting = Setting(poster=FakePoster([Attempt(status=410, error="gone", refused=True)]))
    setting.add()
    setting.publish(an_event())
    setting.work(NOW + DAY)
    assert (setting.only().state, setting.only().attempts) == (DeliveryState.DEAD, 1)


def test_a_removed_webhook_gets_nothing_more() -> None:
    setting = Setting(poster=FakePoster([FAILED]))
    setting.add()
    setting.publish(an_event())
    setting.webhooks.remove("acme", "ops")
    setting.work(NOW + DAY)
    assert len(setting.poster.posted) == 1
    assert setting.only().state is DeliveryState.DEAD
    assert setting.secrets.kept == {}


def test_replay_sends_dead_deliveries_again_with_their_ids() -> None:
    setting = Setting(poster=FakePoster([FAILED]))
    setting.add()
    for run_id in ("r1", "r2"):
        setting.publish(an_event(run_id))
    setting.work(NOW + DAY)
    ids = sorted(setting.deliveries.deliveries)
    setting.poster.attempts = [Attempt(status=200)]
    assert sorted(setting.webhooks.replay("acme", "ops")) == ids
    setting.poster.posted.clear()
    setting.work(setting.clock.time)
    assert sorted(headers["webhook-id"] for _, headers, _ in setting.poster.posted) == ids
    assert setting.webhooks.replay("acme", "ops") == []


def test_one_delivered_event_can_be_replayed_too() -> None:
    setting = Setting()
    setting.add()
    setting.publish(an_event())
    assert setting.webhooks.replay("acme", "ops", setting.only().delivery_id) == [setting.only().delivery_id]
    setting.work(setting.clock.time)
    assert len(setting.poster.posted) == 2


def test_a_message_that_was_lost_is_queued_again_by_the_watchdog() -> None:
    setting = Setting(poster=FakePoster([FAILED, Attempt(status=200)]))
    setting.add()
    setting.publish(an_event())
    setting.queue.deliveries.clear()
    setting.clock.time = setting.only().next_at + LOST_AFTER
    assert setting.webhooks.requeue_lost() == []
    setting.clock.time += timedelta(seconds=1)
    assert setting.webhooks.requeue_lost() == [setting.only().delivery_id]
    setting.work(setting.clock.time)
    assert setting.only().state is DeliveryState.DELIVERED
    setting.clock.time += DAY
    assert setting.webhooks.requeue_lost() == []


def test_a_doubled_message_makes_no_second_attempt_before_its_time() -> None:
    setting = Setting(poster=FakePoster([FAILED]))
    setting.add()
    setting.publish(an_event())
    setting.webhooks.deliver(setting.only().delivery_id)
    assert (len(setting.poster.posted), setting.only().attempts) == (1, 1)


def test_an_event_that_is_delivered_is_not_sent_again_when_it_is_published_again() -> None:
    setting = Setting()
    setting.add()
    setting.publish(an_event())
    assert setting.webhooks.fan_out(an_event()) == []


def test_a_test_posts_one_signed_event_and_stores_nothing() -> None:
    setting = Setting(poster=FakePoster([FAILED]))
    secret = setting.add("a", "run.ended")
    assert setting.webhooks.test("acme", "a") == FAILED
    ((_, headers, body),) = setting.poster.posted
    verify(headers, body, secret, NOW.timestamp())
    assert (json.loads(body)["type"], setting.deliveries.deliveries) == ("webhook.test", {})


@pytest.mark.parametrize(
    ("name", "url", "events"),
    [
        ("Ops", URL, ()),
        ("", URL, ()),
        ("ops", "https://internal/", ()),
        ("ops", URL, ("plan.exploded",)),
    ],
)
def test_a_webhook_that_could_not_work_is_refused(name: str, url: str, events: tuple[str, ...]) -> None:
    setting = Setting()
    with pytest.raises(InvalidWebhook):
        setting.webhooks.add("acme", name, url, events, "https://api.example.com")
    assert (setting.store.webhooks, setting.secrets.kept) == ({}, {})


def test_an_account_has_a_bounded_number_of_webhooks_and_can_replace_one() -> None:
    setting = Setting()
    for number in range(MOST_WEBHOOKS):
        setting.add(f"w{number}")
    with pytest.raises(InvalidWebhook):
        setting.add("more")
    before = setting.secrets.get("acme", "w0")
    assert setting.add("w0") not in before.values()
    assert setting.webhooks.get("acme", "w0").events == tuple(sorted(EVENT_CLASSES))


def test_webhooks_and_deliveries_of_another_account_are_not_found() -> None:
    setting = Setting()
    setting.add()
    setting.publish(an_event())
    setting.add(account="other")
    with pytest.raises(DeliveryNotFound):
        setting.webhooks.replay("other", "ops", setting.only().delivery_id)
    setting.webhooks.remove("other", "ops")
    for call in (
        lambda: setting.webhooks.get("other", "ops"),
        lambda: setting.webhooks.remove("other", "ops"),
        lambda: setting.webhooks.test("other", "ops"),
        lambda: setting.webhooks.delivered("other", "ops"),
        lambda: setting.webhooks.replay("other", "ops"),
    ):
        with pytest.raises(WebhookNotFound):
            call()
    assert setting.webhooks.all("other") == []
    assert [each.name for each in setting.webhooks.all("acme")] == ["ops"]


def test_deliveries_are_listed_newest_first_in_pages() -> None:
    setting = Setting(poster=FakePoster([Attempt(status=200), Attempt(status=200), FAILED]))
    setting.add()
    for number in range(3):
        setting.clock.time = NOW + timedelta(minutes=number)
        setting.publish(an_event(f"r{number}"))
    first, position = setting.webhooks.delivered("acme", "ops", limit=2)
    second, end = setting.webhooks.delivered("acme", "ops", limit=2, before=position)
    assert [each.event.data["run_id"] for each in (*first, *second)] == ["r2", "r1", "r0"]
    assert end is None
    pending, _ = setting.webhooks.delivered("acme", "ops", DeliveryState.PENDING)
    assert [each.event.data["run_id"] for each in pending] == ["r2"]
