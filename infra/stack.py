"""The stack: storage, pipeline, bus, API, watchdog and alarms."""

from collections.abc import Sequence

import aws_cdk as cdk
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_secretsmanager as secrets
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.alarms import Alarms
from infra.api import Api
from infra.goal_reader import GoalReader
from infra.models import ModelAccess
from infra.notifications import Notifications
from infra.pipeline import AnyStage, Pipeline
from infra.python_function import DEFAULT_TIMEOUT, Environment, PythonFunction
from infra.queued_events import QueuedEvents, dead_letters
from infra.run_steps import RunSteps
from infra.settings import StackSettings
from infra.sources import Bundle
from infra.storage import Storage
from infra.viewer import Viewer, serve_viewer
from planloom.planes.strategic.events import SOURCE

#: The final states of an execution.
ENDS = ["SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED"]

#: The watchdog finds a plan that lost its run, its events or its worker within this time.
WATCH_EVERY = cdk.Duration.minutes(5)

#: A batch of events takes about a second; a lost message is delivered again after six times this.
CONSUMER_TIMEOUT = cdk.Duration.seconds(15)

#: The gateway times out after 29 seconds: later responses of a Lambda are lost.
API_TIMEOUT = cdk.Duration.seconds(28)

#: On a laptop each concurrent call is a process: to limit memory, further callers get 429 and try again.
LOCAL_API_CONCURRENCY = 5


