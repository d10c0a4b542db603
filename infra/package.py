"""Build what the Lambdas run: ``python -m infra.package`` fills build/bundles for AWS, one folder per bundle.

A bundle holds our sources and the locked dependencies of its doors, for Lambda's Python on ARM.
"""

import compileall
import shutil
from pathlib import Path
from py_compile import PycInvalidationMode

SKIPPED = shutil.ignore_patterns("__pycache__", "*.pyc")


def stage_sources(root: Path, target: Path) -> None:
    """Copy our own sources from *root* into the empty folder *target*, compiled for this interpreter."""
    shutil.copytree(root / "shared" / "planloom", target / "planloom", ignore=SKIPPED)
    shutil.copytree(root / "functions", target / "functions", ignore=SKIPPED)
    compile_sources(target)


def compile_sources(target: Path) -> None:
    """Compile so that the result is taken as it is: a zip keeps no times that Python could compare."""
    compileall.compile_dir(target, quiet=1, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
