"""The pipeline, in order, on one screen: open this first, then one stage, then services/run_stage.py.

001 start ─┬─ 002 screening ──────┐
           └─ 003 premise_attack ─┴─ 004 draft ── 005 choice ── 011 spine ── 013 repair ── 016 expert_criticism
      ┌──────────────────────────────────────────────────────────────────────────────────────────┘
      └─ 024 review_plan ── 026 schedule ── 020 main_document ─┬─ 021 annexes ───────────┐
                                                               ├─ 025 executive_summary ─┼─ 030 report
                                                               └─ 029 self_audit ────────┘

Two authors write the whole plan; a judge chooses; the choice becomes the spine. Programs compute it, the author repairs
it, critics attack it, the author decides; then the author revises the whole text,
its figures and tables rendered by programs.
"""

from typing import Any

from planloom.stages import (
    annexes,
    attack,
    choice,
    draft,
    executive_summary,
    main_document,
    premise_attack,
    repair,
    report,
    review_plan,
    schedule,
    screening,
    self_audit,
    start,
    structure,
)
from planloom.stages.stage import Stage

PIPELINE: tuple[Stage[Any], ...] = (
    start.STAGE,
    screening.STAGE,
    premise_attack.STAGE,
    draft.STAGE,
    choice.STAGE,
    structure.STAGE,
    repair.STAGE,
    attack.STAGE,
    review_plan.STAGE,
    schedule.STAGE,
    main_document.STAGE,
    annexes.STAGE,
    executive_summary.STAGE,
    self_audit.STAGE,
    report.STAGE,
)

_BY_NAME = {stage.name: stage for stage in PIPELINE}
_BY_KEY = {stage.key: stage for stage in PIPELINE}


def stage_named(name: str) -> Stage[Any]:
    """Return the stage *name*; raise KeyError where there is none."""
    return _BY_NAME[name]


def stage_with_key(key: str) -> Stage[Any]:
    """Return the stage with number *key* (``016``); raise KeyError where there is none."""
    return _BY_KEY[key]


def before(stage: Stage[Any]) -> tuple[Stage[Any], ...]:
    """Return every stage before *stage* in the graph, each once, in the order of the pipeline."""
    names: set[str] = set()
    todo = list(stage.needs)
    while todo:
        name = todo.pop()
        if name not in names:
            names.add(name)
            todo += stage_named(name).needs
    return tuple(earlier for earlier in PIPELINE if earlier.name in names)
