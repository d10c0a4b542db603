"""Turn an API key into the account that it belongs to."""

from planloom.domain.errors import InvalidUserApiKey
from planloom.domain.keys import PREFIX, digest_of
from planloom.services.world import World


def authorize(world: World, secret: str) -> str | None:
    """Return the account of *secret*; None for a key that is unknown, revoked or malformed."""
    if not secret.startswith(PREFIX):
        return None
    key = world.keys.get(digest_of(secret))
    return key.account if key and key.revoked_at is None else None


def check_user_key(world: World, secret: str | None) -> None:
    """Check the key of the user on whose behalf a caller asks, where one was given. Raises InvalidUserApiKey."""
    if secret is not None and authorize(world, secret) is None:
        raise InvalidUserApiKey("user_api_key is unknown or revoked. Leave it out, or ask the user for a valid key.")
