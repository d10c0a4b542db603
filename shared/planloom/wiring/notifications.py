"""The composition root of webhooks, and of the links to approvals in their messages."""

from datetime import UTC, datetime
from functools import cache

from planloom.adapters.dynamodb_approvals import DynamoApprovalStore
from planloom.adapters.dynamodb_webhooks import DynamoDeliveryStore, DynamoWebhookStore
from planloom.adapters.sqs_notifications import SqsNotifications
from planloom.adapters.ssm_secrets import SsmSecrets
from planloom.adapters.webhook_post import WebhookPoster
from planloom.approvals.approval import Approval
from planloom.approvals.ports import Change
from planloom.notifications.approval_messages import approval_event, with_links
from planloom.notifications.service import PARAMETERS, Webhooks
from planloom.wiring import request_state_key, settings
from planloom.wiring.aws import client


def link_secret() -> bytes:
    """Return the secret that signs links to approvals."""
    return request_state_key()


@cache
def webhooks() -> Webhooks:
    """Return the webhooks of all accounts."""
    table, known = client("dynamodb"), settings()
    return Webhooks(
        store=DynamoWebhookStore(table, known.table),
        secrets=SsmSecrets(lambda: client("ssm"), PARAMETERS),
        deliveries=DynamoDeliveryStore(table, known.table),
        queue=SqsNotifications(lambda: client("sqs"), known.notifications),
        poster=WebhookPoster(loopback=known.loopback_tools),
        complete=with_links(DynamoApprovalStore(table, known.table), link_secret),
        now=_now,
    )


def publish_approval(approval: Approval, change: Change) -> None:
    """Send what happened to an approval to the webhooks of its account."""
    webhooks().publish(approval_event(approval, change, _now()))


def _now() -> datetime:
    return datetime.now(UTC)
