"""Links between what different planes hold: a run that was made from a plan, a graph that was made from a plan."""

from datetime import datetime
from typing import Literal, Protocol

from pydantic import Field

from planloom.core.frozen import Frozen

#: What can be linked: strategic plans, implementation plans, graphs, and runs of workflows.
Linked = Literal["strategic", "implementation", "graphs", "workflows"]


class LinkEnd(Frozen):
    """One end of a link."""

    plane: Linked
    id: str = Field(min_length=1, max_length=200)


class Link(Frozen):
    """``target`` was made from ``source``. ``steps``: by node or step of the target, that of the source."""

    account: str
    source: LinkEnd
    target: LinkEnd
    steps: dict[str, str] = Field(default_factory=dict)
    created_at: datetime


class LinkStore(Protocol):
    """The links of all accounts."""

    def put(self, link: Link) -> None:
        """Store a link at both of its ends, in place of one between the same two."""

    def of(self, account: str, end: LinkEnd) -> list[Link]:
        """Return the links of *account* that *end* is an end of."""

    def delete(self, link: Link) -> None:
        """Delete a link at both ends; no error where there is none."""
