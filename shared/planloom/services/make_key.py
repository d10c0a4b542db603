"""Make, keep, list and revoke the API keys of an account."""

import secrets

from planloom.domain.errors import InvalidArgument
from planloom.domain.keys import PREFIX, SHOWN, ApiKey, digest_of
from planloom.services.world import World


def make_key(world: World, account: str) -> str:
    """Store a new key for *account* and return it: the only time that anybody sees it."""
    secret = PREFIX + secrets.token_urlsafe(32)
    world.keys.add(ApiKey(digest=digest_of(secret), account=account, shown=secret[:SHOWN], created_at=world.now()))
    return secret


def keep_key(world: World, account: str, secret: str) -> bool:
    """Store the key *secret* again, of which the table lost all trace; return False where it is known, or is no key."""
    if not secret.startswith(PREFIX):
        return False
    key = ApiKey(digest=digest_of(secret), account=account, shown=secret[:SHOWN], created_at=world.now())
    return world.keys.add(key)


def list_keys(world: World, account: str) -> list[ApiKey]:
    """Return the keys of *account*, oldest first, revoked ones too; never what they are."""
    return world.keys.of_account(account)


def revoke_key(world: World, account: str, named: str) -> ApiKey:
    """Revoke the key of *account* that *named* is, or begins like, and return it; the gateway forgets it in a minute.

    Raises InvalidArgument where no key of the account, or more than one in use, begins so.
    """
    found = [key for key in world.keys.of_account(account) if _is(key, named)]
    # one that is revoked already is meant only where no other is
    meant = [key for key in found if key.revoked_at is None] or found
    if len(meant) != 1:
        many = "more than one key of" if meant else "no key of"
        raise InvalidArgument(f"{many} account {account} begins so: take its beginning from the list.", field="key")
    world.keys.revoke(meant[0].digest, world.now())
    return world.keys.get(meant[0].digest) or meant[0]


def _is(key: ApiKey, named: str) -> bool:
    if len(named) <= SHOWN:
        return len(named) > len(PREFIX) and key.shown.startswith(named)
    return key.digest == digest_of(named)
