"""The pipeline: one Lambda per stage, and the state machine that runs them."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import yaml
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.models import ModelAccess
from infra.python_function import Environment, PythonFunction
from infra.settings import StackSettings
from infra.sources import Bundle
from infra.storage import Storage
from planloom.planes.strategic.stages.stage import Stage

DEFINITION = Path(__file__).parent.parent / "statemachine" / "plan_pipeline.asl.yaml"

MACHINE = "planloom-plan-pipeline"

AnyStage = Stage[Any]


class Pipeline(Construct):
    """The stage Lambdas and their state machine."""

    def __init__(
        self,
        scope: Construct,
        name: str,
        *,
        pipeline: Sequence[AnyStage],
        settings: StackSettings,
        environment: Environment,
        storage: Storage,
        models: ModelAccess | None,
    ) -> None:
        super().__init__(scope, name)
        self._settings = settings
        self._models = models
        self.stages = {stage.name: self._stage(stage, environment, storage) for stage in pipeline}
        self.machine = self._machine()

    def grant_start(self, function: PythonFunction) -> None:
        """Let *function* start runs."""
        self.machine.grant_start_execution(function)

    def grant_runs(self, function: PythonFunction) -> None:
        """Let *function* start, describe and stop runs."""
        self.grant_start(function)
        runs = cdk.Stack.of(self).format_arn(
            service="states",
            resource="execution",
            resource_name=f"{MACHINE}:*",
            arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME,
        )
        iam.Grant.add_to_principal(
            grantee=function, actions=["states:DescribeExecution", "states:StopExecution"], resource_arns=[runs]
        )
        assert function.role is not None
        acknowledge(
            function.role,
            "AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>"
            f":execution:{MACHINE}:*]",
            "All runs of this state machine: their names are made of plan ids",
        )

    def _stage(self, stage: AnyStage, environment: Environment, storage: Storage) -> PythonFunction:
        function = PythonFunction(
            self,
            f"Stage{stage.key}",
            handler="stage",
            service=stage.name,
            bundle=bundle_of(stage),
            settings=self._settings,
            environment=environment,
            memory=memory_of(stage),
            timeout=cdk.Duration.seconds(stage.timeout_seconds),
            variables={"PLAN_STAGE": stage.name} | (self._models.variables if self._models else {}),
        )
        storage.grant_view(function)
        storage.grant_truth(function)
        if self._models:
            # every stage reads which models are configured: sections name them
            grant = self._models.grant_ask if stage.asks_model else self._models.grant_list
            grant(function)
        return function

    def _machine(self) -> sfn.StateMachine:
        machine = sfn.StateMachine(
            self,
            "Machine",
            state_machine_name=MACHINE,
            state_machine_type=sfn.StateMachineType.STANDARD,
            definition_body=sfn.DefinitionBody.from_string(json.dumps(yaml.safe_load(DEFINITION.read_text()))),
            definition_substitutions={f"stage_{name}": function.function_arn for name, function in self.stages.items()},
            tracing_enabled=True,
            logs=sfn.LogOptions(
                destination=logs.LogGroup(
                    self,
                    "MachineLogs",
                    retention=self._settings.log_retention,
                    removal_policy=self._settings.removal,
                ),
                level=sfn.LogLevel.ALL,
            ),
            removal_policy=self._settings.removal,
        )
        for function in self.stages.values():
            function.grant_invoke_latest_version(machine)
        acknowledge(machine, "AwsSolutions-IAM5[Resource::*]", "Actions of X-Ray and log delivery have no resources")
        return machine


def bundle_of(stage: AnyStage) -> Bundle:
    """Return the bundle with the packages that *stage* imports."""
    return "stage" if stage.asks_model else "compute"


def memory_of(stage: AnyStage) -> int:
    """Return the memory of *stage* in MB: more, and with it more CPU, if it computes instead of waiting."""
    return 512 if stage.asks_model else 1024