class PlanloomStack(cdk.Stack):
    """The whole stack. Its outputs name the API, the viewer and the resources that operators use."""

    def __init__(self, scope: Construct, name: str, *, pipeline: Sequence[AnyStage], settings: StackSettings) -> None:
        super().__init__(
            scope,
            name,
            description="planloom: a goal goes in, a strategic plan comes out",
            # A laptop needs no "cdk bootstrap"
            synthesizer=cdk.DefaultStackSynthesizer(generate_bootstrap_version_rule=not settings.local),
        )
        self._settings = settings
        self._storage = Storage(self, "Storage", settings)
        self._bus = events.EventBus(self, "Bus", event_bus_name="planloom")
        self._environment = Environment(
            table=self._storage.table.table_name,
            bucket=self._storage.bucket.bucket_name,
            bus=self._bus.event_bus_name,
            rules=settings.rules,
            watching=settings.watching.variables(settings.local),
        )
        # On a laptop keys come from the environment in which the service was started
        self._models = None if settings.shared_code else ModelAccess(self, "Models", settings)
        self._pipeline = Pipeline(
            self,
            "Pipeline",
            pipeline=pipeline,
            settings=settings,
            environment=self._environment,
            storage=self._storage,
            models=self._models,
        )
        for stage in self._pipeline.stages.values():
            self._bus.grant_put_events_to(stage)
        self._goal_reader = GoalReader(
            self,
            "GoalReader",
            settings=settings,
            environment=self._environment,
            storage=self._storage,
            models=self._models,
        )
        self._secret = self._request_secret()
        self._notifications = Notifications(
            self,
            "Notifications",
            settings=settings,
            environment=self._environment,
            storage=self._storage,
            secret=self._secret,
        )
        self._run_steps = RunSteps(
            self,
            "RunSteps",
            settings=settings,
            environment=self._environment,
            storage=self._storage,
            models=self._models,
            notifications=self._notifications,
        )
        dead = [*self._progress(), *self._run_ends(), self._notifications.dead]
        missed = dead_letters(self, "WatchdogMissed")
        watchdog = self._watchdog(missed)
        if not settings.local:
            # a laptop needs no alarms
            Alarms(
                self,
                "Alarms",
                machine=self._pipeline.machine,
                dead=[*dead, missed],
                watchdog=watchdog,
                given_up=self._run_steps.given_up,
                undelivered=self._notifications.given_up,
                email=settings.alarm_email,
            )
        handler = self._api()
        self._run_steps.grant_own_tools(handler)
        self._run_steps.add_schedules(storage=self._storage, environment=self._environment, api=handler)
        api = Api(self, "Api", function=handler, authorizer=self._authorizer(), settings=settings)
        self._outputs(api, watchdog, self._viewer(api))

    def _progress(self) -> tuple[sqs.Queue, ...]:
        function = self._function("OnPlanEvent", "on_plan_event", timeout=CONSUMER_TIMEOUT)
        self._storage.grant_view(function)
        pattern = events.EventPattern(source=[SOURCE])
        return QueuedEvents(self, "PlanEvents", bus=self._bus, pattern=pattern, function=function).dead

    def _run_ends(self) -> tuple[sqs.Queue, ...]:
        function = self._function("OnRunEnded", "on_run_ended", machine=True, timeout=CONSUMER_TIMEOUT)
        self._storage.grant_view(function)
        self._storage.grant_truth(function)
        self._bus.grant_put_events_to(function)
        # the end of a run starts the next one in the queue
        self._pipeline.grant_start(function)
        pattern = events.EventPattern(
            source=["aws.states"],
            detail_type=["Step Functions Execution Status Change"],
            detail={"stateMachineArn": [self._pipeline.machine.state_machine_arn], "status": ENDS},
        )
        # each reads all records of its plan and may publish all of its steps: only one at a time is within the timeout
        return QueuedEvents(self, "RunEnds", bus=None, pattern=pattern, function=function, batch=1).dead

    def _watchdog(self, missed: sqs.Queue) -> PythonFunction:
        function = self._function(
            "Watchdog",
            "watchdog",
            bundle="worker",
            machine=True,
            timeout=cdk.Duration.minutes(2),
            variables=self._run_steps.variables | self._notifications.variables,
        )
        self._run_steps.grant_runs(function)
        self._notifications.grant_publish(function)
        self._storage.grant_view(function)
        self._storage.grant_truth(function)
        self._storage.grant_erase(function)
        # it does what follows from changes of workflow runs where a call has crashed
        self._storage.grant_runs(function)
        self._storage.grant_workflows(function, delete=True)
        self._storage.grant_implementation_plans(function)
        self._bus.grant_put_events_to(function)
        self._pipeline.grant_runs(function)
        events.Rule(
            self,
            "WatchdogSchedule",
            schedule=events.Schedule.rate(WATCH_EVERY),
            targets=[targets.LambdaFunction(function, dead_letter_queue=missed)],
        )
        return function

    def _authorizer(self) -> PythonFunction:
        function = self._function("Authorizer", "authorizer", variables={"PLANLOOM_SECRET": self._secret.secret_arn})
        self._storage.grant_keys(function)
        # tickets are signed with it, and checked by the authorizer
        self._secret.grant_read(function)
        return function

    def _request_secret(self) -> secrets.Secret:
        secret = secrets.Secret(
            self,
            "RequestState",
            description="Signs the state of MCP clients, tickets for event streams, and links to approvals",
            generate_secret_string=secrets.SecretStringGenerator(password_length=64, exclude_punctuation=True),
            removal_policy=self._settings.removal,
        )
        acknowledge(secret, "AwsSolutions-SMG4", "Replace it at any time: only links to approvals must be sent again")
        return secret

    def _api(self) -> PythonFunction:
        function = self._function(
            "ApiFunction",
            "api",
            bundle="api",
            machine=True,
            memory=1024,
            timeout=API_TIMEOUT,
            concurrency=LOCAL_API_CONCURRENCY if self._settings.local else None,
            variables={"PLANLOOM_SECRET": self._secret.secret_arn}
            | self._goal_reader.variables
            | self._run_steps.variables
            | self._notifications.variables
            | (self._models.variables if self._models else {}),
        )
        self._secret.grant_read(function)
        self._goal_reader.grant_start(function)
        if self._models:
            self._models.grant_list(function)
        self._storage.grant_lists(function)
        self._storage.grant_view(function)
        self._storage.grant_truth(function)
        self._storage.grant_implementation_plans(function)
        self._storage.grant_erase(function)
        self._storage.grant_runs(function)
        self._storage.grant_graphs(function)
        self._storage.grant_workflows(function, delete=True)
        self._run_steps.grant_runs(function)
        self._run_steps.grant_headers(function, write=True)
        self._notifications.grant_manage(function)
        self._storage.grant_examples(function)
        self._storage.grant_feedback(function)
        self._storage.grant_versions(function)
        self._bus.grant_put_events_to(function)
        self._pipeline.grant_runs(function)
        return function

    def _viewer(self, api: Api) -> str:
        """Add the resources that serve the viewer; return its URL."""
        if self._settings.local:
            serve_viewer(api.rest, self._function("ViewerFunction", "viewer"))
            return api.rest.url_for_path("/app/")
        viewer = Viewer(self, "Viewer", rest=api.rest, artifacts=self._storage.bucket, settings=self._settings)
        return viewer.url

    def _function(
        self,
        name: str,
        handler: str,
        *,
        bundle: Bundle = "base",
        machine: bool = False,
        memory: int = 512,
        timeout: cdk.Duration = DEFAULT_TIMEOUT,
        variables: dict[str, str] | None = None,
        concurrency: int | None = None,
    ) -> PythonFunction:
        machine_arn = {"PLANLOOM_STATE_MACHINE": self._pipeline.machine.state_machine_arn} if machine else {}
        return PythonFunction(
            self,
            name,
            handler=handler,
            bundle=bundle,
            settings=self._settings,
            environment=self._environment,
            memory=memory,
            timeout=timeout,
            variables=machine_arn | (variables or {}),
            concurrency=concurrency,
        )

    def _outputs(self, api: Api, watchdog: PythonFunction, viewer: str) -> None:
        outputs = {
            "ApiUrl": api.rest.url,
            "ApiId": api.rest.rest_api_id,
            "TableName": self._environment.table,
            "BucketName": self._environment.bucket,
            "BusName": self._environment.bus,
            "StateMachineArn": self._pipeline.machine.state_machine_arn,
            "WatchdogName": watchdog.function_name,
            "ViewerUrl": viewer,
        } | ({"ModelSecretArn": self._models.secret.secret_arn} if self._models else {})
        for name, value in outputs.items():
            cdk.CfnOutput(self, name, value=value)
