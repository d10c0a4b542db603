"""Permissions of Lambdas that call models: the Bedrock models of the profiles, and the operator's keys of others."""

import aws_cdk as cdk
from aws_cdk import aws_iam as iam
from aws_cdk import aws_secretsmanager as secrets
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.python_function import PythonFunction
from infra.settings import StackSettings
from planloom.models.profiles import all_profiles
from planloom.settings import GLOBAL, OFF

#: Converse needs the permission to invoke; nothing is streamed.
INVOKE = ["bedrock:InvokeModel"]

OPERATOR_FILLS = (
    "Keys of model providers, filled in by the operator: a JSON object with OPENROUTER_API_KEY, OPENAI_BASE_URL, "
    "OPENAI_API_KEY, PLANLOOM_MODEL, all of them optional"
)


class ModelAccess(Construct):
    """The operator's secret and the grants; neither is needed on a laptop, where keys are in the environment."""

    def __init__(self, scope: Construct, name: str, settings: StackSettings) -> None:
        super().__init__(scope, name)
        self._geography = settings.bedrock
        self.secret = secrets.Secret(
            self,
            "Keys",
            description=OPERATOR_FILLS,
            # the template has no value, so that later deployments do not change the operator's keys
            secret_string_value=cdk.SecretValue.unsafe_plain_text("{}"),
            removal_policy=settings.removal,
        )
        acknowledge(self.secret, "AwsSolutions-SMG4", "The keys are other providers': the operator rotates them there")

    @property
    def variables(self) -> dict[str, str]:
        """The variables of Lambdas that call or list models."""
        return {"PLANLOOM_MODEL_SECRET": self.secret.secret_arn, "PLANLOOM_BEDROCK": self._geography}

    def grant_list(self, function: PythonFunction) -> None:
        """Let *function* list the configured models."""
        self.secret.grant_read(function)

    def grant_ask(self, function: PythonFunction) -> None:
        """Let *function* call the models."""
        self.grant_list(function)
        if self._geography == OFF:
            return
        models = sorted({e.model for p in all_profiles().values() for e in p.models if e.provider == "bedrock"})
        profiles = [self._inference_profile(f"{self._geography}.{model}") for model in models]
        routed = [self._foundation_model(model) for model in models]
        if self._geography == GLOBAL:
            routed += [f"arn:{cdk.Aws.PARTITION}:bedrock:::foundation-model/{model}" for model in models]
        iam.Grant.add_to_principal(grantee=function, actions=INVOKE, resource_arns=[*profiles, *routed])
        assert function.role is not None
        if self._geography != GLOBAL:
            for model in models:
                finding = f"Resource::arn:<AWS::Partition>:bedrock:*::foundation-model/{model}"
                acknowledge(function.role, f"AwsSolutions-IAM5[{finding}]", "One model, in any region of its geography")

    def _inference_profile(self, name: str) -> str:
        return cdk.Stack.of(self).format_arn(service="bedrock", resource="inference-profile", resource_name=name)

    def _foundation_model(self, model: str) -> str:
        """Return the ARNs of the model: in the region of its inference profile, and in the regions that this uses."""
        region = cdk.Aws.REGION if self._geography == GLOBAL else "*"
        return f"arn:{cdk.Aws.PARTITION}:bedrock:{region}::foundation-model/{model}"
