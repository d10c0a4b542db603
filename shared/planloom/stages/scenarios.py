"""Stage 006: three coherent scenarios, scored on stated criteria; the chosen one and what would change the choice."""

from typing import Self

from pydantic import Field, field_validator, model_validator

from planloom.domain.claims import Claim
from planloom.domain.frozen import Answer
from planloom.domain.wording import day_text
from planloom.knowledge.gates import gate_day
from planloom.models.model import Part
from planloom.models.repair_answer import nearest
from planloom.stages.desk import Desk
from planloom.stages.excerpt import Excerpt, Pick
from planloom.stages.levers import Levers
from planloom.stages.parts.lever import Stance
from planloom.stages.parts.references import referring
from planloom.stages.parts.scenario import STANCES, Choice, Criterion, Scenario, leader, rescaled, weighted
from planloom.stages.parts.scenario_outline import outline_choice, outline_scenarios
from planloom.stages.stage import Stage, StageResult
from planloom.stages.text import bullets, table

CANDIDATES = """\
Write three scenarios of this plan: careful, balanced, bold, in that order. A scenario sets every vital lever, and its
settings fit together: the same people could carry them out with the same money on the same calendar.

- careful keeps ways back open and pays for that in time, size or price. bold buys speed or size with exposure. balanced
  is not the mean of the two but the set that a careful owner with a deadline would sign.
- choices: every vital lever once, with the label of one of its settings. A lever that the goal fixes keeps that setting
  in all three (fixed = true). A setting that is ruled out is never chosen.
- title: the choice that makes this scenario, in four to eight words of this goal; not the stance.
- story: from the first working day to the last, in six to ten sentences: what is committed when, what waits for whom,
  what the first open day or first use looks like, with the goal's dates, amounts and counts.
- gains and gives_up: against the other two, in money, weeks, or figures of the goal.
Avoid: the same story three times with "more" and "less"; a straw man; numbers that contradict the claims.
"""

CHOOSE = """\
Three scenarios are on the table. Choose one, with the arithmetic in the open.

- criteria: five, or four or six where the goal calls for it: fit to deadline; fit to budget; keeping the goal's limits
  and bans; reversibility; upside. Replace one where another matters more here. Weights are whole percents that sum to
  100 and follow from the goal: a criterion that the goal makes hard (must, by, at most) weighs more than a soft one.
- Points 1 to 5 for each scenario; spread them. why names the demand, date or amount that sets weight and points, and
  says what makes the best better than the worst.
- chosen: the scenario with the highest weighted points. If you would choose another, your weights are wrong: mend them
  and say so.
- because: two or three sentences to the person who must sign: what tips it, and the price of choosing it.
- changes: three to five things that would change the choice, each measurable and dated where it can be ("no loan
  commitment by 12 February"), with the scenario that it would change to.
Avoid: equal weights; a winner on every criterion; reasons that fit any project.
"""


class Candidates(Answer):
    """The three scenarios."""

    scenarios: list[Scenario] = Field(min_length=3, max_length=3)

    @field_validator("scenarios")
    @classmethod
    def one_of_each(cls, scenarios: list[Scenario]) -> list[Scenario]:
        """Careful, balanced and bold, each once: put in order, or named by their order where one is there twice."""
        ranked = sorted(scenarios, key=lambda scenario: STANCES.index(scenario.stance))
        if [scenario.stance for scenario in ranked] == list(STANCES):
            return ranked
        return [s.model_copy(update={"stance": stance}) for s, stance in zip(scenarios, STANCES, strict=True)]


class ChoiceAnswer(Answer):
    """Criteria with points, and the choice."""

    criteria: list[Criterion] = Field(min_length=4, max_length=6)
    chosen: Stance
    because: str = Field(min_length=20, max_length=700)
    changes: list[str] = Field(min_length=2, max_length=6, description="What would change the choice, and to which")

    @field_validator("criteria")
    @classmethod
    def weights_sum_to_100(cls, criteria: list[Criterion]) -> list[Criterion]:
        """Weights in the same proportion, with the sum of 100."""
        return rescaled(criteria)

    @model_validator(mode="after")
    def arithmetic_holds(self) -> Self:
        """The chosen scenario has the most points."""
        points = {stance: weighted(self.criteria, stance) for stance in STANCES}
        if points[self.chosen] < max(points.values()):
            raise ValueError(f"by your own weights the points are {points}: choose the highest, or mend the weights")
        return self


class Scenarios(StageResult):
    """Stage 006's result: three scenarios in the order careful, balanced, bold.

    Claims: ``scenarios.chosen``, and ``scenarios.<lever>`` with the setting that the chosen one gives that lever.
    """

    scenarios: tuple[Scenario, ...]
    criteria: tuple[Criterion, ...]
    chosen: Stance
    because: str
    changes: tuple[str, ...] = Field(description="What would change the choice, each with the scenario it moves to")

    @property
    def choice(self) -> Scenario:
        """The chosen scenario."""
        return next(s for s in self.scenarios if s.stance == self.chosen)

    def points(self, stance: Stance) -> float:
        """Return the weighted points of *stance*, 1.00-5.00."""
        return weighted(self.criteria, stance)


