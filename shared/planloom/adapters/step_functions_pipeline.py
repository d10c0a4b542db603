"""Runs of the pipeline as executions of the state machine, named by plan and run so that a repeat is no second run."""

import json
from typing import TYPE_CHECKING

from planloom.domain.plans import execution_name

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient


class StepFunctionsPipeline:
    """Keeps planloom.ports.running.Pipeline on Step Functions."""

    def __init__(self, client: "SFNClient", state_machine_arn: str) -> None:
        self._client = client
        self._arn = state_machine_arn

    def start(self, plan_id: str, run: int, target: str) -> None:
        try:
            self._client.start_execution(
                stateMachineArn=self._arn,
                name=execution_name(plan_id, run),
                input=json.dumps({"plan_id": plan_id, "run": run, "target": target}),
            )
        except self._client.exceptions.ExecutionAlreadyExists:
            return

    def stop(self, plan_id: str, run: int) -> None:
        try:
            self._client.stop_execution(executionArn=self._execution(plan_id, run), cause="plan_stop")
        except self._client.exceptions.ExecutionDoesNotExist:
            return
        except self._client.exceptions.ClientError:
            # it may have ended meanwhile: a stage that sees the stop fails it at once, and some then refuse to stop it
            if self.status(plan_id, run) == "RUNNING":
                raise

    def status(self, plan_id: str, run: int) -> str | None:
        try:
            return self._client.describe_execution(executionArn=self._execution(plan_id, run))["status"]
        except self._client.exceptions.ExecutionDoesNotExist:
            return None

    def _execution(self, plan_id: str, run: int) -> str:
        return f"{self._arn.replace(':stateMachine:', ':execution:')}:{execution_name(plan_id, run)}"
