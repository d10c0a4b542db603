"""The viewer: in AWS a private bucket behind CloudFront, on a laptop a Lambda behind the API."""

from collections.abc import Callable

import aws_cdk as cdk
from aws_cdk import aws_apigateway as gateway
from aws_cdk import aws_cloudfront as cloudfront
from aws_cdk import aws_cloudfront_origins as origins
from aws_cdk import aws_logs as logs
from aws_cdk import aws_s3 as s3
from aws_cdk import aws_s3_deployment as deployment
from constructs import Construct

from functions.viewer.headers import ASK_AGAIN, IMMUTABLE, content_security_policy
from infra.acknowledge import acknowledge
from infra.python_function import PythonFunction
from infra.settings import StackSettings

#: The path of the page, below the root of the distribution and of the API stage.
PLACE = "app"

#: The API under the same host name, so that the page connects only to its own origin.
API_PATHS = ("/v1/*", "/mcp", "/mcp/*")

#: CDK's Lambda that copies the built files into the bucket during deployment, and its permissions.
UPLOADER = "CDKBucketDeployment"
UPLOADER_MAY = ("GetBucket", "GetObject", "List", "Abort", "DeleteObject")
BASIC_ROLE = "arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"
ASSETS = "arn:<AWS::Partition>:s3:::cdk-hnb659fds-assets-<AWS::AccountId>-<AWS::Region>"

#: S3 has files, not folders: the page of a folder must be requested by name.
FOLDERS = """function handler(event) {
  var request = event.request;
  if (request.uri === "/" || request.uri === "/app") {
    return {statusCode: 302, statusDescription: "Found", headers: {location: {value: "/app/"}}};
  }
  if (request.uri === "/app/") {
    request.uri = "/app/index.html";
  }
  return request;
}
"""


def serve_viewer(rest: gateway.RestApi, function: PythonFunction) -> None:
    """Let the API serve the files of the viewer without a key: they contain no plans."""
    everything = gateway.LambdaIntegration(function)
    place = rest.root.add_resource(PLACE)
    for resource in (place, place.add_resource("{proxy+}")):
        method = resource.add_method("GET", everything, authorization_type=gateway.AuthorizationType.NONE)
        for finding in ("AwsSolutions-APIG4", "AwsSolutions-COG4"):
            acknowledge(method, finding, "The page is public; it requests every plan with a key")


