"""The sources of the stack, and the assembly that CDK makes of them, cached until a source changes."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import planloom
from planloom_cli.embedded.errors import DeployFailed, NoSources

#: Below the root; all files in them are part of the stack or generate it.
FOLDERS = ("infra", "statemachine", "functions", "shared/planloom")
#: Optional: exists only after it was built.
BUILT = ("build/viewer",)
FILES = ("cdk.json", "requirements.lock")
TOOLS = ("aws-cdk-lib", "cdk-nag")

#: Seconds; --as-deployed downloads packages the first time.
SYNTH_WITHIN = 300.0
KEPT_ASSEMBLIES = 3


def find_root() -> Path:
    """Return the folder of the sources that this planloom was installed from. Raises NoSources."""
    root = Path(planloom.__file__).resolve().parents[2]
    missing = [name for name in (*FOLDERS, *FILES) if not (root / name).exists()]
    if missing:
        raise NoSources(
            f"The embedded AWS needs the sources of planloom, but {missing[0]} is not in {root}. "
            "Clone the repository and run 'make setup' there."
        )
    return root


def fingerprint(root: Path, *, as_deployed: bool = False) -> str:
    """Return a hash of everything that affects the assembly: sources, tools, Python version and the mode."""
    tools = [(name, version(name)) for name in TOOLS]
    digest = hashlib.sha256(f"{sys.version}{tools}{as_deployed}".encode())
    for path in sorted(_sources(root)):
        digest.update(f"{path.relative_to(root).as_posix()}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def is_made(cache: Path, key: str) -> bool:
    """Return whether the assembly *key* is in *cache*."""
    return (cache / key / "cdk.out" / "manifest.json").exists()


def assembly(root: Path, cache: Path, key: str, *, as_deployed: bool = False) -> Path:
    """Return the folder of the assembly *key* in *cache*, synthesised if it is not there. Raises DeployFailed."""
    target = cache / key
    if not is_made(cache, key):
        _synthesise(root, target, ["--as-deployed"] if as_deployed else [])
        _delete_old(cache)
    os.utime(target)
    return target / "cdk.out"


def _sources(root: Path) -> Iterator[Path]:
    yield from (root / name for name in FILES)
    for folder in (*FOLDERS, *BUILT):
        for path in (root / folder).rglob("*"):
            if path.is_file() and path.suffix != ".pyc":
                yield path


def _synthesise(root: Path, target: Path, options: list[str]) -> None:
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    # -P and PYTHONPATH: infra is not an installed package, and other modules of the current folder must not be found
    search = os.pathsep.join([str(root), str(root / "shared")])
    try:
        subprocess.run(  # noqa: S603 - our own interpreter, our own module
            [sys.executable, "-P", "-m", "infra.local", str(target), *options],
            cwd=root,
            env=os.environ | {"PYTHONPATH": search, "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            check=True,
            timeout=SYNTH_WITHIN,
        )
    except subprocess.TimeoutExpired as error:
        raise DeployFailed(f"The stack was not synthesised within {SYNTH_WITHIN:.0f} s.") from error
    except subprocess.CalledProcessError as error:
        raise DeployFailed(f"The stack could not be synthesised:\n{error.stderr[-4000:]}") from error


def _delete_old(cache: Path) -> None:
    newest_first = sorted(cache.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in newest_first[KEPT_ASSEMBLIES:]:
        shutil.rmtree(old, ignore_errors=True)
