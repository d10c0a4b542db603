"""Operations of sessions as OPERATION_BEHAVIOURS.md and the specification describe them, without a surface."""

import asyncio
import re
from dataclasses import replace
from datetime import timedelta
from typing import Any
from unittest.mock import MagicMock

import pytest

from planloom.planes.programs.errors import (
    ContinuationRefused,
    InvalidHandle,
    OperationError,
    OperationFailed,
    PlanCommitExpired,
    PlanCommitMismatch,
    PlanRequiresReview,
    ProgramDenied,
    ProgramNeedsFix,
    ResultUnavailable,
    TooManyOperations,
    UnknownOperation,
    UnknownPlanCommit,
    UnknownSession,
)
from planloom.planes.programs.sources import SourceFailed
from planloom.planes.programs.verdict import Policy
from planloom.runs.errors import RunNotFound
from planloom.settings import Settings
from planloom.wiring import programs as wiring_programs
from tests.unit.graphs.services import Services
from tests.unit.operations.fakes import Bench, Lists
from tests.unit.programs.catalogs import run as a_run

WHOLE = "Run[id, state]"
EVERY = "Run.filter{state = failed}[id].limit(1000)\nPlan.filter{state = completed}.count()"


@pytest.fixture
def bench() -> Bench:
    return Bench()


def line(markdown: str) -> str:
    """Return the line that is in a fence of text."""
    found = re.search(r"```text\n(.*)\n```", markdown)
    assert found, markdown
    return found[1]


def accept(bench: Bench, text: str = EVERY, **asked: Any) -> str:
    """Start an operation and return its handle."""
    outcome = bench.run(text, wait=False, force=True, **asked)
    assert outcome.operation
    return outcome.handle


# handles


def test_plan_commits_count_from_0_operations_and_pages_from_1_also_after_a_restart(bench: Bench) -> None:
    assert [bench.dry(WHOLE), bench.dry(WHOLE)] == ["pc0", "pc1"]
    assert [accept(bench), accept(bench)] == ["s0_o1", "s0_o2"]
    pages = [re.findall(r"page\((\w+)\)", bench.run(text).markdown) for text in (WHOLE, WHOLE)]
    assert pages == [["s0_pg1"], ["s0_pg2"]]
    other = bench.replica()
    assert accept(other) == "s0_o3"
    assert other.dry(WHOLE) == "pc5"


def test_a_handle_of_another_session_is_refused(bench: Bench) -> None:
    session, _ = bench.programs.sessions.open("ann")
    handle = accept(bench, name=session.name)
    assert handle == "s1_o1"
    with pytest.raises(InvalidHandle, match="session s1"):
        bench.run(f"wait({handle})")
    with pytest.raises(InvalidHandle):
        bench.run("wait(s0_o1)", name=session.name)
    assert bench.run(f"wait({handle})", name=session.name).operation


def test_the_same_handle_of_another_account_is_another_operation(bench: Bench) -> None:
    accept(bench)
    with pytest.raises(UnknownOperation):
        bench.run("wait(s0_o1)", account="bob")
    with pytest.raises(UnknownOperation):
        bench.run("cancel(s0_o1)", account="bob")


def test_a_bare_handle_is_refused_with_the_right_form_shown(bench: Bench) -> None:
    with pytest.raises(InvalidHandle, match="s0_o1"):
        bench.run("wait(o1)")
    with pytest.raises(InvalidHandle, match="s0_pg2"):
        bench.run("page(pg2)")
    with pytest.raises(InvalidHandle, match="s0_pg1"):
        bench.run("page(o1)")


@pytest.mark.parametrize("handle", ["s0_o0", "s0_pg1", "x", "s0_o1_2", "s00_o1", "s0_o9999999999"])
def test_a_forged_handle_is_refused(bench: Bench, handle: str) -> None:
    accept(bench)
    with pytest.raises(OperationError):
        bench.run(f"wait({handle})")


