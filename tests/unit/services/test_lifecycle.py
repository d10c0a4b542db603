"""Whatever callers, workers and messages do, in whatever order and how often: states, cursors and progress hold.

A Hypothesis state machine over create, stop, resume, retry, edit, invalidate, archive and delete, with workers of any
run, and with events and ends that come late, repeated and reordered.
"""

from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule

from planloom.domain.errors import PlanloomError
from planloom.domain.plans import TERMINAL, TRANSITIONS, Plan
from planloom.domain.progress import progress_percentage
from planloom.services.archive_plan import archive_plan
from planloom.services.delete_plan import delete_plan
from planloom.services.edit_artifact import edit_artifact
from planloom.services.end_run import end_run
from planloom.services.invalidate_plan import invalidate_plan
from planloom.services.repair_plan import repair_plan
from planloom.services.resume_plan import resume_plan
from planloom.services.retry_plan import retry_plan
from planloom.services.stop_plan import stop_plan
from planloom.services.watch_plans import watch_plans
from tests.unit.services.walk import begin, work
from tests.worlds import make_fakes

#: The first stages stand for all: what matters here is who commits what under which run.
STAGES = ("start", "screening", "purpose")
FILES = ("001-3-start.md", "002-2-screening.md", "004-2-purpose.md")
ENDS = st.sampled_from(("SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED"))


class Lifecycle(RuleBasedStateMachine):
    """One plan at a time; refusals are part of the game, anything else that is raised is a fault."""

    plans = Bundle("plans")

    def __init__(self) -> None:
        super().__init__()
        self.fakes = make_fakes()
        self.world = self.fakes.world
        self.seen: dict[str, list[Plan]] = {}
        self.logged: dict[str, int] = {}
        self.gone: set[str] = set()

    @rule(target=plans)
    def create(self) -> object:
        if self.fakes.plans.plans:
            return multiple()
        return begin(self.fakes).plan_id

    @rule(plan_id=plans, name=st.sampled_from(STAGES), older=st.integers(0, 1))
    def let_a_worker_run_a_stage(self, plan_id: str, name: str, older: int) -> None:
        plan = self.fakes.plans.get(plan_id)
        if plan and plan.run > older:
            with suppress(PlanloomError):
                work(self.fakes, plan.model_copy(update={"run": plan.run - older}), name)

    @rule(plan_id=plans)
    def stop(self, plan_id: str) -> None:
        self.ask(lambda: stop_plan(self.world, "acme", plan_id))

    @rule(plan_id=plans, request=st.sampled_from((None, "once")))
    def resume(self, plan_id: str, request: str | None) -> None:
        self.ask(lambda: resume_plan(self.world, "acme", plan_id, client_request_id=request))

    @rule(plan_id=plans, request=st.sampled_from((None, "once")))
    def retry(self, plan_id: str, request: str | None) -> None:
        self.ask(lambda: retry_plan(self.world, "acme", plan_id, client_request_id=request))

    @rule(plan_id=plans, path=st.sampled_from(FILES), text=st.sampled_from(("One.\n", "Another.\n")))
    def edit(self, plan_id: str, path: str, text: str) -> None:
        expected = self.fakes.files.sha256(plan_id, path) or ""
        self.ask(lambda: edit_artifact(self.world, "acme", plan_id, path, text, expected, start=False))

    @rule(plan_id=plans, name=st.sampled_from(STAGES), dry_run=st.booleans())
    def invalidate(self, plan_id: str, name: str, dry_run: bool) -> None:
        self.ask(lambda: invalidate_plan(self.world, "acme", plan_id, [name], dry_run=dry_run, start=False))

    @rule(plan_id=plans, archived=st.booleans())
    def archive(self, plan_id: str, archived: bool) -> None:
        self.ask(lambda: archive_plan(self.world, "acme", plan_id, archived=archived))

    @rule(plan_id=plans, one_in_ten=st.integers(0, 9))
    def delete(self, plan_id: str, one_in_ten: int) -> None:
        # a deleted plan has little more to tell
        if one_in_ten == 0 and self.ask(lambda: delete_plan(self.world, "acme", plan_id)):
            self.gone.add(plan_id)

    @rule(data=st.data())
    def deliver_any_events_in_any_order(self, data: st.DataObject) -> None:
        told = self.fakes.bus.told
        for event in data.draw(st.lists(st.sampled_from(told), max_size=8)) if told else []:
            self.fakes.plans.fold(event)

    @rule(plan_id=plans)
    def let_workers_run_and_their_events_arrive(self, plan_id: str) -> None:
        plan = self.fakes.plans.get(plan_id)
        with suppress(PlanloomError):
            work(self.fakes, plan, *STAGES) if plan else None
        for event in self.fakes.bus.told:
            self.fakes.plans.fold(event)

    @rule(plan_id=plans, run=st.integers(1, 4), status=ENDS)
    def hear_of_an_end(self, plan_id: str, run: int, status: str) -> None:
        if self.fakes.pipeline.status(plan_id, run):
            end_run(self.world, plan_id, run, status)

    @rule(plan_id=plans)
    def repair(self, plan_id: str) -> None:
        self.ask(lambda: repair_plan(self.world, plan_id))

    @rule(seconds=st.sampled_from((5, 60, 4000)))
    def watch(self, seconds: int) -> None:
        self.fakes.clock.pass_(seconds=seconds)
        watch_plans(self.world)

    def ask(self, what: Callable[[], object]) -> bool:
        """Do what a caller asked; return False where it was refused."""
        with suppress(PlanloomError):
            what()
            return True
        return False

    @invariant()
    def no_state_is_reached_that_may_not_be(self) -> None:
        for plan_id, plan in self.fakes.plans.plans.items():
            history = self.seen.setdefault(plan_id, [])
            if not history or history[-1] != plan:
                history.append(plan)
            for before, after in pairwise(history[-2:]):
                if before.run == after.run:
                    assert after.state == before.state or after.state in _reachable(before.state), (before, after)
                else:
                    # a next run begins from one that failed or was stopped, and no number is left out
                    assert after.run > before.run
                    assert before.state in {"failed", "stopped"}

    @invariant()
    def progress_is_a_percentage_and_never_falls_in_a_run(self) -> None:
        for history in self.seen.values():
            for plan in history[-1:]:
                assert 0.0 <= progress_percentage(plan.steps_finished) <= 100.0
            for before, after in pairwise(history[-2:]):
                if before.run == after.run:
                    assert before.steps_finished.keys() <= after.steps_finished.keys()

    @invariant()
    def the_log_only_grows(self) -> None:
        for plan_id, log in self.fakes.plans.log.items():
            if plan_id not in self.gone:
                assert len(log) >= self.logged.get(plan_id, 0)
                self.logged[plan_id] = len(log)
                ids = [event.event_id for event in log]
                assert len(ids) == len(set(ids))

    @invariant()
    def what_is_at_rest_is_not_watched_and_what_was_deleted_stays_away(self) -> None:
        assert all(self.fakes.plans.plans[each].state not in TERMINAL for each in self.fakes.plans.active())
        assert not self.gone & self.fakes.plans.plans.keys()


def _reachable(state: str) -> set[str]:
    """Return the states that may be reached from *state* within a run, over any number of steps."""
    if state in TERMINAL:
        return set()
    found = set(TRANSITIONS[state])  # type: ignore[index]
    return found.union(*(_reachable(each) for each in found))


TestLifecycle = Lifecycle.TestCase
TestLifecycle.settings = settings(
    max_examples=40, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
