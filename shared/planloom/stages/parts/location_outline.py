"""The outline of the locations: the places of the prompt, what it demands of a place, and its currencies."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from babel.numbers import get_territory_currencies

from planloom.domain.facts import Place, Spanned
from planloom.domain.wording import amount_text, day_text, money_text
from planloom.facts.quoting import clip, lower_first, quotable, quote
from planloom.knowledge.brief import Brief
from planloom.knowledge.dangers import dangers, sentence_of, success_sentences
from planloom.knowledge.funds import contingency
from planloom.knowledge.gates import due_day, gate_day
from planloom.stages.parts.place import Exposure, Location, Requirement

_PREMISES = re.compile(r"\b(?:rent|premises|venue|workshop|warehouse|tenancy|lease|camp)\b", re.IGNORECASE)
_RUNS_ONLINE = re.compile(r"\b(?:app|platform|website|web shop|online|server|cloud|software)\b", re.IGNORECASE)
_TEAM = re.compile(r"\b(?:team|engineers?|office|staff|employees|headquarters)\b", re.IGNORECASE)
_LEAD = re.compile(r"^(?:and|but|then|with|so|of which)\s+", re.IGNORECASE)


_OFFICES = "Which offices decide on the list below, what each file must hold, and how long each takes."


def outline_locations(brief: Brief) -> dict[str, Any]:
    """Return the fields of the answer: places of the prompt, places to be found, demands on them, currencies."""
    found = [*_given(brief), *_to_find(brief)]
    placed = [place.model_copy(update={"id": f"L{n}"}) for n, place in enumerate(found[:10], 1)]
    exposures = list(_exposures(brief))
    return {
        "requirements": (list(_requirements(brief)) or [_size(brief)])[:12],
        "locations": placed,
        "currency": brief.currency or _local(brief) or "",
        "currency_basis": _basis(brief),
        "exposures": exposures,
        "strategy": clip(_strategy(brief, exposures), 800),
    }


def _given(brief: Brief) -> Iterator[Location]:
    for n, place in enumerate(brief.facts.places[:6]):
        within = _within(brief)
        where = f" in {brief.facts.places[1].name}" if n == 0 and within else ""
        broader = place.kind in ("region", "country")
        use = _clause(brief, place)
        if n == 0:
            use = f"{_first(brief.facts.subject)}, from {day_text(brief.start)} on"
        elif n == 1 and within:
            use = f"Authorities, suppliers and people for {brief.facts.places[0].name}"
        yield Location(
            id="L1",
            name=place.name + where,
            kind=place.kind,
            use=clip(use, 240),
            given=True,
            why=_why(brief, place, n),
            verify=clip(_verify(brief, place) if n != 1 or not within else _OFFICES, 300),
            role=brief.role_title("legal" if broader else "operations"),
            by=due_day(brief, 9 + 5 * min(n, 3)),
        )


def _within(brief: Brief) -> bool:
    """Whether the first place lies in the second, as a quarter does in its city."""
    places = brief.facts.places
    return len(places) > 1 and places[0].kind == "site" and places[1].kind == "city" and _same_land(places)


def _same_land(places: tuple[Place, ...]) -> bool:
    return places[0].country is not None and places[0].country == places[1].country


def _clause(brief: Brief, place: Place) -> str:
    """The part between commas in which *place* stands; empty where it may not be printed."""
    sentence = sentence_of(brief.facts, place)
    if not quotable(brief.facts, (sentence,)):
        return ""
    at = place.start - sentence.start
    start = max(sentence.text.rfind(mark, 0, at) for mark in (", ", "; ", ": ")) + 1
    ends = [e for mark in (", ", "; ") if (e := sentence.text.find(mark, at)) > 0]
    part = sentence.text[start : min(ends, default=len(sentence.text))].strip(" ,;.:")
    part = _LEAD.sub("", part)
    return part[:1].upper() + part[1:] if len(part.split()) > 2 else clip(sentence.text, 200).rstrip(".")


def _why(brief: Brief, place: Place, n: int) -> str:
    said = quotable(brief.facts, (sentence_of(brief.facts, place),))
    words = quote(said[0], 180) if said else "as the goal says"
    if n == 0:
        return f"The goal puts the work there: {words}."
    if n == 1 and _within(brief):
        return f"{brief.facts.places[0].name} lies in it; permits and inspections are decided there."
    return f"Named in the goal: {words}."


def _verify(brief: Brief, place: Place) -> str:
    clause = _clause(brief, place)
    if _TEAM.search(clause):
        return (
            f"What contracts and hiring there need, and whether the people named can start by {day_text(brief.start)}."
        )
    checks = sorted((r.check for r in _requirements(brief)), key=lambda check: "signal" not in check)
    if place.kind == "country":
        law = next((d.thing for d in dangers(brief.facts) if d.kind == "law"), "")
        what = f"what the {clip(law, 80)} asks there" if law else "which permissions are needed there"
        return f"Ask counsel or the authority {what}, who decides and how long it takes."
    if place.kind == "region" and checks:
        return _first(checks[0])
    waits = next((d for d in dangers(brief.facts) if d.kind == "approval" and d.party and not d.repeated), None)
    if waits:
        asked = f"the {clip(waits.party, 60)} about the {clip(waits.thing, 60)}"
        return f"Visit with measurements and photographs, and ask {asked}."
    return f"Visit at the busiest and at the quietest hour; list what would rule {place.name} out."


def _to_find(brief: Brief) -> Iterator[Location]:
    place, day = brief.place, gate_day(brief, "prepare")
    where = f" in {place}" if place else ""
    sentences = quotable(brief.facts, brief.facts.sentences)
    said = next((s for s in sentences if _PREMISES.search(s.text)), None)
    limit = next((d.said for d in dangers(brief.facts) if d.kind == "cap" and _PREMISES.search(d.said.text)), said)
    if brief.archetype.medium != "digital" and (said or not place):
        use = f"{brief.facts.subject}: three candidates with room for {brief.words['capacity']}"
        yield _open(brief, "site", f"Premises{where}, address open", use, limit, day)
    demands = brief.facts.demands
    stays = next((d for d in demands if re.search(r"\bdata\b.*\b(?:country|leave|stay)", d.text, re.IGNORECASE)), None)
    if stays or brief.archetype.medium == "digital" or _RUNS_ONLINE.search(brief.facts.objective.text):
        land = next((p.name for p in brief.facts.places if p.kind == "country"), None)
        name = f"Hosting in {land}, provider open" if stays and land else "Hosting, provider open"
        yield _open(brief, "online", name, "Data, backups and the running service", stays, day)


def _open(brief: Brief, kind: str, name: str, use: str, said: Spanned | None, by: object) -> Location:
    shown = quotable(brief.facts, (said,) if said else ())
    because = f"the goal needs it, {quote(shown[0], 160)}," if shown else "the work needs it"
    return Location.model_validate(
        {
            "id": "L1",
            "name": clip(name[:1].upper() + name[1:], 120),
            "kind": kind,
            "use": clip(use[:1].upper() + use[1:], 240),
            "given": False,
            "why": clip(f"To be found: {because} and names none. Three candidates are scored on the list below.", 360),
            "verify": "What on the list below could rule it out is asked in writing before a visit or a trial.",
            "role": brief.role_title("lead"),
            "by": by,
        }
    )


def _requirements(brief: Brief) -> Iterator[Requirement]:
    """Every clause of the prompt that asks something of a place, once."""
    seen: list[Spanned] = [s for s in success_sentences(brief.facts) if re.search(r"\bsuccess", s.text, re.IGNORECASE)]
    seen += [sentence_of(brief.facts, brief.total)] if brief.total else []
    for strength, span in _binding(brief):
        row = next((r for r in _rows() if re.search(rf"\b(?:{r['words']})", span.text, re.IGNORECASE)), None)
        covered = any(s.start < span.end and span.start < s.end for s in seen)
        if row and not covered and quotable(brief.facts, (span,)):
            seen.append(span)
            role = lower_first(brief.role_title(row["role"]))
            yield Requirement(
                strength=strength,
                text=clip(_first(_LEAD.sub("", span.text.strip(" .,;"))), 300),
                basis="the goal, word for word",
                check=clip(f"{row['check']} ({role})", 240),
            )


def _binding(brief: Brief) -> list[tuple[Literal["must", "should"], Spanned]]:
    facts = brief.facts
    found: list[tuple[Literal["must", "should"], Spanned]] = [(d.strength, d) for d in facts.demands]
    found += [("must", ban) for ban in facts.bans if ban.kind == "approach"]
    found += [("must", closure) for closure in facts.closures]
    return sorted(found, key=lambda pair: pair[1].start)


def _size(brief: Brief) -> Requirement:
    who, day = lower_first(brief.role_title("operations")), day_text(gate_day(brief, "prepare"))
    return Requirement(
        strength="must",
        text=f"Room and services for {brief.words['capacity']}",
        basis="assumed: no demand on a place was found in the goal",
        check=f"measured on site by the {who} before {day}",
    )


@cache
def _rows() -> list[dict[str, str]]:
    found = (files("planloom.knowledge") / "site_demands.toml").read_text(encoding="utf-8")
    rows: list[dict[str, str]] = tomllib.loads(found)["rows"]
    return rows


def _local(brief: Brief) -> str | None:
    """The currency of the first country among the places."""
    land = next((place.country for place in brief.facts.places if place.country), None)
    return _tender(land)


def _tender(country: str | None) -> str | None:
    """Return the legal tender of *country* (ISO 3166-1) today; None where Babel knows none."""
    return next(iter(get_territory_currencies(country) if country else ()), None)


def _basis(brief: Brief) -> str:
    if brief.total:
        inferred = ", inferred from its sign: to be confirmed" if brief.total.assumed else ""
        return f"The budget is stated in it: {money_text(brief.total)}{inferred}."
    if brief.currency:
        return f"The goal's first amount is in {brief.currency}; no total was found in it."
    local = _local(brief)
    if local:
        return f"Assumed: {local} is used where the work happens, and no amount was found in the goal."
    return "Neither an amount nor a country was found in the goal."


def _exposures(brief: Brief) -> Iterator[Exposure]:
    home = brief.currency
    codes: dict[str, list[str]] = {}
    for place in brief.facts.places:
        code = _tender(place.country)
        if home and code and code != home:
            codes.setdefault(code, []).append(place.name)
    for money in brief.facts.money:
        if home and money.currency != home:
            codes.setdefault(money.currency, [])
    yield from (_exposure(brief, code, names) for code, names in codes.items())


def _exposure(brief: Brief, code: str, names: list[str]) -> Exposure:
    where = f"in {', '.join(names[:3])}" if names else "named in the goal"
    who, day = lower_first(brief.role_title("finance")), day_text(due_day(brief, 9))
    response = (
        f"One plan rate, fixed by the {who} on {day} and kept for the year; three months of costs in {code} are held "
        "ahead; differences are booked apart."
    )
    if brief.total:
        move = amount_text(round(0.05 * brief.total.high), brief.total.currency)
        reserve = amount_text(round(contingency(brief)[0] * brief.total.high), brief.total.currency)
        response += f" A move of 10% on half of the budget is {move}, beside a reserve of {reserve}."
    what = f"Pay, rent and fees {where} fall due in {code}, while the money comes in {brief.currency}."
    return Exposure(code=code, what=what, response=clip(response, 360))


def _strategy(brief: Brief, exposures: list[Exposure]) -> str:
    finance = lower_first(brief.role_title("finance"))
    code = brief.currency or _local(brief)
    if not code:
        day = day_text(due_day(brief, 4))
        return f"No currency can be set before place and budget are known: both are due on {day}, for the {finance}."
    keep = f"Budget, cash plan and reports are kept in {code}."
    if exposures:
        other, gate = " and ".join(e.code for e in exposures), day_text(gate_day(brief, "prepare"))
        return (
            f"{keep} Payments in {other} come from an account in that currency, filled quarterly from the cash plan. "
            f"Plan rate and rate of the day are shown side by side at each gate, first on {gate}, by the {finance}; "
            "a gap of 10% calls for a decision."
        )
    return (
        f"{keep} All certain costs fall due in it, so no exposure is planned. Offers from abroad are compared at their "
        f"price in {code} on the day of signature, duty and carriage included. Each month is closed by the {finance} "
        f"by the fifth working day of the next, from {day_text(brief.start)} on."
    )


def _first(text: str) -> str:
    return text[:1].upper() + text[1:]
