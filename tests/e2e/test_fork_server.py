"""Workers of the fork server: their streams, folder and environment are their own, and they end as processes do."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from planloom_cli.embedded import fork_server
from tests.e2e.conftest import until

#: Has a handler that imports a module, of which a worker says whether it was there at its start.
HANDLER = "import colorsys\n"
WORKER = """
import json, os, sys
print(json.dumps({
    "imported": "colorsys" in sys.modules,
    "environment": dict(os.environ),
    "folder": os.getcwd(),
    "parent": os.getppid(),
    "pid": os.getpid(),
    "line": sys.stdin.readline(),
}), flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    folder = tmp_path / "server"
    folder.mkdir()
    command = [sys.executable, "-P", fork_server.__file__, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:
        until(lambda: (folder / fork_server.SOCKET).exists(), "the server's socket")
        yield process


def start(tmp_path: Path, name: str, pointer: str | None = "") -> "subprocess.Popen[str]":
    """Start the worker *name* of a function whose code has *pointer* in its first file; None: the file is there."""
    code = tmp_path / name
    (code / "functions" / "api").mkdir(parents=True)
    if pointer is not None:
        (code / "functions" / "__init__.py").write_text(pointer)
    (code / "functions" / "api" / "handler.py").write_text(HANDLER)
    (tmp_path / f"{name}.py").write_text(WORKER)
    return subprocess.Popen(
        [fork_server.write_starter(tmp_path / "server"), str(tmp_path / f"{name}.py")],
        cwd=code,
        env={"NAME": name, "PATH": os.environ["PATH"]},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def said(process: "subprocess.Popen[str]", line: str) -> dict[str, object]:
    assert process.stdin
    assert process.stdout
    process.stdin.write(f"{line}\n")
    process.stdin.flush()
    return dict(json.loads(process.stdout.readline()))


def test_workers_are_forks_with_an_environment_a_folder_and_streams_of_their_own(
    tmp_path: Path, server: "subprocess.Popen[bytes]"
) -> None:
    with start(tmp_path, "first") as first, start(tmp_path, "second") as second:
        found = {name: said(process, name) for name, process in (("second", second), ("first", first))}

    for name, each in found.items():
        assert (each["imported"], each["line"], each["parent"]) == (True, f"{name}\n", server.pid)
        assert each["folder"] == str(tmp_path / name)
        assert dict(each["environment"])["NAME"] == name  # type: ignore[call-overload]
        assert set(each["environment"]) <= {"NAME", "PATH", "LC_CTYPE", "PWD"}  # type: ignore[call-overload]
    # their input ended, and with it they
    assert (first.returncode, second.returncode) == (0, 0)


@pytest.mark.usefixtures("server")
def test_a_worker_of_other_code_starts_without_what_was_imported(tmp_path: Path) -> None:
    with start(tmp_path, "first") as first:
        assert said(first, "")["imported"]
        with start(tmp_path, "second", "other = True") as second:
            found = said(second, "")

    assert (found["imported"], found["pid"]) == (False, second.pid)


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("killed", ["pid", "starter"])
def test_a_worker_and_what_started_it_end_together(tmp_path: Path, killed: str) -> None:
    with start(tmp_path, "worker") as starter:
        worker = int(str(said(starter, "")["pid"]))
        os.kill(worker if killed == "pid" else starter.pid, signal.SIGKILL)

        starter.wait(60)
        until(lambda: not Path(f"/proc/{worker}").exists(), "the end of the worker")


def test_the_server_serves_on_after_a_worker_and_its_starter_ended_at_the_same_moment(
    tmp_path: Path, server: "subprocess.Popen[bytes]"
) -> None:
    with start(tmp_path, "both") as both:
        worker = int(str(said(both, "")["pid"]))
        pointer = tmp_path / "next" / "functions" / "__init__.py"
        pointer.parent.mkdir(parents=True)
        os.mkfifo(pointer)
        with start(tmp_path, "next", pointer=None) as process:
            # while the server reads the pointer it sees no end; then it sees both at once
            with pointer.open("w"):
                os.kill(worker, signal.SIGKILL)
                until(lambda: " Z " in Path(f"/proc/{worker}/stat").read_text(), "the end of the worker")
                both.kill()
                both.wait(60)
            assert said(process, "")["parent"] == server.pid


def test_without_a_server_a_worker_starts_by_itself(tmp_path: Path, server: "subprocess.Popen[bytes]") -> None:
    server.communicate()
    with start(tmp_path, "alone") as process:
        found = said(process, "")

    assert (found["imported"], found["pid"]) == (False, process.pid)