def test_a_program_that_starts_with_wait_or_cancel_is_a_continuation_also_with_blanks_around_it(bench: Bench) -> None:
    handle = accept(bench)
    assert line(bench.run(f"\n  wait({handle})  \n").markdown).startswith(f"`{handle}` =")
    assert line(bench.run(f" cancel( {handle} ) ").markdown) == f"`{handle}` x"


@pytest.mark.parametrize("text", ["wait(s0_o1)", " cancel(s0_o1)"])
def test_a_dry_run_refuses_continuations(bench: Bench, text: str) -> None:
    with pytest.raises(ContinuationRefused):
        bench.dry(text)


# plan commits


def test_a_plan_commit_is_accepted_for_the_same_program_however_it_is_written(bench: Bench) -> None:
    ref = bench.dry("x = Plan[id]\ny = Run[id, state]\nx\ny\nPlan.stop(p001)")
    bench.work_at_once()
    outcome = bench.run("b=Run[ id,state ] ; a=Plan[id]; a; b; Plan.stop(p001)", plan_commit_ref=ref)
    assert outcome.meta["plasm"]["continuity"] == {"p": "succeeded", "h": "s0_o1"}


def test_the_checks_of_a_plan_commit_come_in_the_order_unknown_expired_mismatch(bench: Bench) -> None:
    stop, other = "Plan.stop(p001)", "Plan.stop(p002)"
    with pytest.raises(UnknownPlanCommit, match="Dry-run"):
        bench.run(stop, plan_commit_ref="pc7")
    ref = bench.dry(stop)
    with pytest.raises(PlanCommitMismatch, match="Dry-run"):
        bench.run(other, plan_commit_ref=ref)
    bench.clock.ahead += timedelta(seconds=599)
    with pytest.raises(PlanCommitMismatch):
        bench.run(other, plan_commit_ref=ref)
    bench.clock.ahead += timedelta(seconds=1)
    for text in (stop, other):
        with pytest.raises(PlanCommitExpired, match="Dry-run"):
            bench.run(text, plan_commit_ref=ref)


def test_a_plan_commit_of_another_session_is_unknown(bench: Bench) -> None:
    session, _ = bench.programs.sessions.open("ann")
    ref = bench.dry("Plan.stop(p001)")
    with pytest.raises(UnknownPlanCommit):
        bench.run("Plan.stop(p001)", name=session.name, plan_commit_ref=ref)
    with pytest.raises(UnknownPlanCommit):
        bench.run("Plan.stop(p001)", account="bob", plan_commit_ref=ref)


def test_when_a_plan_commit_is_accepted_the_verdict_stored_with_it_counts(bench: Bench) -> None:
    ref = bench.dry("Plan[id]")
    bench.policy = Policy(deny=("Plan",))
    assert "p000" in bench.run("Plan[id]", plan_commit_ref=ref).markdown
    with pytest.raises(ProgramDenied):
        bench.run("Plan[id]")


# the gate


def test_ok_proceeds_and_review_needs_a_plan_commit_or_force(bench: Bench) -> None:
    bench.work_at_once()
    assert bench.run("Plan[id]").meta["plasm"]["dry_verdict"] == "ok"
    with pytest.raises(PlanRequiresReview) as error:
        bench.run("Plan.stop(p001)")
    assert error.value.meta == {"plasm": {"code": "plan_requires_review", "dry_verdict": "review"}}
    assert [each["state"] for each in bench.lists.plans if each["id"] == "p001"] == ["completed"]
    for asked in ({"force": True}, {"plan_commit_ref": bench.dry("Plan.stop(p001)")}):
        assert line(bench.run("Plan.stop(p001)", **asked).markdown).endswith(" ! 1r")  # type: ignore[arg-type]


def test_deny_and_needs_fix_are_not_forced(bench: Bench) -> None:
    with pytest.raises(ProgramNeedsFix) as error:
        bench.run("Plam[id]", force=True)
    assert error.value.details["problems"][0]["nearest"] == "Plan"
    bench.policy = Policy(deny=("Plan.stop",))
    with pytest.raises(ProgramDenied):
        bench.run("Plan.stop(p001)", force=True)
    assert bench.lists.asked == []


# synchronous and asynchronous


