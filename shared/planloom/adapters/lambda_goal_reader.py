"""Readings of goals as asynchronous invocations of a Lambda that may ask models."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_lambda import LambdaClient


class LambdaGoalReader:
    """Keeps planloom.ports.running.GoalReader on Lambda."""

    def __init__(self, connect: Callable[[], "LambdaClient"], function: str) -> None:
        self._connect = connect
        self._function = function

    def start(self, facts_id: str) -> None:
        # a client of its own on each start: few calls need one, and the service's model costs every cold start 50 ms
        payload = json.dumps({"facts_id": facts_id}).encode()
        self._connect().invoke(FunctionName=self._function, InvocationType="Event", Payload=payload)
