"""Deploys the stack to the embedded AWS: uploads its assets, creates or updates it, and skips both without changes."""

import io
import json
import time
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from planloom.settings import EndpointSettings
from planloom_cli.embedded.errors import DeployFailed
from planloom_cli.embedded.process import EmbeddedAws
from planloom_cli.embedded.session import ACCOUNT, REGION
from planloom_cli.embedded.sources import assembly, find_root, fingerprint, is_made

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_lambda import LambdaClient
    from mypy_boto3_s3 import S3Client

STACK = "PlanloomStack"

#: The tag of the stack with the assembly that it was made from; it is saved and lost together with the stack.
MADE_FROM = "planloom:assembly"

DEPLOYED = frozenset({"CREATE_COMPLETE", "UPDATE_COMPLETE"})
NEVER_CREATED = frozenset({"CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED", "DELETE_FAILED"})
DEPLOY_WITHIN = 120.0


@dataclass(frozen=True)
class Deployment:
    """A deployed stack. ``outputs`` are those of CloudFormation; ``changed`` is False if it was up to date."""

    outputs: Mapping[str, str]
    api_url: str
    changed: bool


def deploy(aws: EmbeddedAws, root: Path | None = None) -> Deployment:
    """Deploy the stack of the sources in *root*, by default those that planloom was installed from, to *aws*.

    Raises NoSources, DeployFailed.
    """
    sources = root or find_root()
    key = fingerprint(sources, as_deployed=aws.as_deployed)
    session = aws.session()
    stacks = session.client("cloudformation", endpoint_url=aws.endpoint)
    stack = _describe(stacks)
    # The Lambdas read their code from the assembly: a stack without it does not work
    made_from_it = stack and _made_from(stack) == key and is_made(aws.folder.assemblies, key)
    changed = not stack or stack["StackStatus"] not in DEPLOYED or not made_from_it
    if changed:
        made = assembly(sources, aws.folder.assemblies, key, as_deployed=aws.as_deployed)
        template = _upload(session.client("s3", endpoint_url=aws.endpoint), made)
        stack = _create_or_update(stacks, stack, f"{aws.endpoint}/{template}", key)
        _cap_concurrency(stacks, session.client("lambda", endpoint_url=aws.endpoint), made)
        # a stack that is not saved is lost with a kill, and its plans cannot be found any more
        aws.restart()
    aws.preload(aws.folder.assemblies / key / "bundles" / "all")
    assert stack is not None
    outputs = {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])}
    if secret := outputs.get("ModelSecretArn"):
        keys = EndpointSettings.read(aws.environment).variables()
        secrets = session.client("secretsmanager", endpoint_url=aws.endpoint)
        secrets.put_secret_value(SecretId=secret, SecretString=json.dumps(keys))
    # By path, not by host: many systems do not resolve names below localhost
    return Deployment(outputs, f"{aws.endpoint}/_aws/execute-api/{outputs['ApiId']}/api", changed)


def _cap_concurrency(stacks: "CloudFormationClient", functions: "LambdaClient", made: Path) -> None:
    """Set the reserved concurrency of the template, which the emulator's CloudFormation ignores."""
    template = json.loads((made / f"{STACK}.template.json").read_text(encoding="utf-8"))
    for name, resource in template["Resources"].items():
        reserved = resource.get("Properties", {}).get("ReservedConcurrentExecutions")
        if resource["Type"] == "AWS::Lambda::Function" and reserved is not None:
            found = stacks.describe_stack_resource(StackName=STACK, LogicalResourceId=name)["StackResourceDetail"]
            functions.put_function_concurrency(
                FunctionName=found["PhysicalResourceId"], ReservedConcurrentExecutions=reserved
            )


def _describe(stacks: "CloudFormationClient") -> Mapping[str, Any] | None:
    try:
        return stacks.describe_stacks(StackName=STACK)["Stacks"][0]
    except ClientError:
        return None


def _made_from(stack: Mapping[str, Any]) -> str | None:
    return next((tag["Value"] for tag in stack.get("Tags", []) if tag["Key"] == MADE_FROM), None)


def _upload(s3: "S3Client", made: Path) -> str:
    """Upload every asset of the assembly; return bucket and key of the template."""
    manifest = json.loads((made / f"{STACK}.assets.json").read_text(encoding="utf-8"))
    template = ""
    for asset in manifest["files"].values():
        path = made / asset["source"]["path"]
        (destination,) = asset["destinations"].values()
        bucket, key = _real(destination["bucketName"]), _real(destination["objectKey"])
        # After a kill the files are there, but the bucket may be missing
        with suppress(s3.exceptions.BucketAlreadyOwnedByYou):
            s3.create_bucket(Bucket=bucket)
        s3.put_object(Bucket=bucket, Key=key, Body=_zipped(path) if path.is_dir() else path.read_bytes())
        if path.name == f"{STACK}.template.json":
            template = f"{bucket}/{key}"
    return template


def _real(name: str) -> str:
    return name.replace("${AWS::AccountId}", ACCOUNT).replace("${AWS::Region}", REGION)


def _zipped(folder: Path) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    return buffer.getvalue()


def _create_or_update(
    stacks: "CloudFormationClient", stack: Mapping[str, Any] | None, template_url: str, key: str
) -> Mapping[str, Any]:
    request: dict[str, Any] = {
        "StackName": STACK,
        "TemplateURL": template_url,
        "Capabilities": ["CAPABILITY_NAMED_IAM"],
        "Tags": [{"Key": MADE_FROM, "Value": key}],
    }
    if stack and stack["StackStatus"] in NEVER_CREATED:
        # Such a stack can only be deleted, also in AWS; it has no plans
        stacks.delete_stack(StackName=STACK)
        _wait(stacks, gone=True)
        stack = None
    if stack:
        try:
            stacks.update_stack(**request)
        except ClientError as error:
            # an assembly that was deleted and made again in its place
            if "No updates" not in str(error):
                raise
    else:
        stacks.create_stack(**request)
    return _wait(stacks)


def _wait(stacks: "CloudFormationClient", gone: bool = False) -> Mapping[str, Any]:
    deadline = time.monotonic() + DEPLOY_WITHIN
    while time.monotonic() < deadline:
        stack = _describe(stacks)
        if stack is None or stack["StackStatus"] == "DELETE_COMPLETE":
            if gone:
                return {}
            raise DeployFailed("The stack was deleted while it was deployed.")
        if stack["StackStatus"] in DEPLOYED and not gone:
            return stack
        if not stack["StackStatus"].endswith("_IN_PROGRESS"):
            raise DeployFailed(f"The stack is {stack['StackStatus']}:\n{_reasons(stacks)}")
        time.sleep(0.1)
    raise DeployFailed(f"The stack was not ready after {DEPLOY_WITHIN:.0f} s:\n{_reasons(stacks)}")


def _reasons(stacks: "CloudFormationClient") -> str:
    events = stacks.describe_stack_events(StackName=STACK)["StackEvents"]
    failed = [event for event in events if event.get("ResourceStatus", "").endswith("_FAILED")]
    return "\n".join(f"{e['LogicalResourceId']}: {e.get('ResourceStatusReason', '')}" for e in failed)
