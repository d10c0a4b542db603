"""Tell whether words speak of the whole that the prompt is about, or of a part of it."""

import re

_WHOLE = re.compile(
    r"\b(?:it|project|programme|program|everything|all of it|plan|whole|we|they|work|works|everyone|initiative|"
    r"construction|event|us|projekt|proyecto|projet)\b"
)
#: The project as the subject of a clause: "the whole project", but not "its waste plan".
_PROJECT = re.compile(
    r"\W*(?:(?:the|this|our|whole|entire|das|el|le)\s){0,2}(?:\w+\s)?"
    r"(?:project|program(?:me)?|everything|plan|initiative|roadmap|campaign|projekt|proyecto|projet|effort)\b"
)
_WORD = re.compile(r"[^\W\d_]{3,}")
#: Words of a subject that name no thing.
_EMPTY = frozenset({"the", "with", "for", "and", "that", "from", "into", "new", "of", "our"})


def speaks_of_whole(clause: str, subject: str) -> bool:
    """Return whether *clause*, lower case, is about the project as such or what it makes (a word of *subject*)."""
    if _WHOLE.search(clause):
        return True
    said = set(_WORD.findall(clause))
    return any(word in said for word in _WORD.findall(subject.lower()) if word not in _EMPTY)


def speaks_of_project(clause: str, subject: str) -> bool:
    """Return whether *clause*, lower case, names the project as such, or the head of *subject* as what it is about."""
    head = _WORD.findall(subject.lower())[-1:]
    return bool(_PROJECT.match(clause)) or bool(
        head and re.match(rf"(?:\w+\s){{0,2}}{re.escape(head[0])}\b", clause.strip())
    )
