"""Stage 003: five attacks on the premise, each with a verdict and the cheapest test that could kill it."""

from datetime import date
from typing import Literal

from pydantic import Field

from planloom.domain.frozen import Answer
from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, quotable, quote
from planloom.knowledge import tables
from planloom.knowledge.brief import Brief
from planloom.knowledge.figures import figure
from planloom.knowledge.from_prompt import PromptRow, prompt_rows
from planloom.knowledge.gates import due_day
from planloom.knowledge.nearest import basis
from planloom.stages.desk import Desk
from planloom.stages.lenses import Lens, parts_through
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import table

LensName = Literal["need", "novelty", "belief", "success", "opposition"]

LENSES: dict[LensName, str] = {
    "need": "Does anybody need it? Who would miss it, count them, and what do they do today that is good enough? A "
    "wish of the author is not a need; neither is a trend.",
    "novelty": "Why has nobody done it, or why did those who did it stop? Money, law, habit, geography, timing: name "
    "the barrier that will meet this goal too, and what is different this time, with evidence or 'to verify'.",
    "belief": "What must be true that probably is not? Find the one quiet condition on which the goal's figures rest: "
    "a rate, a lead time, a price, somebody's consent. Do the arithmetic with the goal's own numbers.",
    "success": "What does it do when it succeeds too well? Twice the users, half the time, imitation, dependence, harm "
    "to those beside it. Where does the first bottleneck or the first victim stand?",
    "opposition": "Who is strong enough to stop it, and what would they gain? An authority that need only wait, a "
    "neighbour with a right, an incumbent, a partner who leaves, the people whose work changes.",
}

INSTRUCTIONS = """\
Attack the premise of this goal through one lens only. Four colleagues take the other lenses; leave those to them.

Your lens, {name}: {question}

- attack: the strongest honest case against the premise, three to six sentences, in the goal's own numbers. Take the
  goal at its best, then strike where it is weakest. What a clever opponent would say in the room, not a list of risks.
- evidence: the words of the goal, or a claim id, that the attack stands on; or "to verify" with how.
- verdict, on the premise after your attack: holds, shaky, fails. because: what decides, in one sentence. Be just: where
  the goal has an answer, say so and let it hold. fails is for a premise that no plan can mend.
- test: the cheapest test that could kill the premise, cheaper than a week's work where possible: a count, ten calls, a
  written question, a calculation, a pre-order.
- kills: the result that would kill it, as a number with a unit, fixed before the test is run.
- role: who runs it. by: the day by which the result is there, early enough to stop.
Avoid: cheap cynicism; "may face challenges"; tests that can only confirm; a survey that asks whether people like it.
"""


class Attack(Answer):
    """One attack through one lens."""

    lens: LensName
    attack: str = Field(min_length=40, max_length=1000, description="The case against, in three to six sentences")
    evidence: str = Field(min_length=5, max_length=300, description="Words of the goal, a claim id, or to verify: how")
    verdict: Literal["holds", "shaky", "fails"] = Field(description="On the premise, after the attack")
    because: str = Field(min_length=10, max_length=300, description="What decides, in one sentence")
    test: str = Field(min_length=10, max_length=400, description="The cheapest test that could kill the premise")
    kills: str = Field(min_length=5, max_length=240, description="The result that would kill it, measurable")
    role: str = Field(min_length=2, max_length=80)
    by: date = Field(description="The day by which the result is there")


class PremiseAttack(StageResult):
    """Stage 003's result: one attack per lens, in the order of ``Lens``."""

    attacks: tuple[Attack, ...]


async def draft(desk: Desk) -> PremiseAttack:
    """Five calls side by side, one for each lens."""
    lenses = [Lens(name, question) for name, question in LENSES.items()]
    answers = await parts_through(desk, lenses, INSTRUCTIONS, (), Attack, lambda name: outline(desk.brief, name))
    # a model may name another lens than the one it was given
    attacks = (attack.model_copy(update={"lens": name}) for name, attack in answers.items())
    return PremiseAttack(attacks=tuple(attacks))


