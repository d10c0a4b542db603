"""What works on runs: one Lambda, and the state machine that starts it, parks runs and wakes them."""

import json
from pathlib import Path
from typing import Any

import aws_cdk as cdk
import yaml
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from aws_cdk import aws_scheduler as scheduler
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.models import ModelAccess
from infra.notifications import Notifications
from infra.python_function import Environment, PythonFunction
from infra.settings import StackSettings
from infra.storage import Storage
from planloom.adapters.schedules import GROUP
from planloom.adapters.tool_servers import PARAMETERS

DEFINITION = Path(__file__).parent.parent / "statemachine" / "run_steps.asl.yaml"
MACHINE = "planloom-run-steps"
#: A worker starts no step after ten minutes, and a step takes five at most.
TIMEOUT = cdk.Duration.minutes(15)
#: The timeouts of the embedded AWS, in seconds: a wait of 30 days costs at most as many looks as there are.
FIXED_TIMEOUTS = [10 * 2**power for power in range(19)]


def with_fixed_timeouts(park: dict[str, Any]) -> dict[str, Any]:
    """Return the states that replace *park* where no timeout is read from the state: each is the longest that fits."""
    fixed = {name: value for name, value in park.items() if name != "TimeoutSecondsPath"}
    first, *others = FIXED_TIMEOUTS
    choices = [
        {"Variable": "$.seconds", "NumericGreaterThanEquals": seconds, "Next": f"park_{seconds}"}
        for seconds in reversed(others)
    ]
    choice = {"Type": "Choice", "Choices": choices, "Default": f"park_{first}"}
    return {"park": choice} | {f"park_{each}": fixed | {"TimeoutSeconds": each} for each in FIXED_TIMEOUTS}


