"""What sessions and operations need from outside: a table of sessions, and the backends of entities."""

from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from typing import Literal, Protocol

from planloom.core.frozen import Frozen
from planloom.planes.programs.lines import OperationProgress
from planloom.planes.programs.plan import Verdict
from planloom.planes.programs.sources import Backend

#: The field of an event with which a worker calls an operation of the API; no event of the gateway has it.
OWN_CALL = "own_call"
Counter = Literal["sessions", "commits", "operations", "pages"]


class Session(Frozen):
    """A logical session of an account. ``slot`` is the part of its handles before the underscore."""

    account: str
    name: str
    slot: str
    prompt_hash: str = ""
    created_at: datetime
    used_at: datetime


class Commit(Frozen):
    """A plan that was dry-run: its id, its verdict, and when the acceptance of it expires."""

    ref: str
    commit_id: str
    verdict: Verdict
    expires_at: datetime


class Operation(Frozen):
    """An operation of a session: a run, by a handle.

    ``n`` counts the lines about it, ``changes`` the changes of its progress, ``polled`` the change that a poll
    showed last. ``result`` names its rendered result. ``own`` False: an operation of another plane, a run of a graph or
    a row of ``entity`` with the id ``run_id``.
    """

    session: str
    number: int
    handle: str
    run_id: str
    program: str = ""
    commit: str = ""
    verdict: str = ""
    own: bool = True
    entity: str = ""
    created_at: datetime
    n: int = 1
    changes: int = 0
    polled: int = 0
    progress: OperationProgress = OperationProgress()
    result: str = ""


class SessionStore(Protocol):
    """The sessions of all accounts with what belongs to them; every write is one conditional or atomic write."""

    def create(self, session: Session) -> None:
        """Store a session; no change where its name is taken."""

    def get(self, account: str, name: str, now: datetime) -> Session | None:
        """Return a session that has not expired at *now*."""

    def use(self, account: str, name: str, now: datetime, prompt_hash: str = "") -> None:
        """Keep that the session was used, so that it does not expire, and the hash of its card where one is given."""

    def next(self, account: str, session: str, counter: Counter) -> int:
        """Return the next number of a counter of the session, from 1: no two calls get the same."""

    def last(self, account: str, session: str, counter: Counter) -> int:
        """Return the number that was given last, 0 where none was."""

    def put_commit(self, account: str, session: str, commit: Commit) -> None:
        """Store a commit. It is kept for a day, so that an expired one is known as such."""

    def commit(self, account: str, session: str, ref: str) -> Commit | None:
        """Return a commit."""

    def put_page(self, account: str, session: str, handle: str, key: str, now: datetime) -> None:
        """Store the *key* of what follows a page, for 30 days."""

    def page(self, account: str, session: str, handle: str) -> str | None:
        """Return the key of what follows a page."""

    def add_live(self, account: str, session: str, number: int, most: int) -> bool:
        """Count operation *number* as live unless *most* are: exactly so many, however many calls there are."""

    def end_live(self, account: str, session: str, numbers: Iterable[int]) -> None:
        """Count operations as live no more."""

    def live(self, account: str, session: str) -> frozenset[int]:
        """Return the numbers of the operations that count as live."""

    def put_operation(self, account: str, operation: Operation) -> None:
        """Store a new operation."""

    def operation(self, account: str, session: str, number: int) -> Operation | None:
        """Return an operation."""

    def operations(self, account: str, session: str) -> list[Operation]:
        """Return all operations of a session, oldest first."""

    def delete_operation(self, account: str, session: str, number: int) -> None:
        """Delete an operation; no error where there is none."""

    def next_line(self, account: str, session: str, number: int) -> Operation | None:
        """Count a line about an operation, and that the caller has seen its progress.

        Return it with the new ``n`` and the ``polled`` of before; None where there is none.
        """

    def report(self, account: str, session: str, number: int, progress: OperationProgress) -> None:
        """Replace the progress of an operation, counting the change and a line; no error where there is none."""

    def keep_result(self, account: str, session: str, number: int, key: str) -> str:
        """Keep the key of the rendered result, and return the one that counts: the first."""


class ProgramCaller(Frozen):
    """On whose behalf a program calls the account's own operations."""

    account: str
    key: str = "program"
    base_url: str = ""


class OpenBackends(Protocol):
    """Opens the backends of entities."""

    def __call__(
        self, caller: ProgramCaller, names: Iterable[str]
    ) -> AbstractAsyncContextManager[Mapping[str, Backend]]:
        """Return the backends called *names*, as entities of *caller* name them; they are closed at the end."""
