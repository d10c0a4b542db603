"""What the official suite finds in the endpoint that serves planloom's tools, with the suite's own toolset behind it.

What fails is named with its reason: an endpoint on Lambda answers each request by itself, whole and in one piece.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e import npm

SUITE_WITHIN = 120.0

#: Checks of 0.1.16 that no endpoint without sessions and streams can pass.
OUT_OF_REACH_2025 = {
    "tools-call-with-logging": "log lines come before the answer, in a stream",
    "tools-call-with-progress": "progress comes before the answer, in a stream",
    "tools-call-sampling": "the server asks the client back, in a session",
    "tools-call-elicitation": "the server asks the client back, in a session",
    "elicitation-sep1034-general": "the server asks the client back, in a session",
    "elicitation-sep1330-general": "the server asks the client back, in a session",
}
OUT_OF_REACH_2026 = {"tools-call-with-progress": "progress comes before the answer, in a stream"}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """The fixture's endpoint on the loopback interface."""
    command = [sys.executable, "-m", "tests.e2e.conformance.fixture_server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/mcp"
        finally:
            process.kill()


@pytest.fixture(scope="module")
def packages() -> Path:
    """The suite in both versions."""
    return npm.install(Path(__file__).parent)


def statuses(packages: Path, version: str, url: str, results: Path, *options: str) -> list[tuple[str, str, str]]:
    """Run the suite; return scenario, check and status of every check that it made."""
    program = packages / "node_modules" / version / "dist" / "index.js"
    ended = subprocess.run(
        [npm.NODE, program, "server", "--url", url, "--output-dir", results, *options],
        capture_output=True,
        text=True,
        timeout=SUITE_WITHIN,
        check=False,
    )
    found = [
        (path.parent.name, check["id"], check["status"])
        for path in sorted(results.glob("*/checks.json"))
        for check in json.loads(path.read_text())
    ]
    assert found, ended.stderr
    return found


def test_with_2025_11_25_28_of_34_checks_pass_and_the_others_need_a_session(
    packages: Path, url: str, tmp_path: Path
) -> None:
    found = statuses(packages, "conformance-2025", url, tmp_path, "--suite", "all")

    passed = [check for _, check, status in found if status == "SUCCESS"]
    failed = {check for _, check, status in found if status == "FAILURE"}
    assert failed == set(OUT_OF_REACH_2025)
    assert len(passed) >= 28


def test_with_2026_07_28_all_checks_but_one_pass(packages: Path, url: str, tmp_path: Path) -> None:
    found = statuses(packages, "conformance-2026", url, tmp_path, "--requirements", "2026-07-28")

    scored = [(check, status) for scenario, check, status in found if not scenario.startswith("server-tasks-")]
    passed = [check for check, status in scored if status == "SUCCESS"]
    failed = {check for check, status in scored if status == "FAILURE"}
    assert failed == set(OUT_OF_REACH_2026)
    assert len(passed) >= 146
