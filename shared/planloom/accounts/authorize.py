"""Turn an API key into the account that it belongs to."""

import logging

from planloom.accounts.keys import PREFIX, ApiKey, digest_of
from planloom.accounts.rules import Rules
from planloom.accounts.stores import KeyStore
from planloom.core.clock import Clock
from planloom.core.errors import InvalidUserApiKey, UserApiKeyRequired

logger = logging.getLogger(__name__)


def authorize(keys: KeyStore, clock: Clock, secret: str) -> str | None:
    """Return the account of *secret*; None for a key that is unknown, revoked or malformed."""
    if not secret.startswith(PREFIX):
        return None
    key = _valid_key(keys, digest_of(secret))
    if key is None:
        return None
    _record_use(keys, clock, key)
    return key.account


def account_of_key(keys: KeyStore, digest: str) -> str | None:
    """Return the account of the key with that *digest*; None where it is unknown or was revoked."""
    key = _valid_key(keys, digest)
    return key.account if key else None


def user_account(keys: KeyStore, rules: Rules, clock: Clock, secret: str | None) -> str | None:
    """Return the account of the user on whose behalf a caller asks; None where none is named and none must be.

    A blank *secret* names none: clients that fill in every argument send one.
    Raises InvalidUserApiKey, UserApiKeyRequired.
    """
    if secret is None or not secret.strip():
        if rules.user_api_key_required:
            raise UserApiKeyRequired(
                "This deployment makes plans on behalf of users: send the user's API key (pex_...) as user_api_key."
            )
        return None
    account = authorize(keys, clock, secret)
    if account is None:
        raise InvalidUserApiKey(
            "user_api_key is unknown or was revoked: check your API key, or ask the user for a valid one."
        )
    return account


def _valid_key(keys: KeyStore, digest: str) -> ApiKey | None:
    key = keys.get(digest)
    return None if key is None or key.revoked_at is not None else key


def _record_use(keys: KeyStore, clock: Clock, key: ApiKey) -> None:
    day = clock().date()
    if key.last_used_on is not None and key.last_used_on >= day:
        return
    try:
        keys.use(key.digest, day)
    except Exception:
        # one write a day and key, for a list that people read: no reason to refuse the call
        logger.warning("use of a key not recorded", exc_info=True)
