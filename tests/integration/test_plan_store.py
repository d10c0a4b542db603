"""The promises of PlanStore, kept alike by the fake and by DynamoDB."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import uuid4

import boto3
import pytest
from botocore.exceptions import ClientError

from planloom.adapters.dynamodb_plans import DynamoPlanStore
from planloom.core.artifacts import Artifact, artifact
from planloom.core.usage import Usage
from planloom.planes.strategic.events import ArtifactEdited, RunStarted, StageFailed, StageFinished, StageStarted
from planloom.planes.strategic.plans import Failure, Plan
from planloom.planes.strategic.ports.plans import PlanStore
from planloom.planes.strategic.progress import usage
from planloom.planes.strategic.quality_score import FindingCounts, QualitySummary
from planloom.planes.strategic.steps import StepRecord
from tests.fakes import FakePlanStore
from tests.integration.conftest import TABLE

NOW = datetime(2026, 11, 2, 9, tzinfo=UTC)
FAILURE = Failure(failure_reason="generation_error", failed_step="008-risks", message="No answer.", recoverable=True)


@pytest.fixture(params=["fake", "dynamodb"])
def plans(request: pytest.FixtureRequest) -> PlanStore:
    if request.param == "fake":
        return FakePlanStore()
    request.getfixturevalue("aws")
    return DynamoPlanStore(boto3.client("dynamodb"), TABLE)


def plan(minutes: int = 0, account: str = "acme", **changes: object) -> Plan:
    made = Plan(
        plan_id=str(uuid4()),
        account=account,
        prompt_excerpt="Open a café.",
        model_profile="baseline",
        created_at=NOW + timedelta(minutes=minutes),
    )
    return made.model_copy(update=changes)


def finished(of: Plan, key: str, files: int = 2, run: int = 1, at: datetime = NOW) -> StageFinished:
    made = [artifact(f"{key}-{n}-name.md", b"text %d" % n, NOW) for n in range(1, files + 1)]
    record = StepRecord(
        key=key, name="name", run=run, fingerprint="f", artifacts=tuple(made), started_at=NOW, ended_at=NOW
    )
    return StageFinished(plan_id=of.plan_id, run=run, at=at, title="Name", record=record)


def started(of: Plan, key: str, at: datetime = NOW) -> StageStarted:
    return StageStarted(plan_id=of.plan_id, run=1, at=at, key=key, name="name", title="Name")


def edited(of: Plan, file: Artifact) -> ArtifactEdited:
    return ArtifactEdited(
        plan_id=of.plan_id, run=1, at=NOW, edit="first", key="002", files=(file,), reason="plan_artifact_edit"
    )


def test_a_stored_plan_reads_back_whole(plans: PlanStore) -> None:
    one = plan()
    assert plans.add(one)
    assert plans.get(one.plan_id) == one


def test_an_unknown_plan_is_none(plans: PlanStore) -> None:
    assert plans.get(str(uuid4())) is None


def test_an_id_is_taken_once(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    assert not plans.add(one.model_copy(update={"account": "other"}))
    assert plans.get(one.plan_id) == one


def test_plans_of_an_account_come_newest_first_in_pages(plans: PlanStore) -> None:
    mine = [plan(minutes) for minutes in range(5)]
    for each in (*mine, plan(9, account="other")):
        plans.add(each)
    first = plans.newest_of("acme", 3, None)
    rest = plans.newest_of("acme", 3, plans.get(first[-1].plan_id))
    assert [p.plan_id for p in (*first, *rest)] == [p.plan_id for p in reversed(mine)]


def test_a_page_before_somebody_elses_plan_tells_nothing_of_it(plans: PlanStore) -> None:
    mine, other = plan(1), plan(2, account="other")
    plans.add(mine)
    plans.add(other)
    assert [listed.plan_id for listed in plans.newest_of("acme", 3, other)] == [mine.plan_id]


def test_a_plan_made_for_a_user_is_in_the_lists_of_both(plans: PlanStore) -> None:
    own, theirs = plan(0, account="ann"), [plan(minutes, user_account="ann") for minutes in (1, 3)]
    for each in (own, *theirs, plan(2), plan(4, account="ann", user_account="ann")):
        plans.add(each)
    plans.move(theirs[1].plan_id, 1, "processing", NOW)
    plans.apply(finished(theirs[1], "002", files=3))
    first = plans.newest_of("ann", 2, None)
    assert (first[1].plan_id, first[1].state, first[1].steps_finished) == (theirs[1].plan_id, "processing", {"002": 3})
    rest = plans.newest_of("ann", 2, plans.get(first[1].plan_id))
    assert [listed.plan_id for listed in rest] == [theirs[0].plan_id, own.plan_id]
    assert first[1] == plans.newest_of("acme", 1, None)[0]
    assert len(plans.newest_of("acme", 9, None)) == 3


def test_a_list_says_what_each_plan_is_and_how_far(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    plans.move(one.plan_id, 1, "processing", NOW)
    plans.apply(finished(one, "002", files=3))
    (listed,) = plans.newest_of("acme", 3, None)
    found = plans.get(one.plan_id)
    assert listed.model_dump() == found.model_dump(include=set(type(listed).model_fields))
    assert (listed.state, listed.steps_finished) == ("processing", {"002": 3})


def test_a_plan_is_active_until_it_ends(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    assert plans.active() == [one.plan_id]
    plans.move(one.plan_id, 1, "processing", NOW)
    assert plans.active() == [one.plan_id]
    plans.move(one.plan_id, 1, "completed", NOW)
    assert plans.active() == []


def test_a_move_sets_state_and_times(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    assert plans.move(one.plan_id, 1, "processing", NOW)
    assert plans.move(one.plan_id, 1, "failed", NOW + timedelta(minutes=1), FAILURE)
    times = {"started_at": NOW, "last_progress_at": NOW, "ended_at": NOW + timedelta(minutes=1)}
    assert plans.get(one.plan_id) == one.model_copy(update={"state": "failed", "failure": FAILURE, **times})


#: As the interface lists them (5.2), and beside them the ends of what still waits: stopped, or failed at its start.
ALLOWED = {
    ("pending", "processing"),
    ("pending", "failed"),
    ("pending", "stopped"),
    ("processing", "completed"),
    ("processing", "failed"),
    ("processing", "stopped"),
    ("failed", "pending"),
    ("stopped", "pending"),
}


@pytest.mark.parametrize("state", ["pending", "processing", "completed", "failed", "stopped"])
def test_5_2_a_plan_leaves_a_state_only_as_is_allowed(plans: PlanStore, state: Any) -> None:
    for to in ("pending", "processing", "completed", "failed", "stopped"):
        one = plan(state=state)
        plans.add(one)
        moved = (
            plans.restart(one.model_copy(update={"run": 2, "state": "pending"}))
            if to == "pending"
            else plans.move(one.plan_id, 1, to, NOW)  # type: ignore[arg-type]
        )
        assert moved == ((state, to) in ALLOWED), (state, to)
        assert plans.get(one.plan_id).state == (to if moved else state)  # type: ignore[union-attr]


@pytest.mark.parametrize(("first", "then"), [("stopped", "completed"), ("completed", "stopped"), ("failed", "failed")])
def test_what_has_ended_does_not_end_again(plans: PlanStore, first: str, then: str) -> None:
    one = plan()
    plans.add(one)
    plans.move(one.plan_id, 1, "processing", NOW)
    assert plans.move(one.plan_id, 1, first, NOW)
    assert not plans.move(one.plan_id, 1, then, NOW + timedelta(minutes=1))
    assert plans.get(one.plan_id).state == first


def test_a_late_message_of_an_older_run_changes_nothing(plans: PlanStore) -> None:
    one = plan(run=2)
    plans.add(one)
    assert not plans.move(one.plan_id, 1, "processing", NOW)
    assert not plans.record_failure(one.plan_id, 1, FAILURE)
    assert plans.apply(finished(one, "008", run=1))  # logged, and nothing else
    assert plans.get(one.plan_id) == one
    assert plans.all_files(one.plan_id) == []


def test_the_first_failure_told_is_kept(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    assert plans.record_failure(one.plan_id, 1, FAILURE)
    assert not plans.record_failure(one.plan_id, 1, FAILURE.model_copy(update={"message": "Another."}))
    assert plans.get(one.plan_id).failure == FAILURE


def test_what_goes_wrong_after_a_stop_is_no_failure_of_the_plan(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    plans.move(one.plan_id, 1, "stopped", NOW)
    assert not plans.record_failure(one.plan_id, 1, FAILURE)
    assert plans.get(one.plan_id).failure is None


def test_a_plan_at_rest_that_is_rebuilt_is_not_watched(plans: PlanStore) -> None:
    plans.add(plan(state="completed"))
    assert plans.active() == []


def test_events_fold_into_progress_and_files(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    later = NOW + timedelta(seconds=5)
    assert plans.apply(RunStarted(plan_id=one.plan_id, run=1, at=NOW))
    assert plans.apply(started(one, "002"))
    assert plans.apply(finished(one, "002", at=later))
    folded = plans.get(one.plan_id)
    assert (folded.steps_started, folded.steps_finished, folded.last_progress_at) == ({"002": NOW}, {"002": 2}, later)
    assert folded.latest_files == {"002-2-name.md": NOW, "002-1-name.md": NOW}


def test_what_stages_cost_is_folded_once_and_outlives_a_rebuilt_view(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    spent = Usage(calls=3, retries=1, input_tokens=900, cached_tokens=400, output_tokens=70, seconds=1.25)
    event = finished(one, "002")
    costly = event.model_copy(update={"record": event.record.model_copy(update={"usage": spent})})
    assert plans.apply(costly)
    assert not plans.apply(costly)
    plans.apply(finished(one, "003"))
    assert usage(plans.get(one.plan_id)) == spent

    plans.rewrite(one, [costly.record])
    # what was recorded of another step stays: progress of a run never falls
    assert plans.get(one.plan_id).steps_usage == {"002": spent, "003": Usage()}


def test_the_quality_that_the_last_stage_found_is_folded_in_and_outlives_a_rebuilt_view(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    assert plans.get(one.plan_id).quality is None
    found = QualitySummary(score=84, findings=FindingCounts(high=1, low=1))
    event = finished(one, "030")
    published = event.model_copy(update={"record": event.record.model_copy(update={"quality": found})})
    plans.apply(published)
    plans.apply(finished(one, "002"))
    assert plans.get(one.plan_id).quality == found

    later = published.record.model_copy(update={"quality": QualitySummary(score=100)})
    plans.rewrite(one, [finished(one, "002").record, later])
    assert plans.get(one.plan_id).quality == QualitySummary(score=100)


def test_one_file_is_found_by_its_path(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    plans.apply(finished(one, "002"))
    assert plans.file(one.plan_id, "002-2-name.md") == plans.all_files(one.plan_id)[1]
    assert plans.file(one.plan_id, "002-9-name.md") is None


def test_what_a_failed_stage_cost_counts_until_it_is_finished(plans: PlanStore) -> None:
    one, lost = plan(), Usage(calls=3, input_tokens=7, price=Decimal("0.000123"), unpriced=1)
    plans.add(one)
    failed = StageFailed(plan_id=one.plan_id, run=1, at=NOW, key="002", failure=FAILURE, usage=lost)
    assert plans.apply(failed)
    assert usage(plans.get(one.plan_id)) == lost

    assert plans.apply(finished(one, "002"))
    assert usage(plans.get(one.plan_id)) == Usage(), "a finished stage records all that it cost"


def test_a_failure_told_after_the_stage_was_finished_changes_no_cost(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    plans.apply(finished(one, "002"))
    plans.apply(StageFailed(plan_id=one.plan_id, run=1, at=NOW, key="002", failure=FAILURE, usage=Usage(calls=3)))
    assert usage(plans.get(one.plan_id)) == Usage()


def test_a_repeated_event_counts_once(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    assert plans.apply(finished(one, "002"))
    once = plans.get(one.plan_id)
    assert not plans.apply(finished(one, "002"))
    assert plans.get(one.plan_id) == once


def test_events_out_of_order_give_the_same_progress(plans: PlanStore) -> None:
    one, other = plan(), plan()
    late, early = NOW + timedelta(seconds=9), NOW + timedelta(seconds=1)
    plans.add(one)
    plans.add(other)
    for each in (started(one, "002", early), finished(one, "002", at=late)):
        plans.apply(each)
    for each in (finished(other, "002", at=late), started(other, "002", early)):
        plans.apply(each)
    same = {"plan_id": "", "created_at": NOW}
    assert plans.get(one.plan_id).model_copy(update=same) == plans.get(other.plan_id).model_copy(update=same)


def test_a_stage_with_more_files_than_a_transaction_takes_is_folded_whole(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    assert plans.apply(finished(one, "018", files=130))
    assert len(plans.all_files(one.plan_id)) == 130


def test_a_plan_names_the_ten_files_of_its_latest_steps(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    assert plans.get(one.plan_id).latest_files == {}
    for key, files in (("002", 8), ("016", 4), ("003", 30)):
        plans.apply(finished(one, key, files=files))
        assert plans.get(one.plan_id).latest_files == latest(plans, one)

    plans.rewrite(one, [finished(one, "002", files=3).record])
    assert sorted(plans.get(one.plan_id).latest_files) == [f"002-{number}-name.md" for number in (1, 2, 3)]


def test_an_edit_gives_a_latest_file_its_new_time(plans: PlanStore) -> None:
    one, later = plan(), NOW + timedelta(days=1)
    plans.add(one)
    published = finished(one, "016", files=12)
    plans.apply(published)
    changed = tuple(file.model_copy(update={"updated_at": later}) for file in published.record.artifacts)
    reason = "plan_artifact_edit"
    plans.apply(ArtifactEdited(plan_id=one.plan_id, run=1, at=later, edit="1", key="016", files=changed, reason=reason))
    assert plans.get(one.plan_id).latest_files == dict.fromkeys(latest(plans, one), later)


def latest(plans: PlanStore, one: Plan) -> dict[str, datetime]:
    """What the plan must name of the files that the store lists one by one."""
    return {file.path: file.updated_at for file in plans.all_files(one.plan_id)[-10:]}


def test_a_view_can_be_rewritten_from_step_records(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    plans.rewrite(one, [finished(one, "001").record, finished(one, "002", files=3).record])
    assert plans.get(one.plan_id).steps_finished == {"001": 2, "002": 3}
    assert len(plans.all_files(one.plan_id)) == 5


class Overtaken:
    """A client of the table before whose next write of an event somebody else writes."""

    def __init__(self, overtaking: Callable[[], object]) -> None:
        self._client = boto3.client("dynamodb")
        self._overtaking: Callable[[], object] | None = overtaking

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def transact_write_items(self, **write: Any) -> Any:
        overtaking, self._overtaking = self._overtaking, None
        if overtaking:
            overtaking()
        return self._client.transact_write_items(**write)


@pytest.mark.parametrize("first", ["rewrite", "move"])
def test_an_event_that_is_overtaken_undoes_nothing(aws: None, first: str) -> None:
    plans, one = DynamoPlanStore(boto3.client("dynamodb"), TABLE), plan()
    plans.add(one)
    plans.apply(finished(one, "001"))
    records = [finished(one, key).record for key in ("001", "002", "003")]
    later = NOW + timedelta(minutes=1)
    overtaking = {
        "rewrite": lambda: plans.rewrite(one, records),
        "move": lambda: plans.move(one.plan_id, 1, "processing", later),
    }
    late = DynamoPlanStore(Overtaken(overtaking[first]), TABLE)  # type: ignore[arg-type]
    assert late.apply(finished(one, "002", at=NOW))
    seen = plans.get(one.plan_id)
    if first == "rewrite":
        assert set(seen.steps_finished) == {"001", "002", "003"}
    else:
        assert seen.last_progress_at == later


def test_an_error_that_no_retry_fixes_is_raised_at_once(aws: None, monkeypatch: pytest.MonkeyPatch) -> None:
    client = boto3.client("dynamodb")
    plans, one = DynamoPlanStore(client, TABLE), plan()
    plans.add(one)
    tried = []

    def refuse(**write: Any) -> None:
        tried.append(write)
        reasons = [{"Code": "None"}, {"Code": "ValidationError", "Message": "Item size has exceeded"}]
        raise client.exceptions.TransactionCanceledException({"CancellationReasons": reasons}, "TransactWriteItems")

    monkeypatch.setattr(client, "transact_write_items", refuse)
    with pytest.raises(ClientError):
        plans.apply(finished(one, "002"))
    assert len(tried) == 1


def test_a_view_of_an_older_run_is_not_rewritten(plans: PlanStore) -> None:
    one = plan(run=2)
    plans.add(one)
    plans.rewrite(one.model_copy(update={"run": 1}), [finished(one, "001").record])
    assert plans.get(one.plan_id) == one


def resting(plans: PlanStore, state: str = "failed") -> Plan:
    one = plan()
    plans.add(one)
    plans.move(one.plan_id, 1, "processing", NOW)
    for key in ("001", "002"):
        plans.apply(finished(one, key))
    plans.move(one.plan_id, 1, state, NOW + timedelta(minutes=1), FAILURE if state == "failed" else None)
    return plans.get(one.plan_id)


def again(of: Plan, **changes: object) -> Plan:
    new = {"state": "pending", "run": of.run + 1, "started_at": None, "ended_at": None, "last_progress_at": None}
    return of.model_copy(update={**new, "failure": None, "steps_finished": {"001": 2}, **changes})


@pytest.mark.parametrize("state", ["failed", "stopped"])
def test_a_plan_that_failed_or_was_stopped_begins_its_next_run(plans: PlanStore, state: str) -> None:
    one = resting(plans, state)
    later = NOW + timedelta(hours=1)
    next_run = again(one, model_profile="premium", resume_count=1, resumed_at=later, steps_usage={})
    assert plans.restart(next_run)
    assert plans.get(one.plan_id) == next_run
    assert plans.active() == [one.plan_id]
    assert [file.path[:3] for file in plans.all_files(one.plan_id)] == ["001", "001", "002", "002"]


def test_a_run_that_starts_from_nothing_forgets_every_file(plans: PlanStore) -> None:
    one = resting(plans)
    assert plans.get(one.plan_id).latest_files == latest(plans, one) != {}
    assert plans.restart(again(one, first_run=2, steps_finished={}, latest_files={}))
    assert plans.all_files(one.plan_id) == []
    assert plans.get(one.plan_id).latest_files == {}


def test_a_next_run_begins_once_and_not_while_a_run_is_going_or_done(plans: PlanStore) -> None:
    one = resting(plans)
    assert plans.restart(again(one))
    assert not plans.restart(again(one, model_profile="custom"))
    assert not plans.restart(again(plans.get(one.plan_id)))
    for state in ("processing", "completed"):
        plans.move(one.plan_id, 2, state, NOW)
        assert not plans.restart(again(plans.get(one.plan_id)))
    assert plans.get(one.plan_id).run == 2


def test_a_next_run_undoes_nothing_that_is_no_part_of_a_run(plans: PlanStore) -> None:
    one = resting(plans)
    assert plans.restart(again(one, prompt_excerpt="Another.", account="other"))
    assert (plans.get(one.plan_id).prompt_excerpt, plans.get(one.plan_id).account) == ("Open a café.", "acme")
    assert [listed.plan_id for listed in plans.newest_of("acme", 5, None)] == [one.plan_id]


def test_events_of_the_run_before_are_only_logged(plans: PlanStore) -> None:
    one = resting(plans)
    plans.restart(again(one))
    assert plans.apply(finished(one, "003"))
    assert not plans.record_failure(one.plan_id, 1, FAILURE)
    assert not plans.move(one.plan_id, 1, "completed", NOW)
    assert plans.get(one.plan_id) == again(one)
    assert plans.apply(finished(one, "003", run=2))
    assert set(plans.get(one.plan_id).steps_finished) == {"001", "003"}


def test_a_view_that_lost_writes_is_restored_and_one_that_did_not_is_left(plans: PlanStore) -> None:
    one = resting(plans)
    assert not plans.restore(one)
    assert not plans.restore(one.model_copy(update={"state": "stopped"}))
    later = again(one, state="completed", ended_at=NOW + timedelta(hours=2))
    assert plans.restore(later)
    assert plans.get(one.plan_id) == later
    assert not plans.restore(one)
    assert plans.active() == []
    ended = plan(state="completed")
    assert plans.restore(ended)
    assert plans.get(ended.plan_id) == ended


def test_a_plan_that_is_restored_is_listed_where_it_was(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    assert plans.restore(one.model_copy(update={"state": "stopped", "ended_at": NOW, "archived_at": NOW}))
    assert plans.newest_of(one.account, 5, None) == []
    assert [listed.plan_id for listed in plans.newest_of(one.account, 5, None, archived=True)] == [one.plan_id]


def test_a_plan_that_does_not_know_its_end_is_told(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    ended = one.model_copy(update={"state": "failed", "failure": FAILURE, "ended_at": NOW})
    assert plans.restore(ended)
    assert plans.get(one.plan_id) == ended
    assert plans.active() == []


def test_a_rebuilt_view_forgets_files_that_no_record_names_but_not_those_that_belong_to_no_step(
    plans: PlanStore,
) -> None:
    one = plan()
    plans.add(one)
    plans.apply(finished(one, "002", files=3))
    log = artifact("002-1-name.md", b"log", NOW).model_copy(update={"path": "run.log"})
    plans.apply(edited(one, log))
    plans.rewrite(one, [finished(one, "002", files=1).record])
    assert [file.path for file in plans.all_files(one.plan_id)] == ["002-1-name.md", "run.log"]


def test_what_will_be_made_again_is_listed_but_does_not_count(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    plans.rewrite(one, [finished(one, "001").record, finished(one, "002").record], {"001"})
    assert plans.get(one.plan_id).steps_finished == {"001": 2}
    assert [file.path[:3] for file in plans.all_files(one.plan_id)] == ["001", "001", "002", "002"]


def test_an_edited_file_is_described_anew_and_progress_stays(plans: PlanStore) -> None:
    one = plan()
    plans.add(one)
    plans.apply(finished(one, "002"))
    before = plans.get(one.plan_id)
    made = plans.all_files(one.plan_id)[0]
    mine = artifact(made.path, b"other", NOW).model_copy(update={"edited": True, "made_sha256": made.sha256})
    assert plans.apply(edited(one, mine))
    assert plans.all_files(one.plan_id)[0] == mine
    assert plans.get(one.plan_id) == before


def test_an_edit_event_of_an_earlier_run_is_only_logged(plans: PlanStore) -> None:
    one = resting(plans)
    plans.restart(again(one, first_run=2, steps_finished={}))
    assert plans.apply(edited(one, artifact("002-1-name.md", b"other", NOW)))
    assert plans.all_files(one.plan_id) == []


def test_an_archived_plan_begins_no_run(plans: PlanStore) -> None:
    one = plan(state="stopped", archived_at=NOW)
    plans.add(one)
    assert not plans.restart(again(one))
    assert plans.get(one.plan_id) == one
