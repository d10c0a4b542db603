"""What a governance leaves open, without a language model: what the prompt's own bodies lack, and who is not heard."""

from collections.abc import Iterator

from planloom.facts.quoting import clip, lower_first
from planloom.knowledge.brief import Brief
from planloom.knowledge.gates import due_day, gate_text
from planloom.knowledge.mandates import Mandate, mandates
from planloom.stages.parts.governance_answer import GapRow, GapsAnswer
from planloom.stages.parts.governance_outline import ladder
from planloom.stages.parts.plan_money import line_text
from planloom.stages.project_plan import ProjectPlan


def gaps(brief: Brief, plan: ProjectPlan) -> GapsAnswer:
    """Return what is left open: by the prompt's own bodies, by limits and money, and those without a seat."""
    rows = [row for mandate in mandates(brief) for row in _gap(brief, mandate)]
    rows += [*_limits_open(brief, plan), *_unheard(brief, plan)]
    return GapsAnswer(gaps=rows[:8])


def _gap(brief: Brief, mandate: Mandate) -> Iterator[GapRow]:
    who = lower_first(mandate.title)
    text = {
        "signature": (
            f"{mandate.title} must sign {mandate.limit}, and nobody says what happens when they disagree",
            f"A disagreement of two weeks stops every order {mandate.limit}, the largest ones first",
            "Agree a tie rule: whose field it is decides, or one outsider named beforehand within five working days",
            "The rule stands in the partners' agreement and in the log",
        ),
        "limit": (
            f"The goal says what goes to {who}, not how long it takes to answer",
            f"A change {mandate.limit} waits for a meeting date while people and machines stand",
            f"Agree an urgent path with {who}: two members by letter within ten working days, reported at its meeting",
            "Resolution or letter on file before the first contract is signed",
        ),
        "stop": (
            f"{mandate.title} can stop {mandate.stops}, and no rule says what lifts the stop",
            "A stop lasts until somebody tires, or is lifted without its reason being closed",
            f"Write the evidence that lifts a stop, and a second reader of equal standing to {who}",
            "Both texts tried on one past or invented case",
        ),
        "release": (
            f"{mandate.title} must release, and neither signatory nor reply time is named",
            "Finished work waits; later releases pile up behind one unanswered letter",
            f"Agree with {who} one signatory, one deputy, five working days to answer and what silence means",
            "The agreement is signed before the first release is due",
        ),
        "body": (
            f"“{mandate.title}” has a rhythm but neither quorum nor an order for urgent matters",
            f"Between two meetings ({mandate.cadence}) a decision is taken by whoever is at hand",
            "Set quorum, closing day for papers and a way to decide by letter between meetings",
            "Rules of one page accepted at the first meeting",
        ),
    }[mandate.kind]
    gap, consequence, action, check = (clip(t, 240) for t in text)
    yield GapRow(
        gap=gap,
        consequence=consequence,
        action=action,
        role=brief.role_title("lead"),
        by=due_day(brief, 15),
        check=check,
    )


def _limits_open(brief: Brief, plan: ProjectPlan) -> Iterator[GapRow]:
    steps = ladder(brief, plan)
    if not steps.stated:
        yield GapRow(
            gap=f"No limit of one person's decisions found in the goal; {steps.first} and {steps.second} are assumed",
            consequence="Orders are placed that others would have refused, or small ones wait for a meeting",
            action="Have the two limits confirmed or replaced by whoever gives the money",
            role=brief.role_title("lead"),
            by=due_day(brief, 5),
            check="Both limits in the log with a signature from the side of the money",
        )
    if plan.budget.currency is None or plan.budget.gap > 0:
        missing = "the total" if plan.budget.currency is None else line_text(plan.budget, plan.budget.gap)
        yield GapRow(
            gap=f"Nobody is named who answers for {missing} of money that has no source in the goal",
            consequence="Commitments are made in parts, and the last part has no payer",
            action="Name who decides on money that is not there yet, and the gate before which nothing may rest on it",
            role=brief.role_title("finance"),
            by=due_day(brief, 10),
            check=clip(f"Written before {gate_text(brief, brief.phases[0].id)}", 240),
        )


def _unheard(brief: Brief, plan: ProjectPlan) -> Iterator[GapRow]:
    """Those to whom it matters much and who have no seat: the first two."""
    seats = " ".join(f"{m.title} {m.members}" for m in mandates(brief)).lower()
    for row in plan.plan.stakeholders:
        if row.concern == "high" and row.power != "high" and row.name.lower() not in seats:
            yield GapRow(
                gap=clip(f"{row.name} are affected and sit nowhere: {row.interest}", 300),
                consequence=clip(
                    "They are heard when it is too late to change anything, by letter, press or court", 300
                ),
                action=clip(f"Give them one person to speak to and one date: {row.tell}", 300),
                role=row.role,
                by=due_day(brief, 20),
                check="Their points and the answers stand in the log before the next gate",
            )
            return
