"""The front door: a REST API whose every method but /health and shared reports wants an API key."""

import json

import aws_cdk as cdk
from aws_cdk import aws_apigateway as gateway
from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.python_function import PythonFunction
from infra.settings import StackSettings

KEY_HEADER = "X-API-Key"

#: A revoked key works on for this long.
CACHED_FOR = cdk.Duration.seconds(60)

#: Requests per second, of all accounts together; twice as many for a moment.
RATE_LIMIT = 100

#: What the gateway answers by itself. The body has the shape of every other error of the API.
REFUSALS: tuple[tuple[gateway.ResponseType, str | None, str, str], ...] = (
    (
        gateway.ResponseType.UNAUTHORIZED,
        "401",
        "API_KEY_REQUIRED",
        f"This call has no API key: send your key in the {KEY_HEADER} header.",
    ),
    (
        gateway.ResponseType.ACCESS_DENIED,
        "403",
        "API_KEY_INVALID",
        f"This API key is not valid or was revoked: check your API key and send it in the {KEY_HEADER} header.",
    ),
    (
        gateway.ResponseType.THROTTLED,
        "429",
        "TOO_MANY_REQUESTS",
        "The service takes no more calls just now: try again in a few seconds, with growing pauses.",
    ),
    (
        gateway.ResponseType.REQUEST_TOO_LARGE,
        "413",
        "REQUEST_TOO_LARGE",
        "The request is too large: a prompt of 300 to 800 words serves best.",
    ),
    (
        # whatever else goes wrong behind the gateway keeps its own status
        gateway.ResponseType.DEFAULT_5_XX,
        None,
        "INTERNAL_ERROR",
        "Something failed inside planloom. Try again in a few seconds, with growing pauses; the cause is in the logs.",
    ),
)


class Api(Construct):
    """A regional REST API: everything goes to one Lambda, the account comes from the authorizer's context."""

    def __init__(
        self,
        scope: Construct,
        name: str,
        *,
        function: PythonFunction,
        authorizer: PythonFunction,
        settings: StackSettings,
    ) -> None:
        super().__init__(scope, name)
        self.rest = gateway.RestApi(
            self,
            "Rest",
            rest_api_name="planloom",
            endpoint_types=[gateway.EndpointType.REGIONAL],
            cloud_watch_role=not settings.local,
            cloud_watch_role_removal_policy=None if settings.local else settings.removal,
            deploy_options=self._stage(settings),
            # a part of a text may begin within a character: such bytes travel in base64, decoded for these types
            binary_media_types=["*/*"],
        )
        # The stack names its outputs itself
        self.rest.node.try_remove_child("Endpoint")
        keys = gateway.RequestAuthorizer(
            self,
            "Keys",
            handler=authorizer,
            identity_sources=[gateway.IdentitySource.header(KEY_HEADER)],
            results_cache_ttl=CACHED_FOR,
        )
        everything = gateway.LambdaIntegration(function)
        self.rest.root.add_method("ANY", everything, authorizer=keys)
        self.rest.root.add_resource("{proxy+}").add_method("ANY", everything, authorizer=keys)
        self._events(everything, authorizer)
        health = self.rest.root.add_resource("health").add_method(
            "GET", everything, authorization_type=gateway.AuthorizationType.NONE
        )
        shared = self.rest.root.add_resource("shared").add_resource("{token}")
        opened = shared.add_method("GET", everything, authorization_type=gateway.AuthorizationType.NONE)
        acknowledge(opened, "AwsSolutions-APIG4", "A shared report is opened by its token, which cannot be guessed")
        for kind, status, code, message in REFUSALS:
            self._refuse(kind, status, code, message)
        self._acknowledge(health, settings)

    def _events(self, everything: gateway.LambdaIntegration, authorizer: PythonFunction) -> None:
        """Let a plan's events be followed with a key or, from a browser that cannot send a header, with a ticket.

        The other authorizer is asked only where there is a key. This one is asked each time: it takes either.
        """
        tickets = gateway.RequestAuthorizer(
            self, "Tickets", handler=authorizer, identity_sources=[], results_cache_ttl=cdk.Duration.seconds(0)
        )
        # CDK writes an empty text, which means another thing than none
        lock = tickets.node.default_child
        assert isinstance(lock, gateway.CfnAuthorizer)
        lock.add_property_deletion_override("IdentitySource")
        # nodes without a method of their own fall through to {proxy+}, and so does every other verb of this one
        path = self.rest.root.add_resource("v1").add_resource("plans").add_resource("{plan_id}")
        path.add_resource("events").add_method("GET", everything, authorizer=tickets)

    def _stage(self, settings: StackSettings) -> gateway.StageOptions:
        stage = gateway.StageOptions(
            stage_name="api", throttling_rate_limit=RATE_LIMIT, throttling_burst_limit=2 * RATE_LIMIT
        )
        if settings.local:
            return stage
        written_to = logs.LogGroup(
            self, "AccessLogs", retention=settings.log_retention, removal_policy=settings.removal
        )
        return gateway.StageOptions(
            stage_name=stage.stage_name,
            throttling_rate_limit=stage.throttling_rate_limit,
            throttling_burst_limit=stage.throttling_burst_limit,
            tracing_enabled=True,
            metrics_enabled=True,
            logging_level=gateway.MethodLoggingLevel.ERROR,
            access_log_destination=gateway.LogGroupLogDestination(written_to),
            access_log_format=gateway.AccessLogFormat.json_with_standard_fields(
                caller=False,
                http_method=True,
                ip=True,
                protocol=True,
                request_time=True,
                resource_path=True,
                response_length=True,
                status=True,
                user=False,
            ),
        )

    def _refuse(self, kind: gateway.ResponseType, status: str | None, code: str, message: str) -> None:
        self.rest.add_gateway_response(
            code,
            type=kind,
            status_code=status,
            templates={"application/json": json.dumps({"error": {"code": code, "message": message}})},
        )

    def _acknowledge(self, health: gateway.Method, settings: StackSettings) -> None:
        for finding, reason in (
            ("AwsSolutions-APIG2", "FastAPI and the MCP server validate each request by its model"),
            ("AwsSolutions-APIG3", "A web ACL costs money while idle; keys and throttling guard the API"),
            ("AwsSolutions-COG4", "Agents carry API keys: the Lambda authorizer is the gate"),
            (
                "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/"
                "AmazonAPIGatewayPushToCloudWatchLogs]",
                "The role of the account's API Gateway; AWS asks for this very policy",
            ),
        ):
            acknowledge(self.rest, finding, reason)
        acknowledge(health, "AwsSolutions-APIG4", "Health is public: it says only that the service answers")
        if settings.local:
            for finding in ("AwsSolutions-APIG1", "AwsSolutions-APIG6"):
                acknowledge(self.rest, finding, "The embedded AWS writes its own log of every request")
