"""A shared report: a link that opens one plan's report without an API key, until it expires or is revoked."""

from datetime import datetime

from pydantic import Field

from planloom.core.frozen import Frozen


class Share(Frozen):
    """What is known of a shared link: the hash of its token, never the token."""

    digest: str = Field(pattern=r"^[0-9a-f]{64}$")
    plan_id: str
    created_at: datetime
    expires_at: datetime
