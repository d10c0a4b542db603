"""The promises of FileStore, kept alike by the fake and by S3."""

from urllib.parse import parse_qs, urlparse
from uuid import uuid4

import boto3
import pytest
from botocore.config import Config

from planloom.adapters.s3_files import S3FileStore
from planloom.core.artifacts import sha256_of
from planloom.core.file_store import FileStore
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
        "made_sha256": None,
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


def test_of_two_who_replace_the_same_content_one_succeeds(files: FileStore) -> None:
    files.write("p", "a.json", b"one", "application/json")
    content, tag = files.read_tagged("p", "a.json") or (b"", "")
    assert content == b"one"
    assert files.replace("p", "a.json", b"two", "application/json", tag)
    assert not files.replace("p", "a.json", b"three", "application/json", tag)
    assert files.read("p", "a.json") == b"two"


def test_of_two_who_write_what_is_not_there_yet_one_succeeds(files: FileStore) -> None:
    assert files.read_tagged("p", "a.json") is None
    assert files.replace("p", "a.json", b"one", "application/json", None)
    assert not files.replace("p", "a.json", b"two", "application/json", None)
    assert files.read("p", "a.json") == b"one"


def test_what_was_deleted_since_is_not_replaced(files: FileStore) -> None:
    files.write("p", "a.json", b"one", "application/json")
    _, tag = files.read_tagged("p", "a.json") or (b"", "")
    files.delete("p", ["a.json"])
    assert not files.replace("p", "a.json", b"two", "application/json", tag)
    assert files.read("p", "a.json") is None


def test_a_file_is_copied_to_another_plan_with_its_hash(files: FileStore) -> None:
    files.write("p", "a.md", b"one", "text/markdown")
    assert files.copy("p", "a.md", "q")
    assert not files.copy("p", "b.md", "q")
    files.write("p", "a.md", b"two", "text/markdown")
    assert (files.read("q", "a.md"), files.sha256("q", "a.md")) == (b"one", sha256_of(b"one"))
    assert files.paths("q") == ["a.md"]


def test_what_was_deleted_is_gone_and_its_versions_stay_readable(files: FileStore) -> None:
    files.write("p", "a.md", b"one", "text/markdown")
    files.write("p", "a.md.bak", b"another file", "text/markdown")
    files.write("p", "a.md", b"two", "text/markdown")
    newest = files.versions("p", "a.md", 10)
    assert [(each.sha256, each.size, each.current) for each in newest] == [
        (sha256_of(b"two"), 3, True),
        (sha256_of(b"one"), 3, False),
    ]
    assert [each.version for each in files.versions("p", "a.md", 1)] == [newest[0].version]
    files.delete("p", ["a.md", "never-there.md"])
    assert files.paths("p") == ["a.md.bak"]
    assert [each.current for each in files.versions("p", "a.md", 10)] == [False, False]
    assert files.read_version("p", "a.md", newest[1].version) == b"one"
    assert files.read_version("p", "a.md", "no-such-version") is None
    assert files.versions("p", "b.md", 10) == []


def test_all_plans_that_have_a_file_are_named_once(files: FileStore) -> None:
    assert files.plans() == []
    for plan_id, path in [("p", "a.md"), ("p", "steps/001.json"), ("q", "plan.json")]:
        files.write(plan_id, path, b"x", "text/plain")
    assert sorted(files.plans()) == ["p", "q"]
