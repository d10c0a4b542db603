"""Take the caller's own words and secrets out of text that goes to logs (specification, 10.3)."""

import re
from typing import Any

PROMPT_MARK, SECRET_MARK = "[prompt]", "[secret]"
#: So many words of the prompt in a row are taken for a quotation of it; fewer occur in any sentence.
WORDS = 4

_WORD = re.compile(r"\w+")
#: Keys of ours and of the usual providers, bearer tokens, and what signs a link.
_SECRETS = re.compile(
    r"\b(?:pex_|sk-|gsk_|AKIA|ASIA)[\w-]{8,}|(?<=Bearer )[\w.~+/-]{8,}=*"
    r"|(?<=X-Amz-Signature=)\w+|(?<=X-Amz-Security-Token=)[^&\s\"']+|(?<=X-Amz-Credential=)[^&\s\"']+"
)
_FREE = frozenset({"message", "reason"})


def without_secrets(text: str) -> str:
    """Return *text* with whatever looks like a key or a signature replaced by ``[secret]``."""
    return _SECRETS.sub(SECRET_MARK, text)


def without_prompt(text: str, prompt: str) -> str:
    """Return *text* with every run of at least four words that is in *prompt* replaced by ``[prompt]``.

    Case and punctuation do not matter. A prompt of fewer words is taken out as a whole.
    """
    said = [word.casefold() for word in _WORD.findall(prompt)]
    size = min(WORDS, len(said))
    if not size:
        return text
    known = {tuple(said[at : at + size]) for at in range(len(said) - size + 1)}
    words = list(_WORD.finditer(text))
    folded = [word.group().casefold() for word in words]
    quoted: set[int] = set()
    for at in range(len(words) - size + 1):
        if tuple(folded[at : at + size]) in known:
            quoted.update(range(at, at + size))
    return _marked(text, words, quoted)


def data_without_prompt(data: dict[str, Any], prompt: str) -> dict[str, Any]:
    """Return an event's *data* with the prompt taken out of its free text; names and numbers stay."""
    clean: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, dict):
            clean[name] = data_without_prompt(value, prompt)
        else:
            clean[name] = without_prompt(value, prompt) if name in _FREE and isinstance(value, str) else value
    return clean


def _marked(text: str, words: list[re.Match[str]], quoted: set[int]) -> str:
    parts: list[str] = []
    end = 0
    for at, word in enumerate(words):
        if at in quoted:
            if at - 1 not in quoted:
                parts += [text[end : word.start()], PROMPT_MARK]
            end = word.end()
    return "".join([*parts, text[end:]])
