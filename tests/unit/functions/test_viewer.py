"""The handler of the viewer's files, over a folder as the build leaves it."""

import base64
import hashlib
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import SimpleNamespace

import pytest

from functions.viewer import handler, headers

CONTEXT = SimpleNamespace(
    function_name="viewer", memory_limit_in_mb=512, invoked_function_arn="arn:viewer", aws_request_id="1"
)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    built = tmp_path / "viewer"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_text("<!doctype html><title>planloom</title>")
    (built / "assets" / "index-1a2b.js").write_text("console.log('ä')", encoding="utf-8")
    (tmp_path / "secret.txt").write_text("a secret")
    monkeypatch.setattr(handler, "FILES", built)
    return built


def get(path: str, proxy: str | None = None) -> dict:
    event = {"path": path, "pathParameters": {"proxy": proxy} if proxy else None}
    return handler.handler(event, CONTEXT)


def test_the_folder_gives_its_page_with_the_policy_and_asks_again_each_time(files):
    assert get("/app/") == {
        "statusCode": 200,
        "headers": {
            "Content-Type": "text/html; charset=utf-8",
            "Content-Security-Policy": headers.CONTENT_SECURITY_POLICY,
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-cache",
        },
        "body": "<!doctype html><title>planloom</title>",
    }


def test_a_hashed_file_is_kept_for_ever(files):
    answer = get("/app/assets/index-1a2b.js", "assets/index-1a2b.js")

    assert (answer["statusCode"], answer["body"]) == (200, "console.log('ä')")
    assert answer["headers"]["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer["headers"]["Content-Type"] == "text/javascript; charset=utf-8"


def test_without_its_slash_the_folder_sends_to_itself_so_that_relative_addresses_hold(files):
    answer = get("/app")

    assert (answer["statusCode"], answer["headers"]["Location"]) == (302, "app/")


@pytest.mark.parametrize("path", ["../secret.txt", "assets/../../secret.txt", "assets", "nothing.js", "/etc/passwd"])
def test_nothing_but_a_file_of_the_viewer_is_given(files, path):
    answer = get(f"/app/{path}", path)

    assert (answer["statusCode"], answer["body"]) == (404, handler.NOT_THERE)


def test_where_nothing_was_built_it_says_how_to_build_it(files):
    (files / "index.html").unlink()

    assert get("/app/")["body"] == handler.NOT_BUILT


def test_the_policy_lets_no_script_style_or_call_in_from_elsewhere():
    rules = dict(rule.split(" ", 1) for rule in headers.CONTENT_SECURITY_POLICY.split("; "))

    assert rules["default-src"] == "'none'"
    assert rules["connect-src"] == "'self'"
    assert rules["frame-src"] == "blob:"
    assert rules["frame-ancestors"] == "'none'"


def test_beside_its_own_files_the_page_lets_the_style_and_the_script_of_reports_through():
    rules = dict(rule.split(" ", 1) for rule in headers.CONTENT_SECURITY_POLICY.split("; "))
    style, script = (
        f"'{_hash(resources.files('planloom.planes.strategic.report') / name)}'" for name in ("page.css", "page.js")
    )

    assert rules["style-src"].split()[:2] == ["'self'", style]
    assert rules["script-src"].split()[:2] == ["'self'", script]


def _hash(file: Traversable) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(file.read_bytes()).digest()).decode()