async def draft(desk: Desk) -> Scenarios:
    """Candidates, then the choice: two rounds."""
    levers = desk.read("levers", Levers)
    found = await desk.ask(
        "candidates",
        CANDIDATES,
        (desk.excerpt(_vital(levers)),),
        Candidates,
        lambda: Candidates(scenarios=outline_scenarios(desk.brief, levers)),
    )
    scenarios = tuple(_settled(scenario, levers) for scenario in found.scenarios)
    shown = Part("scenarios", "\n\n".join(_story(scenario) for scenario in scenarios))
    answer = await desk.ask("choice", CHOOSE, (shown,), ChoiceAnswer, lambda: _outline_choice(desk, scenarios))
    return Scenarios(
        scenarios=scenarios,
        criteria=tuple(answer.criteria),
        chosen=answer.chosen,
        because=answer.because,
        changes=tuple(answer.changes),
        claims=_claims(desk, scenarios, answer.chosen),
    )


def _vital(levers: Levers) -> Excerpt:
    """The decisions, what pulls against what, and the settings of the vital levers alone: no scenario sets others."""
    titles = [lever.title for lever in levers.levers if lever.id in levers.vital]
    return Excerpt(
        "levers",
        6500,
        (
            Pick("The decisions that matter most", ("Lever", "Proposed", "Gives up", "By"), prose=False),
            Pick("What pulls against what"),
            *(Pick(title, most=1) for title in titles),
        ),
    )


def _outline_choice(desk: Desk, scenarios: tuple[Scenario, ...]) -> ChoiceAnswer:
    criteria, because, changes = outline_choice(desk.brief, scenarios)
    return ChoiceAnswer(criteria=criteria, chosen=leader(criteria), because=because, changes=changes)


def _settled(scenario: Scenario, levers: Levers) -> Scenario:
    """Every vital lever once: a fixed one as fixed, an unknown or ruled-out setting replaced by that of the stance."""
    known = {lever.id: lever.title for lever in levers.levers}
    said = {choice.lever: choice.setting for choice in referring(scenario, lever=known).choices}
    choices = []
    for lever in levers.levers:
        if lever.id in levers.vital:
            wanted = nearest(said.get(lever.id, ""), (s.label for s in lever.settings if not s.ruled_out))
            label = wanted if wanted and not lever.fixed else lever.setting(scenario.stance).label
            choices.append(Choice(lever=lever.id, title=lever.title, setting=label, fixed=bool(lever.fixed)))
    return scenario.model_copy(update={"choices": choices})


def _claims(desk: Desk, scenarios: tuple[Scenario, ...], chosen: Stance) -> tuple[Claim, ...]:
    taken = next(s for s in scenarios if s.stance == chosen)
    owner = desk.brief.role_title("lead")
    test = f"Confirmed or changed by the {owner.lower()} at the gate of {day_text(gate_day(desk.brief, 'prepare'))}"
    first = Claim(
        id="scenarios.chosen",
        text=f"The plan follows the {chosen} scenario: {taken.title}",
        kind="assumption",
        value=chosen,
        source="stage:scenarios",
        owner=owner,
    )
    return (
        first,
        *(
            Claim(
                id=f"scenarios.{choice.lever}",
                text=f"{choice.title}: {choice.setting}",
                kind="fact" if choice.fixed else "assumption",
                value=choice.setting,
                source="stage:levers",
                owner=owner,
                test=None if choice.fixed else test[:240],
            )
            for choice in taken.choices
        ),
    )


def markdown(result: Scenarios) -> str:
    """The choice and its arithmetic first, then the three scenarios side by side and in full."""
    names = {s.stance: f"{s.stance.capitalize()}: {s.title}" for s in result.scenarios}
    points = [
        (c.name, f"{c.weight}%", *(f"{c.points(s)} × {c.weight} = {c.points(s) * c.weight}" for s in STANCES), c.why)
        for c in result.criteria
    ]
    sums = [(f"{sum(c.points(s) * c.weight for c in result.criteria)} = {result.points(s):.2f}") for s in STANCES]
    levers = [choice.title for choice in result.choice.choices]
    settings = [
        (title, *(next((c.setting for c in s.choices if c.title == title), "") for s in result.scenarios))
        for title in levers
    ]
    parts = [
        f"# Scenarios: {names[result.chosen]}",
        result.because,
        "## What would change the choice",
        bullets(result.changes),
        "## How the points add up",
        table(
            ("Criterion", "Weight", "Careful", "Balanced", "Bold", "Why"),
            [*points, ("Sum", "100%", *sums, "sum of points × weight; divided by 100")],
        ),
        "## How each sets the vital levers",
        table(("Lever", "Careful", "Balanced", "Bold"), settings),
        *(_story(scenario) for scenario in result.scenarios),
    ]
    return "\n\n".join(part.rstrip() for part in parts)


def _story(scenario: Scenario) -> str:
    head = f"## {scenario.stance.capitalize()}: {scenario.title}"
    return f"{head}\n\n{scenario.story}\n\n- Gains: {scenario.gains}\n- Gives up: {scenario.gives_up}"


STAGE = Stage(
    number=6,
    name="scenarios",
    title="Scenarios",
    needs=("levers",),
    version=4,
    result=Scenarios,
    draft=draft,
    markdown=markdown,
)
