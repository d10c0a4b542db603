"""Revisions and comments of implementation plans in the bucket: written once, never replaced."""

from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from planloom.planes.implementation.records import Comment, RevisionDocument

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

#: The error codes of S3 if the key exists, and if two writers wrote it at the same time.
_TAKEN = frozenset({"PreconditionFailed", "ConditionalRequestConflict"})


class ImplementationFiles:
    """The source of truth of the registry, under ``implementation-plans/<plan_id>/``."""

    def __init__(self, client: "S3Client", bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def put_revision(self, document: RevisionDocument) -> bool:
        """Store *document*; return False and change nothing if that revision exists."""
        return self._put(_revision(document.plan_id, document.revision.number), document.model_dump_json())

    def revision(self, plan_id: str, number: int) -> RevisionDocument | None:
        """Return one revision, or None."""
        found = self._read(_revision(plan_id, number))
        return RevisionDocument.model_validate_json(found) if found else None

    def numbers(self, plan_id: str) -> list[int]:
        """Return the numbers of all revisions, in order."""
        return [int(key.rsplit("/", 1)[-1].removesuffix(".json")) for key in self._keys(f"{_root(plan_id)}revisions/")]

    def put_comment(self, plan_id: str, comment: Comment) -> None:
        """Store *comment*."""
        self._put(f"{_root(plan_id)}comments/{comment.comment_id}.json", comment.model_dump_json())

    def comments(self, plan_id: str) -> list[Comment]:
        """Return all comments."""
        texts = [self._read(key) for key in self._keys(f"{_root(plan_id)}comments/")]
        return [Comment.model_validate_json(text) for text in texts if text]

    def _put(self, key: str, text: str) -> bool:
        try:
            self._client.put_object(
                Bucket=self._bucket,
                Key=key,
                Body=text.encode(),
                ContentType="application/json",
                ChecksumAlgorithm="SHA256",
                IfNoneMatch="*",
            )
        except ClientError as error:
            if error.response["Error"]["Code"] in _TAKEN:
                return False
            raise
        return True

    def _read(self, key: str) -> bytes | None:
        try:
            return self._client.get_object(Bucket=self._bucket, Key=key)["Body"].read()
        except self._client.exceptions.NoSuchKey:
            return None

    def _keys(self, prefix: str) -> list[str]:
        pages = self._client.get_paginator("list_objects_v2").paginate(Bucket=self._bucket, Prefix=prefix)
        return sorted(found["Key"] for page in pages for found in page.get("Contents", []))


def _root(plan_id: str) -> str:
    return f"implementation-plans/{plan_id}/"


def _revision(plan_id: str, number: int) -> str:
    return f"{_root(plan_id)}revisions/{number:06}.json"
