"""Make answers that a JSON schema allows and that mean nothing: deterministic, within every bound.

They are about as long as those of a model: few items in lists within lists, short texts in items.
What bounds do not say is met where it costs nothing: items of a list differ, an enumeration is walked in its order,
identifiers are taken from what the prompt shows, and where the items of a list have a ``weight`` of up to 100, their
weights sum to 100.
"""

import hashlib
import json
import re
from datetime import date, timedelta
from typing import Any

Schema = dict[str, Any]

FIRST_DAY = date(2027, 1, 4)
WORDS = re.findall(
    r"\w+",
    "ledger harbour signal granite meadow copper window orchard lantern river timber anchor pepper marble saddle "
    "beacon canvas thistle quarry velvet bridge cellar falcon garden hammer island jacket kettle ladder mirror",
)

#: Identifiers that fit the patterns of the stages, by number.
NAMES = ("{field}-{n}", "{field}_{n}", "L{n}", "R{n}", "A{n}", "B{n}", "N{n}", "1.{n}", "EUR")


#: The field that names the part of a document which an item is: each part is given once.
PART = "part"
#: Characters of a text that may be longer than LONG: a part of a document.
LONG, LONG_TEXT = 20_000, 3_500
#: A text of at least so many characters is a whole document, of so many sections.
WHOLE, SECTIONS = 4_000, 9
#: Items of a list, of a list within one, and characters of a text in an item, where the bounds allow so few.
ITEMS, NESTED, IN_A_ROW = 15, 2, 150


class Answerer:
    """Answers from one schema; *shown* is the prompt."""

    def __init__(self, schema: Schema, shown: str) -> None:
        self._schema = schema
        self._shown = shown
        self._depth = 0
        self._seed = int(hashlib.sha256((shown + json.dumps(schema)).encode()).hexdigest()[:8], 16)

    def answer(self) -> Any:
        """Return the answer; the same prompt and schema give the same one."""
        return self._value(self._schema, "answer", 0)

    def _value(self, schema: Schema, field: str, n: int) -> Any:
        schema = self._resolved(schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return schema["enum"][n % len(schema["enum"])]
        kind = schema.get("type", "object")
        if kind == "object":
            return {name: self._value(part, name, n) for name, part in schema.get("properties", {}).items()}
        if kind == "array":
            return self._list(schema, field, n)
        return self._text(schema, field, n) if kind == "string" else _scalar(kind, schema, n)

    def _resolved(self, schema: Schema) -> Schema:
        for choice in ("anyOf", "oneOf", "allOf"):
            if choice in schema:
                options = [option for option in schema[choice] if option.get("type") != "null"]
                return self._resolved(options[0])
        if "$ref" in schema:
            return self._resolved(self._schema["$defs"][schema["$ref"].rpartition("/")[2]])
        return schema

    def _list(self, schema: Schema, field: str, n: int) -> list[Any]:
        low, high = schema.get("minItems", 0), schema.get("maxItems", 6)
        count = max(low, min(NESTED if self._depth else ITEMS, (low + high) // 2))
        parts = self._resolved(schema["items"]).get("properties", {})
        count = len(parts[PART].get("enum", ())) if PART in parts else count
        self._depth += 1
        found = [self._value(schema["items"], field, n + i) for i in range(count)]
        self._depth -= 1
        if found and parts.get("weight", {}).get("maximum") == 100:
            for item in found:
                item["weight"] = 100 // len(found)
            found[0]["weight"] += 100 % len(found)
        return found

    def _text(self, schema: Schema, field: str, n: int) -> str:
        if schema.get("format") == "date":
            return (FIRST_DAY + timedelta(days=7 * n)).isoformat()
        low, high = schema.get("minLength", 0), schema.get("maxLength", 200)
        if "pattern" in schema:
            return self._name(schema["pattern"], field, n)
        in_a_row = LONG_TEXT if high > LONG else IN_A_ROW
        wanted = max(low, min(high, 20 + high * 2 // 5, in_a_row if self._depth else high))
        text = f"{field} {n}: "
        step = self._seed + 7 * n
        while len(text) < wanted:
            step = (step * 1103515245 + 12345) % 2**31
            text += WORDS[step // 65536 % len(WORDS)] + " "
        return (_in_sections(text[:wanted]) if low > WHOLE else text[:wanted].strip()).ljust(low, ".")

    def _name(self, pattern: str, field: str, n: int) -> str:
        inner = pattern.strip("^$")
        if not re.fullmatch(inner, "ab") and not re.fullmatch(inner, "EUR"):
            shown = list(dict.fromkeys(re.findall(rf"(?<![\w.]){inner}(?![\w.])", self._shown)))
            if shown:
                return str(shown[n % len(shown)])
        made = (name.format(field=field, n=n + 1) for name in NAMES)
        return next(name for name in made if re.fullmatch(inner, name))


def _in_sections(text: str) -> str:
    """Return *text* as Markdown whose sections have different headings."""
    words = text.split()
    size = -(-len(words) // SECTIONS)
    parts = (words[first : first + size] for first in range(0, len(words), size))
    return "\n\n".join(f"## Of {part[0]} {n}\n\n{' '.join(part)}" for n, part in enumerate(parts))


def _scalar(kind: str, schema: Schema, n: int) -> int | float | bool | None:
    if kind == "boolean":
        return n % 3 == 1
    if kind == "integer":
        low = int(schema["minimum"] if "minimum" in schema else schema.get("exclusiveMinimum", -1) + 1)
        return low + n % (int(schema.get("maximum", low + 10)) - low + 1)
    if kind == "number":
        least = float(schema["minimum"] if "minimum" in schema else schema.get("exclusiveMinimum", 0.0))
        most = float(schema.get("maximum", least + 100))
        return least + (most - least) * (1 + n % 7) / 50
    return None
