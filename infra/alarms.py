"""Alarms for the operator: runs that fail, events that were not processed, a watchdog that fails or does not run."""

from collections.abc import Iterable

import aws_cdk as cdk
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from aws_cdk import aws_sqs as sqs
from aws_cdk import aws_stepfunctions as sfn
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.python_function import PythonFunction

#: The watchdog runs every five minutes; a period holds two of its runs.
WATCHDOG_PERIOD = cdk.Duration.minutes(15)
PERIOD = cdk.Duration.minutes(5)


class Alarms(Construct):
    """Two alarms for the state machine and for the watchdog, one each for runs and deliveries given up and for a queue.

    They are published to a topic and, if given, sent to *email*.
    """

    def __init__(
        self,
        scope: Construct,
        name: str,
        *,
        machine: sfn.IStateMachine,
        dead: Iterable[sqs.Queue],
        watchdog: PythonFunction,
        given_up: cloudwatch.Metric,
        undelivered: cloudwatch.Metric,
        email: str | None,
    ) -> None:
        super().__init__(scope, name)
        self._topic = sns.Topic(self, "Topic", display_name="planloom alarms", enforce_ssl=True)
        acknowledge(
            self._topic,
            "AwsSolutions-SNS2",
            "It has only names of alarms; CloudWatch cannot use the key managed by AWS",
        )
        if email:
            self._topic.add_subscription(subscriptions.EmailSubscription(email))
        self._alarm(
            "RunsFail",
            machine.metric_failed(period=PERIOD),
            "Runs of plans failed. See the stage and the reason in run_error.json of the plan",
        )
        self._alarm(
            "RunsTimeOut",
            machine.metric_timed_out(period=PERIOD),
            "Runs of plans exceeded the timeout of the state machine. Read the log of their last stage",
        )
        self._alarm(
            "RunsGivenUp",
            given_up.with_(period=PERIOD, statistic=cloudwatch.Stats.SUM),
            "Workers of runs failed again and again. Read the log of run_worker, then resume the runs",
        )
        self._alarm(
            "DeliveriesDead",
            undelivered.with_(period=PERIOD, statistic=cloudwatch.Stats.SUM),
            "Deliveries to webhooks were given up after all attempts. Read the log of notify, then replay them",
        )
        for queue in dead:
            self._alarm(
                f"{queue.node.scope.node.id if queue.node.scope else ''}{queue.node.id}",
                queue.metric_approximate_number_of_messages_visible(period=PERIOD, statistic=cloudwatch.Stats.MAXIMUM),
                "Messages are in a dead-letter queue: they were not processed. Read the logs, then redrive them",
            )
        self._alarm(
            "WatchdogFails",
            watchdog.metric_errors(period=WATCHDOG_PERIOD),
            "The watchdog could not check some plans. Read its log",
        )
        self._alarm(
            "WatchdogSleeps",
            watchdog.metric_invocations(period=WATCHDOG_PERIOD),
            "The watchdog has not run: plans without progress are not found. Check its schedule",
            awake=True,
        )

    def _alarm(self, name: str, metric: cloudwatch.Metric, description: str, *, awake: bool = False) -> None:
        """Make an alarm on any value above 0; with *awake* on the value 0 or missing data."""
        comparison = cloudwatch.ComparisonOperator
        alarm = cloudwatch.Alarm(
            self,
            name,
            metric=metric,
            alarm_description=description,
            threshold=1,
            evaluation_periods=1,
            comparison_operator=comparison.LESS_THAN_THRESHOLD
            if awake
            else comparison.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
            treat_missing_data=cloudwatch.TreatMissingData.BREACHING
            if awake
            else cloudwatch.TreatMissingData.NOT_BREACHING,
        )
        alarm.add_alarm_action(actions.SnsAction(self._topic))
