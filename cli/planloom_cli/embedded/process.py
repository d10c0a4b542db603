"""Starts the embedded AWS as a child process, waits until it is ready, and stops it with its state saved."""

import http.client
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import boto3

from planloom_cli.embedded.environment import child_environment
from planloom_cli.embedded.errors import NotReady, PortInUse
from planloom_cli.embedded.fork_server import write_starter
from planloom_cli.embedded.ports import HOST, free_port, is_free, listener
from planloom_cli.embedded.session import make_session
from planloom_cli.embedded.start_worker import SOCKET, request_worker
from planloom_cli.embedded.state_folder import StateFolder

#: What stages import on demand if models are configured.
MODEL_CLIENTS = ("planloom.models.bedrock_chat", "planloom.models.openai_chat")
READY_WITHIN = 30.0
STOP_WITHIN = 20.0


class EmbeddedAws:
    """A ministack process with its state folder.

    *port* is the port to listen on, by default the last one used if it is free, else any. *environment* is added to
    the environment of every Lambda (keys of model providers). *as_deployed*: each Lambda has only its own bundle and
    environment, IAM policies are enforced, and keys are in the secret of the stack.
    """

    def __init__(
        self,
        state: Path,
        port: int | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        as_deployed: bool = False,
    ) -> None:
        self.folder = StateFolder(state)
        self._asked_port = port
        self.environment = dict(environment or {})
        self.as_deployed = as_deployed
        self._process: subprocess.Popen[bytes] | None = None
        self._port = 0
        #: Whether the process before was killed, so that unsaved items of the table are lost.
        self.lost_writes = False

    def __enter__(self) -> "EmbeddedAws":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return self._port

    @property
    def endpoint(self) -> str:
        """The URL of every AWS service, for SDKs."""
        return f"http://{HOST}:{self._port}"

    @property
    def pid(self) -> int | None:
        """The process id of the child, None if it does not run."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def start(self) -> None:
        """Start, and return when it is ready. Raises FolderInUse, PortInUse, NotReady."""
        lock = self.folder.lock()
        try:
            self._port = self._choose_port()
            self.lost_writes = self.folder.mark_running()
            self._process = self._spawn(lock)
            self.folder.sign(os.getpid(), self._port)
            self._wait_until_ready()
        except BaseException:
            self.stop()
            raise
        self.folder.remember_port(self._port)

    def stop(self) -> None:
        """Save the state and stop; does nothing if it does not run."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            try:
                if process.wait(STOP_WITHIN) != -signal.SIGKILL:
                    self.folder.mark_saved()
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            if process.stdin:
                process.stdin.close()
            # Workers would end one after the other; the state is saved already
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            self.folder.clear_temporary()
        self.folder.unlock()

    def restart(self) -> None:
        """Save the state, stop, and start again on the same port."""
        self._asked_port, lost = self._port, self.lost_writes
        self.stop()
        self.start()
        self.lost_writes = lost

    def preload(self, code: Path) -> None:
        """Let the server that starts workers import the code in *code* already; does not wait for it."""
        if not self.as_deployed:
            connection = request_worker(str(self.folder.temporary / SOCKET), {"folder": str(code)})
            if connection:
                connection.close()

    def session(self) -> boto3.Session:
        """Return a session that ignores the AWS and proxy settings of the environment."""
        return make_session()

    def _choose_port(self) -> int:
        if self._asked_port is None:
            last = self.folder.last_port
            return last if last and is_free(last) else free_port()
        if not is_free(self._asked_port):
            pid = listener(self._asked_port)
            by = f"process {pid}" if pid else "another process"
            raise PortInUse(
                f"Port {self._asked_port} is in use by {by}. Stop that process, or choose another port with --port."
            )
        return self._asked_port

    def _spawn(self, lock: int) -> "subprocess.Popen[bytes]":
        for folder in (self.folder.aws, self.folder.files):
            folder.mkdir(exist_ok=True)
        temporary = self.folder.clear_temporary()
        if self.folder.log.exists():
            self.folder.log.replace(self.folder.log.with_suffix(".log.1"))
        # As deployed, a worker has only what its own bundle holds
        forked = [] if self.as_deployed else [str(write_starter(temporary)), str(temporary), *self._modules()]
        with self.folder.log.open("wb") as log:
            return subprocess.Popen(  # noqa: S603 - our own interpreter, our own script
                # -P: with the script's folder on the path, our modules would shadow others
                [sys.executable, "-P", str(Path(__file__).with_name("child.py")), *forked],
                cwd=temporary,
                env=child_environment(self.folder, self._port, enforce_iam=self.as_deployed)
                | ({} if self.as_deployed else self.environment),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                # The child shares the lock, so that the folder is locked until its state is saved
                pass_fds=(lock,),
                # Ctrl-C must reach only this process, which stops the child itself
                start_new_session=True,
            )

    def _modules(self) -> Iterator[str]:
        if self.environment:
            yield from MODEL_CLIENTS

    def _wait_until_ready(self) -> None:
        assert self._process is not None
        deadline = time.monotonic() + READY_WITHIN
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise NotReady(
                    f"The embedded AWS ended at once (exit code {self._process.returncode}). {self._end_of_log()}"
                )
            if self._answers():
                return
            time.sleep(0.05)
        raise NotReady(f"The embedded AWS was not ready after {READY_WITHIN:.0f} s. {self._end_of_log()}")

    def _answers(self) -> bool:
        # Not urllib, which would use the user's proxy
        connection = http.client.HTTPConnection(HOST, self._port, timeout=2)
        try:
            connection.request("GET", "/_ministack/health")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def _end_of_log(self) -> str:
        lines = self.folder.log.read_text(errors="replace").splitlines()[-5:]
        return f"Its log, {self.folder.log}, ends with:\n" + "\n".join(lines)
