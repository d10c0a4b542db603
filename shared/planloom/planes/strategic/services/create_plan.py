"""Accept a request: store the plan once, start its pipeline once."""

import unicodedata
from uuid import NAMESPACE_URL, uuid5

from planloom.core.artifacts import GIVEN, PROMPT, content_type_of
from planloom.core.clock import NewId
from planloom.core.errors import InvalidArgument, RequestConflict
from planloom.core.ids import checked_id
from planloom.models.profile import ModelProfile
from planloom.models.profiles import Models
from planloom.planes.strategic.facts.given import KeptGiven
from planloom.planes.strategic.plans import PIPELINE_VERSION, Detail, Plan, Target
from planloom.planes.strategic.ports.groups import PlanRecords, RunControl
from planloom.planes.strategic.services.credits import reserve_credits
from planloom.planes.strategic.services.dispatch_run import dispatch_run
from planloom.planes.strategic.services.own_plan import own_plan

#: A prompt of 800 words has about 5,000 characters; ten times that is enough and keeps every call affordable.
PROMPT_CHARACTERS = 50_000
EXCERPT = 200
#: What a repeat under one request id must ask for alike, beside the prompt.
ASKED = ("model_profile", "target", "detail", "user_account", "derived_from")


def create_plan(
    run_control: RunControl,
    models: Models,
    account: str,
    prompt: str,
    model_profile: ModelProfile = "baseline",
    target: Target = "build_plan",
    client_request_id: str | None = None,
    user_account: str | None = None,
    derived_from: str | None = None,
    given: KeptGiven | None = None,
    detail: Detail = "standard",
) -> Plan:
    """Store a plan for *account*, on behalf of *user_account* where given, start its first run and return it.

    It is drafted from its own prompt, and from the facts that were *given*: a reading of that prompt and corrections;
    as long as *detail* says.
    *derived_from* only names the plan of *account* that it comes from.
    With *client_request_id* a repeat returns the plan that the first call made and repairs a crash between
    storing and starting. Raises InvalidArgument, ModelProfilesUnavailable and, of *derived_from*, PlanNotFound
    and PermissionDenied, with nothing stored; RequestConflict where the first call asked for something else.
    """
    goal = checked_prompt(prompt)
    if target == "validate_plan":
        raise InvalidArgument(
            "There is nothing to validate yet. Create the plan with target build_plan or build_plan_and_validate; "
            "plan_validate goes over a plan that is there.",
            field="target",
        )
    models.names(model_profile)
    plan = Plan(
        plan_id=_plan_id(run_control.plan_records.new_id, account, client_request_id),
        account=account,
        user_account=user_account,
        prompt_excerpt=_excerpt(goal),
        model_profile=model_profile,
        target=target,
        detail=detail,
        pipeline_version=PIPELINE_VERSION,
        created_at=run_control.plan_records.now(),
        derived_from=None if derived_from is None else checked_id(derived_from, "derived_from"),
    )
    contents = _contents(goal, given)
    kept = _earlier(run_control.plan_records, plan, contents) if client_request_id else None
    if kept is None:
        if plan.derived_from:
            # not of a repeat: the origin may have been deleted since
            own_plan(run_control.plan_records, account, plan.derived_from)
        reserve_credits(run_control.billing, plan)
        # the prompt first: a plan that the table shows always has one; should it never show it, the prompt is erased
        run_control.plan_records.archive.expect(plan.plan_id, run_control.plan_records.now())
        for path, content in contents.items():
            run_control.plan_records.files.write(plan.plan_id, path, content, content_type_of(path))
        kept = plan if run_control.plan_records.plans.add(plan) else _earlier(run_control.plan_records, plan, contents)
    assert kept, "a plan whose id is taken can be read"
    if kept.state == "pending":
        run_control.plan_records.save_record(kept)
        dispatch_run(run_control, kept)
    return kept


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


def _plan_id(new_id: NewId, account: str, client_request_id: str | None) -> str:
    if client_request_id is None:
        return new_id()
    return str(uuid5(NAMESPACE_URL, f"planloom:{account}:{client_request_id}"))


def _contents(goal: str, given: KeptGiven | None) -> dict[str, bytes]:
    """Return the files that a plan begins with: its prompt, and what was given of its facts."""
    files = {PROMPT: goal.encode()}
    if given is not None:
        files[GIVEN] = given.model_dump_json(exclude_unset=True).encode()
    return files


def _earlier(plan_records: PlanRecords, plan: Plan, contents: dict[str, bytes]) -> Plan | None:
    """Return the plan that an earlier call with the same request id made, and None where there was none."""
    earlier = plan_records.plans.get(plan.plan_id)
    if earlier is None:
        if plan_records.archive.owner_of_deleted(plan.plan_id):
            raise RequestConflict(
                f"This client_request_id made plan {plan.plan_id}, which was deleted. Use a new id for a new plan."
            )
        return None
    same = all(getattr(earlier, name) == getattr(plan, name) for name in ASKED)
    if not same or any(plan_records.files.read(plan.plan_id, path) != contents.get(path) for path in (PROMPT, GIVEN)):
        raise RequestConflict(
            f"This client_request_id already made plan {plan.plan_id}, with other values. Use a new id for a new plan."
        )
    return earlier


def _excerpt(goal: str) -> str:
    line = " ".join(goal.split())
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1].rsplit(" ", 1)[0] + "…"
