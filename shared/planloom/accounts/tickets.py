"""Tickets: leave to follow one plan for a minute, for browsers whose EventSource cannot send a key in a header."""

import base64
import binascii
import hashlib
import hmac
import json
from datetime import datetime, timedelta

LIFE = timedelta(minutes=1)
#: The deployment's secret signs other things as well: what is signed here is good for nothing else.
_PURPOSE = b"planloom event ticket\x00"


def make_ticket(secret: bytes, key: str, plan_id: str, now: datetime) -> tuple[str, datetime]:
    """Return a ticket for *plan_id*, and when it stops working; *key* is the digest of the API key that asked."""
    expires_at = (now + LIFE).replace(microsecond=0)
    content = json.dumps([key, plan_id, int(expires_at.timestamp())]).encode()
    return f"{_text(content)}.{_text(_signed(secret, content))}", expires_at


def key_of_ticket(secret: bytes, ticket: str, plan_id: str, now: datetime) -> str | None:
    """Return the digest of the key that *ticket* was got with; None where it is forged, of another plan, or past its
    minute. Whether that key still opens anything is the caller's to ask.
    """
    content, _, signature = ticket.partition(".")
    try:
        raw = _bytes(content)
        if not hmac.compare_digest(_signed(secret, raw), _bytes(signature)):
            return None
    except (binascii.Error, ValueError):
        return None
    key, plan, expires = json.loads(raw)
    return str(key) if plan == plan_id and now.timestamp() < expires else None


def _signed(secret: bytes, content: bytes) -> bytes:
    return hmac.new(secret, _PURPOSE + content, hashlib.sha256).digest()


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text.encode() + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
