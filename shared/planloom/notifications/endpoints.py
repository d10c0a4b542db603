"""What callers can do with webhooks, over HTTP."""

from typing import TYPE_CHECKING

from planloom.core.endpoint import DELETE, GET, POST, Caller, Effect, Endpoint
from planloom.core.plane import Plane
from planloom.notifications import errors, requests, responses
from planloom.notifications.events import EVENT_CLASSES

if TYPE_CHECKING:
    from planloom.notifications.service import Webhooks

WEBHOOKS = "/v1/webhooks"


def _add(request: requests.AddWebhook, caller: Caller, webhooks: "Webhooks") -> responses.WebhookAdded:
    webhook, secret = webhooks.add(caller.account, request.name, request.url, tuple(request.events), caller.base_url)
    return responses.WebhookAdded(**responses.webhook_info(webhook).model_dump(), secret=secret)


def _list(account: str, webhooks: "Webhooks") -> responses.WebhookList:
    return responses.WebhookList(webhooks=[responses.webhook_info(each) for each in webhooks.all(account)])


def _events() -> responses.EventClassList:
    return responses.EventClassList(
        events=[
            responses.EventClassInfo(
                type=name, description=kind.__doc__ or "", json_schema=kind.model_json_schema(mode="serialization")
            )
            for name, kind in EVENT_CLASSES.items()
        ]
    )


def _test(request: requests.WebhookRequest, account: str, webhooks: "Webhooks") -> responses.WebhookTest:
    attempt = webhooks.test(account, request.name)
    return responses.WebhookTest(delivered=attempt.delivered, status=attempt.status, error=attempt.error)


def _remove(request: requests.WebhookRequest, account: str, webhooks: "Webhooks") -> responses.WebhookRemoved:
    webhooks.remove(account, request.name)
    return responses.WebhookRemoved(removed=request.name)


def _deliveries(request: requests.ListDeliveries, account: str, webhooks: "Webhooks") -> responses.DeliveryList:
    found, after = webhooks.delivered(account, request.name, request.state, request.limit, request.before)
    return responses.DeliveryList(deliveries=[responses.delivery_info(each) for each in found], next=after)


def _replay(request: requests.ReplayDeliveries, account: str, webhooks: "Webhooks") -> responses.Replayed:
    return responses.Replayed(delivery_ids=webhooks.replay(account, request.name, request.delivery_id))


ENDPOINTS = (
    Endpoint(
        name="webhook_add",
        title="Add a webhook",
        description="""\
Adds a URL to which events of your account are posted, signed as in the Standard Webhooks specification, or replaces the
webhook of that name. It must be public and use https. Returns the secret, which is not shown again.""",
        group="webhooks",
        http=POST(WEBHOOKS, status=201, location=f"{WEBHOOKS}/{{name}}"),
        tool=False,
        request=requests.AddWebhook,
        response=responses.WebhookAdded,
        errors=(errors.InvalidWebhook,),
        effect=Effect.CHANGES,
        handler=_add,
    ),
    Endpoint(
        name="webhook_list",
        title="List webhooks",
        description="Lists your webhooks, without their secrets.",
        group="webhooks",
        http=GET(WEBHOOKS),
        tool=False,
        response=responses.WebhookList,
        handler=_list,
    ),
    Endpoint(
        name="webhook_events",
        title="Classes of events",
        description="Lists the classes of events that webhooks can subscribe to, with the JSON Schema of their data.",
        group="webhooks",
        http=GET("/v1/webhook-events"),
        tool=False,
        response=responses.EventClassList,
        handler=_events,
    ),
    Endpoint(
        name="webhook_test",
        title="Test a webhook",
        description="Posts a test event to the webhook now, once, and returns what the receiver responded.",
        group="webhooks",
        http=POST(f"{WEBHOOKS}/{{name}}/test"),
        tool=False,
        request=requests.WebhookRequest,
        response=responses.WebhookTest,
        errors=(errors.WebhookNotFound,),
        effect=Effect.CHANGES,
        handler=_test,
    ),
    Endpoint(
        name="webhook_remove",
        title="Remove a webhook",
        description="Removes a webhook and its secret. What is still to be delivered to it is given up.",
        group="webhooks",
        http=DELETE(f"{WEBHOOKS}/{{name}}"),
        tool=False,
        request=requests.WebhookRequest,
        response=responses.WebhookRemoved,
        errors=(errors.WebhookNotFound,),
        effect=Effect.DESTROYS,
        repeatable=True,
        handler=_remove,
    ),
    Endpoint(
        name="webhook_deliveries",
        title="Deliveries to a webhook",
        description="""\
Lists what was sent to a webhook within 30 days, newest first: attempts, the receiver's last status, and when the next
attempt is due. A delivery is dead after 24 hours without success.""",
        group="webhooks",
        http=GET(f"{WEBHOOKS}/{{name}}/deliveries"),
        tool=False,
        request=requests.ListDeliveries,
        response=responses.DeliveryList,
        errors=(errors.WebhookNotFound,),
        handler=_deliveries,
    ),
    Endpoint(
        name="webhook_replay",
        title="Send deliveries again",
        description="""\
Sends one delivery again, or all dead ones among the newest 100, with all attempts. A message keeps its webhook-id.""",
        group="webhooks",
        http=POST(f"{WEBHOOKS}/{{name}}/replay"),
        tool=False,
        request=requests.ReplayDeliveries,
        response=responses.Replayed,
        errors=(errors.WebhookNotFound, errors.DeliveryNotFound),
        effect=Effect.CHANGES,
        handler=_replay,
    ),
)

#: The table of endpoints; webhooks have no MCP endpoint of their own.
TABLE = Plane(
    name="webhooks",
    title="planloom: webhooks",
    mcp_path="",
    server_name="",
    instructions="",
    endpoints=ENDPOINTS,
    error_statuses={
        errors.WebhookNotFound: 404,
        errors.InvalidWebhook: 422,
        errors.DeliveryNotFound: 404,
    },
    open_world=True,
)
