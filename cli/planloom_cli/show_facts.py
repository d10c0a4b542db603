"""Prints the response of plan_facts, the facts read from a goal, as text."""

from collections.abc import Iterator
from textwrap import shorten
from typing import Any

WIDTH = 110
#: Printed for a field without a value.
NONE = "none found in the goal"


def as_text(found: dict[str, Any], source: str, profile: str) -> str:
    """Return *found* as lines; *source* are the options that name the goal, for the next commands."""
    parts = [
        [f"{found['title']}  (read by {'a model' if found['read_by'] == 'model' else 'rules'})", ""],
        list(_understood(found)),
        list(_others(found)),
        list(_listed("Unclear", _unclear(found))),
        list(_listed("Not understood, and in no fact", (f"“{text}”" for text in found["unread"]))),
        list(_listed("Not verified against the goal, and not used", map(_unverified, found["unverified"]))),
        list(_listed("Answer first", map(_question, found["questions"]))),
        ["", _quote(found["quote"]), "", *_next(source, profile)],
    ]
    return "\n".join(line for part in parts for line in part)


def _understood(found: dict[str, Any]) -> Iterator[str]:
    total = found["total"]
    yield _line("kind", found["kind"] or "unclear", "")
    yield _line("total", f"{_range(total)} {total['currency']}", total["quote"]) if total else _line("total", NONE, "")
    for name in ("deadline", "start"):
        day = found[name]
        yield _line(name, _day(day), day["quote"]) if day else _line(name, NONE, "")
    people = [(f"{each['count']} {each['who']}", each["quote"]) for each in found["people"]]
    bans = [(f"{'the word ' if each['kind'] == 'word' else ''}{each['what']}", each["quote"]) for each in found["bans"]]
    places = [(f"{each['name']} ({each['kind']})", each["quote"]) for each in found["places"]]
    for name, values in (("people", people), ("bans", bans), ("places", places)):
        for number, (value, quote) in enumerate(values or [(NONE, "")]):
            yield _line("" if number else name, value, quote)


def _others(found: dict[str, Any]) -> Iterator[str]:
    values = [(_value(each), each["quote"]) for each in found["values"]]
    values += [(f"{_day(each)} {each['what']}".strip(), each["quote"]) for each in found["days"]]
    for number, (value, quote) in enumerate(values):
        yield _line("" if number else "others", value, quote)


def _value(item: dict[str, Any]) -> str:
    role = item["role"] if item["role"] not in ("other", "duration") else ""
    value = f"{item['value']} {item['what']}".strip()
    return f"{value} ({role})" if value and role else value or role


def _unclear(found: dict[str, Any]) -> Iterator[str]:
    for day in (found["deadline"], found["start"], *found["days"]):
        if day and day["ambiguous"]:
            yield f"“{day['quote']}” is {day['earliest']} or {day['latest']}"
    if found["total"] and found["total"]["assumed"]:
        yield f"“{found['total']['quote']}” is taken for {found['total']['currency']}"
    yield from found["contradictions"]


def _listed(title: str, lines: Iterator[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        if not number:
            yield from ("", title)
        yield f"  - {line}"


def _unverified(item: dict[str, Any]) -> str:
    return f"{item['field']}: {item['said']}: {item['reason']}"


def _question(item: dict[str, Any]) -> str:
    return f"{item['question']}" + (f" [{item['field']}]" if item["field"] else "")


def _quote(quote: dict[str, Any]) -> str:
    models = ", ".join(quote["models"])
    if not quote["calls"]["high"]:
        return f"A plan with profile {quote['model_profile']} calls no language model: under a minute, no cost."
    price = quote["price_usd"]
    cost = f"USD {price['low']:,.2f} to {price['high']:,.2f}" if price else "unknown price"
    paid = f", {quote['credits']} credits" if quote["credits"] is not None else ""
    return (
        f"A plan with profile {quote['model_profile']} ({models}): about {_span(quote['calls'])} calls, "
        f"{_span(quote['minutes'])} minutes, {cost}{paid}."
    )


def _next(source: str, profile: str) -> Iterator[str]:
    chosen = "" if profile == "baseline" else f" --profile {profile}"
    yield f"To draft:   planloom draft {source}{chosen}"
    yield f"To correct: planloom facts {source}{chosen} --json > facts.json, edit facts.json, then"
    yield f"            planloom draft {source}{chosen} --facts facts.json"


def _line(name: str, value: str, quote: str) -> str:
    words = f"  “{shorten(quote, 60, placeholder=' …')}”" if quote and quote != value else ""
    return f"{name:<10}{shorten(value, WIDTH - 10 - len(words), placeholder=' …')}{words}"


def _day(day: dict[str, Any]) -> str:
    joined = "or" if day["ambiguous"] else "to"
    return day["earliest"] if day["earliest"] == day["latest"] else f"{day['earliest']} {joined} {day['latest']}"


def _range(pair: dict[str, Any]) -> str:
    low, high = (f"{pair[name]:,.12g}" for name in ("low", "high"))
    return low if low == high else f"{low} to {high}"


def _span(pair: dict[str, Any]) -> str:
    return str(pair["low"]) if pair["low"] == pair["high"] else f"{pair['low']} to {pair['high']}"
