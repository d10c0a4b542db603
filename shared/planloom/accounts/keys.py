"""API keys: ``pex_`` and 43 random characters; only their SHA-256 is stored."""

import hashlib
from datetime import date, datetime

from pydantic import Field

from planloom.core.frozen import Frozen

PREFIX = "pex_"
#: So much of a key is shown in lists: 36 of its 256 bits.
SHOWN = 10


class ApiKey(Frozen):
    """What is known of a key. ``shown`` is its beginning, enough to tell keys apart in a list."""

    digest: str = Field(pattern=r"^[0-9a-f]{64}$")
    account: str
    shown: str = Field(max_length=12)
    created_at: datetime
    revoked_at: datetime | None = None
    last_used_on: date | None = Field(default=None, description="Day in UTC; None where nobody came with it yet")


def digest_of(secret: str) -> str:
    """Return the hash under which *secret* is stored: plain SHA-256, since the key has 256 random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()
