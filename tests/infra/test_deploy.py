"""What is typed to deploy works in a checkout where nothing but `make setup` has run."""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_cdk_command_line_runs_the_app_on_the_python_that_make_setup_filled() -> None:
    python, module, name = json.loads((ROOT / "cdk.json").read_text(encoding="utf-8"))["app"].split()
    assert (module, name) == ("-m", "infra.app")
    # a shell's own python knows none of what the app imports
    environment = {"PATH": "/usr/bin:/bin"}
    code = "import aws_cdk.cx_api, planloom.planes.strategic.stages.pipeline"
    subprocess.run([python, "-c", code], cwd=ROOT, env=environment, check=True)
