"""Runs as executions of ``run_steps``: named by run, number and part, so that a repeated start is one start."""

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_stepfunctions import SFNClient


class StepFunctionsEngine:
    """Keeps planloom.runs.ports.Engine on Step Functions."""

    def __init__(self, client: "SFNClient", state_machine_arn: str) -> None:
        self._client = client
        self._arn = state_machine_arn

    def start(self, run_id: str, number: int, part: int) -> None:
        given = {"run_id": run_id, "number": number, "part": part, "turn": 0}
        try:
            self._client.start_execution(
                stateMachineArn=self._arn, name=_name(run_id, number, part), input=json.dumps(given)
            )
        except self._client.exceptions.ExecutionAlreadyExists:
            return

    def wake(self, token: str) -> None:
        exceptions = self._client.exceptions
        try:
            self._client.send_task_success(taskToken=token, output="{}")
        except (exceptions.TaskTimedOut, exceptions.TaskDoesNotExist, exceptions.InvalidToken):
            return

    def stop(self, run_id: str, number: int, part: int) -> None:
        try:
            self._client.stop_execution(executionArn=self._execution(run_id, number, part), cause="run_stop")
        except self._client.exceptions.ExecutionDoesNotExist:
            return
        except self._client.exceptions.ClientError:
            if self.running(run_id, number, part):
                raise

    def running(self, run_id: str, number: int, part: int) -> bool:
        try:
            found = self._client.describe_execution(executionArn=self._execution(run_id, number, part))
        except self._client.exceptions.ExecutionDoesNotExist:
            return False
        return found["status"] == "RUNNING"

    def _execution(self, run_id: str, number: int, part: int) -> str:
        return f"{self._arn.replace(':stateMachine:', ':execution:')}:{_name(run_id, number, part)}"


def _name(run_id: str, number: int, part: int) -> str:
    return f"{run_id}-{number}-{part}"
