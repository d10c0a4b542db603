"""Starts the reading of a goal as an asynchronous invocation of a Lambda function that may call models."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient


class LambdaGoalReader:
    """Implements planloom.planes.strategic.ports.running.GoalReader on Lambda."""

    def __init__(self, connect: Callable[[], "LambdaClient"], function: str) -> None:
        self._connect = connect
        self._function = function

    def start(self, facts_id: str) -> None:
        # the client is made here: few calls need it, and making it takes 50 ms of every cold start
        payload = json.dumps({"facts_id": facts_id}).encode()
        self._connect().invoke(FunctionName=self._function, InvocationType="Event", Payload=payload)
