"""Signatures of webhook messages, as the Standard Webhooks specification has them: HMAC-SHA256 with a timestamp.

A message carries the headers ``webhook-id``, ``webhook-timestamp`` (seconds since 1970) and ``webhook-signature``
(``v1,`` and the Base64 of the HMAC-SHA256 of ``id.timestamp.body``). A secret is ``whsec_`` and Base64.
"""

import base64
import hmac
import secrets
from collections.abc import Mapping

PREFIX = "whsec_"
#: Seconds that a message's timestamp may differ from the receiver's clock.
TOLERANCE = 300


class SignatureRefused(ValueError):
    """The message was not signed with the secret, was changed, or is too old."""


def new_secret() -> str:
    """Return a new secret with 256 random bits."""
    return PREFIX + base64.b64encode(secrets.token_bytes(32)).decode()


def signed_headers(message_id: str, timestamp: int, body: bytes, secret: str) -> dict[str, str]:
    """Return the headers that sign *body*, sent at *timestamp* (seconds since 1970)."""
    signature = base64.b64encode(_signature(message_id, str(timestamp), body, secret)).decode()
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{signature}",
    }


def verify(headers: Mapping[str, str], body: bytes, secret: str, now: float) -> str:
    """Return the id of a genuine message, as a receiver does. Raises SignatureRefused.

    A message may come more than once: a receiver keeps the ids of those that it has processed.
    """
    given = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(now - int(timestamp)) > TOLERANCE:
        raise SignatureRefused(f"The timestamp differs from this clock by more than {TOLERANCE} seconds.")
    expected = base64.b64encode(_signature(message_id, timestamp, body, secret)).decode()
    signatures = [each.removeprefix("v1,") for each in given.get("webhook-signature", "").split()]
    if not any(hmac.compare_digest(expected.encode(), each.encode()) for each in signatures):
        raise SignatureRefused("The signature does not fit the message and the secret.")
    return message_id


def _signature(message_id: str, timestamp: str, body: bytes, secret: str) -> bytes:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return hmac.digest(key, f"{message_id}.{timestamp}.".encode() + body, "sha256")