class Viewer(Construct):
    """The distribution: files of the bucket at /app/, the gateway behind /v1 and /mcp."""

    def __init__(
        self, scope: Construct, name: str, *, rest: gateway.RestApi, artifacts: s3.Bucket, settings: StackSettings
    ) -> None:
        super().__init__(scope, name)
        # S3 signs links with the first name in us-east-1, with the second elsewhere
        names = (artifacts.bucket_domain_name, artifacts.bucket_regional_domain_name)
        self._policy = content_security_policy(*(f"https://{name}" for name in names))
        self.bucket = s3.Bucket(
            self,
            "Bucket",
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            encryption=s3.BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            # a bucket with files cannot be deleted with its stack
            removal_policy=settings.removal,
        )
        self.distribution = cloudfront.Distribution(
            self,
            "Distribution",
            comment="planloom viewer",
            default_behavior=self._files(),
            additional_behaviors={path: self._api(rest) for path in API_PATHS},
            http_version=cloudfront.HttpVersion.HTTP2_AND_3,
            minimum_protocol_version=cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
            price_class=cloudfront.PriceClass.PRICE_CLASS_100,
        )
        self.url = f"https://{self.distribution.distribution_domain_name}/{PLACE}/"
        self._upload(settings)
        self._acknowledge()

    def _files(self) -> cloudfront.BehaviorOptions:
        return cloudfront.BehaviorOptions(
            origin=origins.S3BucketOrigin.with_origin_access_control(self.bucket),
            viewer_protocol_policy=cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
            cache_policy=cloudfront.CachePolicy.CACHING_OPTIMIZED,
            compress=True,
            response_headers_policy=self._headers(),
            function_associations=[
                cloudfront.FunctionAssociation(
                    event_type=cloudfront.FunctionEventType.VIEWER_REQUEST,
                    function=cloudfront.Function(
                        self,
                        "Folders",
                        code=cloudfront.FunctionCode.from_inline(FOLDERS),
                        runtime=cloudfront.FunctionRuntime.JS_2_0,
                    ),
                )
            ],
        )

    def _api(self, rest: gateway.RestApi) -> cloudfront.BehaviorOptions:
        return cloudfront.BehaviorOptions(
            origin=origins.RestApiOrigin(rest),
            viewer_protocol_policy=cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
            allowed_methods=cloudfront.AllowedMethods.ALLOW_ALL,
            cache_policy=cloudfront.CachePolicy.CACHING_DISABLED,
            # the gateway finds the API by the host name: do not forward that of CloudFront
            origin_request_policy=cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
        )

    def _headers(self) -> cloudfront.ResponseHeadersPolicy:
        return cloudfront.ResponseHeadersPolicy(
            self,
            "Headers",
            security_headers_behavior=cloudfront.ResponseSecurityHeadersBehavior(
                content_security_policy=cloudfront.ResponseHeadersContentSecurityPolicy(
                    content_security_policy=self._policy, override=True
                ),
                content_type_options=cloudfront.ResponseHeadersContentTypeOptions(override=True),
                referrer_policy=cloudfront.ResponseHeadersReferrerPolicy(
                    referrer_policy=cloudfront.HeadersReferrerPolicy.NO_REFERRER, override=True
                ),
                strict_transport_security=cloudfront.ResponseHeadersStrictTransportSecurity(
                    access_control_max_age=cdk.Duration.days(365), include_subdomains=False, override=True
                ),
            ),
        )

    def _upload(self, settings: StackSettings) -> None:
        """Copy the files into the bucket: those that never change first, the page that loads them last."""
        upload: Callable[..., deployment.BucketDeployment] = deployment.BucketDeployment
        built = [deployment.Source.asset(str(settings.viewer()))]
        common = {
            "sources": built,
            "destination_bucket": self.bucket,
            "destination_key_prefix": PLACE,
            # a page that was opened before this deployment still loads its old files
            "prune": False,
            "log_group": logs.LogGroup(
                self, "UploadLogs", retention=settings.log_retention, removal_policy=settings.removal
            ),
        }
        assets = upload(
            self,
            "Assets",
            exclude=["*"],
            include=["assets/*"],
            cache_control=[deployment.CacheControl.from_string(IMMUTABLE)],
            **common,
        )
        page = upload(
            self,
            "Page",
            exclude=["assets/*"],
            # CloudFront revalidates it too, so that no invalidation is needed
            cache_control=[deployment.CacheControl.from_string(ASK_AGAIN)],
            **common,
        )
        page.node.add_dependency(assets)

    def _acknowledge(self) -> None:
        acknowledge(
            self.bucket, "AwsSolutions-S1", "It has the public files of the page, and CloudFront counts requests"
        )
        for finding, reason in (
            ("AwsSolutions-CFR1", "Users are in all countries"),
            ("AwsSolutions-CFR2", "A web ACL costs money while idle; the files are public, and keys guard the API"),
            ("AwsSolutions-CFR3", "The gateway logs every call; requests for files of the page need no log"),
            ("AwsSolutions-CFR4", "CloudFront's own certificate comes with it; a domain of yours brings another"),
        ):
            acknowledge(self.distribution, finding, reason)
        bucket = self.bucket.node.default_child
        assert isinstance(bucket, s3.CfnBucket)
        key = cdk.Stack.of(self).resolve(bucket.logical_id)
        (uploader,) = [child for child in cdk.Stack.of(self).node.children if UPLOADER in child.node.id]
        for finding, reason in (
            (f"AwsSolutions-IAM4[Policy::{BASIC_ROLE}]", "CDK's own uploader, which writes its log by it"),
            *((f"AwsSolutions-IAM5[Action::s3:{each}*]", "CDK's own uploader") for each in UPLOADER_MAY),
            (f"AwsSolutions-IAM5[Resource::<{key}.Arn>/*]", "It writes the files of the page"),
            (f"AwsSolutions-IAM5[Resource::{ASSETS}/*]", "It reads them where CDK put them"),
            ("AwsSolutions-L1", "CDK chooses the runtime of its own uploader"),
        ):
            acknowledge(uploader, finding, reason)
