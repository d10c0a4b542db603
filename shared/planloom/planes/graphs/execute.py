"""Execute one step of a graph: its condition, its arguments, its calls with their retries, and its items."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from planloom.core.expressions import parse
from planloom.planes.graphs.document import Retry, Step
from planloom.planes.graphs.variables import Simulated, resolve
from planloom.tools.tool import NotReached
from planloom.tools.unwrap import ToolFailed

StepState = Literal["completed", "failed", "skipped", "simulated"]
Failure = Literal["error", "timeout", "connection"]


class CallBlocked(Exception):
    """A guard does not admit the call; it was not made and is not made again."""


@dataclass(frozen=True)
class CallOutcome:
    """What one item of a step came to. ``attempts`` counts calls that were made.

    ``uncertain``: the last call may have been carried out, and must not be repeated unasked.
    """

    value: Any = None
    error: str = ""
    attempts: int = 0
    failure: Failure | Literal["blocked", ""] = ""
    uncertain: bool = False

    @property
    def failed(self) -> bool:
        """Whether the call brought no value."""
        return bool(self.error)


@dataclass(frozen=True)
class StepEnd:
    """How a step ended. ``args`` are the resolved arguments; ``items`` the outcomes of ``for_each``, in its order."""

    state: StepState
    value: Any = None
    error: str = ""
    args: Any = None
    attempts: int = 0
    items: tuple[CallOutcome, ...] = ()
    unresolved: tuple[str, ...] = ()
    failure: Failure | Literal["blocked", ""] = ""
    uncertain: bool = False


#: Makes one call of the step's tool with resolved arguments and returns the unwrapped value; the number is that of
#: the item of for_each, None without one. Raises ToolFailed, TimeoutError, ConnectionError, CallBlocked.
Call = Callable[[Step, dict[str, Any], int | None], Awaitable[Any]]


class Items(Protocol):
    """Where the outcomes of items are kept, so that the next worker does not call them again."""

    async def known(self, number: int) -> CallOutcome | None:
        """Return what the item came to before, None where it has not ended."""

    async def keep(self, number: int, outcome: CallOutcome) -> CallOutcome:
        """Keep what the item came to, and return the outcome that counts."""


async def execute_step(
    step: Step,
    variables: Mapping[str, Any],
    call: Call,
    *,
    may_repeat: bool = True,
    items: Items | None = None,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> StepEnd:
    """Execute *step* with *variables* and return how it ended; errors of its tool are in the result.

    Failed calls are made again as ``retry`` says. A call that may have been carried out although no answer came (after
    a timeout or a broken connection) is repeated only where *may_repeat*: where that does no harm. *items* keeps what
    the items of ``for_each`` came to.
    """
    if step.when is not None and not parse(step.when).holds(variables):
        return StepEnd("skipped")
    if step.for_each is not None:
        return await _each(step, variables, call, may_repeat, items, sleep)
    resolved = resolve(step.args, variables)
    outcome = await _called(step, resolved.value, call, None, may_repeat, sleep)
    return StepEnd(
        "failed" if outcome.failed else "completed",
        value=outcome.value,
        error=outcome.error,
        args=resolved.value,
        attempts=outcome.attempts,
        unresolved=tuple(resolved.unresolved),
        failure=outcome.failure,
        uncertain=outcome.uncertain,
    )


def simulate_step(step: Step, variables: Mapping[str, Any]) -> StepEnd:
    """Return what a dry run says of *step*: its resolved arguments, and what they name that nothing binds."""
    of_item = {} if step.for_each is None else {"item": Simulated("<item>"), "index": Simulated("<index>")}
    bound = {**variables, **of_item} if of_item else variables
    resolved, over = resolve(step.args, bound), resolve(step.for_each, variables)
    return StepEnd(
        "simulated",
        value=Simulated(f"<{step.tool} result>"),
        args=resolved.value,
        unresolved=(*over.unresolved, *resolved.unresolved),
    )


async def _each(
    step: Step,
    variables: Mapping[str, Any],
    call: Call,
    may_repeat: bool,
    kept: Items | None,
    sleep: Callable[[float], Awaitable[None]],
) -> StepEnd:
    resolved = resolve(step.for_each, variables)
    items = resolved.value
    if not isinstance(items, list):
        said = f"for_each is no list but {type(items).__name__}: {step.for_each}"
        return StepEnd("failed", error=said, unresolved=tuple(resolved.unresolved))
    outcomes: list[CallOutcome] = [CallOutcome(error="not called: an earlier item failed")] * len(items)
    numbers = iter(range(len(items)))
    failed = False

    async def outcome_of(number: int) -> CallOutcome:
        if kept is not None and (known := await kept.known(number)):
            return known
        args = resolve(step.args, {**variables, "item": items[number], "index": number}).value
        outcome = await _called(step, args, call, number, may_repeat, sleep)
        return outcome if kept is None else await kept.keep(number, outcome)

    async def work() -> None:
        nonlocal failed
        for number in numbers:
            if failed:
                return
            outcomes[number] = outcome = await outcome_of(number)
            failed = failed or outcome.uncertain or (outcome.failed and step.on_item_failure == "fail")

    await asyncio.gather(*(work() for _ in range(min(step.max_parallel, len(items)))))
    wrong = [number for number, outcome in enumerate(outcomes) if outcome.failed]
    values = [None if outcome.failed else outcome.value for outcome in outcomes]
    attempts = sum(outcome.attempts for outcome in outcomes)
    if failed:
        at = next(number for number in wrong if outcomes[number].attempts or outcomes[number].failure)
        error = f"Item {at} of {len(items)} failed: {outcomes[at].error}"
        return StepEnd(
            "failed",
            value=values,
            error=error,
            attempts=attempts,
            items=tuple(outcomes),
            failure=outcomes[at].failure,
            uncertain=any(outcome.uncertain for outcome in outcomes),
        )
    return StepEnd("completed", value=values, attempts=attempts, items=tuple(outcomes))


async def _called(
    step: Step,
    args: dict[str, Any],
    call: Call,
    item: int | None,
    may_repeat: bool,
    sleep: Callable[[float], Awaitable[None]],
) -> CallOutcome:
    retry = step.retry or Retry(attempts=1)
    pause = retry.backoff
    outcome = CallOutcome()
    for attempt in range(1, retry.attempts + 1):
        unsent = False
        try:
            value = await _in_time(step, args, call, item)
            return CallOutcome(value, attempts=attempt)
        except CallBlocked as error:
            return CallOutcome(error=str(error), attempts=attempt - 1, failure="blocked")
        except ToolFailed as error:
            outcome = CallOutcome(error=str(error) or "The tool failed.", attempts=attempt, failure="error")
        except TimeoutError:
            said = f"No answer within {step.timeout_sec:g} seconds." if step.timeout_sec else "No answer in time."
            outcome = CallOutcome(error=said, attempts=attempt, failure="timeout")
        except ConnectionError as error:
            outcome = CallOutcome(error=f"The connection failed: {error}", attempts=attempt, failure="connection")
            unsent = isinstance(error, NotReached)
        uncertain = outcome.failure != "error" and not unsent and not may_repeat
        if uncertain:
            return replace(outcome, uncertain=True)
        if attempt == retry.attempts or outcome.failure not in retry.on:
            break
        await sleep(pause)
        pause = min(pause * 2, 60.0)
    return outcome


async def _in_time(step: Step, args: dict[str, Any], call: Call, item: int | None) -> Any:
    if step.timeout_sec is None:
        return await call(step, args, item)
    async with asyncio.timeout(step.timeout_sec):
        return await call(step, args, item)


@dataclass
class Bindings:
    """The variables of a run: the graph's, the caller's over them, and the results of steps."""

    values: dict[str, Any] = field(default_factory=dict)

    def bind(self, step: Step, end: StepEnd) -> None:
        """Bind the result of *step* to its variable; a skipped step binds null."""
        if step.result_variable and end.state in ("completed", "simulated", "skipped"):
            self.values[step.result_variable] = end.value
