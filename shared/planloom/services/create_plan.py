"""Accept a request: store the plan once, start its pipeline once."""

import unicodedata
from uuid import NAMESPACE_URL, uuid5

from planloom.domain.artifacts import PROMPT
from planloom.domain.errors import InvalidArgument
from planloom.domain.events import RunStarted
from planloom.domain.plans import ModelProfile, Plan, Target
from planloom.services.save_plan_record import save_plan_record
from planloom.services.world import World

#: A prompt of 800 words has about 5,000 characters; ten times that leaves room and keeps every call affordable.
PROMPT_CHARACTERS = 50_000
EXCERPT = 200


def create_plan(
    world: World,
    account: str,
    prompt: str,
    model_profile: ModelProfile = "baseline",
    target: Target = "build_plan",
    client_request_id: str | None = None,
) -> Plan:
    """Store a plan for *account*, start its first run and return it.

    With *client_request_id* a repeat returns the plan that the first call made and heals a crash between
    storing and starting. Raises InvalidArgument (nothing is stored), ModelProfilesUnavailable.
    """
    goal = checked_prompt(prompt)
    world.models.names(model_profile)
    plan = Plan(
        plan_id=_plan_id(world, account, client_request_id),
        account=account,
        prompt_excerpt=_excerpt(goal),
        model_profile=model_profile,
        target=target,
        created_at=world.now(),
    )
    # the prompt first: a plan that the table shows always has one
    world.files.write(plan.plan_id, PROMPT, goal.encode(), "text/plain; charset=utf-8")
    if world.plans.add(plan):
        save_plan_record(world, plan)
    else:
        plan = _earlier(world, plan)
    if plan.state == "pending":
        start_run(world, plan)
    return plan


def start_run(world: World, plan: Plan) -> None:
    """Hand the plan's current run to the state machine; doing it twice is doing it once."""
    world.pipeline.start(plan.plan_id, plan.run, plan.target)
    world.bus.put(RunStarted(plan_id=plan.plan_id, run=plan.run, at=world.now()))


def checked_prompt(prompt: str) -> str:
    """Return *prompt* without surrounding white space. Raises InvalidArgument for what cannot be planned from."""
    goal = prompt.strip()
    if not goal:
        raise InvalidArgument(
            "The prompt is empty. Describe the goal in flowing prose, 300 to 800 words; example_prompts shows how.",
            field="prompt",
        )
    if len(goal) > PROMPT_CHARACTERS:
        raise InvalidArgument(
            f"The prompt has {len(goal):,} characters; at most {PROMPT_CHARACTERS:,} are taken. "
            "Keep to what the plan must decide: 300 to 800 words serve best.",
            field="prompt",
        )
    if any(unicodedata.category(char) in {"Cc", "Cs"} and char not in "\n\r\t" for char in goal):
        raise InvalidArgument("The prompt holds control characters, as binary data does. Send text.", field="prompt")
    return goal


def _plan_id(world: World, account: str, client_request_id: str | None) -> str:
    if client_request_id is None:
        return world.new_id()
    return str(uuid5(NAMESPACE_URL, f"planloom:{account}:{client_request_id}"))


def _earlier(world: World, plan: Plan) -> Plan:
    earlier = world.plans.get(plan.plan_id)
    assert earlier, "a plan whose id is taken can be read"
    return earlier


def _excerpt(goal: str) -> str:
    line = " ".join(goal.split())
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1].rsplit(" ", 1)[0] + "…"
