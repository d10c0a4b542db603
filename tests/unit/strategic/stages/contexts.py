"""Build the context of a drafting stage in memory: what it needs is given, and who answers is a function."""

from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from planloom.models.errors import AnswerLost
from planloom.models.model import Question
from planloom.planes.strategic.claims import Register
from planloom.planes.strategic.facts.fact import Facts, Spanned
from planloom.planes.strategic.facts.goal import Goal
from planloom.planes.strategic.plans import Detail
from planloom.planes.strategic.stages.context import About, StageContext
from planloom.planes.strategic.stages.stage import Section, Stage, StageResult

TODAY = date(2026, 11, 2)
PROMPT = "Open a ferry for 60 bicycles across the Lek at Culemborg by 1 May 2028 for EUR 900,000."
#: Answers by call as data of the answer's model, or a function of the question; a call without one is lost.
Answers = Mapping[str, Any] | Callable[[Question[Any]], Any]


def make_goal(prompt: str = PROMPT, **facts: Any) -> Goal:
    """Return the goal *prompt* of which nothing was read but *facts*."""
    sentence = Spanned(text=prompt, start=0, end=len(prompt))
    given = {"title": "A Ferry", "subject": "a ferry", "objective": sentence, "sentences": (sentence,), **facts}
    return Goal(prompt, Facts(**given), TODAY)


def make_context(
    stage: str,
    *,
    goal: Goal | None = None,
    results: Mapping[str, StageResult] | None = None,
    texts: Mapping[str, str] | None = None,
    answers: Answers | None = None,
    outline_only: bool = False,
    detail: Detail = "standard",
    asked: list[Question[Any]] | None = None,
) -> StageContext:
    """Return the context of *stage*; each question that it asks is appended to *asked*.

    Sections of *texts* may be read whichever stage makes them.
    """
    texts = {"start": "- budget: EUR 900,000 “for EUR 900,000”", **(texts or {})}

    async def answer(question: Question[Any]) -> Any:
        if asked is not None:
            asked.append(question)
        found = answers(question) if callable(answers) else (answers or {}).get(question.name)
        if found is None:
            raise AnswerLost(f"no answer to {question.name}")
        return question.answer.model_validate(found)

    return StageContext(
        stage=stage,
        goal=goal or make_goal(),
        register=Register(),
        about=About(
            "5e2b2a7c-8b49-4d2f-9b8f-6a3c1f05b9a1",
            "baseline",
            models=("outline",) if outline_only else ("a-model",),
            created_at=datetime(2026, 11, 2, 9, tzinfo=UTC),
            outline_only=outline_only,
            detail=detail,
        ),
        results=results or {},
        texts=texts,
        answer=answer,
        needs={"given": _giving(texts)},
    )


def _giving(texts: Mapping[str, str]) -> Stage[Any]:
    """Return a stage that has all *texts* as its sections, so that they may be read."""

    async def draft(_: StageContext) -> StageResult:
        return StageResult()

    sections = tuple(Section(name, name) for name in texts)
    return Stage(0, "given", "Given", (), 1, StageResult, draft, lambda _: texts, sections)
