"""Stage 003: five attacks on the premise, each with a verdict and the cheapest test that could kill it."""

from collections.abc import Mapping
from datetime import date
from typing import Literal

from pydantic import Field

from planloom.core.frozen import Answer
from planloom.core.wording import day_text
from planloom.planes.strategic.stages.context import StageContext
from planloom.planes.strategic.stages.missing import left_out
from planloom.planes.strategic.stages.stage import Section, Stage, StageResult
from planloom.planes.strategic.stages.text import table

LensName = Literal["need", "novelty", "belief", "success", "opposition"]

LENSES: Mapping[LensName, str] = {
    "need": "Does anybody need it? Who would miss it, count them, and what do they do today that is good enough? A "
    "wish of the author is not a need; neither is a trend.",
    "novelty": "Why has nobody done it, or why did those who did it stop? Money, law, habit, geography, timing: name "
    "the barrier that this goal meets too, and what is different this time, with evidence or 'to verify'.",
    "belief": "What must be true that probably is not? Find the one quiet condition on which the goal's figures rest: "
    "a rate, a lead time, a price, somebody's consent. Do the arithmetic with the goal's own numbers.",
    "success": "What does it do when it succeeds too well? Twice the users, half the time, imitation, dependence, harm "
    "to those beside it. Where is the first bottleneck or the first victim?",
    "opposition": "Who is strong enough to stop it, and what would they gain? An authority that need only wait, a "
    "neighbour with a right, an incumbent, a partner who leaves, the people whose work changes.",
}

INSTRUCTIONS = """\
Attack the premise of this goal through five lenses: one attack for each, in this order, none of which repeats another.

{lenses}

For each attack:
- lens: its name, as listed.
- attack: the strongest honest case against the premise, three to six sentences, in the goal's own numbers. Take the
  goal at its best, then strike where it is weakest. What a clever opponent would say in the room, not a list of risks.
- evidence: the words of the goal, or a fact, that the attack rests on; or "to verify" with how.
- verdict, on the premise after your attack: holds, shaky, fails. because: what decides, in one sentence. Be just: where
  the goal has an answer, say so and let it hold. fails is for a premise that no plan can repair. If all five verdicts
  are the same, you have not weighed them.
- test: the cheapest test that could kill the premise, cheaper than a week's work where possible: a count, ten calls, a
  written question, a calculation, a pre-order.
- kills: the result that would kill it, as a number with a unit, fixed before the test is run.
- role: who runs it. by: the day by which the result is there, after the day of drafting and early enough to stop.
Avoid: cheap cynicism; "may face challenges"; tests that can only confirm; a survey that asks whether people like it.
""".format(lenses="\n".join(f"- {name}: {question}" for name, question in LENSES.items()))

NO_MODEL = """\
# Premise attack

This section attacks the premise of the goal through five lenses: need, novelty, belief, success and opposition.
Each attack ends in a verdict and the cheapest test that could end the undertaking; a language model or a person writes
it.
"""


class Attack(Answer):
    """One attack through one lens."""

    lens: LensName
    attack: str = Field(min_length=40, max_length=1000, description="The case against, in three to six sentences")
    evidence: str = Field(min_length=5, max_length=300, description="Words of the goal, a fact, or to verify: how")
    verdict: Literal["holds", "shaky", "fails"] = Field(description="On the premise, after the attack")
    because: str = Field(min_length=10, max_length=300, description="What decides, in one sentence")
    test: str = Field(min_length=10, max_length=400, description="The cheapest test that could kill the premise")
    kills: str = Field(min_length=5, max_length=240, description="The result that would kill it, measurable")
    role: str = Field(min_length=2, max_length=80)
    by: date = Field(description="The day by which the result is there")


class Attacks(Answer):
    """The answer: one attack for each lens."""

    attacks: list[Attack] = Field(min_length=1, max_length=8)


class PremiseAttack(StageResult):
    """Stage 003's result: one attack for each lens, in the order of LENSES; none if no model was asked."""

    attacks: tuple[Attack, ...] = ()


async def draft(context: StageContext) -> PremiseAttack:
    """Ask once; the first attack through each lens is taken, and a lens without one is named as missing."""
    if context.about.outline_only:
        return PremiseAttack()
    answer = await context.ask_part("attacks", INSTRUCTIONS, (context.facts(),), Attacks)
    if answer is None:
        return context.with_missing(PremiseAttack())
    by_lens: dict[LensName, Attack] = {}
    for attack in answer.attacks:
        by_lens.setdefault(attack.lens, attack)
    for name in LENSES:
        if name not in by_lens:
            context.lost[f"attack-{name}"] = left_out(f"the lens “{name}”")
    attacks = tuple(by_lens[name] for name in LENSES if name in by_lens)
    return context.with_missing(PremiseAttack(attacks=attacks))


def pages(result: PremiseAttack) -> Mapping[str, str]:
    """Return the verdicts and tests as one table, then the attacks."""
    if not result.attacks:
        return {"premise_attack": "# Premise attack\n" if result.missing else NO_MODEL}
    rows = ((a.lens, a.verdict, a.because, a.test, a.kills, a.role, day_text(a.by)) for a in result.attacks)
    head = ("Lens", "The premise", "Because", "Cheapest test", "What would kill it", "Who", "By")
    parts = ["# Premise attack", table(head, rows).rstrip()]
    for found in result.attacks:
        parts += [f"## {found.lens.capitalize()}: {found.verdict}", found.attack, f"Evidence: {found.evidence}"]
    return {"premise_attack": "\n\n".join(parts)}


STAGE = Stage(
    number=3,
    name="premise_attack",
    title="Premise attack",
    needs=("start",),
    version=11,
    result=PremiseAttack,
    draft=draft,
    pages=pages,
    sections=(Section("premise_attack", "Premise attack"),),
)
