"""The examples run without a key, a network or a service, and print what their first line promises."""

import runpy

import pytest


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("basics", "UNKNOWN_DEPENDENCY at /steps/4/depends_on/0"),
        ("execution", "success: True, test results: {'passed': 8, 'failed': 0}"),
        ("parallel", "diamond, at most 4 at once:"),
        ("guards", "a budget of two calls: 2 calls, The budget of calls is used up."),
        ("plan_as_tool", "plan_execute needs plan_id."),
    ],
)
def test_an_example_runs(name: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_module(f"examples.graphs.{name}", run_name="__main__")
    assert said in capsys.readouterr().out
