"""Make, keep, list and revoke the API keys of an account."""

import secrets

from planloom.accounts.keys import PREFIX, SHOWN, ApiKey, digest_of
from planloom.accounts.stores import KeyStore
from planloom.core.clock import Clock
from planloom.core.errors import InvalidArgument


def make_key(keys: KeyStore, clock: Clock, account: str) -> str:
    """Store a new key for *account* and return it: the only time that anybody sees it."""
    secret = PREFIX + secrets.token_urlsafe(32)
    keys.add(ApiKey(digest=digest_of(secret), account=account, shown=secret[:SHOWN], created_at=clock()))
    return secret


def keep_key(keys: KeyStore, clock: Clock, account: str, secret: str) -> bool:
    """Store the key *secret* again, of which the table lost all trace; return False where it is known, or is no key."""
    if not secret.startswith(PREFIX):
        return False
    key = ApiKey(digest=digest_of(secret), account=account, shown=secret[:SHOWN], created_at=clock())
    return keys.add(key)


def list_keys(keys: KeyStore, account: str) -> list[ApiKey]:
    """Return the keys of *account*, oldest first, revoked ones too; never what they are."""
    return keys.of_account(account)


def revoke_key(keys: KeyStore, clock: Clock, account: str, named: str) -> ApiKey:
    """Revoke the key of *account* that *named* is, or begins like, and return it; the gateway forgets it in a minute.

    Raises InvalidArgument where no key of the account, or more than one in use, starts with it.
    """
    found = [key for key in keys.of_account(account) if _is(key, named)]
    # one that is revoked already is meant only where no other is
    meant = [key for key in found if key.revoked_at is None] or found
    if len(meant) != 1:
        found_one = "More than one key" if meant else "No key"
        raise InvalidArgument(
            f"{found_one} of account {account} starts with that. Run 'planloom keys list' and copy more of the key.",
            field="key",
        )
    keys.revoke(meant[0].digest, clock())
    return keys.get(meant[0].digest) or meant[0]


def _is(key: ApiKey, named: str) -> bool:
    if len(named) <= SHOWN:
        return len(named) > len(PREFIX) and key.shown.startswith(named)
    return key.digest == digest_of(named)
