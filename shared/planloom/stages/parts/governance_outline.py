"""The bodies of a project without a language model: the prompt's own first, then the fewest that close the ladder."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from planloom.facts.quoting import clip, lower_first, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.funds import decision_limits
from planloom.knowledge.mandates import Mandate, mandates
from planloom.knowledge.posts import posts
from planloom.knowledge.tables import Body
from planloom.stages.parts.governance_answer import BodiesAnswer, BodyRow
from planloom.stages.parts.plan_money import line_text
from planloom.stages.project_plan import ProjectPlan

_SCALES = ("small", "medium", "large")
_MOST = {"small": 3, "medium": 4, "large": 6}


@dataclass(frozen=True)
class Ladder:
    """Up to *first* one person decides, up to *second* the body, above it the top; ``stated``: the prompt's limits."""

    first: str
    second: str
    top: str
    stated: bool

    @property
    def between(self) -> str:
        """What lies between the two limits; where the prompt sets one limit, what lies above it."""
        return f"above {self.first}" if self.first == self.second else f"{self.first} to {self.second}"


def bodies(brief: Brief, plan: ProjectPlan) -> BodiesAnswer:
    """Return the deciders of the prompt as it states them, then those of the table that the project's size asks for."""
    named = mandates(brief)
    steps = ladder(brief, plan)
    rows = [_stated(brief, mandate, steps) for mandate in named]
    room = max(_MOST[brief.scale] - len(rows), 0)
    rows = [_alone(brief, steps), *rows, *(_tabled(brief, b, steps) for b in _further(brief, named)[:room])]
    return BodiesAnswer(bodies=rows[:6], record=clip(_record(brief, steps), 400))


def ladder(brief: Brief, plan: ProjectPlan) -> Ladder:
    """Return the limits of decision: the prompt's where it sets one, else round parts of the total, assumed."""
    budget = plan.budget
    top = next((m.title for m in mandates(brief) if m.kind == "limit"), "")
    stated = sorted(limit.money.high for limit in decision_limits(brief))
    if not stated:
        if budget.currency is None:
            return Ladder("1% of the total once it is set", "5% of the total once it is set", _payer(brief), False)
        first, second = round_down(budget.total * 0.01), round_down(budget.total * 0.05)
        return Ladder(line_text(budget, first), line_text(budget, second), _payer(brief), False)
    currency = decision_limits(brief)[0].money.currency
    if top:  # the prompt says who decides above; what one person may do below is left open
        return Ladder(f"{currency} {round_down(stated[0] / 4):,}", f"{currency} {stated[0]:,.0f}", top, True)
    return Ladder(f"{currency} {stated[0]:,.0f}", f"{currency} {stated[-1]:,.0f}", _payer(brief), True)


def round_down(amount: float) -> int:
    """Return the largest 1, 2 or 5 times a power of ten that is not above *amount*; at least 1."""
    power = 10 ** math.floor(math.log10(max(amount, 1)))
    return int(next(step * power for step in (5, 2, 1) if step * power <= max(amount, 1)))


def _payer(brief: Brief) -> str:
    signers = next((m.title for m in mandates(brief) if m.kind == "signature"), "")
    return signers or "Whoever gives the money"


def _alone(brief: Brief, steps: Ladder) -> BodyRow:
    lead = brief.role_title("lead")
    basis = (
        "The goal's own limit" if steps.stated and steps.first == steps.second else "Assumed, to confirm in the charter"
    )
    return BodyRow(
        title=f"{_one_of(brief)}, alone",
        decides=clip(
            f"Daily order of work; spending within a line of the budget, per decision up to {steps.first}", 400
        ),
        members=lead,
        cadence="any working day",
        quorum="one person; a named deputy in absence",
        limit=f"up to {steps.first}",
        basis=basis,
    )


def _one_of(brief: Brief) -> str:
    """The lead as one person: each of two partners."""
    lead = brief.role_title("lead")
    several = any(p.title == lead and p.count > 1 for p in posts(brief))
    return f"Each of the {lower_first(lead)}" if several else lead


