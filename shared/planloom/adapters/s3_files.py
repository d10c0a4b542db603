"""The files of plans in a versioned bucket, each with its SHA-256."""

import base64
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client


class S3FileStore:
    """Keeps planloom.ports.FileStore on S3, under ``plans/<plan_id>/``."""

    def __init__(self, client: "S3Client", bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def write(self, plan_id: str, path: str, content: bytes, content_type: str) -> None:
        self._client.put_object(
            Bucket=self._bucket,
            Key=_key(plan_id, path),
            Body=content,
            ContentType=content_type,
            ChecksumAlgorithm="SHA256",
        )

    def read(self, plan_id: str, path: str) -> bytes | None:
        try:
            return self._client.get_object(Bucket=self._bucket, Key=_key(plan_id, path))["Body"].read()
        except self._client.exceptions.NoSuchKey:
            return None

    def paths(self, plan_id: str, prefix: str = "") -> list[str]:
        root = _key(plan_id, "")
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=root + prefix)
        return sorted(found["Key"].removeprefix(root) for page in pages for found in page.get("Contents", []))

    def sha256(self, plan_id: str, path: str) -> str | None:
        try:
            head = self._client.head_object(Bucket=self._bucket, Key=_key(plan_id, path), ChecksumMode="ENABLED")
        except ClientError as error:
            # HEAD has no body, so that its 404 carries no error code of S3
            if error.response["ResponseMetadata"]["HTTPStatusCode"] == 404:
                return None
            raise
        checksum = head.get("ChecksumSHA256")
        return base64.b64decode(checksum).hex() if checksum else None

    def link(self, plan_id: str, path: str, filename: str, seconds: int) -> str:
        return self._client.generate_presigned_url(
            "get_object",
            Params={
                "Bucket": self._bucket,
                "Key": _key(plan_id, path),
                "ResponseContentDisposition": f'attachment; filename="{filename}"',
            },
            ExpiresIn=seconds,
        )


def _key(plan_id: str, path: str) -> str:
    return f"plans/{plan_id}/{path}"
