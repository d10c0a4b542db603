"""Run one stage of one run: look whether it is still wanted, skip what is already made, draft, keep, tell."""

import asyncio
from dataclasses import dataclass, field

from planloom.domain.artifacts import PROMPT, Artifact, artifact
from planloom.domain.errors import ModelError, PlanloomError, RunInterrupted, StageAborted
from planloom.domain.events import StageFailed, StageFinished, StageStarted
from planloom.domain.plans import TERMINAL, Failure, Plan
from planloom.domain.steps import StepRecord
from planloom.domain.usage import Usage
from planloom.services.ask_model import Answers
from planloom.services.lay_desk import Inputs, desk_of, read_inputs
from planloom.services.save_run_error import save_run_error
from planloom.services.tell import tell
from planloom.services.world import World
from planloom.stages import stage_named
from planloom.stages.stage import Stage, StageResult


@dataclass(frozen=True)
class Work:
    """One stage of one run; ``spent`` is what the calls of a stage that failed cost."""

    world: World
    stage: Stage[StageResult]
    plan: Plan
    spent: list[Usage] = field(default_factory=list)


async def run_stage(world: World, name: str, plan_id: str, run: int) -> StepRecord:
    """Run the stage *name* and return its record, made now or by an earlier run.

    Raises RunInterrupted, leaving no trace, where the run is no longer wanted; StageAborted where the stage
    failed and its failure is recorded.
    """
    work = Work(world, stage_named(name), wanted(world, plan_id, run))
    if work.plan.state == "pending" and not world.plans.move(plan_id, run, "processing", world.now()):
        # a stop came first, or another worker of the same stage
        wanted(world, plan_id, run)
    try:
        return await _run(work)
    except RunInterrupted:
        raise
    except Exception as error:
        _record_failure(work, error)
        raise StageAborted(f"{work.stage.step} failed: {type(error).__name__}") from error


def wanted(world: World, plan_id: str, run: int) -> Plan:
    """Return the plan if run *run* of it should go on; raise RunInterrupted otherwise."""
    plan = world.plans.get(plan_id)
    if plan is None or plan.run != run or plan.state in TERMINAL or plan.failure:
        raise RunInterrupted("This run was stopped, replaced by a newer one, or has failed in another stage.")
    return plan


async def _run(work: Work) -> StepRecord:
    world, stage, plan = work.world, work.stage, work.plan
    started_at = world.now()
    tell(
        world,
        StageStarted(
            plan_id=plan.plan_id, run=plan.run, at=started_at, key=stage.key, name=stage.name, title=stage.title
        ),
    )
    inputs = await read_inputs(world, plan, stage)
    kept = _kept(work, inputs)
    if kept:
        _tell_finished(work, kept, skipped=True)
        return kept
    answers = Answers(world, plan, stage, lambda: wanted(world, plan.plan_id, plan.run))
    try:
        result = await answers.watch(stage.draft(desk_of(world, plan, stage, inputs, answers.ask)))
    except Exception as error:
        await answers.end(error)
        work.spent.extend((*answers.usage, *answers.lost))
        raise
    made = await _write(work, result)
    wanted(world, plan.plan_id, plan.run)
    record = StepRecord(
        key=stage.key,
        name=stage.name,
        run=plan.run,
        fingerprint=inputs.fingerprint,
        artifacts=tuple(sorted((*made, *answers.artifacts), key=lambda file: file.path)),
        claims=result.claims,
        usage=sum(answers.usage, Usage()),
        started_at=started_at,
        ended_at=world.now(),
    )
    # this write commits the stage: before it, nothing of it counts; after it, nothing of it is made again
    world.files.write(plan.plan_id, f"steps/{stage.key}.json", record.model_dump_json().encode(), "application/json")
    _tell_finished(work, record, skipped=False)
    return record


def _kept(work: Work, inputs: Inputs) -> StepRecord | None:
    """Return the record of an earlier run if it was made from the same and all that it made is still there."""
    content = work.world.files.read(work.plan.plan_id, f"steps/{work.stage.key}.json")
    if content is None:
        return None
    record = StepRecord.model_validate_json(content)
    if record.fingerprint != inputs.fingerprint:
        return None
    same = all(work.world.files.sha256(work.plan.plan_id, file.path) == file.sha256 for file in record.artifacts)
    return record if same else None


async def _write(work: Work, result: StageResult) -> list[Artifact]:
    contents = {path: text.encode() for path, text in work.stage.files(result).items()}
    made = [artifact(path, content, work.world.now()) for path, content in contents.items()]
    await asyncio.gather(
        *(
            asyncio.to_thread(
                work.world.files.write, work.plan.plan_id, file.path, contents[file.path], file.content_type
            )
            for file in made
        )
    )
    if work.stage.key == "001":
        # create_plan wrote the prompt; the first stage takes it into its record, so that it counts as a file
        prompt = work.world.files.read(work.plan.plan_id, PROMPT) or b""
        made.append(artifact(PROMPT, prompt, work.plan.created_at))
    return made


def _tell_finished(work: Work, record: StepRecord, *, skipped: bool) -> None:
    tell(
        work.world,
        StageFinished(
            plan_id=work.plan.plan_id,
            run=work.plan.run,
            at=work.world.now(),
            title=work.stage.title,
            # claims stay in the bucket: an event takes 256 KB
            record=record.model_copy(update={"claims": ()}),
            skipped=skipped,
        ),
    )


def _record_failure(work: Work, error: Exception) -> None:
    failure = _failure(work.stage, error)
    if work.world.plans.note_failure(work.plan.plan_id, work.plan.run, failure):
        tell(
            work.world,
            StageFailed(
                plan_id=work.plan.plan_id,
                run=work.plan.run,
                at=work.world.now(),
                key=work.stage.key,
                failure=failure,
                usage=sum(work.spent, Usage()),
            ),
        )
        save_run_error(work.world, work.plan, work.stage.step, error)


def _failure(stage: Stage[StageResult], error: Exception) -> Failure:
    if isinstance(error, ModelError):
        return Failure(
            failure_reason="generation_error",
            failed_step=stage.step,
            message=error.message[:256],
            recoverable=error.recoverable,
        )
    # what an unforeseen error says may hold anything; its text goes to the log, its kind to the caller
    kind = error.code if isinstance(error, PlanloomError) else type(error).__name__
    return Failure(
        failure_reason="internal_error",
        failed_step=stage.step,
        message=f"{stage.title} failed inside planloom ({kind}). Finished stages are kept.",
        recoverable=True,
    )