class RunSteps(Construct):
    """The worker and its state machine."""

    def __init__(
        self,
        scope: Construct,
        name: str,
        *,
        settings: StackSettings,
        environment: Environment,
        storage: Storage,
        models: ModelAccess | None,
        notifications: Notifications,
    ) -> None:
        super().__init__(scope, name)
        self._settings = settings
        self.function = PythonFunction(
            self,
            "Worker",
            handler="run_worker",
            bundle="worker",
            settings=settings,
            environment=environment,
            memory=1024,
            timeout=TIMEOUT,
            variables=self.variables | notifications.variables | (models.variables if models else {}),
        )
        storage.grant_view(self.function)
        storage.grant_runs(self.function)
        storage.grant_revisions(self.function)
        storage.grant_workflows(self.function)
        # approvals that a run no longer waits for are found by it, and withdrawn
        storage.grant_index(self.function)
        if models:
            # it drafts graphs, and revises them after a failure
            models.grant_ask(self.function)
        notifications.grant_publish(self.function)
        # the progress of workflows flows back to the plans that they were made from
        storage.grant_implementation_plans(self.function)
        self.grant_headers(self.function)
        self.machine = self._machine()
        self.grant_runs(self.function)

    @property
    def variables(self) -> dict[str, str]:
        """Environment variables of a Lambda that works on runs or starts them."""
        # by its name: the machine names the worker, which could not name the machine in turn
        return {
            "PLANLOOM_RUN_STEPS": self._arn("stateMachine", MACHINE),
            "PLANLOOM_LOOPBACK_TOOLS": str(self._settings.local).lower(),
        }

    @property
    def given_up(self) -> cloudwatch.Metric:
        """How many runs were given up, as the worker counts them."""
        return cloudwatch.Metric(
            namespace="planloom", metric_name="RunsGivenUp", dimensions_map={"service": "run_worker"}
        )

    def add_schedules(self, *, storage: Storage, environment: Environment, api: PythonFunction) -> None:
        """Add what starts scheduled runs, and let *api* set timers that call it."""
        function = PythonFunction(
            self,
            "OnSchedule",
            handler="on_schedule",
            bundle="worker",
            settings=self._settings,
            environment=environment,
            timeout=cdk.Duration.minutes(1),
            variables=self.variables,
        )
        storage.grant_view(function)
        storage.grant_runs(function)
        storage.grant_scheduled(function)
        self.grant_headers(function)
        self.grant_runs(function)
        role = iam.Role(self, "SchedulerRole", assumed_by=iam.ServicePrincipal("scheduler.amazonaws.com"))
        function.grant_invoke_latest_version(role)
        scheduler.CfnScheduleGroup(self, "Schedules", name=GROUP)
        timers = self._arn("schedule", f"{GROUP}/*", service="scheduler", separator="/")
        actions = [f"scheduler:{each}Schedule" for each in ("Create", "Update", "Delete")]
        iam.Grant.add_to_principal(grantee=api, actions=actions, resource_arns=[timers])
        self._acknowledge(
            api, f"scheduler:<AWS::Region>:<AWS::AccountId>:schedule/{GROUP}/*", "The timers of all accounts"
        )
        role.grant_pass_role(api.grant_principal)
        api.add_environment("PLANLOOM_SCHEDULE_TARGET", function.function_arn)
        api.add_environment("PLANLOOM_SCHEDULE_ROLE", role.role_arn)

    def grant_own_tools(self, api: PythonFunction) -> None:
        """Let the worker call planloom's own tools: it invokes *api* as the gateway does."""
        api.grant_invoke_latest_version(self.function)
        self.function.add_environment("PLANLOOM_API_FUNCTION", api.function_name)

    def grant_runs(self, function: PythonFunction) -> None:
        """Let *function* start runs, wake them, look at their executions and stop them."""
        machine, executions = self._arn("stateMachine", MACHINE), self._arn("execution", f"{MACHINE}:*")
        iam.Grant.add_to_principal(grantee=function, actions=["states:StartExecution"], resource_arns=[machine])
        # a call with a token names no machine; only who knows the token can wake what waits for it
        iam.Grant.add_to_principal(grantee=function, actions=["states:SendTaskSuccess"], resource_arns=["*"])
        iam.Grant.add_to_principal(
            grantee=function, actions=["states:DescribeExecution", "states:StopExecution"], resource_arns=[executions]
        )
        self._acknowledge(function, f"states:<AWS::Region>:<AWS::AccountId>:execution:{MACHINE}:*", "All runs")

    def grant_headers(self, function: PythonFunction, *, write: bool = False) -> None:
        """Let *function* read the headers of tool servers, and keep them where *write*."""
        actions = ["ssm:GetParameter", *(["ssm:PutParameter", "ssm:DeleteParameter"] if write else [])]
        parameters = self._arn("parameter", f"{PARAMETERS.removeprefix('/')}/*", service="ssm", separator="/")
        iam.Grant.add_to_principal(grantee=function, actions=actions, resource_arns=[parameters])
        self._acknowledge(
            function,
            f"ssm:<AWS::Region>:<AWS::AccountId>:parameter{PARAMETERS}/*",
            "Headers of tool servers of all accounts",
        )

    def _machine(self) -> sfn.StateMachine:
        definition = yaml.safe_load(DEFINITION.read_text())
        if self._settings.local:
            definition["States"] |= with_fixed_timeouts(definition["States"]["park"])
        machine = sfn.StateMachine(
            self,
            "Machine",
            state_machine_name=MACHINE,
            state_machine_type=sfn.StateMachineType.STANDARD,
            definition_body=sfn.DefinitionBody.from_string(json.dumps(definition)),
            definition_substitutions={"run_worker": self.function.function_arn},
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
        self.function.grant_invoke_latest_version(machine)
        acknowledge(machine, "AwsSolutions-IAM5[Resource::*]", "X-Ray's and log delivery's actions know no resources")
        return machine

    def _arn(self, resource: str, name: str, *, service: str = "states", separator: str = ":") -> str:
        arn = cdk.Stack.of(self).format_arn(
            service=service,
            resource=resource,
            resource_name=name,
            arn_format=cdk.ArnFormat.COLON_RESOURCE_NAME if separator == ":" else cdk.ArnFormat.SLASH_RESOURCE_NAME,
        )
        return str(arn)

    def _acknowledge(self, function: PythonFunction, resource: str, reason: str) -> None:
        assert function.role is not None
        acknowledge(function.role, f"AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:{resource}]", reason)