def test_an_expensive_program_is_accepted_as_an_operation_where_wait_is_left_out(bench: Bench) -> None:
    outcome = bench.run("Run.count()", force=True)
    assert (outcome.operation, outcome.handle, outcome.meta["plasm"]["auto_async"]) == (True, "s0_o1", True)
    assert line(outcome.markdown) == "`s0_o1` + pc0 review"
    assert "wait(s0_o1)" in outcome.markdown
    assert bench.lists.asked == []


def test_an_expensive_program_is_waited_for_where_the_caller_says_so(bench: Bench) -> None:
    outcome = bench.run("Run.count()", force=True, wait=True)
    assert (outcome.operation, outcome.results[0].rows) == (False, [{"count": 45}])


def test_an_advisory_review_alone_stays_synchronous(bench: Bench) -> None:
    outcome = bench.run('x = Plan("p000")\nPlan("p001")[id, title]', force=True)
    assert (outcome.operation, outcome.meta["plasm"]["dry_verdict"]) == (False, "review")
    assert outcome.results[0].rows == [{"id": "p001", "title": "P001"}]


def test_wait_false_accepts_any_plan(bench: Bench) -> None:
    outcome = bench.run("Plan[id]", wait=False)
    assert line(outcome.markdown) == "`s0_o1` + pc0 ok"
    assert outcome.meta["plasm"] == {
        "continuity": {"p": "running", "h": "s0_o1"},
        "op": {"n": 1, "+": 1, "c": "pc0"},
        "auto_async": False,
        "dry_verdict": "ok",
        "dry_review": [],
    }


def test_a_program_that_takes_longer_than_a_call_may_becomes_an_operation_that_repeats_no_finished_node() -> None:
    lists = Lists()
    bench = Bench(lists)
    lists.pauses["run_list"] = 0.2
    object.__setattr__(bench.programs, "limit", 0.1)
    outcome = bench.run("a = Plan[id].limit(2)\nb = Run[id].limit(30)\na\nb")
    assert (outcome.operation, outcome.meta["plasm"]["auto_async"]) == (True, True)
    lists.pauses.clear()
    bench.work("s0_o1")
    found = bench.run("wait(s0_o1)")
    assert [each.total for each in found.results] == [2, 30]
    assert [operation for operation, _ in lists.asked].count("plan_list") == 1


# polls and lines


def test_polls_show_progress_then_unchanged_then_the_result_and_repeat_it(bench: Bench) -> None:
    handle = accept(bench, "Run.filter{state = failed}[id].limit(1000)")
    session = bench.session()
    assert line(bench.run(f"wait({handle})").markdown) == "`s0_o1` = 1/4 read Run"
    known = bench.store.operation("ann", "s0", 1)
    assert known
    bench.store.report("ann", "s0", 1, known.progress.model_copy(update={"rows": 42}))
    polls = [bench.run(f"wait({handle})") for _ in range(2)]
    assert [line(each.markdown) for each in polls] == ["`s0_o1` ~ 1/4 read Run 42r", "`s0_o1` = 1/4 read Run"]
    assert polls[0].meta["plasm"]["op"] | {"n": 0} == {"n": 0, "~": 1, "s": "1/4", "l": "read Run", "r": 42}
    assert "wait(" not in polls[0].markdown
    bench.work(handle)
    ended = [bench.run(f"wait({handle})") for _ in range(2)]
    assert [line(each.markdown) for each in ended] == ["`s0_o1` ! 45r"] * 2
    assert ended[0].markdown == ended[1].markdown
    numbers = [each.meta["plasm"]["op"]["n"] for each in [*polls, *ended]]
    assert numbers == sorted(set(numbers))
    assert bench.programs.operations.get(session, handle)[0].result


def test_pages_that_come_fast_make_no_line_of_their_own(bench: Bench) -> None:
    handle = accept(bench, "Run.filter{state = failed}[id].limit(1000)")
    bench.work(handle)
    known = bench.store.operation("ann", "s0", 1)
    assert known
    assert [operation for operation, _ in bench.lists.asked] == ["run_list"] * 5
    # one for the first rows, one for each of the three steps that follow, and the end, at most
    assert known.changes <= 5


