"""Say what is understood of a goal before a plan is made of it, and use that reading for the plan."""

from datetime import datetime
from uuid import UUID

from planloom.domain.errors import FactsNotFound, InvalidArgument, PlanloomError
from planloom.domain.plans import ModelProfile
from planloom.domain.readings import GoalReading, ReadingError, facts_id_of
from planloom.facts.echo import corrections
from planloom.facts.given import FactsGiven, KeptGiven
from planloom.services.create_plan import checked_prompt
from planloom.services.hold import hold
from planloom.services.readings import load, store
from planloom.services.world import World

#: The gateway gives up after 29 seconds, and callers are promised an answer within 15.
LONGEST_SECONDS, EVERY_SECONDS = 13.0, 0.5


def plan_facts(
    world: World, account: str, prompt: str, profile: ModelProfile = "baseline", *, rules_only: bool = False
) -> GoalReading:
    """Return what is understood of *prompt*, after 13 seconds at most; no plan is started.

    Rules read at once, and no model, with *rules_only* and where *profile* has no language model here. A model's
    reading is started once for the same prompt, profile and day; a failed one is started again. Raises InvalidArgument,
    ModelProfilesUnavailable.
    """
    goal = checked_prompt(prompt)
    world.models.names(profile)
    by_model = not (rules_only or world.models.outline_only(profile))
    now = world.now()
    facts_id = facts_id_of(account, goal, profile, now.date(), by_model=by_model)
    there, tag = load(world, facts_id)
    if there is not None and there.as_of(now).state != "failed":
        return _awaited(world, there)
    reading = _read_by_rules(facts_id, account, goal, profile, now, by_model=by_model)
    if not store(world, reading, tag):
        # another call stored it first, and starts it
        return find_facts(world, account, facts_id)
    if by_model:
        _start(world, reading)
    return _awaited(world, reading)


def find_facts(world: World, account: str, facts_id: str) -> GoalReading:
    """Return the reading *facts_id* of *account*, waited for as plan_facts does. Raises FactsNotFound."""
    return _awaited(world, _own(world, account, facts_id))


def resolve_given(world: World, account: str, prompt: str, given: FactsGiven) -> KeptGiven:
    """Return what plan_create keeps of *given*: the corrections and, where it names a reading, that.

    A reading that failed is left out: the plan reads the goal itself. Raises FactsNotFound; InvalidArgument where the
    reading has not ended, or is one of another prompt.
    """
    if given.facts_id is None:
        return KeptGiven(given=given)
    reading = _own(world, account, given.facts_id)
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


def _own(world: World, account: str, facts_id: str) -> GoalReading:
    reading, _ = load(world, _checked(facts_id))
    # another account's is refused in the same words: its id says nothing
    if reading is None or reading.account != account:
        raise _unknown(facts_id)
    return reading.as_of(world.now())


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
    from planloom.outline.choose import read_by_rules

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


def _start(world: World, reading: GoalReading) -> None:
    try:
        world.goal_reader.start(reading.facts_id)
    except Exception:
        # the next call starts it again, instead of waiting for what never began
        _, tag = load(world, reading.facts_id)
        error = ReadingError(code=PlanloomError.code, message="The reading was not started.")
        store(world, reading.failed(error), tag)
        raise


def _awaited(world: World, reading: GoalReading) -> GoalReading:
    def ended() -> GoalReading | None:
        found, _ = load(world, reading.facts_id)
        now = (found or reading).as_of(world.now())
        return None if now.state == "reading" else now

    now = reading.as_of(world.now())
    if now.state != "reading":
        return now
    found, _ = hold(world, LONGEST_SECONDS, EVERY_SECONDS, ended)
    return found or now
