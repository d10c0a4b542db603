"""Starts runs of the pipeline as executions, named by plan and run so that a repeated start has no effect."""

import json
from typing import TYPE_CHECKING

from planloom.planes.strategic.plans import execution_name

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient


class StepFunctionsPipeline:
    """Implements planloom.planes.strategic.ports.running.Pipeline on Step Functions."""

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
            # the execution may have ended meanwhile: a stage that finds the plan stopped fails at once
            if self.status(plan_id, run) == "RUNNING":
                raise

    def status(self, plan_id: str, run: int) -> str | None:
        try:
            return self._client.describe_execution(executionArn=self._execution(plan_id, run))["status"]
        except self._client.exceptions.ExecutionDoesNotExist:
            return None

    def _execution(self, plan_id: str, run: int) -> str:
        return f"{self._arn.replace(':stateMachine:', ':execution:')}:{execution_name(plan_id, run)}"
