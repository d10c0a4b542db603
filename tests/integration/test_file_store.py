"""The promises of FileStore, kept alike by the fake and by S3."""

from urllib.parse import parse_qs, urlparse
from uuid import uuid4

import boto3
import pytest
from botocore.config import Config

from planloom.adapters.s3_files import S3FileStore
from planloom.domain.artifacts import sha256_of
from planloom.ports import FileStore
from tests.fakes import FakeFileStore
from tests.integration.conftest import BUCKET


@pytest.fixture(params=["fake", "s3"])
def files(request: pytest.FixtureRequest) -> FileStore:
    if request.param == "fake":
        return FakeFileStore()
    request.getfixturevalue("aws")
    return S3FileStore(boto3.client("s3", config=Config(signature_version="s3v4")), BUCKET)


def test_what_is_written_reads_back(files: FileStore) -> None:
    plan_id = str(uuid4())
    files.write(plan_id, "001-2-plan.txt", "café".encode(), "text/plain")
    assert files.read(plan_id, "001-2-plan.txt") == "café".encode()
    assert files.sha256(plan_id, "001-2-plan.txt") == sha256_of("café".encode())


def test_what_is_not_there_is_none(files: FileStore) -> None:
    assert files.read("p", "001-2-plan.txt") is None
    assert files.sha256("p", "001-2-plan.txt") is None


def test_a_second_write_replaces_the_first(files: FileStore) -> None:
    files.write("p", "a.md", b"one", "text/markdown")
    files.write("p", "a.md", b"two", "text/markdown")
    assert files.read("p", "a.md") == b"two"


def test_paths_are_those_of_the_plan_sorted(files: FileStore) -> None:
    for plan_id, path in [("p", "steps/002.json"), ("p", "steps/001.json"), ("p", "plan.json"), ("q", "steps/9.json")]:
        files.write(plan_id, path, b"{}", "application/json")
    assert files.paths("p", "steps/") == ["steps/001.json", "steps/002.json"]
    assert files.paths("p") == ["plan.json", "steps/001.json", "steps/002.json"]


def test_a_link_is_absolute_and_names_the_file_and_its_life(files: FileStore) -> None:
    link = urlparse(files.link("p", "030-report.html", "p-030-report.html", 3600))
    assert link.scheme == "https"
    assert "030-report.html" in link.path
    assert "3600" in str(parse_qs(link.query))


def test_a_part_is_read_and_behind_the_end_there_is_nothing(files: FileStore) -> None:
    files.write("p", "a.md", b"0123456789", "text/markdown")
    parts = [files.read_part("p", "a.md", start, length) for start, length in [(0, 3), (8, 5), (10, 1), (99, 1)]]
    assert parts == [b"012", b"89", b"", b""]
    assert files.read_part("p", "b.md", 0, 1) is None


def test_a_file_is_described_without_reading_it(files: FileStore) -> None:
    files.write("p", "run.log", b"one line", "text/plain")
    described = files.describe("p", "run.log")
    assert described is not None
    assert described.model_dump(exclude={"updated_at"}) == {
        "path": "run.log",
        "size": 8,
        "sha256": sha256_of(b"one line"),
        "content_type": "text/plain",
        "edited": False,
    }
    assert described.updated_at.tzinfo is not None
    assert files.describe("p", "quality.json") is None


def test_what_is_removed_is_gone_with_its_versions_and_others_stay(files: FileStore) -> None:
    for plan_id, path, content in [
        ("p", "a.md", b"1"),
        ("p", "a.md", b"2"),
        ("p", "steps/1.json", b"3"),
        ("pq", "a.md", b"4"),
    ]:
        files.write(plan_id, path, content, "text/plain")
    files.remove_all("p")
    files.remove_all("p")
    assert (files.paths("p"), files.read("p", "a.md"), files.read("pq", "a.md")) == ([], None, b"4")
    if isinstance(files, S3FileStore):
        left = boto3.client("s3").list_object_versions(Bucket=BUCKET)
        assert [version["Key"] for version in left["Versions"]] == ["plans/pq/a.md"]
        assert "DeleteMarkers" not in left
