"""Earlier versions of the files of a plan in the versioned bucket."""

import base64
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from planloom.core.artifacts import FileVersion

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import ObjectVersionTypeDef

#: S3 lists a thousand keys a page; versions of one key come newest first.
PAGE = 1000
#: The error codes of S3 for a version that does not exist, or an id that is not a version id.
ABSENT = frozenset({"NoSuchVersion", "NoSuchKey", "InvalidArgument", "404"})


def versions_of(client: "S3Client", bucket: str, key: str, limit: int) -> list[FileVersion]:
    """Return at most *limit* versions of *key*, newest first, each with its hash."""
    page = client.list_object_versions(Bucket=bucket, Prefix=key, MaxKeys=PAGE)
    found = [version for version in page.get("Versions", []) if version["Key"] == key]
    newest = sorted(found, key=lambda version: (version["IsLatest"], version["LastModified"]), reverse=True)
    return [_version(client, bucket, version) for version in newest[:limit]]


def read_version(client: "S3Client", bucket: str, key: str, version: str) -> bytes | None:
    """Return the content of *key* in *version*, or None."""
    try:
        return client.get_object(Bucket=bucket, Key=key, VersionId=version)["Body"].read()
    except ClientError as error:
        if error.response["Error"]["Code"] in ABSENT:
            return None
        raise


def _version(client: "S3Client", bucket: str, found: "ObjectVersionTypeDef") -> FileVersion:
    head = client.head_object(Bucket=bucket, Key=found["Key"], VersionId=found["VersionId"], ChecksumMode="ENABLED")
    checksum = head.get("ChecksumSHA256")
    return FileVersion(
        version=found["VersionId"],
        size=found["Size"],
        sha256=base64.b64decode(checksum).hex() if checksum else None,
        updated_at=found["LastModified"],
        current=found["IsLatest"],
    )
