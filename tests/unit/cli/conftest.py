"""The command against a service in memory: no socket, no embedded AWS."""

import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx2
import pytest
from typer.testing import CliRunner, Result

from planloom_cli import call_once, exits, follow, main, reach, retry_calls, save_files, watch
from planloom_cli.main import app
from planloom_cli.service import Address, ServiceError, Unreachable

PLAN = "7f1c1c52-1111-4222-8333-444455556666"
URL, KEY = "https://planloom.test/api", "pex_secret"
CREATED = "2026-11-02T09:00:00Z"
PATH, HASH = "002-2-screening.md", "5" * 64
EXAMPLES: list[dict[str, Any]] = []
VERSIONS = [
    {"version": "v2", "size": 1234, "sha256": HASH, "updated_at": CREATED, "current": True},
    {"version": "v1", "size": 99, "sha256": None, "updated_at": CREATED, "current": False},
]


def status(state: str = "completed", completed: int = 15, step: str | None = None, **more: Any) -> dict[str, Any]:
    """Return what plan_status answers."""
    return {
        "plan_id": PLAN,
        "state": state,
        "steps_completed": completed,
        "steps_total": 15,
        "current_step": step,
        "poll_after_sec": None if state in follow.TERMINAL else 5,
        **more,
    }


@dataclass
class FakeService:
    """Returns fixed responses and records calls; ``error`` is raised by every call, ``refusal`` on connecting."""

    statuses: list[dict[str, Any]] = field(default_factory=lambda: [status()])
    files: dict[str, bytes] = field(default_factory=lambda: {"report": b"<!doctype html>", "zip": b"PK"})
    error: Exception | None = None
    refusal: Exception | None = None
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    addresses: list[Address] = field(default_factory=list)
    damaged: bool = False
    plans: int = 1
    text: str = "one line\nand another\n"
    changed: dict[str, Any] = field(
        default_factory=lambda: {
            "plan_id": PLAN,
            "state": "stopped",
            "next_steps": "Call plan_resume.",
            "edits_lost": [],
        }
    )
    lost: int = 0
    #: What is raised after a call with a client_request_id has come; and the ids of those calls.
    lost_answers: list[Exception] = field(default_factory=list)
    begun: list[str] = field(default_factory=list)
    profiles: dict[str, str] = field(default_factory=lambda: {"baseline": "Bedrock", "premium": "Bedrock"})
    pages: list[dict[str, Any]] = field(default_factory=list)

    @property
    def address(self) -> Address:
        """Where it was connected to last."""
        return self.addresses[-1]

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        once = arguments.pop("client_request_id", None)
        self.asked.append((tool, arguments))
        if once:
            self.begun.append(once)
            if self.lost_answers:
                raise self.lost_answers.pop(0)
        if self.error:
            raise self.error
        answers: dict[str, Callable[..., dict[str, Any]]] = {
            "plan_create": lambda **_: {"plan_id": PLAN, "state": "pending"},
            "model_profiles": self._profiles,
            "plan_status": lambda **_: self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0],
            "plan_get_latest": lambda **_: self.statuses[0],
            "example_plans": lambda: {"examples": EXAMPLES, "message": "No examples are built here."},
            "plan_resume": lambda **_: {"plan_id": PLAN, "state": "pending", "resume_count": 1, "steps_kept": 12},
            "plan_retry": lambda **_: {"plan_id": PLAN, "state": "pending"},
            "plan_validate": lambda **_: {"plan_id": PLAN, "state": "pending"},
            "plan_artifact_read": self._read,
            "plan_artifacts": self._listed,
            "plan_artifact_versions": lambda **_: {"plan_id": PLAN, "path": PATH, "versions": VERSIONS},
            "plan_artifact_edit": lambda **_: self.changed,
            "plan_artifact_undo": lambda **_: self.changed,
            "plan_invalidate": lambda **_: self.changed,
            "plan_stop": lambda **_: {"plan_id": PLAN, "state": "stopped", "stop_requested": True},
            "plan_list": self._list,
            "example_prompts": lambda: {"samples": [{"id": "bakery", "title": "A bakery", "prompt": "Open a bakery."}]},
            "plan_file_info": self._file,
            "plan_graph": self._graph,
        }
        return answers[tool](**arguments)

    def _profiles(self) -> dict[str, Any]:
        return {
            "profiles": [
                {"profile": name, "models": [{"provider_class": provider, "model": f"{provider.lower()}-1"}]}
                for name, provider in self.profiles.items()
            ]
        }

    def _listed(self, plan_id: str, after: str = "") -> dict[str, Any]:
        """Answer with a page for each file."""
        names = ("001-2-plan.txt", PATH)
        entry = {"path": names[bool(after)], "size": 1234, "sha256": HASH}
        page = {"plan_id": PLAN, "artifacts": [entry], "total": len(names)}
        return page | {"next_after": None if after else names[0]}

    def _read(self, plan_id: str, path: str, offset: int) -> dict[str, Any]:
        text = self.text[offset : offset + 10]
        more = offset + 10 if offset + 10 < len(self.text) else None
        return {"text": text, "sha256": hashlib.sha256(self.text.encode()).hexdigest(), "next_offset": more}

    async def look(self, path: str, **query: Any) -> dict[str, Any]:
        """Return the response to a poll of a plan or its log; the first ``lost`` polls fail."""
        self.asked.append((path, query))
        if self.lost:
            self.lost -= 1
            raise Unreachable("The service does not answer (ConnectError).")
        if path == f"plans/{PLAN}/logs":
            return self.pages.pop(0)
        assert path == f"plans/{PLAN}", path
        return self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]

    def _list(self, limit: int, archived: bool = False) -> dict[str, Any]:
        plan = {"plan_id": PLAN, "state": "completed", "progress_percentage": 100.0, "created_at": CREATED}
        return {"plans": [plan | {"prompt_excerpt": "Open a bakery."}] * self.plans, "message": "No plans yet."}

    def _file(self, plan_id: str, artifact: str) -> dict[str, Any]:
        if artifact not in self.files:
            if artifact == "report" and self.statuses[0]["state"] == "failed":
                raise ServiceError("generation_failed", "There is no report.")
            return {}
        return {
            "plan_id": PLAN,
            "download_url": f"https://files.test/{artifact}",
            "sha256": hashlib.sha256(self.files[artifact]).hexdigest(),
        }

    def _graph(self, plan_id: str, format: str) -> dict[str, Any]:
        nodes = [
            {"step": "001-start", "name": "start", "title": "Start", "state": "finished", "files": ["001-2-plan.txt"]},
            {"step": "002-screening", "name": "screening", "title": "Screening", "state": "running", "files": []},
        ]
        found = {"plan_id": plan_id, "nodes": nodes, "edges": [{"from": "start", "to": "screening"}]}
        return found | ({"mermaid": "flowchart LR\n"} if format == "mermaid" else {})

    def fetch(self, request: httpx2.Request) -> httpx2.Response:
        """Answer a download."""
        content = self.files[request.url.path.removeprefix("/")]
        return httpx2.Response(200, content=content[:-1] if self.damaged else content)