def test_a_failed_operation_says_why_with_its_code(bench: Bench) -> None:
    bench.lists.failing["run_list"] = SourceFailed("The disk is broken.", code="broken")
    handle = accept(bench)
    bench.work(handle)
    outcome = bench.run(f"wait({handle})")
    assert line(outcome.markdown).startswith(f"`{handle}` ? ")
    assert "The disk is broken." in outcome.markdown
    plasm = outcome.meta["plasm"]
    assert (plasm["code"], plasm["continuity"]) == ("operation_failed", {"p": "failed", "h": handle})


def test_a_program_that_fails_while_its_caller_waits_is_an_error(bench: Bench) -> None:
    bench.lists.failing["plan_list"] = SourceFailed("No.", code="broken")
    with pytest.raises(OperationFailed, match="No"):
        bench.run("Plan[id]")


# cancel


def test_cancel_is_idempotent_and_works_from_any_replica(bench: Bench) -> None:
    handle = accept(bench)
    first = bench.replica().run(f"cancel({handle})")
    second = bench.run(f"cancel({handle})")
    assert [line(each.markdown) for each in (first, second)] == [f"`{handle}` x"] * 2
    assert second.meta["plasm"]["continuity"] == {"p": "cancelled", "h": handle}
    assert line(bench.run(f"wait({handle})").markdown) == f"`{handle}` x"


def test_what_was_done_before_a_cancel_stays_and_can_be_read() -> None:
    lists = Lists()
    bench = Bench(lists)
    handle = accept(bench, "Run.filter{state = failed}[id].limit(1000)")
    run = bench.run_of(handle)

    async def cancelled_after_two_pages() -> None:
        working = asyncio.create_task(bench.worker().work(run.run_id, 1, 1))
        await lists.after(3).wait()
        await asyncio.to_thread(bench.run, f"cancel({handle})")
        await asyncio.wait_for(working, 5)

    lists.pauses["run_list"] = 0.1
    asyncio.run(cancelled_after_two_pages())
    outcome = bench.run(f"wait({handle})")
    assert line(outcome.markdown) == f"`{handle}` x"
    assert outcome.resource == f"plasm://s0/operations/{handle}"
    snapshot = bench.programs.operations.snapshot(bench.session(), handle)
    (node,) = snapshot["nodes"]
    assert (snapshot["state"], node["complete"]) == ("stopped", False)
    rows = [row["id"] for row in node["rows"]]
    assert rows == [each["id"] for each in lists.runs[: len(rows)]]
    assert 20 <= len(rows) < 45


def test_an_operation_that_succeeded_is_not_cancelled_any_more(bench: Bench) -> None:
    handle = accept(bench)
    bench.work(handle)
    assert line(bench.run(f"cancel({handle})").markdown).startswith(f"`{handle}` !")


# lost workers


def test_a_lost_worker_is_replaced_and_finished_pages_are_not_read_again() -> None:
    lists = Lists()
    bench = Bench(lists)
    handle = accept(bench, "Run.filter{state = failed}[id].limit(1000)")
    run = bench.run_of(handle)
    lists.pauses["run_list"] = 0.05

    async def lost() -> None:
        working = asyncio.create_task(bench.worker().work(run.run_id, 1, 1))
        await lists.after(3).wait()
        working.cancel()
        await asyncio.wait({working})

    asyncio.run(lost())
    lists.pauses.clear()
    bench.revive()
    bench.work(handle)
    assert bench.run(f"wait({handle})").results[0].total == 45
    assert len(lists.asked) <= 6


def test_a_mutation_that_may_have_been_made_is_not_repeated_unless_the_caller_says_so() -> None:
    lists = Lists()
    bench = Bench(lists)
    lists.failing["plan_stop"] = SourceFailed("The connection broke.", uncertain=True)
    handle = accept(bench, "Plan.stop(p001)")
    bench.work(handle)
    outcome = bench.run(f"wait({handle})")
    assert line(outcome.markdown).startswith(f"`{handle}` ?")
    run = bench.run_of(handle)
    assert f'Run.resume("{run.run_id}"' in outcome.markdown
    assert [operation for operation, _ in lists.asked] == ["plan_stop"]
    bench.runs.resume("ann", run.run_id, "retry")
    bench.work(handle)
    assert line(bench.run(f"wait({handle})").markdown).endswith("! 1r")
    assert [operation for operation, _ in lists.asked] == ["plan_stop"] * 2


