"""A tool server for tests, in a process of its own that can be killed and started again."""

import os
import socket
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.e2e.conftest import until

SERVER = Path(__file__).parents[1] / "integration" / "mcp_tool_server.py"


class Tools:
    """The tool server, and how often each text was noted."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/mcp"
        self._file = folder / "calls.txt"
        self._file.touch()
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(SERVER), "http", str(self.port)],
            env={**os.environ, "CALLS": str(self._file)},
            stderr=subprocess.DEVNULL,
        )
        until(self._answers, "the tool server")

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def calls(self) -> Counter[str]:
        return Counter(self._file.read_text().splitlines())
