"""Read a goal with a model: once for each reading that plan_facts asked for."""

import asyncio
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import date
from typing import Any

from planloom.core.clock import Clock
from planloom.core.errors import FactsNotFound, ModelProfilesUnavailable, PlanloomError
from planloom.core.file_store import FileStore
from planloom.core.usage import Usage
from planloom.models.errors import ModelError
from planloom.models.model import Model, Question
from planloom.models.profiles import Models
from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.facts.reader import read_goal
from planloom.planes.strategic.goal_readings import GoalReading, ReadingError
from planloom.planes.strategic.outline.choose import kinds
from planloom.planes.strategic.services.readings import load, store
from planloom.planes.strategic.stages.ask_goal import ask_of

#: Of the five minutes of its Lambda: the rest is for recording what came of it.
LONGEST_SECONDS = 280.0
#: Code of a reading that failed because its model did.
MODEL_FAILED = "generation_error"
UNFORESEEN = "The reading failed inside planloom. Call plan_facts with the prompt again; the cause is in the logs."


async def read_with(
    model: Model, goal: str, today: date, tables: Collection[str], look: Callable[[], object] = lambda: None
) -> tuple[Facts, Usage]:
    """Return the facts of *goal* as *model* reads them, and what all calls cost.

    *tables* are the kinds of undertaking that may be named; *look* is called before each request. Raises ModelError,
    whose ``usage`` holds the cost of all calls.
    """
    bills: list[Usage] = []

    async def answer(question: Question[Any]) -> Any:
        try:
            given, usage = await model.ask(replace(question, look=look))
        except ModelError as error:
            bills.append(error.usage)
            raise
        bills.append(usage)
        return given

    try:
        facts = await read_goal(goal, today, tables, ask_of(answer, goal))
    except ModelError as error:
        error.usage = sum(bills, Usage())
        raise
    return facts, sum(bills, Usage())


async def run_reading(readings: FileStore, models: Models, clock: Clock, facts_id: str) -> GoalReading:
    """Read the goal of *facts_id* with the model of its profile, record what came of it and return the reading.

    A reading that another process has begun, or that has ended, is returned as it is. Raises FactsNotFound.
    """
    reading, tag = await asyncio.to_thread(load, readings, facts_id)
    if reading is None:
        raise FactsNotFound(f"No reading has the id {facts_id}. Call plan_facts with the prompt.")
    if reading.state != "reading" or reading.begun_at is not None:
        return reading
    begun = reading.model_copy(update={"begun_at": clock()})
    if not await asyncio.to_thread(store, readings, begun, tag):
        return reading
    try:
        ended = await _ended(models, begun)
    except Exception:
        # the caller must not wait for a reading that no process continues
        failed = begun.failed(ReadingError(code=PlanloomError.code, message=UNFORESEEN))
        await asyncio.to_thread(_record, readings, failed)
        raise
    await asyncio.to_thread(_record, readings, ended)
    return ended


async def _ended(models: Models, reading: GoalReading) -> GoalReading:
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            model = models.model(reading.model_profile)
            facts, usage = await read_with(model, reading.prompt, reading.today, kinds())
    except ModelError as error:
        return reading.failed(ReadingError(code=MODEL_FAILED, message=error.message), error.usage)
    except ModelProfilesUnavailable as error:
        return reading.failed(ReadingError(code=error.code, message=error.message))
    except TimeoutError:
        message = f"The model took longer than {LONGEST_SECONDS / 60:.1f} minutes to read the goal."
        return reading.failed(ReadingError(code=MODEL_FAILED, message=message))
    return reading.ready(facts, usage)


def _record(readings: FileStore, ended: GoalReading) -> None:
    there, tag = load(readings, ended.facts_id)
    # one that was started again meanwhile is another process's
    if there is not None and there.begun_at == ended.begun_at:
        store(readings, ended, tag)
