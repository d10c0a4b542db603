"""Turn an API key into the account that it belongs to."""

from planloom.domain.keys import PREFIX, digest_of
from planloom.services.world import World


def authorize(world: World, secret: str) -> str | None:
    """Return the account of *secret*; None for a key that is unknown, revoked or malformed."""
    if not secret.startswith(PREFIX):
        return None
    key = world.keys.get(digest_of(secret))
    return key.account if key and key.revoked_at is None else None
