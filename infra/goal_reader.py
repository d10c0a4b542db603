"""The Lambda that reads goals with a model for plan_facts: the API itself has no model library and no permission."""

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
            handler="read_goal",
            bundle="stage",
            settings=settings,
            environment=environment,
            timeout=TIMEOUT,
            variables=models.variables if models else {},
        )
        # a retry would pay for the model again: plan_facts starts it again if there is no result
        self.function.configure_async_invoke(retry_attempts=0)
        storage.grant_readings(self.function)
        if models:
            models.grant_ask(self.function)

    @property
    def variables(self) -> dict[str, str]:
        """The variables of a Lambda that starts readings."""
        return {"PLANLOOM_GOAL_READER": self.function.function_name}

    def grant_start(self, function: PythonFunction) -> None:
        """Let *function* start and read readings."""
        self.function.grant_invoke_latest_version(function)
        self._storage.grant_readings(function)
