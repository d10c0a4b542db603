"""How well goals are read: precision and recall per field over a corpus of goals with true facts.

    python -m bench.facts                      # tests/corpus/goals, by rules
    python -m bench.facts --held-out           # tests/corpus/held_out: opened to measure, never to change a rule
    python -m bench.facts --model custom       # by the model of a profile that the environment sets up

Stated facts are right where they equal the truth or a reading that the truth accepts; recall counts the truth alone.
"""

import argparse
import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.facts.shown import shown
from planloom.planes.strategic.outline.choose import read_by_rules

CORPUS = Path(__file__).parent.parent / "tests" / "corpus"
#: The truth was written on this day.
TODAY = date(2026, 11, 22)
FIELDS = ("total", "currency", "deadline", "start", "people", "bans", "places", "kind")
#: The fields of which precision must be at least 98%.
STATED = ("total", "currency", "deadline", "start", "people", "bans")

Case = dict[str, Any]


@dataclass
class Score:
    """Of one field: what was stated, how much of it is right, how much of the truth was found; ``wrong`` in words."""

    stated: int = 0
    right: int = 0
    truth: int = 0
    found: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    def __add__(self, other: "Score") -> "Score":
        return Score(
            self.stated + other.stated,
            self.right + other.right,
            self.truth + other.truth,
            self.found + other.found,
            self.wrong + other.wrong,
            self.missed + other.missed,
        )

    @property
    def precision(self) -> float:
        """Share of the stated facts that are right; 1 where none is stated."""
        return self.right / self.stated if self.stated else 1.0

    @property
    def recall(self) -> float:
        """Share of the true facts that were found; 1 where there is none."""
        return self.found / self.truth if self.truth else 1.0


def cases(folder: str = "goals") -> Iterator[tuple[str, Case]]:
    """Yield every goal of a corpus with its truth, by name."""
    for path in sorted((CORPUS / folder).glob("*.json")):
        yield path.stem, json.loads(path.read_text(encoding="utf-8"))


def score(name: str, case: Case, facts: Facts) -> dict[str, Score]:
    """Compare *facts* with the truth of *case*, field by field."""
    said = shown(facts).model_dump()
    accept = case.get("accept", {})
    scores = {
        "total": _value(name, said["total"], case["total"], accept.get("total", []), _money),
        "currency": _value(name, said["total"], case["total"], accept.get("total", []), lambda m: m["currency"]),
        "deadline": _value(name, said["deadline"], case["deadline"], accept.get("deadline", []), _latest),
        "start": _value(name, said["start"], case["start"], accept.get("start", []), _earliest),
        "kind": _kind(name, said["table"], case["kinds"]),
    }
    same_count = _same_count
    for which, alike in (("people", same_count), ("bans", lambda *_: True), ("places", lambda *_: True)):
        accepted = [a if isinstance(a, dict) else {"quote": a} for a in accept.get(which, [])]
        scores[which] = _items(name, case["goal"], said[which], case[which], accepted, alike)
    return scores


def _money(money: Case) -> tuple[float, float, str]:
    return (money["low"], money["high"], money["currency"])


def _latest(day: Any) -> str:
    return str(day["latest"] if isinstance(day, dict) else day)


def _earliest(day: Any) -> str:
    return str(day["earliest"] if isinstance(day, dict) else day)


def _value(name: str, said: Any, truth: Any, accepted: Sequence[Any], value: Callable[[Any], Any]) -> Score:
    right = said is not None and value(said) in [value(t) for t in (truth, *accepted) if t is not None]
    found = right and truth is not None
    score = Score(int(said is not None), int(right), int(truth is not None), int(found))
    if said is not None and not right:
        wanted = None if truth is None else value(truth)
        score.wrong.append(f"{name}: {value(said)} from “{said['quote']}”, true is {wanted}")
    if truth is not None and not found:
        score.missed.append(f"{name}: {value(truth)} in “{truth['quote']}”")
    return score


def _kind(name: str, table: str, kinds: Sequence[str]) -> Score:
    right = table in kinds
    score = Score(int(bool(table)), int(bool(table) and right), int(bool(kinds)), int(bool(table) and right))
    if table and not right:
        score.wrong.append(f"{name}: {table}, true is {kinds}")
    return score


