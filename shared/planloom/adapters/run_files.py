"""The truth of runs in the bucket: ``runs/<id>/``, one object for each step that ended, written once."""

import hashlib
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from botocore.exceptions import ClientError

from planloom.runs.records import Run, RunWork, StepRecord, Unit

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

#: S3 answers so where the key is taken, and where two writers met.
TAKEN = frozenset({"PreconditionFailed", "ConditionalRequestConflict"})
#: Records that are read at once.
READERS = 32
#: Objects that one request deletes at most.
DELETED = 1_000
#: Seconds that a link is valid.
LINK_VALID = 900


class S3RunFiles:
    """Keeps planloom.runs.ports.RunFiles on S3."""

    def __init__(self, client: "S3Client", bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def put_run(self, run: Run) -> None:
        self._put(f"{_root(run.run_id)}run.json", run.model_dump_json())

    def put_work(self, run_id: str, key: str, work: RunWork) -> None:
        self._put(f"{_root(run_id)}work/{key}.json", work.model_dump_json())

    def work(self, run_id: str, key: str) -> RunWork:
        return RunWork.model_validate_json(self._read(f"{_root(run_id)}work/{key}.json"))

    def commit(self, run_id: str, record: StepRecord) -> bool:
        key = _record(run_id, record.unit, record.number, record.attempt)
        try:
            self._put(key, record.model_dump_json(), IfNoneMatch="*")
        except ClientError as error:
            if error.response["Error"]["Code"] in TAKEN:
                return False
            raise
        return True

    def record(self, run_id: str, unit: Unit, number: int, attempt: int) -> StepRecord | None:
        try:
            return StepRecord.model_validate_json(self._read(_record(run_id, unit, number, attempt)))
        except FileNotFoundError:
            return None

    def records(self, run_id: str, step: str | None = None, *, parts: bool = True) -> list[StepRecord]:
        steps = f"{_root(run_id)}steps/"
        found = list(self._keys(steps + (f"{quote(step, safe='')}/" if step is not None else "")))
        if not parts:
            found = [key for key in found if key.removeprefix(steps).count("/") == 1]
        if not found:
            return []
        with ThreadPoolExecutor(min(READERS, len(found))) as pool:
            return [StepRecord.model_validate_json(text) for text in pool.map(self._read, found)]

    def put_value(self, run_id: str, text: str) -> str:
        content = text.encode()
        key = hashlib.sha256(content).hexdigest()
        self._put(_value(run_id, key), content)
        return key

    def value(self, run_id: str, key: str) -> str:
        return self._read(_value(run_id, key)).decode()

    def value_link(self, run_id: str, key: str) -> str:
        given = {"Bucket": self._bucket, "Key": _value(run_id, key)}
        return self._client.generate_presigned_url("get_object", Params=given, ExpiresIn=LINK_VALID)

    def delete(self, run_id: str) -> None:
        left = list(self._keys(_root(run_id)))
        while left:
            batch, left = left[:DELETED], left[DELETED:]
            objects: Any = {"Objects": [{"Key": key} for key in batch], "Quiet": True}
            # delete_objects answers 200 even when some were refused
            if refused := self._client.delete_objects(Bucket=self._bucket, Delete=objects).get("Errors"):
                raise ConnectionError(f"{len(refused)} objects were not deleted: {refused[0].get('Code')}")

    def _put(self, key: str, content: str | bytes, **conditions: Any) -> None:
        self._client.put_object(
            Bucket=self._bucket,
            Key=key,
            Body=content.encode() if isinstance(content, str) else content,
            ContentType="application/json",
            **conditions,
        )

    def _read(self, key: str) -> bytes:
        try:
            return self._client.get_object(Bucket=self._bucket, Key=key)["Body"].read()
        except self._client.exceptions.NoSuchKey as error:
            raise FileNotFoundError(key) from error

    def _keys(self, prefix: str) -> Iterator[str]:
        found: Iterable[Any] = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=prefix
        )
        return (each["Key"] for page in found for each in page.get("Contents", []))


def _root(run_id: str) -> str:
    return f"runs/{run_id}/"


def _value(run_id: str, key: str) -> str:
    return f"{_root(run_id)}values/{key}.json"


def _record(run_id: str, unit: Unit, number: int, attempt: int) -> str:
    part = f"{unit.part}/" if unit.part else ""
    return f"{_root(run_id)}steps/{quote(unit.step, safe='')}/{part}{number:06}-{attempt:03}.json"
