"""The reference card: tab-separated lines that teach the language, with examples and entities from the catalog."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence

from planloom.core.entities import Capability, Entity
from planloom.planes.programs.catalog import Catalog
from planloom.planes.programs.plan import PAGE_ROWS

#: A card has at most so many tokens, by the estimate of :func:`tokens`.
MOST_TOKENS = 1_490
#: Tokens for the line that counts the entities without a line.
LAST_LINE = 20
_EFFECTS = {"reads": "", "changes": "!", "destroys": "!!"}
LEGEND = "…_at time, :n number, :b boolean, else text; * required: use the relation that leads here, or filter with ="
_SHORT = {"text": "", "number": ":n", "boolean": ":b", "time": ":t", "list": ":list", "object": ":obj"}


def reference_card(catalog: Catalog, ask: str = "") -> str:
    """Return the card for *catalog*: what *ask* is about in full, the rest as far as it has space.

    *ask* is a question or a list of names in plain words; empty asks for everything alike.
    """
    entities = _by_relevance(catalog, ask)
    lines = list(_language(entities))
    head = ["", f"entity\tfields ({LEGEND})\trelations\tcapabilities (! changes, !! destroys)"]
    left = MOST_TOKENS - tokens("\n".join([*lines, *head]))
    shown = _entities([entity for entity, _ in entities], sum(1 for _, fits in entities if fits), left)
    return "\n".join([*lines, *head, *shown]) + "\n"


def prompt_hash(card: str) -> str:
    """Return the name of a card: the SHA-256 of its text, in hex."""
    return hashlib.sha256(card.encode()).hexdigest()


def tokens(text: str) -> int:
    """Return an estimate of the tokens in *text*, on the high side: one for four characters of a word, one a sign."""
    return sum(-(-len(part) // 4) for part in re.findall(r"\w+|[^\w ]", text))


def _by_relevance(catalog: Catalog, ask: str) -> list[tuple[Entity, bool]]:
    """Return all entities, those that *ask* is about first, and whether they are."""
    words = {_stem(word) for word in re.findall(r"[A-Za-z]{3,}", ask)}
    scores = [(entity, _score(entity, words)) for entity in catalog]
    best = max((score for _, score in scores), default=0)
    ranked = sorted(scores, key=lambda each: -each[1])
    return [(entity, score > 0 and score * 3 >= best) for entity, score in ranked]


def _score(entity: Entity, words: set[str]) -> int:
    name = {_stem(part) for part in re.findall(r"[A-Z][a-z]+", entity.name)}
    about = {_stem(part) for part in re.findall(r"[A-Za-z]{3,}", entity.description)}
    names = [each.name for each in entity.fields]
    names += [each.name for each in entity.relations] + [each.name for each in entity.capabilities]
    parts = set(map(_stem, names))
    return 4 * (bool(name) and name <= words) + 2 * len(name & words) + len(about & words) + len(parts & words)


def _stem(word: str) -> str:
    lower = word.lower()
    return lower[:-1] if lower.endswith("s") and not lower.endswith("ss") else lower


def _language(entities: Sequence[tuple[Entity, bool]]) -> Iterator[str]:
    """Return the lines that teach the language, with examples over the first entities that have what they show."""
    yield "A program is one or more statements, one a line. x = EXPRESSION binds a name; any other line is returned."
    yield "form\texample\tmeaning"
    examples = _Examples([entity for entity, _ in entities])
    yield from (f"{form}\t{example}\t{meaning}" for form, example, meaning in examples.lines())


class _Examples:
    def __init__(self, entities: Sequence[Entity]) -> None:
        listed = [entity for entity in entities if entity.list and not entity.list.needs]
        self.entity = next(iter(sorted(listed, key=lambda each: -_shows(each))), None)

    def lines(self) -> Iterator[tuple[str, str, str]]:
        """Return form, example and meaning of each form."""
        entity = self.entity
        name, key = (entity.name, entity.key) if entity else ("Item", "id")
        choice = next((each for each in entity.fields if each.values), None) if entity else None
        number, time = _first(entity, "number", "steps"), _first(entity, "time", "created_at")
        text = _first(entity, "text", "title")
        test = f"{choice.name} = {choice.values[-1]}" if choice else f'{text} contains "a"'
        group = choice.name if choice else text
        some = f"{name}.filter{{{test}}}"
        later = f'{name}.filter{{{text} contains "a b" and {time} >= now-7d}}'
        yield "list", name, f"the first {PAGE_ROWS} rows; the answer names page(s0_pg1) for more"
        yield "get", f'{name}("ID")', "one row"
        yield "filter", some, "all such rows: = != < <= > >= in [a, b] contains; and or not; exists(field)"
        yield "", later, "times: 2026-01-31, now, today (UTC), -/+ m h d w; quote texts with spaces"
        yield "fields", f"{name}[{key}, {text}]", "only these"
        yield "sort, limit", f"{name}.sort(-{time}).limit(10)", "- is descending; sort before limit"
        yield "count", f"{some}.count()", "also sum(f) avg(f) min(f) max(f)"
        grouped = f"{name}.group_by({group}).aggregate(count, max({number}))"
        yield "group", grouped, f"columns {group}, count, max_{number}"
        yield "distinct", f"{name}.distinct({group})", "the first row of each value"
        yield from self._more(name, key, some)
        yield (
            "long runs",
            "wait(s0_o1)",
            'alone: how far it is, or its result; cancel(s0_o1) ends it; wait("ID") of a run or plan too',
        )

    def _more(self, name: str, key: str, some: str) -> Iterator[tuple[str, str, str]]:
        entity = self.entity
        relation = next((each for each in entity.relations if each.many), None) if entity else None
        if relation:
            yield "relation", f'{name}("ID").{relation.name}', f"its {relation.entity} rows"
            yield "", f"{some}.{relation.name}", f"the {relation.entity} rows of all of them"
            bound = f'x = {name}("ID")\\n{relation.entity}.filter{{{relation.by} = x.{key}}}'
            yield "bindings", bound, "\\n is a new line; x.field is a value, or of many rows a list for in"
        yield "sets", f"a = {some}\\nb = {name}.limit(50)\\na minus b", "union intersect minus, by id"
        call = next((each for each in entity.capabilities if each.key), None) if entity else None
        if call:
            given = "".join(f', {each.name}="…"' for each in call.arguments if each.required)
            yield "call", f'{name}.{call.name}("ID"{given})', "the id first, then arguments by name; ? is optional"
            loop = f"{some}.for_each({name}.{call.name}(each.{key}{given}))"
            yield "for each", loop, "one call a row; each is the row"


def _shows(entity: Entity) -> int:
    """Return how much of the language examples over *entity* can show."""
    return (
        2 * any(each.values for each in entity.fields)
        + any(each.many for each in entity.relations)
        + any(each.key for each in entity.capabilities)
        + bool(_first(entity, "time"))
    )


def _first(entity: Entity | None, kind: str, preferred: str = "") -> str:
    """Return a field of that type, by preference the one of that name, and not one with ids; *preferred* if none is."""
    names = [each.name for each in entity.fields if each.type == kind] if entity else []
    plain = [name for name in names if name != "id" and not name.endswith("_id")] or names
    return preferred if preferred in plain or not plain else plain[0]


def _entities(entities: Sequence[Entity], asked: int, left: int) -> list[str]:
    """Return the lines of *entities*, of which the first *asked* come in full, within *left* tokens."""
    lines = [_name_only(each) for each in entities]
    # names alone must not take the space of what was asked for
    kept = min(left // 2, tokens("\n".join(map(_full, entities[: max(asked, 1)])))) if len(lines) > 1 else 0
    while lines and tokens("\n".join(lines)) + kept + LAST_LINE > left:
        lines.pop()
    some, every = min(asked, len(lines)), len(lines)
    for level, count in ((_brief, some), (_full, some), (_brief, every), (_needed, every), (_full, every)):
        for number in range(count):
            longer = [*lines[:number], level(entities[number]), *lines[number + 1 :]]
            if len(longer[number]) > len(lines[number]) and tokens("\n".join(longer)) + LAST_LINE <= left:
                lines = longer
    hidden = len(entities) - len(lines)
    return [*lines, f"… and {hidden} more entities: ask for them by what they hold."] if hidden else lines


def _name_only(entity: Entity) -> str:
    return f"{entity.name}\t{entity.description}".rstrip()


def _brief(entity: Entity) -> str:
    relations = [each.name for each in entity.relations]
    return _line(entity, _fields(entity, values=0), relations, map(_named, entity.capabilities))


def _needed(entity: Entity) -> str:
    """Return the line of *entity* without optional arguments, where relations lead, and values of further fields."""
    relations = [each.name for each in entity.relations]
    return _line(entity, _fields(entity, values=1), relations, _signatures(entity, optional=False))


def _full(entity: Entity) -> str:
    relations = [f"{each.name}→{each.entity}" for each in entity.relations]
    return _line(entity, _fields(entity), relations, _signatures(entity))


def _line(entity: Entity, fields: Iterable[str], relations: Iterable[str], capabilities: Iterable[str]) -> str:
    return f"{entity.name}\t{' '.join(fields)}\t{' '.join(relations)}\t{' '.join(capabilities)}".rstrip()


def _fields(entity: Entity, *, values: int = 100) -> Iterator[str]:
    """Return the fields of *entity*: the first ones that have them with their values, so many as *values* says."""
    needs = entity.list.needs if entity.list else ()
    with_values = [each.name for each in entity.fields if each.values][:values]
    for each in entity.fields:
        kind = "" if each.type == "time" and each.name.endswith("_at") else _SHORT[each.type]
        shown = f"={'|'.join(each.values)}" if each.name in with_values else kind
        yield each.name + ("*" if each.name in needs else "") + shown


def _named(capability: Capability) -> str:
    return capability.name + _EFFECTS[capability.effect]


def _signatures(entity: Entity, *, optional: bool = True) -> Iterator[str]:
    """Return what the capabilities of *entity* take; one that takes the id alone is only named."""
    said: set[tuple[str, ...]] = set()
    for capability in entity.capabilities:
        arguments = ["id"] if capability.key else []
        for each in capability.arguments:
            if each.required or optional:
                # what was said in this line is not repeated
                known = each.values if (each.name, *each.values) not in said else ()
                said.add((each.name, *each.values))
                kind = f"={'|'.join(known)}" if known else _SHORT.get(each.type, "")
                arguments.append(each.name + kind + ("" if each.required else "?"))
        yield _named(capability) + (f"({', '.join(arguments)})" if arguments not in ([], ["id"]) else "")
