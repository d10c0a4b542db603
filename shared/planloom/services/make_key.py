"""Make an API key for an account."""

import secrets

from planloom.domain.keys import PREFIX, ApiKey, digest_of
from planloom.services.world import World


def make_key(world: World, account: str) -> str:
    """Store a new key for *account* and return it: the only time that anybody sees it."""
    secret = PREFIX + secrets.token_urlsafe(32)
    world.keys.add(ApiKey(digest=digest_of(secret), account=account, shown=secret[:10], created_at=world.now()))
    return secret