# limits


def test_a_session_has_16_live_operations_and_the_error_names_them(bench: Bench) -> None:
    handles = [accept(bench) for _ in range(16)]
    with pytest.raises(TooManyOperations, match=r"\(16/16\)") as error:
        accept(bench)
    assert error.value.details["open"] == handles
    accept(bench, account="bob")
    bench.work(handles[3])
    assert accept(bench) == "s0_o18"


def test_the_limits_of_a_session_are_settings(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"PLANLOOM_LIVE_OPERATIONS": "3", "PLANLOOM_ENDED_OPERATIONS": "5"}
    monkeypatch.setattr(wiring_programs, "settings", lambda: Settings.read(given))
    for port in ("session_store", "runs", "tool_servers", "declared_entities"):
        monkeypatch.setattr(wiring_programs, port, MagicMock())
    wired = wiring_programs.programs.__wrapped__().operations
    assert (wired.most_live, wired.most_ended) == (3, 5)
    limited = replace(bench.programs.operations, most_live=wired.most_live)
    bench.programs = replace(bench.programs, operations=limited)
    for _ in range(3):
        accept(bench)
    with pytest.raises(TooManyOperations, match=r"\(3/3\)"):
        accept(bench)


def test_a_session_keeps_the_last_32_operations_that_ended(bench: Bench) -> None:
    for _ in range(34):
        bench.work(accept(bench, "Plan[id]"))
    accept(bench)
    with pytest.raises(ResultUnavailable):
        bench.run("wait(s0_o2)")
    assert line(bench.run("wait(s0_o3)").markdown) == "`s0_o3` ! 25r"
    with pytest.raises(UnknownOperation) as error:
        bench.run("wait(s0_o99)")
    assert error.value.details == {"open": ["s0_o35"], "total": 1}


def test_an_unknown_handle_lists_up_to_8_open_ones(bench: Bench) -> None:
    for _ in range(10):
        accept(bench)
    with pytest.raises(UnknownOperation) as error:
        bench.run("cancel(s0_o77)")
    assert error.value.details == {"open": [f"s0_o{number}" for number in range(1, 9)], "total": 10}


# operations of other planes


def test_what_a_call_starts_has_a_handle_that_is_polled_and_cancelled(bench: Bench) -> None:
    bench.work_at_once()
    started = bench.run('Plan.start("p001")', force=True)
    assert "`wait(s0_o2)`, `cancel(s0_o2)`" in started.markdown
    assert [(each.entity, each.id, each.handle) for each in started.started] == [("Run", "run-45", "s0_o2")]
    row = bench.lists.runs[-1]
    assert line(bench.run("wait(s0_o2)").markdown) == "`s0_o2` ~ 1/100"
    assert line(bench.run("wait(s0_o2)").markdown) == "`s0_o2` = 1/100"
    row["steps"] = 41
    assert line(bench.run("wait(s0_o2)").markdown) == "`s0_o2` ~ 42/100"
    for _ in range(2):
        assert line(bench.run("cancel(s0_o2)").markdown) == "`s0_o2` x"
    assert row["state"] == "stopped"


def test_each_call_of_a_for_each_has_its_handle(bench: Bench) -> None:
    bench.work_at_once()
    started = bench.run("Plan.limit(3).for_each(Plan.start(each.id))", force=True, wait=True)
    assert [f"wait(s0_o{number})" in started.markdown for number in (2, 3, 4, 5)] == [True, True, True, False]


