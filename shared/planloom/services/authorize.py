"""Turn an API key into the account that it belongs to."""

import logging

from planloom.domain.errors import InvalidUserApiKey, UserApiKeyRequired
from planloom.domain.keys import PREFIX, ApiKey, digest_of
from planloom.services.world import World

logger = logging.getLogger(__name__)


def authorize(world: World, secret: str) -> str | None:
    """Return the account of *secret*; None for a key that is unknown, revoked or malformed."""
    if not secret.startswith(PREFIX):
        return None
    key = _standing(world, digest_of(secret))
    if key is None:
        return None
    _note_use(world, key)
    return key.account


def account_of_key(world: World, digest: str) -> str | None:
    """Return the account of the key with that *digest*; None where it is unknown or was revoked."""
    key = _standing(world, digest)
    return key.account if key else None


def user_account(world: World, secret: str | None) -> str | None:
    """Return the account of the user on whose behalf a caller asks; None where none is named and none must be.

    A blank *secret* names none: clients that fill in every argument send one.
    Raises InvalidUserApiKey, UserApiKeyRequired.
    """
    if secret is None or not secret.strip():
        if world.rules.user_api_key_required:
            raise UserApiKeyRequired(
                "This deployment makes plans on behalf of users: send the user's API key (pex_...) as user_api_key."
            )
        return None
    account = authorize(world, secret)
    if account is None:
        raise InvalidUserApiKey(
            "user_api_key is unknown or was revoked: check your API key, or ask the user for a valid one."
        )
    return account


def _standing(world: World, digest: str) -> ApiKey | None:
    key = world.keys.get(digest)
    return None if key is None or key.revoked_at is not None else key


def _note_use(world: World, key: ApiKey) -> None:
    day = world.now().date()
    if key.last_used_on is not None and key.last_used_on >= day:
        return
    try:
        world.keys.use(key.digest, day)
    except Exception:
        # one write a day and key, for a list that people read: no reason to shut the door
        logger.warning("use of a key not noted", exc_info=True)
