"""The schema of ``kinds/*.toml``: the usual rows of one kind of undertaking.

Every text is true of any goal of the kind, names no person, firm, law or price, and knows no figure of the goal. Days
and shares are planning values, which a plan states as assumed. Rows refer to each other by ``key``.
"""

from typing import Annotated

from pydantic import Field

from planloom.core.frozen import Frozen
from planloom.planes.strategic.spine.rows import PackageKind

#: Low, likely and high: of packages in working days, of approvals in calendar days.
Days = tuple[float, float, float]
Text = Annotated[str, Field(min_length=3, max_length=200)]


class UsualRole(Frozen):
    """Who works on it; ``work`` says what goes wrong without it."""

    key: str
    title: Text
    work: Text


class UsualDeliverable(Frozen):
    """A result that packages make together."""

    key: str
    title: Text
    done_when: Text


class UsualPackage(Frozen):
    """A work package. ``waits``: a lead time that others set, which is not scaled; ``stretches``: it lasts longer where
    there is more time.
    """

    key: str
    title: Text
    deliverable: str
    kind: PackageKind
    owner: str
    days: Days
    needs: tuple[str, ...] = ()
    outdoor: bool = False
    waits: bool = False
    stretches: bool = False
    on_the_day: bool = Field(default=False, description="It takes place on the day that the goal names")
    done_when: Text


class UsualLine(Frozen):
    """A cost line as a share of the total without contingency; the shares of a kind sum to 1."""

    title: Text
    share: float = Field(gt=0, lt=1)
    package: str


class UsualApproval(Frozen):
    """A permission or consent, worded so that it is true where none is needed."""

    title: Text
    party: Text
    days: Days
    papers: tuple[str, ...]
    frees: tuple[str, ...]


class UsualRisk(Frozen):
    """Cause, event, effect; ``days`` are calendar days lost, ``hits`` the package that they delay."""

    cause: Text
    event: Text
    effect: Text
    odds: float = Field(gt=0, lt=1)
    days: int = Field(ge=0)
    hits: str
    trigger: Text
    response: Text
    owner: str


class UsualAssumption(Frozen):
    """What is taken to be true, what no longer holds if it is false, and how that is found out."""

    text: Text
    breaks: Text
    test: Text


class UsualQuestion(Frozen):
    """What nobody can know from a goal of this kind alone, and what hangs on it."""

    text: Text
    why: Text


class Kind(Frozen):
    """A kind of undertaking: one file of ``kinds/``."""

    name: str
    label: Text = Field(description="As in: drafted as <label>")
    months: tuple[float, float] = Field(description="Usual time frame")
    contingency: float = Field(gt=0, lt=0.4, description="Share of the total")
    delivers: str = Field(description="Key of the package whose end fulfils the goal; what needs it is closing work")
    roles: tuple[UsualRole, ...]
    deliverables: tuple[UsualDeliverable, ...]
    packages: tuple[UsualPackage, ...] = Field(min_length=15, max_length=30)
    lines: tuple[UsualLine, ...]
    approvals: tuple[UsualApproval, ...]
    risks: tuple[UsualRisk, ...]
    assumptions: tuple[UsualAssumption, ...]
    questions: tuple[UsualQuestion, ...]
