"""Makes the embedded AWS run each Lambda as in AWS: with only its own bundle and the grants of its role."""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import get_args

from packaging.markers import default_environment

from infra.package import LOCALES, SERVICES, pinned, trim
from infra.sources import ROOT, Bundle, compile_sources

CACHE = ROOT / "build" / "packages"

#: The code of a Lambda: the emulator's workers unpack it, and share the files that it points to.
#: It hides the packages of the virtual environment in which the emulator runs, since AWS does not have them.
ISOLATE = '''\
"""Leaves of this interpreter what AWS Lambda has of it, and adds the bundle of this function."""

import sys
import sysconfig

standard = {{sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}}
standard |= {{f"{{path}}/lib-dynload" for path in standard}}
sys.path[:] = [{code!r}, {packages!r}, *(path for path in sys.path if path in standard or path.endswith(".zip"))]
sys.meta_path[:] = [finder for finder in sys.meta_path if finder.__module__.startswith("_frozen_importlib")]
for name, module in list(sys.modules.items()):
    if "site-packages" in (getattr(module, "__file__", None) or ""):
        del sys.modules[name]
__path__ = [{code!r} + "/functions"]
'''


def write_isolated(bundles: Path, code: Path) -> None:
    """Write one folder per bundle into *bundles*; its functions run *code* with only the packages of the bundle."""
    for bundle in get_args(Bundle):
        pointer = bundles / bundle / "functions" / "__init__.py"
        pointer.parent.mkdir(parents=True)
        pointer.write_text(ISOLATE.format(code=str(code), packages=str(packages(bundle))), encoding="utf-8")


def packages(bundle: Bundle, cache: Path = CACHE) -> Path:
    """Return the folder in *cache* with the packages of *bundle* for this machine and Python; create it if missing."""
    wanted = pinned(bundle, {name: str(value) for name, value in default_environment().items()})
    made_of = f"{sys.version}{SERVICES}{sorted(LOCALES)}{wanted}"
    target = cache / f"{bundle}-{hashlib.sha256(made_of.encode()).hexdigest()[:16]}"
    if not target.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        # created under another name and moved: two processes may do this at the same time, and one may be killed
        making = Path(tempfile.mkdtemp(prefix=f"{bundle}-making-", dir=cache))
        (making / "requirements.txt").write_text(wanted, encoding="utf-8")
        _install(making / "requirements.txt", making / "packages")
        trim(making / "packages")
        compile_sources(making / "packages")
        with suppress(OSError):
            (making / "packages").rename(target)
        shutil.rmtree(making)
    return target


def adapt(template: Path) -> None:
    """Change what the emulator does not support in *template*: TLS, and references that resolve to a secret's ARN."""
    stack = json.loads(template.read_text(encoding="utf-8"))
    for name, found in list(stack["Resources"].items()):
        if found["Type"] in {"AWS::S3::BucketPolicy", "AWS::SQS::QueuePolicy"}:
            document = found["Properties"]["PolicyDocument"]
            # the statements that deny calls without TLS
            document["Statement"] = [s for s in document["Statement"] if s["Effect"] != "Deny"]
            if not document["Statement"]:
                del stack["Resources"][name]
    text = json.dumps(stack)
    for name, found in stack["Resources"].items():
        if found["Type"] == "AWS::SecretsManager::Secret":
            text = text.replace(json.dumps({"Ref": name}), json.dumps({"Fn::GetAtt": [name, "Id"]}))
    template.write_text(text, encoding="utf-8")


def _install(wanted: Path, target: Path) -> None:
    options = ["install", "--quiet", "--no-deps", "--require-hashes", "--target", str(target), "-r", str(wanted)]
    uv = Path(sys.executable).with_name("uv")
    # uv takes one second, pip ten: pip is used if uv is missing or cannot download the packages
    if uv.exists() and not _run(str(uv), "pip", *options, "--python", sys.executable).returncode:
        return
    shutil.rmtree(target, ignore_errors=True)
    _run(sys.executable, "-m", "pip", *options, "--no-compile").check_returncode()


def _run(*command: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(command, check=False)  # noqa: S603 - an installer, on our own lock file
