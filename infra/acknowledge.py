"""Suppresses a finding of cdk-nag on one construct, with its reason."""

import aws_cdk as cdk
from constructs import IConstruct


def acknowledge(construct: IConstruct, finding: str, reason: str) -> None:
    """Accept *finding* (``AwsSolutions-IAM5[Resource::*]``) on *construct* and below it."""
    cdk.Validations.of(construct).acknowledge(cdk.Acknowledgment(id=finding, reason=reason))
