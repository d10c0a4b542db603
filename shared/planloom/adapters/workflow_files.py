"""Content of artifacts of workflows: sent and read by links that S3 signs, hashed here."""

import hashlib
from typing import TYPE_CHECKING

from planloom.adapters.dynamodb_workflows import root_of

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

#: Seconds that a link is valid, and the largest content that is hashed.
VALID, MOST_BYTES = 900, 50_000_000
CHUNK = 1_048_576


class S3Uploads:
    """Keeps planloom.planes.workflows.ports.Uploads on S3."""

    def __init__(self, client: "S3Client", bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def link(self, run_id: str, upload_id: str, kind: str) -> str:
        given = {"Bucket": self._bucket, "Key": _upload(run_id, upload_id), "ContentType": kind}
        return self._client.generate_presigned_url("put_object", Params=given, ExpiresIn=VALID)

    def hashed(self, run_id: str, upload_id: str) -> tuple[str, int] | None:
        try:
            found = self._client.get_object(Bucket=self._bucket, Key=_upload(run_id, upload_id))
        except self._client.exceptions.NoSuchKey:
            return None
        if found["ContentLength"] > MOST_BYTES:
            return None
        digest = hashlib.sha256()
        for chunk in found["Body"].iter_chunks(CHUNK):
            digest.update(chunk)
        return digest.hexdigest(), found["ContentLength"]

    def read_link(self, run_id: str, upload_id: str) -> str:
        given = {
            "Bucket": self._bucket,
            "Key": _upload(run_id, upload_id),
            # what an executor sent must not run in a browser as a page of ours
            "ResponseContentDisposition": "attachment",
            "ResponseContentType": "application/octet-stream",
        }
        return self._client.generate_presigned_url("get_object", Params=given, ExpiresIn=VALID)


def _upload(run_id: str, upload_id: str) -> str:
    # ids come from pointers that callers write
    name = "".join(char for char in upload_id[:100] if char.isalnum() or char == "-")
    return f"{root_of(run_id)}uploads/{name}"
