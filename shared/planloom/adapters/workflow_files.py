"""Content of artifacts of workflows: sent and read by links that S3 signs, hashed and kept here."""

import hashlib
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from planloom.adapters.dynamodb_workflows import root_of

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

#: Seconds that a link is valid.
VALID = 900
CHUNK = 1_048_576
#: How often content is hashed again that was replaced meanwhile.
ATTEMPTS = 3


class S3Uploads:
    """Keeps planloom.planes.workflows.ports.Uploads on S3: what is sent is copied to a key that is its hash."""

    def __init__(self, client: "S3Client", bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def link(self, run_id: str, upload_id: str, kind: str, size: int) -> str:
        given = {
            "Bucket": self._bucket,
            "Key": _sent(run_id, upload_id),
            "ContentType": kind,
            # signed: S3 refuses content of another length
            "ContentLength": size,
        }
        return self._client.generate_presigned_url("put_object", Params=given, ExpiresIn=VALID)

    def keep(self, run_id: str, upload_id: str) -> tuple[str, int] | None:
        sent = _sent(run_id, upload_id)
        for _ in range(ATTEMPTS):
            try:
                found = self._client.get_object(Bucket=self._bucket, Key=sent)
            except self._client.exceptions.NoSuchKey:
                return None
            digest, size = hashlib.sha256(), 0
            for chunk in found["Body"].iter_chunks(CHUNK):
                digest.update(chunk)
                size += len(chunk)
            key = _kept(run_id, digest.hexdigest())
            try:
                # only what was hashed: the link accepts other content until it expires
                self._client.copy_object(
                    Bucket=self._bucket,
                    Key=key,
                    CopySource={"Bucket": self._bucket, "Key": sent},
                    CopySourceIfMatch=found["ETag"],
                )
            except ClientError as error:
                if error.response["Error"]["Code"] != "PreconditionFailed":
                    raise
                continue
            return digest.hexdigest(), size
        return None

    def export(self, run_id: str, content: bytes) -> str:
        key = f"{root_of(run_id)}export.json"
        self._client.put_object(Bucket=self._bucket, Key=key, Body=content, ContentType="application/json")
        given = {"Bucket": self._bucket, "Key": key}
        return self._client.generate_presigned_url("get_object", Params=given, ExpiresIn=VALID)

    def read_link(self, run_id: str, sha256: str, name: str) -> str:
        plain = "".join(char if char.isalnum() and char.isascii() else "-" for char in name)[:100].strip("-")
        given = {
            "Bucket": self._bucket,
            "Key": _kept(run_id, sha256),
            # what an executor sent must not run in a browser as a page of ours
            "ResponseContentDisposition": f'attachment; filename="{plain or sha256}"',
            "ResponseContentType": "application/octet-stream",
        }
        return self._client.generate_presigned_url("get_object", Params=given, ExpiresIn=VALID)


def _sent(run_id: str, upload_id: str) -> str:
    # ids come from pointers that callers write
    name = "".join(char for char in upload_id[:100] if char.isalnum() or char == "-")
    return f"{root_of(run_id)}uploads/{name}"


def _kept(run_id: str, sha256: str) -> str:
    return f"{root_of(run_id)}artifacts/{sha256}"
