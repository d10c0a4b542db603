"""Stage 008: the risk register (ISO 31000), and a second look at it."""

from collections.abc import Iterable, Sequence

from pydantic import Field

from planloom.domain.claims import Claim
from planloom.domain.frozen import Answer
from planloom.domain.wording import amount_text, day_text
from planloom.knowledge.brief import Brief
from planloom.knowledge.funds import contingency
from planloom.models.model import Part
from planloom.stages.desk import Desk
from planloom.stages.parts.chosen_scenario import chosen_scenario
from planloom.stages.parts.references import referring
from planloom.stages.parts.risk import Risk
from planloom.stages.parts.risk_outline import outline_register, outline_review
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import table

MOST_RISKS = 16

REGISTER = """\
Write the risk register of this plan: 12 to 16 risks, ISO 31000.

Begin with what this goal makes dangerous: each approval that something waits for, each limit on money, size or hours,
each closed season, each party that can say no, each promised figure. Then what projects of this kind meet, as far as it
applies: regulatory, technical, financial, people, supply, security, social, environment, at least one each where there
is one. Specific before generic: a risk that would read the same for another goal is left out.
- title: what goes wrong, in the goal's words. cause: the condition that is there today. event: what happens, once, on a
  day. effect: what it does to the goal's figures, in money, days or counts.
- source: the words of the goal that call it, quoted, or "assumed".
- likelihood and severity 1 to 5 on the scales that you are shown. Spread them: at most three risks score 15 or more.
- near: the first day on which it can strike. owner: a role that can act, not "the team".
- response: avoid, reduce, transfer or accept. action: what is done, with what result; by: before near. Acceptance is an
  answer where the response costs more than the loss: say so.
- trigger: what is seen first, with a number and a day, by somebody who looks; not the event itself.
- residual: what is left after the response, with its own scores, lower than before in one of the two, and why not zero.
- cost: of the response, in the budget's currency; all costs together stay within the contingency. 0 where it is only
  somebody's time.
Avoid: "lack of communication", "budget overrun" without a cause; a response that repeats the title ("manage supplier
delay"); two risks with one cause.
"""

REVIEW = """\
You review the register below as somebody who has seen such plans fail. You did not write it.

- drop: ids of risks that repeat another (keep the sharper), or that would read the same for any goal.
- scores: ids whose likelihood or severity you would change, with the new values and the reason in figures of the goal.
  Where a risk's response is a wish, raise its likelihood and say what is missing.
- add: at most four risks that are missing and could end the plan: two things that fail together, a person on whom all
  hangs, an incentive that points the wrong way, success that brings its own danger. Complete in every field, ids from
  R90.
- leading: two or three sentences on the first three after your changes: what they have in common, and which single
  action lowers more than one of them.
Avoid: praise; adding for completeness; changing a score by one without a reason.
"""


class RegisterAnswer(Answer):
    """The register as drafted."""

    risks: list[Risk] = Field(min_length=8, max_length=18)


class NewScore(Answer):
    """A score that the review changes."""

    id: str = Field(max_length=4)
    likelihood: int = Field(ge=1, le=5)
    severity: int = Field(ge=1, le=5)
    why: str = Field(min_length=5, max_length=300)


class RiskReview(Answer):
    """What the review changes."""

    drop: list[str] = Field(default_factory=list, max_length=8, description="ids of risks that go")
    scores: list[NewScore] = Field(default_factory=list, max_length=10)
    add: list[Risk] = Field(default_factory=list, max_length=4)
    leading: str = Field(min_length=20, max_length=700)


class RiskRegister(StageResult):
    """Stage 008's result: risks by score, highest first, ids R1.. in that order.

    Claims: ``risks.response-cost`` where a response costs money.
    """

    risks: tuple[Risk, ...]
    currency: str | None = Field(default=None, description="ISO 4217, of every cost")
    leading: str = Field(default="", description="What the first three have in common, and what lowers them together")
    scales: tuple[tuple[str, str, str], ...] = Field(default=(), description="Points, likelihood, severity; 1 to 5")

    @property
    def cost(self) -> float:
        """The cost of all responses, in ``currency``."""
        return sum(risk.cost for risk in self.risks)


async def draft(desk: Desk) -> RiskRegister:
    """The register, then a review of it: two rounds."""
    brief = desk.brief
    steps = scales(brief)
    shown = Part("scales", "\n".join(f"{n}: {likelihood}; {severity}" for n, likelihood, severity in steps))
    first = await desk.ask(
        "register",
        REGISTER,
        (shown, desk.excerpt(chosen_scenario(desk, 2600))),
        RegisterAnswer,
        lambda: RegisterAnswer(risks=outline_register(brief)),
    )
    risks = _numbered(first.risks)
    context = (shown, Part("register", "\n\n".join(map(_shown, risks))))
    review = await desk.ask("review", REVIEW, context, RiskReview, lambda: _outline_review(brief, risks))
    settled = reviewed(risks, review)
    return RiskRegister(
        risks=settled,
        currency=brief.total.currency if brief.total else None,
        leading=review.leading,
        scales=steps,
        claims=_claims(brief, settled),
    )


