"""Claims: the numbers and statements that matter, each made once and referred to by id afterwards."""

from collections.abc import Iterable, Iterator
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Frozen

ClaimKind = Literal["fact", "assumption", "computed", "guess"]


class Claim(Frozen):
    """One statement that later stages may rely on.

    ``id`` is ``<stage>.<slug>`` and unique in a plan; ``value`` is a number, an ISO date or a short
    text in ``unit`` (ISO 4217 for money, ``working days``, ``calendar days``, ``date``, ``people``...).
    ``source`` is ``prompt:<start>-<end>`` (a span), ``stage:<name>`` or ``to verify``.
    """

    id: str = Field(pattern=r"^[a-z0-9_]+\.[a-z0-9_-]+$", max_length=80)
    text: str = Field(min_length=3, max_length=400)
    kind: ClaimKind
    value: str | None = Field(default=None, max_length=80)
    unit: str | None = Field(default=None, max_length=40)
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
