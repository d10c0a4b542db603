"""How the viewer is handed out: by CloudFront in AWS, by the gateway on a laptop, under the same rules."""

from typing import Any

import pytest

from functions.viewer import headers
from tests.infra.conftest import Template, of_type


@pytest.fixture
def distribution(aws: Template) -> dict[str, Any]:
    (found,) = of_type(aws, "AWS::CloudFront::Distribution").values()
    return dict(found["Properties"]["DistributionConfig"])


def test_only_cloudfront_reads_the_viewers_bucket_and_nobody_reaches_it_in_public(aws: Template) -> None:
    (name,) = [name for name in of_type(aws, "AWS::S3::Bucket") if name.startswith("Viewer")]
    bucket = aws["Resources"][name]["Properties"]
    (policy,) = [
        found["Properties"]["PolicyDocument"]["Statement"]
        for found in of_type(aws, "AWS::S3::BucketPolicy").values()
        if found["Properties"]["Bucket"] == {"Ref": name}
    ]
    allowed = [statement for statement in policy if statement["Effect"] == "Allow"]

    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert [(s["Principal"], s["Action"]) for s in allowed] == [
        ({"Service": "cloudfront.amazonaws.com"}, "s3:GetObject")
    ]
    assert "AWS:SourceArn" in allowed[0]["Condition"]["StringEquals"]


def test_the_page_and_the_api_are_one_origin_over_https(distribution: dict[str, Any]) -> None:
    behaviours = {found["PathPattern"]: found for found in distribution["CacheBehaviors"]}
    origins = {found["Id"]: found for found in distribution["Origins"]}

    assert set(behaviours) == {"/v1/*", "/mcp", "/mcp/*"}
    for found in behaviours.values():
        assert found["ViewerProtocolPolicy"] == "https-only"
        assert "POST" in found["AllowedMethods"]
        assert "OriginPath" in origins[found["TargetOriginId"]]
    files = origins[distribution["DefaultCacheBehavior"]["TargetOriginId"]]
    assert files["OriginAccessControlId"]
    assert distribution["DefaultCacheBehavior"]["ViewerProtocolPolicy"] == "redirect-to-https"


def test_cloudfront_sends_the_policy_of_a_laptop_and_allows_uploads_to_the_bucket(aws: Template) -> None:
    (bucket,) = [name for name in of_type(aws, "AWS::S3::Bucket") if name.startswith("Storage")]
    (policy,) = of_type(aws, "AWS::CloudFront::ResponseHeadersPolicy").values()
    security = policy["Properties"]["ResponseHeadersPolicyConfig"]["SecurityHeadersConfig"]

    parts = security["ContentSecurityPolicy"]["ContentSecurityPolicy"]["Fn::Join"][1]
    names = ["DomainName", "RegionalDomainName"]
    written = headers.content_security_policy(*(f"https://{name}" for name in names))
    assert [part for part in parts if not isinstance(part, str)] == [{"Fn::GetAtt": [bucket, name]} for name in names]
    assert "".join(part if isinstance(part, str) else part["Fn::GetAtt"][1] for part in parts) == written
    assert security["ContentSecurityPolicy"]["Override"]
    assert security["ContentTypeOptions"] == {"Override": True}
    assert security["ReferrerPolicy"] == {"ReferrerPolicy": headers.REFERRER_POLICY, "Override": True}


def test_hashed_files_are_kept_for_a_year_and_the_page_is_asked_for_each_time(aws: Template) -> None:
    uploads = [found["Properties"] for found in of_type(aws, "Custom::CDKBucketDeployment").values()]
    kept = {upload["SystemMetadata"]["cache-control"]: (upload.get("Include"), upload["Exclude"]) for upload in uploads}

    assert kept == {headers.IMMUTABLE: (["assets/*"], ["*"]), headers.ASK_AGAIN: (None, ["assets/*"])}
    assert {upload["Prune"] for upload in uploads} == {False}
    assert {upload["DestinationBucketKeyPrefix"] for upload in uploads} == {"app"}