def test_an_operation_is_addressed_by_its_id_and_keeps_its_handle(bench: Bench) -> None:
    bench.lists.runs.append(a_run("run-7", state="failed"))
    for _ in range(2):
        outcome = bench.run('wait("run-7")')
        assert line(outcome.markdown).startswith("`s0_o1` ? ")
        assert outcome.meta["plasm"]["code"] == "operation_failed"
    bench.lists.runs[-1]["state"] = "completed"
    assert bench.run("wait(s0_o1)").markdown.endswith('It completed: `Run("run-7")`')
    with pytest.raises(UnknownOperation):
        bench.run('wait("run-8")')


def test_a_program_that_is_addressed_by_the_id_of_its_run_keeps_its_handle(bench: Bench) -> None:
    handle = accept(bench)
    run_id = bench.run_of(handle).run_id
    bench.lists.runs.append(a_run(run_id, state="running"))
    for _ in range(2):
        assert line(bench.run(f'wait("{run_id}")').markdown).startswith(f"`{handle}` =")


# pages


def test_pages_follow_the_cursor_of_the_backend_to_its_end(bench: Bench) -> None:
    seen: list[str] = []
    text = "Plan[id]"
    while text:
        outcome = bench.run(text)
        seen += [row["id"] for row in outcome.results[0].rows]
        text = f"page({outcome.results[0].page})" if outcome.results[0].page else ""
    assert seen == [each["id"] for each in bench.lists.plans]


def test_rows_that_are_held_have_pages_and_the_whole_is_a_resource(bench: Bench) -> None:
    outcome = bench.run("Plan[id].sort(-id).limit(60)", force=True, wait=True)
    (shown,) = outcome.results
    assert (len(shown.rows), shown.total, shown.page) == (25, 60, "s0_pg1")
    asked = len(bench.lists.asked)
    more = bench.run("page(s0_pg1)").results[0]
    last = bench.run(f"page({more.page})").results[0]
    assert [row["id"] for row in [*shown.rows, *more.rows, *last.rows]] == [f"p{n:03}" for n in reversed(range(60))]
    assert (last.page, len(bench.lists.asked)) == ("", asked)
    key = outcome.resource.rpartition("/")[2]
    assert len(bench.programs.operations.kept(bench.session(), key)["returns"][0]["rows"]) == 60
    with pytest.raises(ResultUnavailable):
        bench.programs.operations.kept(bench.session("bob"), key)


def test_page_size_and_limit_merge_by_the_smaller(bench: Bench) -> None:
    assert [(len(each.rows), each.page) for each in bench.run("Plan[id].limit(10)").results] == [(10, "")]
    assert len(bench.run("Plan[id].limit(40)").results[0].rows) == 25


def test_an_aggregate_has_no_pages() -> None:
    bench = Bench(Lists(plans=40))
    (shown,) = bench.run("Plan.group_by(id).count()", force=True, wait=True).results
    assert (len(shown.rows), shown.page) == (40, "")


def test_an_unknown_page_is_named(bench: Bench) -> None:
    with pytest.raises(OperationFailed, match="s0_pg4"):
        bench.run("page(s0_pg4)")


# sessions


def test_a_session_that_is_not_used_for_30_days_expires_and_s0_does_not(bench: Bench) -> None:
    session, card = bench.programs.sessions.open("ann", "which plans failed")
    assert "Plan" in card
    accept(bench)
    bench.clock.ahead += timedelta(days=29)
    assert bench.session("ann", session.name).prompt_hash == session.prompt_hash
    bench.clock.ahead += timedelta(days=30)
    with pytest.raises(UnknownSession):
        bench.session("ann", session.name)
    assert accept(bench) == "s0_o2"


def test_sessions_belong_to_their_account(bench: Bench) -> None:
    session, _ = bench.programs.sessions.open("ann")
    with pytest.raises(UnknownSession):
        bench.session("bob", session.name)
    opened, _ = bench.programs.sessions.open("ann", http=True)
    assert (opened.slot, len(opened.name)) == ("s0", 32)


def test_the_run_of_a_program_has_no_steps_of_a_graph(bench: Bench) -> None:
    handle = accept(bench)
    services = Services()
    graphs = replace(services.graphs, runs=bench.runs)
    with pytest.raises(RunNotFound, match="programs"):
        graphs.steps("ann", bench.run_of(handle).run_id, 0, 10)
