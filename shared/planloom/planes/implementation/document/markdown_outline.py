"""Markdown as sections of texts, lists and code, with their line numbers: read from tokens of the parser."""

import importlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Line:
    """A run of text as people read it; *codes* are its code spans, *line* its line number, from 1."""

    text: str
    codes: tuple[str, ...]
    line: int
    rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Item:
    """An entry of a list; *number* in a numbered list, *checked* where it has a checkbox."""

    line: Line
    number: int | None
    checked: bool | None
    blocks: "tuple[Block, ...]"


@dataclass(frozen=True)
class Items:
    """A list."""

    items: tuple[Item, ...]
    line: int


@dataclass(frozen=True)
class Code:
    """A block of code with its language, which may be empty."""

    text: str
    language: str
    line: int


@dataclass(frozen=True)
class Other:
    """What plans have no place for: a table, a quotation, HTML."""

    kind: str
    text: str
    line: int


Block = Line | Items | Code | Other


@dataclass
class Section:
    """A heading, None before the first, and the text under it up to the next heading of any level."""

    level: int
    heading: Line | None
    blocks: list[Block] = field(default_factory=list)


def sections(markdown: str) -> list[Section]:
    """Return the sections of *markdown* in order."""
    # on the first draft: the import costs 0.1 s
    parser = importlib.import_module("markdown_it").MarkdownIt("commonmark").enable("table")
    tree = importlib.import_module("markdown_it.tree").SyntaxTreeNode(parser.parse(markdown))
    found = [Section(0, None)]
    for node in tree.children:
        if node.type == "heading":
            found.append(Section(int(node.tag[1:]), _line(node)))
        else:
            found[-1].blocks += _blocks([node])
    return found


def _blocks(nodes: Iterable[Any]) -> Iterator[Block]:
    for node in nodes:
        if node.type in ("paragraph", "heading"):
            yield _line(node)
        elif node.type in ("bullet_list", "ordered_list"):
            yield _items(node)
        elif node.type in ("fence", "code_block"):
            yield Code(node.content.strip(), node.info.strip() if node.type == "fence" else "", _at(node))
        elif node.type != "hr":
            yield Other(node.type, " ".join(_texts(node)).strip() or node.content.strip(), _at(node))


def _items(node: Any) -> Items:
    first = int(node.attrs.get("start", 1)) if node.type == "ordered_list" else None
    return Items(tuple(_item(child, first, n) for n, child in enumerate(node.children)), _at(node))


def _item(node: Any, first: int | None, place: int) -> Item:
    blocks = list(_blocks(node.children))
    first_block = blocks[0] if blocks else None
    head = first_block if isinstance(first_block, Line) else Line("", (), _at(node))
    blocks = blocks[1:] if head is first_block else blocks
    box = {"[ ]": False, "[x]": True, "[X]": True}.get(head.text[:3])
    if box is not None:
        head = Line(head.text[3:].strip(), head.codes, head.line, head.rows)
    return Item(head, None if first is None else first + place, box, tuple(blocks))


def _line(node: Any) -> Line:
    codes = tuple(inner.content for inner in node.walk() if inner.type == "code_inline")
    rows = tuple(" ".join(row.split()) for row in "".join(_texts(node)).split("\n"))
    return Line(" ".join(rows).strip(), codes, _at(node), rows)


def _texts(node: Any) -> Iterator[str]:
    for inner in node.walk():
        if inner.type in ("text", "code_inline"):
            yield inner.content
        elif inner.type in ("softbreak", "hardbreak"):
            yield "\n"


def _at(node: Any) -> int:
    return int(node.map[0]) + 1 if node.map else 1