def _items(
    name: str,
    goal: str,
    said: Sequence[Case],
    truth: Sequence[Case],
    accepted: Sequence[Case],
    alike: Callable[[Case, Case], bool],
) -> Score:
    def match(item: Case, other: Case) -> bool:
        return alike(item, other) and _overlap(goal, item["quote"], other["quote"])

    score = Score(stated=len(said), truth=len(truth))
    for item in said:
        if any(match(item, other) for other in (*truth, *accepted)):
            score.right += 1
        else:
            score.wrong.append(f"{name}: {_words(item)} from “{item['quote']}”")
    for other in truth:
        if any(match(item, other) for item in said):
            score.found += 1
        else:
            score.missed.append(f"{name}: {_words(other)} in “{other['quote']}”")
    return score


def _words(item: Case) -> str:
    return " ".join(str(item[key]) for key in ("count", "who", "kind", "what", "name") if key in item)


def _same_count(item: Case, other: Case) -> bool:
    return bool(item["count"] == other["count"])


def _overlap(goal: str, one: str, other: str) -> bool:
    """Return whether two quotes share a place of *goal*; a quote that occurs twice may be either."""
    return any(a < b + len(other) and b < a + len(one) for a in _places(goal, one) for b in _places(goal, other))


def _places(goal: str, quote: str) -> list[int]:
    found, at = [], goal.find(quote)
    while quote and at >= 0:
        found.append(at)
        at = goal.find(quote, at + 1)
    return found


async def measure(folder: str, read: Callable[[str], Awaitable[Facts]], at_once: int = 4) -> dict[str, Score]:
    """Read every goal of *folder* and add up the scores, by field."""
    turn = asyncio.Semaphore(at_once)

    async def one(name: str, case: Case) -> dict[str, Score]:
        async with turn:
            return score(name, case, await read(case["goal"]))

    each = await asyncio.gather(*(one(name, case) for name, case in cases(folder)))
    return {name: sum((scores[name] for scores in each), Score()) for name in FIELDS}


def table(scores: dict[str, Score]) -> str:
    """Return the figures as a Markdown table, the sum of the fields in STATED last."""
    rows = [*scores.items(), ("all stated", sum((scores[name] for name in STATED), Score()))]
    lines = ["| field | stated | right | precision | true | found | recall |", "|---|---|---|---|---|---|---|"]
    for name, s in rows:
        lines.append(
            f"| {name} | {s.stated} | {s.right} | {s.precision:.1%} | {s.truth} | {s.found} | {s.recall:.1%} |"
        )
    return "\n".join(lines)


async def by_rules(goal: str) -> Facts:
    """Read *goal* by rules."""
    return read_by_rules(goal, TODAY)


def _by_model(profile: str) -> Callable[[str], Awaitable[Facts]]:
    from planloom.planes.strategic.facts.reader import read_goal
    from planloom.planes.strategic.outline.choose import kinds
    from planloom.planes.strategic.stages.ask_goal import ask_of
    from planloom.wiring.models import make_models

    models = make_models()

    async def read(goal: str) -> Facts:
        async def answer(question: Any) -> Any:
            return (await models.model(profile).ask(question))[0]  # type: ignore[arg-type]

        return await read_goal(goal, TODAY, kinds(), ask_of(answer, goal))

    return read


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--held-out", action="store_true", help="measure the held-out goals")
    parser.add_argument("--model", metavar="PROFILE", help="read with the model of this profile")
    parser.add_argument("--at-once", type=int, default=4, help="goals that are read at the same time")
    parser.add_argument("--missed", action="store_true", help="list what was missed too")
    asked = parser.parse_args()
    folder = "held_out" if asked.held_out else "goals"
    read = _by_model(asked.model) if asked.model else by_rules
    scores = asyncio.run(measure(folder, read, asked.at_once))
    print(table(scores))
    for name, found in scores.items():
        for line in found.wrong:
            print(f"wrong {name}: {line}")
        for line in found.missed if asked.missed else ():
            print(f"missed {name}: {line}")


if __name__ == "__main__":
    main()
