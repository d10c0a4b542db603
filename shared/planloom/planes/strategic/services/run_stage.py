"""Run one stage of one run: look whether it is still wanted, skip what is already made, draft, keep, tell."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from planloom.core.artifacts import GIVEN, PROMPT, Artifact, artifact
from planloom.core.errors import PipelineVersionMismatch, PlanloomError
from planloom.core.usage import Usage
from planloom.models.errors import ModelError
from planloom.planes.strategic.events import StageFailed, StageFinished, StageInterrupted, StageStarted
from planloom.planes.strategic.plans import PIPELINE_VERSION, TERMINAL, Failure, Plan
from planloom.planes.strategic.ports.groups import StagePorts
from planloom.planes.strategic.ports.plans import PlanStore
from planloom.planes.strategic.run_errors import RunInterrupted, StageAborted
from planloom.planes.strategic.services.ask_model import Answers
from planloom.planes.strategic.services.commit_stage import commit, earlier_record, still_holds
from planloom.planes.strategic.services.load_inputs import context_of, read_inputs
from planloom.planes.strategic.services.publish import publish
from planloom.planes.strategic.services.save_run_error import save_run_error
from planloom.planes.strategic.stages.pipeline import stage_named
from planloom.planes.strategic.stages.stage import Stage, StageResult
from planloom.planes.strategic.step_paths import calls_prefix
from planloom.planes.strategic.steps import StepRecord


@dataclass(frozen=True)
class Work:
    """One stage of one run; ``answers`` are its calls once it makes any, ``paid`` is called with the cost of each."""

    ports: StagePorts
    stage: Stage[StageResult]
    plan: Plan
    answers: list[Answers] = field(default_factory=list)
    paid: Callable[[Usage], object] = lambda _: None


async def run_stage(
    stage_ports: StagePorts, name: str, plan_id: str, run: int, paid: Callable[[Usage], object] = lambda _: None
) -> StepRecord:
    """Run the stage *name* and return its record, made now or by an earlier run.

    *paid* is called with the cost of each call of a model that is made now, however it and the stage end: the record
    counts those of earlier runs as well. Raises RunInterrupted, and publishes nothing but their cost, where the run is
    no longer wanted; StageAborted where the stage failed and its failure is recorded.
    """
    work = Work(stage_ports, stage_named(name), wanted(stage_ports.plan_records.plans, plan_id, run), paid=paid)
    if work.plan.state == "pending" and not stage_ports.plan_records.plans.move(
        plan_id, run, "processing", stage_ports.plan_records.now()
    ):
        # a stop came first, or another worker of the same stage
        wanted(stage_ports.plan_records.plans, plan_id, run)
    try:
        _check_version(work.plan)
        return await _run(work)
    except RunInterrupted:
        _publish_cost(work)
        raise
    except Exception as error:
        _record_failure(work, error)
        raise StageAborted(f"{work.stage.step} failed: {type(error).__name__}") from error


def wanted(plans: PlanStore, plan_id: str, run: int) -> Plan:
    """Return the plan if run *run* of it should continue; raise RunInterrupted otherwise."""
    plan = plans.get(plan_id)
    if plan is None or plan.run != run or plan.state in TERMINAL or plan.failure:
        raise RunInterrupted("This run was stopped, replaced by a newer one, or has failed in another stage.")
    return plan


def _check_version(plan: Plan) -> None:
    """Raises PipelineVersionMismatch where the pipeline was changed after this run was asked for."""
    if plan.pipeline_version != PIPELINE_VERSION:
        raise PipelineVersionMismatch(
            f"The plan was begun with version {plan.pipeline_version} of the pipeline; this is {PIPELINE_VERSION}. "
            "Call plan_retry to start it anew."
        )


async def _run(work: Work) -> StepRecord:
    ports, stage, plan = work.ports, work.stage, work.plan
    started_at = ports.plan_records.now()
    begun = StageStarted(
        plan_id=plan.plan_id, run=plan.run, at=started_at, key=stage.key, name=stage.name, title=stage.title
    )
    # what does not wait for each other is asked at once: between two rounds of calls this is most of the time
    _, inputs, answered, (earlier, tag) = await asyncio.gather(
        asyncio.to_thread(publish, ports.bus, begun),
        read_inputs(ports.plan_records.files, plan, stage),
        asyncio.to_thread(ports.plan_records.files.paths, plan.plan_id, calls_prefix(stage.key)),
        asyncio.to_thread(earlier_record, ports.plan_records.files, plan, stage.key),
    )
    kept = earlier if earlier and still_holds(ports.plan_records.files, plan, earlier, inputs.fingerprint) else None
    if kept:
        _publish_finished(work, kept, skipped=True)
        return kept
    answers = Answers(
        ports, plan, stage, answered, lambda: wanted(ports.plan_records.plans, plan.plan_id, plan.run), work.paid
    )
    work.answers.append(answers)
    try:
        context = context_of(ports.models, plan, stage, inputs, answers.ask, answers.spent, answers.models)
        result = context.with_missing(await answers.watch(stage.draft(context)))
    except Exception as error:
        await answers.end(error)
        raise
    # a worker of a run that was replaced meanwhile must not write over what the newer run makes
    wanted(ports.plan_records.plans, plan.plan_id, plan.run)
    made = await _write(work, result)
    record = StepRecord(
        key=stage.key,
        name=stage.name,
        run=plan.run,
        fingerprint=inputs.fingerprint,
        artifacts=tuple(sorted((*made, *answers.artifacts), key=lambda file: file.path)),
        claims=result.claims,
        quality=stage.quality(result) if stage.quality else None,
        usage=answers.spent(),
        drafted_by=answers.models(),
        started_at=started_at,
        ended_at=ports.plan_records.now(),
    )
    commit(
        ports.plan_records.files, plan, record, tag, lambda: wanted(ports.plan_records.plans, plan.plan_id, plan.run)
    )
    _publish_finished(work, record, skipped=False)
    return record


async def _write(work: Work, result: StageResult) -> list[Artifact]:
    contents = {path: text.encode() for path, text in work.stage.files(result).items()}
    made = [artifact(path, content, work.ports.plan_records.now()) for path, content in contents.items()]
    await asyncio.gather(
        *(
            asyncio.to_thread(
                work.ports.plan_records.files.write,
                work.plan.plan_id,
                file.path,
                contents[file.path],
                file.content_type,
            )
            for file in made
        )
    )
    if work.stage.key == "001":
        # create_plan wrote them; the first stage takes them into its record, so that they count as files
        beside = {path: work.ports.plan_records.files.read(work.plan.plan_id, path) for path in (PROMPT, GIVEN)}
        made += [artifact(path, content, work.plan.created_at) for path, content in beside.items() if content]
    return made


def _publish_finished(work: Work, record: StepRecord, *, skipped: bool) -> None:
    publish(
        work.ports.bus,
        StageFinished(
            plan_id=work.plan.plan_id,
            run=work.plan.run,
            at=work.ports.plan_records.now(),
            title=work.stage.title,
            # claims stay in the bucket: an event takes 256 KB
            record=record.model_copy(update={"claims": ()}),
            skipped=skipped,
        ),
    )


def _spent(work: Work) -> Usage:
    """Return what the calls of a stage that did not finish cost, those kept for a resume included."""
    return sum((answers.spent() for answers in work.answers), Usage())


def _publish_cost(work: Work) -> None:
    spent, plan = _spent(work), work.plan
    if spent.calls:
        publish(
            work.ports.bus,
            StageInterrupted(
                plan_id=plan.plan_id, run=plan.run, at=work.ports.plan_records.now(), key=work.stage.key, usage=spent
            ),
        )


def _record_failure(work: Work, error: Exception) -> None:
    failure = _failure(work.stage, error)
    if work.ports.plan_records.plans.record_failure(work.plan.plan_id, work.plan.run, failure):
        publish(
            work.ports.bus,
            StageFailed(
                plan_id=work.plan.plan_id,
                run=work.plan.run,
                at=work.ports.plan_records.now(),
                key=work.stage.key,
                failure=failure,
                usage=_spent(work),
            ),
        )
        save_run_error(
            work.ports.plan_records.files,
            work.ports.watch_settings,
            work.ports.plan_records.now,
            work.plan,
            work.stage.step,
            error,
        )


def _failure(stage: Stage[StageResult], error: Exception) -> Failure:
    if isinstance(error, ModelError):
        return Failure(
            failure_reason="generation_error",
            failed_step=stage.step,
            message=error.message[:256],
            recoverable=error.recoverable,
        )
    if isinstance(error, PipelineVersionMismatch):
        return Failure(
            failure_reason="version_mismatch", failed_step=stage.step, message=error.message, recoverable=False
        )
    # what an unforeseen error says may hold anything; its text goes to the log, its kind to the caller
    kind = error.code if isinstance(error, PlanloomError) else type(error).__name__
    return Failure(
        failure_reason="internal_error",
        failed_step=stage.step,
        message=f"{stage.title} failed inside planloom ({kind}). Finished stages are kept: plan_resume continues.",
        recoverable=True,
    )