def _shown(risk: Risk) -> str:
    """A risk in few words, for who reviews it: its chain, its scores, and what is done about it."""
    scores = f"likelihood {risk.likelihood}, severity {risk.severity}"
    return (
        f"{risk.id} {risk.title} [{risk.category}], {scores}, from {risk.near.isoformat()}\n"
        f"{risk.cause} {risk.event} {risk.effect}\n"
        f"{risk.response} by {risk.by.isoformat()}, {risk.owner}, cost {risk.cost:g}: {risk.action}"
    )


def reviewed(risks: Sequence[Risk], review: RiskReview) -> tuple[Risk, ...]:
    """Return *risks* as *review* leaves them, by score; a review never leaves fewer than eight."""
    titles = {risk.id: risk.title for risk in risks}
    review = referring(review, id=titles, drop=titles)
    scores = {score.id: score for score in review.scores}
    dropped = set(review.drop[: max(len(risks) - 8, 0)])
    kept = [_rescored(risk, scores.get(risk.id)) for risk in risks if risk.id not in dropped]
    return _numbered([*kept, *review.add])


def _rescored(risk: Risk, score: NewScore | None) -> Risk:
    if score is None:
        return risk
    after = {
        "likelihood": score.likelihood,
        "severity": score.severity,
        "residual_likelihood": min(risk.residual_likelihood, score.likelihood),
        "residual_severity": min(risk.residual_severity, score.severity),
    }
    return risk.model_copy(update=after)


def _numbered(risks: Iterable[Risk]) -> tuple[Risk, ...]:
    """By score, then by nearness; ids follow that order."""
    ranked = sorted(risks, key=lambda risk: (-risk.score, risk.near))[:MOST_RISKS]
    return tuple(risk.model_copy(update={"id": f"R{n}"}) for n, risk in enumerate(ranked, 1))


def _outline_review(brief: Brief, risks: Sequence[Risk]) -> RiskReview:
    drop, leading = outline_review(brief, risks)
    return RiskReview(drop=drop, leading=leading)


def scales(brief: Brief) -> tuple[tuple[str, str, str], ...]:
    """Return what the points 1 to 5 mean here: likelihood as a chance, severity in money and days of this plan."""
    chances = ("below 5%", "5 to 20%", "20 to 40%", "40 to 70%", "above 70%")
    days = (brief.end_assumed - brief.start).days
    parts = (0.01, 0.03, 0.08, 0.2)
    rows = []
    for n, part in enumerate(parts):
        money = f"{_rounded(brief, part)} or " if brief.total else ""
        rows.append((str(n + 1), chances[n], f"up to {money}{max(round(part * days), n + 1)} calendar days"))
    rows.append(("5", chances[4], f"more than that, or “{brief.facts.title}” is given up"))
    return tuple(rows)


def _rounded(brief: Brief, part: float) -> str:
    assert brief.total is not None
    amount = part * brief.total.high
    step = 10 ** max(len(str(int(amount))) - 2, 0)
    return amount_text(round(amount / step) * step, brief.total.currency)


def _claims(brief: Brief, risks: Sequence[Risk]) -> tuple[Claim, ...]:
    cost = round(sum(risk.cost for risk in risks))
    if not brief.total or not cost:
        return ()
    reserve = amount_text(round(contingency(brief)[0] * brief.total.high), brief.total.currency)
    text = f"The responses to the risks cost {amount_text(cost, brief.total.currency)} together, paid from {reserve}"
    return (
        Claim(
            id="risks.response-cost",
            text=f"{text} of contingency; planning values",
            kind="assumption",
            value=str(cost),
            unit=brief.total.currency,
            source="stage:risks",
            owner=brief.role_title("finance"),
            test="Each response is priced by a quote before its day",
        ),
    )


def markdown(result: RiskRegister) -> str:
    """The register as a table, then each risk in full, then the scales."""
    rows = [
        (
            r.id,
            r.title,
            r.category,
            f"{r.likelihood} × {r.severity} = {r.score}",
            r.residual_score,
            r.owner,
            day_text(r.by),
        )
        for r in result.risks
    ]
    head = ("Id", "Risk", "Category", "Score", "After", "Owner", "Response in place by")
    money = ""
    if result.currency and result.cost:
        money = f"All responses together cost {amount_text(round(result.cost), result.currency)}, from contingency."
    parts = [
        "# Risk register",
        result.leading,
        table(head, rows),
        money,
        *(_risk_text(risk, result.currency) for risk in result.risks),
        "## Scales",
        table(("Points", "Likelihood", "Severity"), result.scales),
    ]
    return "\n\n".join(part.rstrip() for part in parts if part)


def _risk_text(risk: Risk, currency: str | None) -> str:
    cost = f" It costs {amount_text(round(risk.cost), currency)}." if currency and risk.cost else ""
    after = f"{risk.residual_likelihood} × {risk.residual_severity} = {risk.residual_score}"
    return (
        f"## {risk.id}: {risk.title}\n\n"
        f"Cause: {risk.cause} Event: {risk.event} Effect: {risk.effect} From {day_text(risk.near)} on.\n\n"
        f"- Called by: {risk.source}\n"
        f"- Response ({risk.response}): {risk.action}{cost} {risk.owner}, by {day_text(risk.by)}.\n"
        f"- Trigger: {risk.trigger}\n"
        f"- Left: {risk.residual} ({after})"
    )


STAGE = Stage(
    number=8,
    name="risks",
    title="Risk Register",
    needs=("scenarios",),
    version=4,
    result=RiskRegister,
    draft=draft,
    markdown=markdown,
)