#: By lens: who runs the test, after how many working days its result is there, and the figure that speaks loudest.
_TESTS: dict[LensName, tuple[str, int, tuple[str, ...]]] = {
    "need": ("outreach", 15, ("turns",)),
    "novelty": ("lead", 9, ()),
    "belief": ("finance", 12, ("open-days", "time")),
    "success": ("operations", 20, ("turns",)),
    "opposition": ("legal", 14, ()),
}
#: What the goal leaves unsaid, by lens: why a premise is shaky.
_UNSAID: dict[LensName, str] = {
    "need": "the goal names what is wanted and nobody who has counted, ordered or paid for it",
    "novelty": "no case in which it was tried or stopped was found in the goal",
    "belief": "the goal states the condition and no answer from whoever must meet it",
    "success": "the goal has a figure for enough and none for too much",
    "opposition": "the goal names who can say no, or leaves them out, and records no yes",
}
_KILLS: dict[LensName, str] = {
    "need": "Of twenty of those it is meant for, fewer than five give money, hours or a signature.",
    "novelty": "Two comparable attempts that stopped for the same reason, and no third that got past it.",
    "belief": "A written answer, or the sum of confirmed lead times, that puts the end after {end}.",
    "success": "With half as much again as planned ({capacity}), a demand of the goal is broken and no queue helps.",
    "opposition": "A no in the first talk, from somebody with the right to it, that no change of design answers.",
}


def outline(brief: Brief, lens: LensName) -> Attack:
    """The prompt's own weak spot first, then what the tables of its kind say through this lens."""
    leads = [row for row in prompt_rows(brief, "premises") if row["lens"].lower() == lens]
    rows = [row for row in brief.rows("premises", tables.Premise) if row.lens == lens]
    row = rows[0] if rows else None
    lead = leads[0] if leads else None
    role, days, slugs = _TESTS[lens]
    found = next((f for slug in slugs if (f := figure(brief, slug))), None)
    said = [lead["lead"] if lead else "", f"{found.text}." if found else "", row.attack if row else ""]
    text = (
        " ".join(part for part in said if part) or f"Nothing that the goal says of {brief.facts.subject} answers this."
    )
    verdict = row.verdict if row and not leads else "shaky"
    kills = (
        lead["kills"]
        if lead
        else _KILLS[lens].format(end=day_text(brief.end_assumed), capacity=brief.words["capacity"])
    )
    return Attack(
        lens=lens,
        attack=clip(text, 1000),
        evidence=_evidence(brief, lead, row),
        verdict=verdict,
        because=clip(_because(lens, verdict), 300),
        test=clip(row.test if row else _own_test(brief, lens), 400),
        kills=clip(kills, 240),
        role=brief.role_title(role),
        by=due_day(brief, days),
    )


def _evidence(brief: Brief, lead: PromptRow | None, row: tables.Premise | None) -> str:
    if lead and lead.signal.source.startswith("“"):
        return clip(lead.signal.source, 300)
    called = brief.called_by(row) if row else None
    shown = quotable(brief.facts, (called,) if called else ())
    return quote(shown[0], 200) if shown else basis(brief, row.attack if row else brief.facts.title, 200)


def _because(lens: LensName, verdict: str) -> str:
    unsaid = _UNSAID[lens]
    if verdict == "holds":
        return f"It can be planned on, although {unsaid}: the test costs less than the doubt."
    if verdict == "shaky":
        return f"{unsaid[:1].upper()}{unsaid[1:]}."
    return f"{unsaid[:1].upper()}{unsaid[1:]}, and no plan can make up for it."


def _own_test(brief: Brief, lens: LensName) -> str:
    asked = {
        "need": f"Ask twenty of those it is meant for to put money, hours or a signature down for {brief.facts.title}.",
        "novelty": "Find three comparable attempts and ask each for the reason why it stopped or how it got past it.",
        "belief": "Ask in writing each of those whose decision or delivery it waits for, and add the days up.",
        "success": f"Work through a day with half as much again as planned ({brief.words['capacity']}), hour by hour.",
        "opposition": "Talk to whoever can say no before anything is drawn, and write down what would make them do so.",
    }
    return asked[lens]


_TITLES: dict[LensName, str] = {
    "need": "Does anybody need it?",
    "novelty": "Why has nobody done it?",
    "belief": "What must be true that may not be?",
    "success": "What if it succeeds too well?",
    "opposition": "Who can stop it?",
}


def markdown(result: PremiseAttack) -> str:
    """Verdicts and tests in one table, then the attacks."""
    rows = [(_TITLES[a.lens], a.verdict, a.test, a.kills, a.role, day_text(a.by)) for a in result.attacks]
    parts = [
        "# Premise attack",
        table(("Lens", "Verdict", "Cheapest test", "What would kill it", "Role", "By"), rows),
        *(
            f"## {_TITLES[a.lens]} {a.verdict.capitalize()}\n\n{a.attack}\n\nOn: {a.evidence}. {a.because}"
            for a in result.attacks
        ),
    ]
    return "\n\n".join(part.rstrip() for part in parts)


STAGE = Stage(
    number=3,
    name="premise_attack",
    title="Premise Attack",
    needs=("start",),
    version=4,
    result=PremiseAttack,
    draft=draft,
    markdown=markdown,
)
