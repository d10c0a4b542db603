"""A Python Lambda with our defaults; the only place that sets the environment of a Lambda."""

from collections.abc import Mapping
from dataclasses import dataclass

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.settings import StackSettings
from infra.sources import Bundle

DEFAULT_TIMEOUT = cdk.Duration.seconds(30)


@dataclass(frozen=True)
class Environment:
    """The variables of every Lambda, with the names that planloom.settings reads."""

    table: str
    bucket: str
    bus: str
    rules: str
    watching: Mapping[str, str]

    def variables(self, service: str, local: bool) -> dict[str, str]:
        """Return the variables of the Lambda that logs as *service*."""
        return {
            "PLANLOOM_TABLE": self.table,
            "PLANLOOM_BUCKET": self.bucket,
            "PLANLOOM_BUS": self.bus,
            "PLANLOOM_RULES": self.rules,
            **self.watching,
            "POWERTOOLS_SERVICE_NAME": service,
            "POWERTOOLS_METRICS_NAMESPACE": "planloom",
            "LOG_LEVEL": "INFO",
        } | ({"POWERTOOLS_TRACE_DISABLED": "true"} if local else {})


class PythonFunction(lambda_.Function):
    """The Lambda of ``functions/<handler>/handler.py``; its role may log and trace, and what is granted to it."""

    def __init__(
        self,
        scope: Construct,
        name: str,
        *,
        handler: str,
        settings: StackSettings,
        environment: Environment,
        bundle: Bundle = "base",
        service: str | None = None,
        memory: int = 512,
        timeout: cdk.Duration = DEFAULT_TIMEOUT,
        variables: dict[str, str] | None = None,
        concurrency: int | None = None,
    ) -> None:
        logs_to = logs.LogGroup(scope, f"{name}Logs", retention=settings.log_retention, removal_policy=settings.removal)
        role = iam.Role(scope, f"{name}Role", assumed_by=iam.ServicePrincipal("lambda.amazonaws.com"))
        logs_to.grant_write(role)
        super().__init__(
            scope,
            name,
            runtime=lambda_.Runtime.PYTHON_3_13,
            architecture=lambda_.Architecture.ARM_64,
            code=lambda_.Code.from_asset(str(settings.code(bundle))),
            handler=f"functions.{handler}.handler.handler",
            role=role,
            log_group=logs_to,
            memory_size=memory,
            timeout=timeout,
            reserved_concurrent_executions=concurrency,
            tracing=lambda_.Tracing.ACTIVE,
            environment=environment.variables(service or handler, settings.local) | (variables or {}),
        )
        acknowledge(role, "AwsSolutions-IAM5[Resource::*]", "Actions of X-Ray have no resources")
        acknowledge(self, "AwsSolutions-L1", "3.13 is the runtime that the bundles are built for, and still supported")
