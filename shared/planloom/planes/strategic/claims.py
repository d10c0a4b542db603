"""Claims: the numbers and statements that matter, each made once and referred to by id afterwards."""

from collections.abc import Iterable, Iterator
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Frozen

ClaimKind = Literal["fact", "assumption", "computed", "guess"]
#: Whether a number is measured today, aimed at, the size of what is made, or there and stays; empty: not said.
ClaimRole = Literal["", "baseline", "target", "size", "present", "other"]


class Claim(Frozen):
    """One statement that later stages may rely on.

    ``id`` is ``<stage>.<slug>`` and unique in a plan; ``value`` is a number, an ISO date or a short
    text in ``unit`` (ISO 4217 for money, ``working days``, ``calendar days``, ``date``, ``people``...).
    ``source`` is ``prompt:<start>-<end>`` (a span), ``caller``, ``stage:<name>`` or ``to verify``. A claim without
    ``subject`` is compared with nothing.
    """

    id: str = Field(pattern=r"^[a-z0-9_]+\.[a-z0-9_-]+$", max_length=80)
    text: str = Field(min_length=3, max_length=400)
    kind: ClaimKind
    value: str | None = Field(default=None, max_length=80)
    unit: str | None = Field(default=None, max_length=40)
    subject: str = Field(default="", max_length=120, description="What the value is of, with all its qualifiers")
    base: str = Field(default="", max_length=60, description="What a share is of, or a rate is per: month, ticket")
    role: ClaimRole = ""
    source: str = Field(max_length=80)
    owner: str | None = Field(default=None, max_length=80, description="The role that answers for it")
    test: str | None = Field(default=None, max_length=240, description="How one finds out whether it holds")


class Register:
    """The claims that a stage sees, by id: the merge of those of all stages before it."""

    def __init__(self, claims: Iterable[Claim] = ()) -> None:
        self._by_id = {claim.id: claim for claim in claims}

    def __iter__(self) -> Iterator[Claim]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def get(self, claim_id: str) -> Claim | None:
        """Return the claim named *claim_id*, or None where nobody made it."""
        return self._by_id.get(claim_id)
