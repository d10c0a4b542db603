"""Say what is understood of a goal before a plan is made of it, and use that reading for the plan."""

from datetime import datetime
from uuid import UUID

from planloom.core.clock import Clock
from planloom.core.errors import FactsNotFound, InvalidArgument, PlanloomError
from planloom.core.file_store import FileStore
from planloom.models.profile import ModelProfile
from planloom.models.profiles import Models
from planloom.planes.strategic.facts.echo import corrections
from planloom.planes.strategic.facts.given import FactsGiven, KeptGiven
from planloom.planes.strategic.goal_readings import GoalReading, ReadingError, facts_id_of
from planloom.planes.strategic.ports.groups import GoalReadings
from planloom.planes.strategic.services.create_plan import checked_prompt
from planloom.planes.strategic.services.readings import load, store

#: The gateway gives up after 29 seconds, and callers are promised an answer within 15.
LONGEST_SECONDS, EVERY_SECONDS = 13.0, 0.5


def plan_facts(
    goal_readings: GoalReadings,
    models: Models,
    account: str,
    prompt: str,
    profile: ModelProfile = "baseline",
    *,
    rules_only: bool = False,
) -> GoalReading:
    """Return what is understood of *prompt*, after 13 seconds at most; no plan is started.

    Rules read at once, and no model, with *rules_only* and where *profile* has no language model here. A model's
    reading is started once for the same prompt, profile and day; a failed one is started again. Raises InvalidArgument,
    ModelProfilesUnavailable.
    """
    goal = checked_prompt(prompt)
    models.names(profile)
    by_model = not (rules_only or models.outline_only(profile))
    now = goal_readings.now()
    facts_id = facts_id_of(account, goal, profile, now.date(), by_model=by_model)
    there, tag = load(goal_readings.files, facts_id)
    if there is not None and there.as_of(now).state != "failed":
        return _awaited(goal_readings, there)
    reading = _read_by_rules(facts_id, account, goal, profile, now, by_model=by_model)
    if not store(goal_readings.files, reading, tag):
        # another call stored it first, and starts it
        return find_facts(goal_readings, account, facts_id)
    if by_model:
        _start(goal_readings, reading)
    return _awaited(goal_readings, reading)


def find_facts(goal_readings: GoalReadings, account: str, facts_id: str) -> GoalReading:
    """Return the reading *facts_id* of *account*, waited for as plan_facts does. Raises FactsNotFound."""
    return _awaited(goal_readings, _own(goal_readings.files, goal_readings.now, account, facts_id))


def resolve_given(readings: FileStore, clock: Clock, account: str, prompt: str, given: FactsGiven) -> KeptGiven:
    """Return what plan_create keeps of *given*: the corrections and, where it names a reading, that.

    A reading that failed is left out: the plan reads the goal itself. Raises FactsNotFound; InvalidArgument where the
    reading has not ended, or is one of another prompt.
    """
    if given.facts_id is None:
        return KeptGiven(given=given)
    reading = _own(readings, clock, account, given.facts_id)
    if reading.prompt != checked_prompt(prompt):
        raise InvalidArgument(
            "facts.facts_id is the reading of another prompt. Call plan_facts with this prompt and use its facts_id, "
            "or leave facts_id out.",
            field="facts.facts_id",
        )
    if reading.state == "reading":
        raise InvalidArgument(
            "The reading of facts.facts_id has not ended. Call plan_facts with this facts_id until its state is ready, "
            "or leave facts_id out.",
            field="facts.facts_id",
        )
    own = corrections(given, reading.facts)
    return KeptGiven(facts=reading.facts if reading.state == "ready" else None, given=own)


def _own(readings: FileStore, clock: Clock, account: str, facts_id: str) -> GoalReading:
    reading, _ = load(readings, _checked(facts_id))
    # another account's is refused in the same words: its id says nothing
    if reading is None or reading.account != account:
        raise _unknown(facts_id)
    return reading.as_of(clock())


def _checked(facts_id: str) -> str:
    try:
        return str(UUID(facts_id))
    except ValueError:
        raise _unknown(facts_id) from None


def _unknown(facts_id: str) -> FactsNotFound:
    return FactsNotFound(
        f"No reading has the facts_id {facts_id[:60]}; readings are kept for 30 days. Call plan_facts with the prompt."
    )


def _read_by_rules(
    facts_id: str, account: str, goal: str, profile: ModelProfile, now: datetime, *, by_model: bool
) -> GoalReading:
    # on the first call: other calls of the API need none of the rules' tables
    from planloom.planes.strategic.outline.choose import read_by_rules

    return GoalReading(
        facts_id=facts_id,
        account=account,
        prompt=goal,
        model_profile=profile,
        today=now.date(),
        state="reading" if by_model else "ready",
        requested_at=now,
        facts=read_by_rules(goal, now.date()),
    )


def _start(goal_readings: GoalReadings, reading: GoalReading) -> None:
    try:
        goal_readings.reader.start(reading.facts_id)
    except Exception:
        # the next call starts it again, instead of waiting for what never began
        _, tag = load(goal_readings.files, reading.facts_id)
        error = ReadingError(code=PlanloomError.code, message="The reading was not started.")
        store(goal_readings.files, reading.failed(error), tag)
        raise


def _awaited(goal_readings: GoalReadings, reading: GoalReading) -> GoalReading:
    def ended() -> GoalReading | None:
        found, _ = load(goal_readings.files, reading.facts_id)
        now = (found or reading).as_of(goal_readings.now())
        return None if now.state == "reading" else now

    now = reading.as_of(goal_readings.now())
    if now.state != "reading":
        return now
    found, _ = goal_readings.long_poll.wait(LONGEST_SECONDS, EVERY_SECONDS, ended)
    return found or now
