"""Errors of webhooks that callers see.

PlanloomError
├── WebhookNotFound        WEBHOOK_NOT_FOUND
├── InvalidWebhook         INVALID_WEBHOOK
└── DeliveryNotFound       DELIVERY_NOT_FOUND
"""

from planloom.core.errors import PlanloomError


class WebhookNotFound(PlanloomError):
    """The account has no webhook of that name."""

    code = "WEBHOOK_NOT_FOUND"


class InvalidWebhook(PlanloomError):
    """Its name, URL or event classes are not accepted; the message says why."""

    code = "INVALID_WEBHOOK"


class DeliveryNotFound(PlanloomError):
    """The webhook has no delivery with that id; deliveries are kept for 30 days."""

    code = "DELIVERY_NOT_FOUND"
