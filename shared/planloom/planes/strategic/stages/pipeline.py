"""The pipeline, in order, on one screen: open this first, then one stage, then services/run_stage.py.

001 start ─┬─ 002 screening ──────┐
           └─ 003 premise_attack ─┴─ 004 draft ── 005 choice ── 011 spine ── 013 repair ── 016 expert_criticism
      ┌──────────────────────────────────────────────────────────────────────────────────────────┘
      └─ 024 review_plan ── 026 schedule ── 020 main_document ─┬─ 021 annexes ───────────┐
                                                               ├─ 025 executive_summary ─┼─ 030 report
                                                               └─ 029 self_audit ────────┘

Two authors write the whole plan; a judge chooses; the choice becomes the spine. Programs compute it, the author repairs
it, critics attack it, the author decides; then the author revises the draft, and three readers correct it.
"""

import importlib
from collections.abc import Callable, Mapping
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from planloom.planes.strategic.pipeline_map import CURRENT

if TYPE_CHECKING:
    from planloom.planes.strategic.stages.stage import Stage

    PIPELINE: tuple[Stage[Any], ...]

#: Where each stage is: a worker of one imports no other but those whose results it reads.
_MODULES: Mapping[str, Callable[[], ModuleType]] = {
    "start": lambda: importlib.import_module("planloom.planes.strategic.stages.start"),
    "screening": lambda: importlib.import_module("planloom.planes.strategic.stages.screening"),
    "premise_attack": lambda: importlib.import_module("planloom.planes.strategic.stages.premise_attack"),
    "draft": lambda: importlib.import_module("planloom.planes.strategic.stages.draft"),
    "choice": lambda: importlib.import_module("planloom.planes.strategic.stages.choice"),
    "spine": lambda: importlib.import_module("planloom.planes.strategic.stages.structure"),
    "repair": lambda: importlib.import_module("planloom.planes.strategic.stages.repair"),
    "expert_criticism": lambda: importlib.import_module("planloom.planes.strategic.stages.attack"),
    "review_plan": lambda: importlib.import_module("planloom.planes.strategic.stages.review_plan"),
    "schedule": lambda: importlib.import_module("planloom.planes.strategic.stages.schedule"),
    "main_document": lambda: importlib.import_module("planloom.planes.strategic.stages.main_document"),
    "annexes": lambda: importlib.import_module("planloom.planes.strategic.stages.annexes"),
    "executive_summary": lambda: importlib.import_module("planloom.planes.strategic.stages.executive_summary"),
    "self_audit": lambda: importlib.import_module("planloom.planes.strategic.stages.self_audit"),
    "report": lambda: importlib.import_module("planloom.planes.strategic.stages.report"),
}


def __getattr__(name: str) -> "tuple[Stage[Any], ...]":
    if name != "PIPELINE":
        raise AttributeError(name)
    return tuple(stage_named(name) for name in _MODULES)


@cache
def stage_named(name: str) -> "Stage[Any]":
    """Return the stage *name*; raise KeyError where there is none."""
    stage: Stage[Any] = _MODULES[name]().STAGE
    return stage


def stage_with_key(key: str) -> "Stage[Any]":
    """Return the stage with number *key* (``016``); raise KeyError where there is none."""
    return stage_named(CURRENT.by_key[key].name)
