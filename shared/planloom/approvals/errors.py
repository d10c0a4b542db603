"""Errors of approvals that callers see.

PlanloomError
├── ApprovalNotFound         APPROVAL_NOT_FOUND
├── InvalidApproval          INVALID_APPROVAL
├── NotAnApprover            NOT_AN_APPROVER
├── SeparationOfDuties       SEPARATION_OF_DUTIES
├── AnotherVersion           ANOTHER_VERSION
├── ApprovalClosed           APPROVAL_CLOSED
├── ApprovalBusy             APPROVAL_BUSY   (retryable)
└── ApprovalLinkRefused      APPROVAL_LINK_REFUSED
"""

from planloom.core.errors import PlanloomError


class ApprovalNotFound(PlanloomError):
    """The account has no approval with that id."""

    code = "APPROVAL_NOT_FOUND"


class InvalidApproval(PlanloomError):
    """An approval was requested that has too few people who may decide it; the message says why."""

    code = "INVALID_APPROVAL"


class NotAnApprover(PlanloomError):
    """The person is neither an approver nor the delegate of one."""

    code = "NOT_AN_APPROVER"


class SeparationOfDuties(PlanloomError):
    """The person, or the API key, made what is to be approved and must not approve it."""

    code = "SEPARATION_OF_DUTIES"


class AnotherVersion(PlanloomError):
    """The response names another version (SHA-256) than the one that the approval pins."""

    code = "ANOTHER_VERSION"


class ApprovalClosed(PlanloomError):
    """The approval was decided, has expired or was withdrawn; nothing about it can be changed."""

    code = "APPROVAL_CLOSED"


class ApprovalBusy(PlanloomError):
    """Too many calls changed one approval at the same time."""

    code = "APPROVAL_BUSY"
    retryable = True


class ApprovalLinkRefused(PlanloomError):
    """A signed link is not genuine, has expired or was used; ``details`` hold the ``reason``."""

    code = "APPROVAL_LINK_REFUSED"