@dataclass
class Command:
    """The command and the service behind it."""

    service: FakeService
    state: Path
    started: list[Path]

    def run(self, *words: str, typed: str | None = None, **environment: str) -> Result:
        """Run the command with a state folder of its own."""
        known = {"PLANLOOM_STATE": str(self.state), "PLANLOOM_URL": "", "PLANLOOM_KEY": "", **environment}
        return CliRunner().invoke(app, words, input=typed, env=known, catch_exceptions=False)

    def at_url(self, *words: str, **options: Any) -> Result:
        """Run the command against the service at URL."""
        return self.run(*words, "--url", URL, "--key", KEY, **options)


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Command:
    """The command, with a service in memory wherever it connects to, or starts one."""
    service = FakeService()
    made = Command(service, tmp_path / "state", [])

    @asynccontextmanager
    async def connect(address: Address) -> AsyncIterator[FakeService]:
        service.addresses.append(address)
        if service.refusal:
            raise service.refusal
        yield service

    class Local:
        def __init__(self, state: Path, port: int | None, say: Callable[[str], object]) -> None:
            made.started.append(state)

        def __enter__(self) -> Address:
            return Address("http://127.0.0.1:1/mcp", "http://127.0.0.1:1", "pex_local")

        def __exit__(self, *_: object) -> None: ...

    def client(**_: Any) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(transport=httpx2.MockTransport(service.fetch))

    @asynccontextmanager
    async def connect_again(_: Address) -> AsyncIterator[FakeService]:
        yield service

    monkeypatch.setattr(reach, "connect", connect)
    monkeypatch.setattr(call_once, "connect", connect_again)
    monkeypatch.setattr(main, "local_service", Local)
    monkeypatch.setattr(save_files, "httpx2", SimpleNamespace(AsyncClient=client))
    monkeypatch.setattr(follow, "LINES_POLL_SECONDS", 0.0)
    monkeypatch.setattr(watch, "POLL_SECONDS", 0.0)
    monkeypatch.setattr(watch, "SETTLED", timedelta(0))
    monkeypatch.setattr(retry_calls, "FIRST_DELAY", 0.0)
    return made


def ended(result: Result) -> tuple[int, str]:
    """Return exit code and standard error."""
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code in {0, *(value for name, value in vars(exits).items() if name.isupper())}
    return result.exit_code, result.stderr
