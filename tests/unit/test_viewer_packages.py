"""What the viewer is made of is pinned, checked by its hash, and names no registry."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

VIEWER = Path(__file__).parents[2] / "viewer"


@pytest.fixture
def locked() -> dict[str, Any]:
    packages = json.loads((VIEWER / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    return {name: found for name, found in packages.items() if name}


def test_every_package_is_locked_by_its_hash_and_without_an_address(locked: dict[str, Any]) -> None:
    assert locked
    assert [name for name, found in locked.items() if "integrity" not in found or "version" not in found] == []
    assert [name for name, found in locked.items() if "resolved" in found] == []


def test_what_is_asked_for_is_an_exact_version() -> None:
    asked = json.loads((VIEWER / "package.json").read_text(encoding="utf-8"))
    versions = {**asked["dependencies"], **asked["devDependencies"]}

    assert {name: version for name, version in versions.items() if not re.fullmatch(r"\d+\.\d+\.\d+", version)} == {}


def test_readers_get_the_drawing_library_its_framework_and_what_reads_markdown_and_nothing_else() -> None:
    asked = json.loads((VIEWER / "package.json").read_text(encoding="utf-8"))

    assert set(asked["dependencies"]) == {"react", "react-dom", "@xyflow/react", "marked"}


def test_nothing_of_the_viewer_is_written_into_the_page_as_markup() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (VIEWER / "src").rglob("*.ts*"))

    assert not re.search(
        r"dangerouslySetInnerHTML|\.innerHTML|\.outerHTML|document\.write|eval\(|new Function", sources
    )
