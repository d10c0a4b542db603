"""The files of plans in a versioned bucket, each with its SHA-256."""

import base64
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from planloom.adapters import s3_versions
from planloom.core.artifacts import Artifact, FileVersion, sha256_of

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import HeadObjectOutputTypeDef

#: The content was changed or deleted, or another writer is writing it at this moment.
OVERTAKEN = frozenset({404, 409, 412})
#: The most keys that S3 deletes in one request.
KEYS_A_DELETE = 1000


class S3FileStore:
    """Implements planloom.core.file_store.FileStore on S3, under ``<root>/<plan_id>/``."""

    def __init__(self, client: "S3Client", bucket: str, root: str = "plans") -> None:
        self._client = client
        self._bucket = bucket
        self._root = root

    def write(self, plan_id: str, path: str, content: bytes, content_type: str) -> None:
        self._client.put_object(
            Bucket=self._bucket,
            Key=self._key(plan_id, path),
            Body=content,
            ContentType=content_type,
            ChecksumAlgorithm="SHA256",
        )

    def read(self, plan_id: str, path: str) -> bytes | None:
        try:
            return self._client.get_object(Bucket=self._bucket, Key=self._key(plan_id, path))["Body"].read()
        except self._client.exceptions.NoSuchKey:
            return None

    def read_part(self, plan_id: str, path: str, start: int, length: int) -> bytes | None:
        wanted = f"bytes={start}-{start + length - 1}"
        try:
            found = self._client.get_object(Bucket=self._bucket, Key=self._key(plan_id, path), Range=wanted)
        except self._client.exceptions.NoSuchKey:
            return None
        except ClientError as error:
            if error.response["Error"]["Code"] == "InvalidRange":
                return b""
            raise
        return found["Body"].read()

    def describe(self, plan_id: str, path: str) -> Artifact | None:
        head = self._head(plan_id, path)
        if head is None:
            return None
        return Artifact(
            path=path,
            size=head["ContentLength"],
            sha256=_hex(head.get("ChecksumSHA256")) or sha256_of(self.read(plan_id, path) or b""),
            content_type=head["ContentType"],
            updated_at=head["LastModified"],
        )

    def remove_all(self, plan_id: str) -> None:
        pages = self._client.get_paginator("list_object_versions").paginate(
            Bucket=self._bucket, Prefix=self._key(plan_id, "")
        )
        for page in pages:
            # a page has at most a thousand keys, the most that one call deletes
            kept = [*page.get("Versions", []), *page.get("DeleteMarkers", [])]
            named: list[Any] = [{"Key": each["Key"], "VersionId": each["VersionId"]} for each in kept]
            if named:
                self._remove(named)

    def read_tagged(self, plan_id: str, path: str) -> tuple[bytes, str] | None:
        try:
            found = self._client.get_object(Bucket=self._bucket, Key=self._key(plan_id, path))
        except self._client.exceptions.NoSuchKey:
            return None
        return found["Body"].read(), found["ETag"]

    def replace(self, plan_id: str, path: str, content: bytes, content_type: str, tag: str | None) -> bool:
        try:
            self._client.put_object(
                Bucket=self._bucket,
                Key=self._key(plan_id, path),
                Body=content,
                ContentType=content_type,
                ChecksumAlgorithm="SHA256",
                **({"IfNoneMatch": "*"} if tag is None else {"IfMatch": tag}),  # type: ignore[arg-type]
            )
        except ClientError as error:
            if error.response["ResponseMetadata"]["HTTPStatusCode"] in OVERTAKEN:
                return False
            raise
        return True

    def copy(self, plan_id: str, path: str, to_plan_id: str) -> bool:
        source = {"Bucket": self._bucket, "Key": self._key(plan_id, path)}
        try:
            self._client.copy_object(
                Bucket=self._bucket,
                Key=self._key(to_plan_id, path),
                CopySource=source,  # type: ignore[arg-type]
                ChecksumAlgorithm="SHA256",
            )
        except ClientError as error:
            if error.response["ResponseMetadata"]["HTTPStatusCode"] == 404:
                return False
            raise
        return True

    def delete(self, plan_id: str, paths: Iterable[str]) -> None:
        named: list[Any] = [{"Key": self._key(plan_id, path)} for path in paths]
        for start in range(0, len(named), KEYS_A_DELETE):
            self._remove(named[start : start + KEYS_A_DELETE])

    def plans(self) -> list[str]:
        root = f"{self._root}/"
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=root, Delimiter="/")
        found = (each["Prefix"] for page in pages for each in page.get("CommonPrefixes", []))
        return [prefix.removeprefix(root).rstrip("/") for prefix in found]

    def versions(self, plan_id: str, path: str, limit: int) -> list[FileVersion]:
        return s3_versions.versions_of(self._client, self._bucket, self._key(plan_id, path), limit)

    def read_version(self, plan_id: str, path: str, version: str) -> bytes | None:
        return s3_versions.read_version(self._client, self._bucket, self._key(plan_id, path), version)

    def paths(self, plan_id: str, prefix: str = "") -> list[str]:
        root = self._key(plan_id, "")
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=root + prefix)
        return sorted(found["Key"].removeprefix(root) for page in pages for found in page.get("Contents", []))

    def sha256(self, plan_id: str, path: str) -> str | None:
        head = self._head(plan_id, path)
        return _hex(head.get("ChecksumSHA256")) if head else None

    def link(self, plan_id: str, path: str, filename: str, seconds: int) -> str:
        return self._client.generate_presigned_url(
            "get_object",
            Params={
                "Bucket": self._bucket,
                "Key": self._key(plan_id, path),
                "ResponseContentDisposition": f'attachment; filename="{filename}"',
            },
            ExpiresIn=seconds,
        )

    def _head(self, plan_id: str, path: str) -> "HeadObjectOutputTypeDef | None":
        try:
            return self._client.head_object(Bucket=self._bucket, Key=self._key(plan_id, path), ChecksumMode="ENABLED")
        except ClientError as error:
            # a response to HEAD has no body, and so no error code of S3
            if error.response["ResponseMetadata"]["HTTPStatusCode"] == 404:
                return None
            raise

    def _remove(self, named: list[Any]) -> None:
        answer = self._client.delete_objects(Bucket=self._bucket, Delete={"Objects": named, "Quiet": True})
        # delete_objects answers 200 even when some were not deleted
        if errors := answer.get("Errors"):
            raise ConnectionError(f"S3 did not delete {len(errors)} files: {errors[0].get('Code')}")

    def _key(self, plan_id: str, path: str) -> str:
        return f"{self._root}/{plan_id}/{path}"


def _hex(checksum: str | None) -> str | None:
    return base64.b64decode(checksum).hex() if checksum else None
