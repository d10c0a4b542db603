"""The Lambda that reads goals with a model for plan_facts: the API neither has the model library nor may ask models."""

import aws_cdk as cdk
from constructs import Construct

from infra.models import ModelAccess
from infra.python_function import Environment, PythonFunction
from infra.settings import StackSettings
from infra.storage import Storage

TIMEOUT = cdk.Duration.minutes(5)


class GoalReader(Construct):
    """The function, and who may invoke it."""

    def __init__(
        self,
        scope: Construct,
        name: str,
        *,
        settings: StackSettings,
        environment: Environment,
        storage: Storage,
        models: ModelAccess | None,
    ) -> None:
        super().__init__(scope, name)
        self._storage = storage
        self.function = PythonFunction(
            self,
            "Function",
            door="read_goal",
            bundle="stage",
            settings=settings,
            environment=environment,
            timeout=TIMEOUT,
            variables=models.variables if models else {},
        )
        # a repeat would pay for the model again: plan_facts starts it anew where nothing came of it
        self.function.configure_async_invoke(retry_attempts=0)
        storage.grant_readings(self.function)
        if models:
            models.grant_ask(self.function)

    @property
    def variables(self) -> dict[str, str]:
        """What a Lambda is told that starts readings."""
        return {"PLANLOOM_GOAL_READER": self.function.function_name}

    def grant_start(self, function: PythonFunction) -> None:
        """Let *function* start readings and look at them."""
        self.function.grant_invoke_latest_version(function)
        self._storage.grant_readings(function)
