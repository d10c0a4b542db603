"""The REST API: all methods except /health, shared reports and links to approvals need an API key."""

import json

import aws_cdk as cdk
from aws_cdk import aws_apigateway as gateway
from aws_cdk import aws_logs as logs
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.python_function import PythonFunction
from infra.settings import StackSettings

KEY_HEADER = "X-API-Key"

#: The time for which a revoked key may still work.
CACHED_FOR = cdk.Duration.seconds(60)

#: Requests per second over all accounts; the burst is twice as many.
RATE_LIMIT = 100

#: Error responses of the gateway itself, in the format of all errors of the API.
REFUSALS: tuple[tuple[gateway.ResponseType, str | None, str, str], ...] = (
    (
        gateway.ResponseType.UNAUTHORIZED,
        "401",
        "API_KEY_REQUIRED",
        f"This call has no API key. Send your key in the {KEY_HEADER} header.",
    ),
    (
        gateway.ResponseType.ACCESS_DENIED,
        "403",
        "API_KEY_INVALID",
        f"This API key is not valid or was revoked. Check your API key and send it in the {KEY_HEADER} header.",
    ),
    (
        gateway.ResponseType.THROTTLED,
        "429",
        "TOO_MANY_REQUESTS",
        "The service has too many calls at the moment. Try again in a few seconds, with increasing delays.",
    ),
    (
        gateway.ResponseType.REQUEST_TOO_LARGE,
        "413",
        "REQUEST_TOO_LARGE",
        "The request is too large. Shorten the prompt: 300 to 800 words are best.",
    ),
    (
        # all other errors of the gateway keep their status
        gateway.ResponseType.DEFAULT_5_XX,
        None,
        "INTERNAL_ERROR",
        "planloom failed with an internal error. Try again in a few seconds, with increasing delays; see the logs.",
    ),
)


class Api(Construct):
    """A regional REST API: one Lambda handles all calls, the authorizer's context has the account."""

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
            # a range of a text may start within a character: its bytes are sent as base64, decoded for these types
            binary_media_types=["*/*"],
        )
        # The stack defines its outputs itself
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
        acknowledge(opened, "AwsSolutions-APIG4", "A shared report needs its token, which cannot be guessed")
        approve = self.rest.root.add_resource("approve").add_resource("{token}")
        for method in ("GET", "POST"):
            linked = approve.add_method(method, everything, authorization_type=gateway.AuthorizationType.NONE)
            acknowledge(linked, "AwsSolutions-APIG4", "A link to an approval is signed for one person")
        for kind, status, code, message in REFUSALS:
            self._refuse(kind, status, code, message)
        self._acknowledge(health, settings)

    def _events(self, everything: gateway.LambdaIntegration, authorizer: PythonFunction) -> None:
        """Add the route for events of a plan, with a key or, for a browser that cannot send a header, with a ticket.

        The other authorizer is called only if there is a key. This one is always called, and accepts both.
        """
        tickets = gateway.RequestAuthorizer(
            self, "Tickets", handler=authorizer, identity_sources=[], results_cache_ttl=cdk.Duration.seconds(0)
        )
        # CDK writes an empty string, which is not the same as no value
        lock = tickets.node.default_child
        assert isinstance(lock, gateway.CfnAuthorizer)
        lock.add_property_deletion_override("IdentitySource")
        # resources without methods are handled by {proxy+}, and so are the other methods of this one
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
            ("AwsSolutions-COG4", "Callers have API keys, which the Lambda authorizer checks"),
            (
                "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/"
                "AmazonAPIGatewayPushToCloudWatchLogs]",
                "The role of API Gateway in the account; AWS requires this policy",
            ),
        ):
            acknowledge(self.rest, finding, reason)
        acknowledge(health, "AwsSolutions-APIG4", "Health is public: it returns only that the service runs")
        if settings.local:
            for finding in ("AwsSolutions-APIG1", "AwsSolutions-APIG6"):
                acknowledge(self.rest, finding, "The embedded AWS writes its own log of every request")