def _stated(brief: Brief, mandate: Mandate, steps: Ladder) -> BodyRow:
    says = f"As the goal has it: {mandate.does}"
    decides = {
        "signature": f"{says}. One signature binds nobody above the limit",
        "limit": f"{says}. It decides on written proposal with cost, days and the other choice",
        "stop": f"Can stop {mandate.stops} alone and at once; lifting it needs the reason closed in writing",
        "release": f"{says}. It is asked with complete papers; its answer is a condition, no date replaces it",
        "body": f"{says}. It decides {steps.between}, on gates and on contingency"
        if brief.scale == "large" and "steering" in mandate.title.lower()
        else f"{says}. What it concludes is written into the log the same day",
    }[mandate.kind]
    return BodyRow(
        title=mandate.title,
        decides=clip(decides, 400),
        members=clip(mandate.members or _members(brief, mandate), 300),
        cadence=mandate.cadence or _when(mandate),
        quorum=_quorum(mandate),
        limit=_limit(mandate, steps),
        basis=clip(f"From the goal: {quote(mandate.said, 240)}", 300),
    )


def _when(mandate: Mandate) -> str:
    return {"stop": "at once, on cause", "signature": "on proposal, within two working days"}.get(
        mandate.kind, "at its own dates; papers ten working days ahead"
    )


def _members(brief: Brief, mandate: Mandate) -> str:
    if mandate.kind in ("signature", "stop"):
        return mandate.title
    if mandate.kind in ("release", "limit"):
        return f"to be named by {lower_first(mandate.title)}: one who signs and a deputy"
    named = dict.fromkeys(brief.role_title(r) for r in ("lead", "operations", "quality"))
    return f"{', '.join(named)} (assumed)"


def _quorum(mandate: Mandate) -> str:
    if mandate.kind == "signature":
        return "all who sign; no signature for another"
    if mandate.kind == "stop":
        return "one person"
    size = mandate.members.partition(":")[0]
    sizes = {"two": 2, "three": 2, "four": 3, "five": 3, "six": 4, "seven": 4, "eight": 5, "nine": 5, "ten": 6}
    if size in sizes:
        return f"{sizes[size]} of {size} (assumed: no quorum found in the goal)"
    return (
        "by its own rules; to be asked for in writing" if mandate.kind in ("limit", "release") else "both sides present"
    )


def _limit(mandate: Mandate, steps: Ladder) -> str:
    if mandate.limit:
        return mandate.limit
    if mandate.kind == "stop":
        return "no money; no time limit on the stop"
    if mandate.kind == "release":
        return "what it releases, not what it costs"
    return steps.between if "steering" in mandate.title.lower() else "advises; no money of its own"


def _further(brief: Brief, named: Sequence[Mandate]) -> list[Body]:
    """Table bodies that fit the size and do what no stated body does, smallest scale first."""
    most = _SCALES.index(brief.scale)
    rows = [b for b in brief.rows("bodies", Body) if _SCALES.index(b.scale) <= most]
    taken = {word for m in named for word in m.title.lower().split()} - {"meeting", "group", "the", "with", "weekly"}
    money = any("cash" in m.does.lower() or "accountant" in m.title.lower() for m in named)
    return [
        b
        for b in rows
        if not taken & set(b.title.lower().split())
        and not (money and "finance" in b.members and "monthly" in b.cadence)
    ]


def _tabled(brief: Brief, body: Body, steps: Ladder) -> BodyRow:
    limit = "no money; proposes only"
    if "lead" in body.members:
        limit = steps.between if not steps.stated else "prepares what goes above; no money of its own"
    return BodyRow(
        title=clip(body.title, 160),
        decides=clip(body.decides, 400),
        members=clip(", ".join(dict.fromkeys(brief.role_title(m) for m in body.members)), 300),
        cadence=clip(body.cadence, 160),
        quorum=clip(body.quorum, 200),
        limit=limit,
        basis=clip(f"Assumed: a {brief.scale} project of this kind needs it; to confirm in the charter", 300),
    )


def _record(brief: Brief, steps: Ladder) -> str:
    lead = lower_first(brief.role_title("lead"))
    return (
        f"One decision log, kept by the {lead}: number, date, who decided, what, for how much, on which papers, what it"
        f" changes in the plan. Above {steps.first} the signed paper hangs on the entry. What is not in the log two "
        "working days later was not decided."
    )
