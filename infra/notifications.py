"""What sends events to webhooks: a queue, which delays retries, a Lambda, and a dead-letter queue."""

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda_event_sources as sources
from aws_cdk import aws_secretsmanager as secrets
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.python_function import Environment, PythonFunction
from infra.queued_events import ATTEMPTS, dead_letters
from infra.settings import StackSettings
from infra.storage import Storage
from planloom.notifications.service import PARAMETERS

#: A receiver has ten seconds to respond.
TIMEOUT = cdk.Duration.seconds(30)
#: Messages at a time: a receiver that is slow delays no others.
BATCH, CONCURRENCY, LOCAL_CONCURRENCY = 1, 10, 2


class Notifications(Construct):
    """The queue and the function; ``dead`` has messages that could not be processed."""

    def __init__(
        self,
        scope: Construct,
        name: str,
        *,
        settings: StackSettings,
        environment: Environment,
        storage: Storage,
        secret: secrets.Secret,
    ) -> None:
        super().__init__(scope, name)
        self._local = settings.local
        self.dead = dead_letters(self, "Refused")
        self.queue = sqs.Queue(
            self,
            "Queue",
            encryption=sqs.QueueEncryption.SQS_MANAGED,
            enforce_ssl=True,
            visibility_timeout=cdk.Duration.seconds(6 * TIMEOUT.to_seconds()),
            dead_letter_queue=sqs.DeadLetterQueue(queue=self.dead, max_receive_count=ATTEMPTS),
        )
        self.function = PythonFunction(
            self,
            "Notify",
            handler="notify",
            settings=settings,
            environment=environment,
            timeout=TIMEOUT,
            variables=self.variables | {"PLANLOOM_SECRET": secret.secret_arn},
        )
        storage.grant_view(self.function)
        # links to approvals are signed with it
        secret.grant_read(self.function)
        self.grant_publish(self.function)
        self._grant_secrets(self.function, ["ssm:GetParameter"])
        self.function.add_event_source(
            sources.SqsEventSource(
                self.queue,
                batch_size=BATCH,
                max_concurrency=LOCAL_CONCURRENCY if settings.local else CONCURRENCY,
                report_batch_item_failures=True,
            )
        )

    @property
    def variables(self) -> dict[str, str]:
        """The variables of a Lambda that publishes events."""
        return {
            "PLANLOOM_NOTIFICATIONS": self.queue.queue_url,
            "PLANLOOM_LOOPBACK_TOOLS": str(self._local).lower(),
        }

    @property
    def given_up(self) -> cloudwatch.Metric:
        """How many deliveries were given up, as the function counts them."""
        return cloudwatch.Metric(
            namespace="planloom", metric_name="DeliveriesDead", dimensions_map={"service": "notify"}
        )

    def grant_publish(self, function: PythonFunction) -> None:
        """Let *function* queue events and deliveries."""
        iam.Grant.add_to_principal(grantee=function, actions=["sqs:SendMessage"], resource_arns=[self.queue.queue_arn])

    def grant_manage(self, function: PythonFunction) -> None:
        """Let *function* add, test, replay and remove webhooks."""
        self.grant_publish(function)
        self._grant_secrets(function, ["ssm:GetParameter", "ssm:PutParameter", "ssm:DeleteParameter"])

    def _grant_secrets(self, function: PythonFunction, actions: list[str]) -> None:
        parameters = cdk.Stack.of(self).format_arn(
            service="ssm",
            resource="parameter",
            resource_name=f"{PARAMETERS.removeprefix('/')}/*",
            arn_format=cdk.ArnFormat.SLASH_RESOURCE_NAME,
        )
        iam.Grant.add_to_principal(grantee=function, actions=actions, resource_arns=[parameters])
        assert function.role is not None
        acknowledge(
            function.role,
            f"AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:ssm:<AWS::Region>:<AWS::AccountId>:parameter{PARAMETERS}/*]",
            "Secrets of webhooks of all accounts",
        )
