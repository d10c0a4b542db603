"""The stack, synthesised once for AWS and once for the embedded AWS."""

import json
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]

Template = dict[str, Any]


def make_app(folder: Path, local: bool, **more: str) -> Any:
    """Build the app in *folder*, with bundles that hold a word each; *more* adds to its context."""
    # Imported here, since it starts Node
    from infra import app

    bundles = folder / "bundles"
    for bundle in ("all", "base", "api", "compute", "stage", "worker"):
        (bundles / bundle).mkdir(parents=True)
        (bundles / bundle / "word.txt").write_text(bundle)
    (folder / "viewer").mkdir()
    (folder / "viewer" / "index.html").write_text("<!doctype html>")
    context = json.loads((ROOT / "cdk.json").read_text())["context"]
    return app.make_app(str(folder / "cdk.out"), context | {"bundles": str(bundles), "local": local} | more)


def synthesise(folder: Path, local: bool) -> Path:
    """Synthesise in *folder*; return the template's path."""
    make_app(folder, local).synth()
    return folder / "cdk.out" / "PlanloomStack.template.json"


@pytest.fixture(scope="session")
def paths(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The two templates' paths."""
    return {name: synthesise(tmp_path_factory.mktemp(name), local=name == "embedded") for name in ("aws", "embedded")}


@pytest.fixture(scope="session", params=["aws", "embedded"])
def path(request: pytest.FixtureRequest, paths: dict[str, Path]) -> Path:
    """One template's path, then the other's."""
    return paths[request.param]


@pytest.fixture(scope="session")
def template(path: Path) -> Template:
    """One template, then the other."""
    return json.loads(path.read_text())


@pytest.fixture(scope="session")
def aws(paths: dict[str, Path]) -> Template:
    """The template for AWS."""
    return json.loads(paths["aws"].read_text())


@pytest.fixture(scope="session")
def embedded(paths: dict[str, Path]) -> Template:
    """The template for the embedded AWS."""
    return json.loads(paths["embedded"].read_text())


def of_type(template: Template, kind: str) -> dict[str, Template]:
    """Return the resources of *kind*, by logical id."""
    return {name: found for name, found in template["Resources"].items() if found["Type"] == kind}
