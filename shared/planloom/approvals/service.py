"""Approvals of all accounts: requested by planes, answered by people, and reported to the plane when they end."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from planloom.approvals import approval as rules
from planloom.approvals.approval import Approval, ApprovalState, Outcome, Responded, Response
from planloom.approvals.errors import ApprovalBusy, ApprovalNotFound, InvalidApproval
from planloom.approvals.ports import ApprovalStore, Change, Listener

#: How often a change is tried again because another was written first.
ATTEMPTS = 50
#: A call ends within this time: changes that are unpublished for longer are left over from a crash.
SETTLED = timedelta(seconds=30)
#: Changes that are published by one look at what is left over.
MOST_LEFT_OVER = 200


@dataclass(frozen=True)
class Approvals:
    """The approvals of all accounts; methods that name an account check it.

    *listeners* are called after each change was stored, and again where a call is repeated. What a crashed call did not
    publish is published by the repeat, by the timer of the plane, or by :meth:`publish_left_over`. *key_shown* returns
    the beginning of the API key with a SHA-256, which is kept with the responses that the key brought.
    """

    store: ApprovalStore
    listeners: tuple[Listener, ...]
    now: Callable[[], datetime]
    key_shown: Callable[[str], str]

    def request(self, approval: Approval) -> Approval:
        """Store *approval* and publish that it is requested; requesting it again returns the stored one.

        The plane chooses the id, so that a request that is repeated after a crash is the same approval. Raises
        InvalidApproval, also where the id is taken by an approval of another version or account.
        """
        rules.request(approval)
        changes: tuple[Change, ...] = ("requested",)
        if not self.store.add(approval, changes):
            known = self.store.get(approval.approval_id)
            if known is None or (known.account, known.subject) != (approval.account, approval.subject):
                raise InvalidApproval("This id is taken by another approval. Another version needs an id of its own.")
            approval = known
        if approval.state is ApprovalState.PENDING:
            self._publish(approval, changes)
        self.store.published(approval.approval_id, 1)
        return approval

    def get(self, account: str, approval_id: str) -> Approval:
        """Return an approval as it is now. Raises ApprovalNotFound, also where it is another account's."""
        return rules.settled(self._stored(account, approval_id), self.now())

    def newest(
        self,
        account: str,
        *,
        pending: bool = True,
        person: str | None = None,
        plane: str | None = None,
        limit: int = 20,
        before: str | None = None,
    ) -> tuple[list[Approval], str | None]:
        """Return a page of approvals, newest first, and the position of the next page, None after the last.

        With *person*, those that they may respond to, or did. A page may hold fewer than *limit* and not be the last.
        """
        found = self.store.newest_of(account, pending, limit, before)
        now = self.now()
        shown = []
        for _, each in found:
            current = rules.settled(each, now)
            mine = person is None or person in rules.people(current) or person in (r.by for r in current.responses)
            if mine and plane in (None, current.subject.plane):
                shown.append(current)
        return shown, found[-1][0] if len(found) == limit else None

    def respond(self, account: str, approval_id: str, response: Response) -> Responded:
        """Count a response; see planloom.approvals.approval.respond for its outcome and errors.

        Raises ApprovalNotFound, ApprovalBusy.
        """
        outcome = Outcome.RECORDED
        if response.key:
            response = response.model_copy(update={"key_shown": self.key_shown(response.key)})

        def responded(approval: Approval) -> Approval:
            nonlocal outcome
            found = rules.respond(approval, response, self.now())
            outcome = found.outcome
            return found.approval

        return Responded(self._change(account, approval_id, responded), outcome)

    def delegate(self, account: str, approval_id: str, by: str, to: str) -> Approval:
        """Let *to* respond in place of *by*. Raises what planloom.approvals.approval.delegate does."""
        return self._change(account, approval_id, lambda each: rules.delegate(each, by, to, self.now()), "delegated")

    def withdraw(self, account: str, approval_id: str, reason: str) -> Approval:
        """End an approval that is no longer needed; one that has ended stays as it is."""
        return self._change(account, approval_id, lambda each: rules.withdraw(each, reason, self.now()))

    def settle(self, account: str, approval_id: str) -> Approval:
        """Store and publish the expiry or escalation of an approval where it is due; planes call it by their timers."""
        return self._change(account, approval_id, lambda each: each)

    def delete(self, account: str, approval_ids: Iterable[str]) -> None:
        """Delete the approvals of a run that is deleted; those of other accounts, and unknown ones, are left alone."""
        for approval_id in approval_ids:
            known = self.store.get(approval_id)
            if known is not None and known.account == account:
                self.store.delete(approval_id)

    def _stored(self, account: str, approval_id: str) -> Approval:
        found = self.store.get(approval_id)
        if found is None or found.account != account:
            raise ApprovalNotFound(f"No approval has the id {approval_id[:80]}. List your approvals for their ids.")
        return found

    def _change(
        self, account: str, approval_id: str, change: Callable[[Approval], Approval], name: Change | None = None
    ) -> Approval:
        """Apply *change* to the stored approval, after what happened by itself, and publish what came of it."""
        for _ in range(ATTEMPTS):
            before = self._stored(account, approval_id)
            after = change(rules.settled(before, self.now()))
            changes = tuple(_changes(before, after, name))
            if after.version == before.version:
                self._publish(after, changes)
                return after
            if self.store.replace(after, before.version, changes):
                self._publish(after, changes)
                self.store.published(approval_id, after.version)
                return after
        raise ApprovalBusy("Many calls change this approval at the moment. Try again in a second.")

    def publish_left_over(self) -> list[str]:
        """Publish changes whose calls crashed before they did; return the ids of the approvals."""
        found = self.store.unpublished(self.now() - SETTLED, MOST_LEFT_OVER)
        for approval_id, version, changes in found:
            if approval := self.store.get(approval_id):
                self._publish(approval, changes)
            self.store.published(approval_id, version)
        return [each.approval_id for each in found]

    def _publish(self, approval: Approval, changes: Iterable[Change]) -> None:
        for change in changes:
            for listener in self.listeners:
                listener(approval, change)


def _changes(before: Approval, after: Approval, name: Change | None) -> Iterator[Change]:
    if after.escalated and not before.escalated:
        yield "escalated"
    if after.state is not ApprovalState.PENDING:
        # also where it ended before: the call that stored the end may have crashed before it published it
        yield "ended"
    elif name is not None and after.version != before.version:
        yield name
