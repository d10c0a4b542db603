"""The outline of the levers: the prompt's own, then the heaviest of the tables; decisions on those left open."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal

from planloom.domain.wording import day_text
from planloom.facts.quoting import clip, lower_first, quotable, quote
from planloom.knowledge import tables
from planloom.knowledge.brief import Brief
from planloom.knowledge.from_prompt import PromptRow, prompt_rows
from planloom.knowledge.gates import gate_day, open_day
from planloom.knowledge.nearest import basis, demanded, ruled_out
from planloom.stages.parts.lever import MOST_VITAL, Decision, Lever, LeversAnswer, LeverScore, Ranking, Setting, Tension

View = Literal["value", "means", "exposure"]
VIEWS: tuple[View, ...] = ("value", "means", "exposure")


def outline_levers(brief: Brief, view: View) -> LeversAnswer:
    """The prompt's own levers of this view, then every third lever of the tables."""
    # the heaviest levers of archetype and topics alike; what is left out was the lightest
    rows = sorted(brief.rows("levers", tables.Lever), key=lambda row: -row.impact * row.irreversibility)
    third = rows[VIEWS.index(view) :: 3]
    called = prompt_rows(brief, "levers")
    mine = [_from_prompt(row) for row in called if row.cells["view"] == view]
    mine = [own for own in mine if not any(_asks_the_same(own.id, row) for row in rows)]
    taken = {lever.id for lever in mine}
    mine += [_from_row(brief, row) for row in third if row.id not in taken][: 4 - min(len(mine), 2)]
    return LeversAnswer(levers=mine[:6] or [_from_row(brief, rows[0])])


def _from_prompt(row: PromptRow) -> Lever:
    fields = {key: value for key, value in row.cells.items() if key != "view"}
    fields["settings"] = [
        {
            "label": clip(s["label"], 80),
            "text": clip(s["text"], 300),
            "cost": clip(s["cost"], 240),
            "stance": s["stance"],
        }
        for s in row.cells["settings"]
    ]
    fields["title"], fields["question"] = clip(row["title"], 80), clip(row["question"], 240)
    return Lever.model_validate({**fields, "anchor": row.signal.source})


def _asks_the_same(own: str, row: tables.Lever) -> bool:
    """Whether the tables have a sharper form of the prompt's lever *own*."""
    if own == "roll_out":
        return re.search(r"\b(?:roll-?out|waves?)\b", f"{row.title} {row.question}", re.IGNORECASE) is not None
    return own == "work_ahead" and _on_order(row)


def _on_order(row: tables.Lever) -> bool:
    """Whether *row* already asks what may run ahead of a decision of others."""
    asks = re.search(r"\b(?:before|ahead|until)\b", row.question, re.IGNORECASE)
    said = f"{row.question} {' '.join(s.text for s in row.settings)}"
    return bool(asks and re.search(r"\b(?:permits?|approv|consent|funding|money)", said, re.IGNORECASE))


def _from_row(brief: Brief, row: tables.Lever) -> Lever:
    settings = [_setting(brief, setting) for setting in row.settings]
    anchor = _anchor(brief, row)
    open_ones = [s for s in settings if not s.ruled_out]
    fixed, why = "", ""
    if len(open_ones) == 1:
        fixed, why = open_ones[0].label, next(s.ruled_out for s in settings if s.ruled_out)
    elif asked := _asked(brief, row):
        fixed, why = asked
    return Lever(
        id=row.id,
        title=clip(row.title, 80),
        question=clip(row.question, 240),
        anchor=anchor,
        settings=settings,
        impact=row.impact,
        irreversibility=row.irreversibility,
        fixed=fixed,
        fixed_by=why,
        pulls_against=row.pulls_against,
        tension=clip(row.tension, 300),
    )


def _anchor(brief: Brief, row: tables.Lever) -> str:
    """The words that call the prompt's own form of *row*; else those that called *row* or come nearest to it."""
    own = next((o for o in prompt_rows(brief, "levers") if _asks_the_same(o["id"].lower(), row)), None)
    if own and own.signal.source.startswith("“"):
        return clip(own.signal.source, 220)
    called = brief.called_by(row)
    shown = quotable(brief.facts, (called,) if called else ())
    text = " ".join(f"{s.label} {s.text}" for s in row.settings)
    return quote(shown[0], 200) if shown else basis(brief, text, 200, head=f"{row.title} {row.question}")


def _setting(brief: Brief, row: tables.Setting) -> Setting:
    ban = ruled_out(brief, f"{row.label} {row.text}")
    return Setting(
        label=clip(row.label, 80),
        text=clip(row.text, 300),
        cost=clip(row.cost, 240),
        stance=row.stance,
        ruled_out=quote(ban, 180) if ban else "",
    )


def _asked(brief: Brief, row: tables.Lever) -> tuple[str, str] | None:
    """The one setting whose label a demand of the prompt asks for, with that demand; None where none or several."""
    found = [(s.label, d) for s in row.settings if (d := demanded(brief, s.label))]
    return (found[0][0], quote(found[0][1], 280)) if len(found) == 1 else None


def outline_ranking(brief: Brief, levers: tuple[Lever, ...]) -> Ranking:
    """Weights as drafted; decisions on the heaviest levers that the prompt leaves open."""
    heavy = sorted((lever for lever in levers if not lever.fixed), key=lambda lever: -lever.weight)[: MOST_VITAL - 1]
    by_id = {lever.id: lever for lever in levers}
    days = _days(brief, heavy)
    pairs = [(lever, by_id[lever.pulls_against]) for lever in levers if lever.pulls_against in by_id and lever.tension]
    return Ranking(
        scores=[_as_drafted(lever) for lever in levers],
        tensions=[_tension(one, other, days) for one, other in pairs][:6],
        decisions=[_decision(brief, lever, days[lever.id]) for lever in heavy],
    )


def _as_drafted(lever: Lever) -> LeverScore:
    why = clip(lever.anchor, 300)
    return LeverScore(id=lever.id, impact=lever.impact, irreversibility=lever.irreversibility, why=why)


def _tension(one: Lever, other: Lever, days: Mapping[str, date]) -> Tension:
    first, then = (one, other) if one.weight >= other.weight else (other, one)
    day = f", by {day_text(days[first.id])}" if first.id in days else ""
    settle = f"“{first.title}” is set first{day} (weight {first.weight} against {then.weight})."
    return Tension(one=one.id, other=other.id, text=one.tension, settle=clip(settle, 300))


def _decision(brief: Brief, lever: Lever, by: date) -> Decision:
    proposed = lever.setting("balanced")
    others = [s for s in lever.settings if s is not proposed and not s.ruled_out]
    against = " ".join(f"“{s.label}” would cost: {lower_first(s.cost.rstrip('.'))}." for s in others[:2])
    return Decision(
        lever=lever.id,
        question=lever.question,
        proposed=proposed.label,
        because=clip(f"It bears on {lever.anchor}. {against}", 600),
        gives_up=clip(proposed.cost, 300),
        role=brief.role_title("lead"),
        by=by,
    )


def _days(brief: Brief, levers: Sequence[Lever]) -> dict[str, date]:
    """One day each, heaviest first: what cannot be undone before the first gate, the rest before the second."""
    found: dict[str, date] = {}
    for gate, hard in (("prepare", True), ("design", False)):
        mine = [lever for lever in levers if (lever.irreversibility >= 4) is hard]
        first = brief.start if hard else gate_day(brief, "prepare")
        for n, lever in enumerate(mine, 1):
            found[lever.id] = open_day(brief, first + n / (len(mine) + 1) * (gate_day(brief, gate) - first))
    return found
