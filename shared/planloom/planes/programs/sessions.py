"""Logical sessions: each belongs to an account, has a reference card, and gives the handles of what is in it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from planloom.planes.programs.catalog import Catalog
from planloom.planes.programs.errors import InvalidHandle, UnknownSession
from planloom.planes.programs.ports import Session, SessionStore
from planloom.planes.programs.reference_card import prompt_hash, reference_card

#: The session of an account's calls that name none, and the slot of sessions over HTTP.
DEFAULT = "s0"
NAME = re.compile(r"^[A-Za-z0-9]{1,64}$")
_HANDLE = re.compile(r"(s\d{1,9})_(o|pg)([1-9]\d{0,8})", re.ASCII)
_BARE = re.compile(r"(o|pg)\d+", re.ASCII)
#: A session that is in use is written at most so often.
WRITTEN = timedelta(hours=12)


@dataclass(frozen=True)
class Sessions:
    """The sessions of all accounts; every method names the account."""

    store: SessionStore
    catalog: Callable[[str], Catalog]
    now: Callable[[], datetime]
    new_id: Callable[[], str]

    def open(self, account: str, ask: str = "", *, http: bool = False) -> tuple[Session, str]:
        """Open a session; return it and its reference card, which shows first what *ask* is about.

        Sessions are named s1, s2, ... of the account, and give handles by that name. One over HTTP has a name that
        cannot be guessed, and gives handles as s0 does.
        """
        card = reference_card(self.catalog(account), ask)
        now = self.now()
        if http:
            name, slot = re.sub(r"\W|_", "", self.new_id()), DEFAULT
        else:
            name = slot = f"s{self.store.next(account, DEFAULT, 'sessions')}"
        session = Session(
            account=account, name=name, slot=slot, prompt_hash=prompt_hash(card), created_at=now, used_at=now
        )
        self.store.create(session)
        return session, card

    def get(self, account: str, name: str = "") -> Session:
        """Return a session, by default s0, which every account has. Raises UnknownSession."""
        name = name or DEFAULT
        now = self.now()
        found = self.store.get(account, name, now) if NAME.match(name) else None
        if found is None and name == DEFAULT:
            found = Session(account=account, name=DEFAULT, slot=DEFAULT, created_at=now, used_at=now)
            self.store.create(found)
        if found is None:
            raise UnknownSession(
                f"There is no session {name[:64]}, or it was not used for 30 days. Open one with plasm_context or "
                "POST /execute."
            )
        if now - found.used_at > WRITTEN:
            self.store.use(account, name, now)
        return found

    def by_hash(self, account: str, name: str, given: str) -> Session:
        """Return a session whose card has the hash *given*, or whose account's card has it now.

        Raises UnknownSession.
        """
        session = self.get(account, name)
        if given == session.prompt_hash:
            return session
        if given != prompt_hash(self.card(account)):
            raise UnknownSession(
                f"The session {session.name} has another prompt_hash: the entities may have changed since it was "
                "opened. Open a session with POST /execute."
            )
        if not session.prompt_hash:
            # s0 is opened without a card
            self.store.use(account, session.name, self.now(), given)
        return session.model_copy(update={"prompt_hash": given})

    def card(self, account: str, ask: str = "") -> str:
        """Return the reference card of an account."""
        return reference_card(self.catalog(account), ask)


def is_id(given: str) -> bool:
    """Return whether *given* is the id of something, and no handle: ids have a dash or a colon."""
    return "-" in given or ":" in given


def number_of(session: Session, handle: str, kind: str) -> int:
    """Return the number of a handle of *kind* (``o`` or ``pg``) in *session*. Raises InvalidHandle."""
    bare = _BARE.fullmatch(handle)
    if bare and bare[1] == kind:
        raise InvalidHandle(f"{handle} lacks its session. Write {session.slot}_{handle}.")
    found = _HANDLE.fullmatch(handle)
    if found is None or found[2] != kind:
        example = f"{session.slot}_{kind}1"
        raise InvalidHandle(f"{handle[:64]} is no handle of {_KINDS[kind]}. They are written {example}.")
    if found[1] != session.slot:
        raise InvalidHandle(
            f"{handle} belongs to session {found[1]}, and this call to {session.slot}. Repeat it with the session "
            "that gave the handle."
        )
    return int(found[3])


_KINDS = {"o": "an operation", "pg": "a page"}
