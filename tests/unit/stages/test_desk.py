"""What a desk puts before a model: the goal to all calls, the claims before the rest, in few words."""

import asyncio
from datetime import UTC, date, datetime

from planloom.domain.claims import Claim, Register
from planloom.domain.frozen import Answer
from planloom.knowledge.brief import make_brief
from planloom.models.model import Part, Question
from planloom.reading.facts import read_facts
from planloom.stages.desk import About, Desk
from planloom.stages.settled import TITLE

GOAL = "Open a bakery in Lisbon by 1 May 2027 for €240,000."
TODAY = date(2026, 11, 2)


class Said(Answer):
    """Anything."""

    word: str


def claim(name: str, text: str, source: str, value: str | None = "5") -> Claim:
    return Claim(id=f"start.{name}", text=text, kind="fact", value=value, unit="people", source=source)


def asked(*claims: Claim) -> Question[Answer]:
    """Return what reaches the model when a stage asks with one part of its own."""
    caught: list[Question[Answer]] = []

    async def answer(question: Question[Answer]) -> Answer:
        caught.append(question)
        return Said(word="yes")

    desk = Desk(
        stage="purpose",
        prompt=GOAL,
        brief=make_brief(GOAL, read_facts(GOAL, TODAY), TODAY),
        register=Register(claims),
        about=About("p", "custom", ("m",), datetime(2026, 11, 2, tzinfo=UTC)),
        results={},
        texts={},
        answer=answer,
    )
    asyncio.run(desk.ask("call", "Say yes.", (Part("own", "mine"),), Said, lambda: Said(word="no")))
    return caught[0]


def test_claims_come_before_what_is_the_calls_own() -> None:
    context = asked(claim("a", "Five bakers", "stage:team")).context

    assert context == (Part(TITLE, "start: a 5"), Part("own", "mine"))


def test_the_goal_stands_in_what_all_calls_share() -> None:
    assert asked().shared.endswith(f"<goal>\n{GOAL}\n</goal>")
