"""The trees of errors that the modules draw: every class in its place, with its code and whether a repeat can help."""

import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

import pytest

import planloom
from planloom.approvals import errors as errors_of_approvals
from planloom.core import errors
from planloom.core.errors import PlanloomError
from planloom.models import errors as model_errors
from planloom.notifications import errors as errors_of_webhooks
from planloom.planes.graphs import errors as errors_of_graphs
from planloom.planes.implementation import errors as implementation_errors
from planloom.planes.programs import errors as errors_of_programs
from planloom.planes.strategic import run_errors
from planloom.planes.workflows import errors as errors_of_workflows
from planloom.runs import errors as errors_of_runs
from planloom.tools import errors as errors_of_tools

DRAWN_IN = (
    errors,
    implementation_errors,
    run_errors,
    model_errors,
    errors_of_runs,
    errors_of_graphs,
    errors_of_tools,
    errors_of_programs,
    errors_of_approvals,
    errors_of_webhooks,
    errors_of_workflows,
)
#: ``│   ├── Name    CODE   (retryable)``
LINE = re.compile(r"^((?:[│ ]   )*(?:[├└]── )?)([A-Z]\w+)(?: {2,}(\S+)(.*))?$", re.MULTILINE)


def drawn(module: ModuleType) -> Iterator[tuple[str, str, str, str]]:
    """Yield each class below the root of the tree in *module*: its name, that of the one above it, and what is said."""
    above: list[str] = []
    for lead, name, code, rest in LINE.findall(module.__doc__ or ""):
        del above[len(lead) // 4 :]
        if above:
            yield name, above[-1], code, rest
        above.append(name)


def below(kind: type[PlanloomError] = PlanloomError) -> Iterator[type[PlanloomError]]:
    """Yield every class of planloom's below *kind*."""
    for found in kind.__subclasses__():
        if found.__module__.startswith("planloom."):
            yield found
            yield from below(found)


@pytest.fixture(scope="module", autouse=True)
def everything_imported() -> None:
    for found in walk_packages(planloom.__path__, "planloom."):
        import_module(found.name)


def test_every_error_is_drawn_below_the_class_that_it_is_made_of() -> None:
    found = {name: above for module in DRAWN_IN for name, above, _, _ in drawn(module)}
    assert found == {kind.__name__: kind.__mro__[1].__name__ for kind in below()}


def test_what_is_drawn_beside_a_class_is_its_code_and_whether_a_repeat_helps() -> None:
    said = {name: (code, code + rest) for module in DRAWN_IN for name, _, code, rest in drawn(module)}
    for kind in below():
        code, words = said[kind.__name__]
        assert code == kind.code or "code" not in vars(kind)
        assert ("(retryable)" in words) == kind.retryable
