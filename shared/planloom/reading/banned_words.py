"""Tell by language whether a sentence forbids words: it speaks of words, and says that they are not to be used."""

import re

#: By ISO 639-1 code: what words are called, and what forbids them. What is forbidden stands in quotation marks.
_SAID: dict[str, tuple[str, str]] = {
    "de": (r"\b(?:wort|wörtern?|worte|begriffe?n?|ausdr[üu]ck\w*)\b", r"\b(?:nicht|kein\w*|nie\w*|vermeide\w*|ohne)\b"),
    "fr": (r"\b(?:mots?|termes?|expressions?)\b", r"\b(?:ne|pas|jamais|évite[zr]?|interdit\w*|sans)\b|\bn['’]"),
    "es": (r"\b(?:palabras?|términos?|expresi[óo]n\w*)\b", r"\b(?:no|nunca|evit\w+|prohibid\w+|sin)\b"),
    "pt": (r"\b(?:palavras?|termos?|express(?:ão|ões))\b", r"\b(?:não|nunca|evit\w+|proibid\w+|sem)\b"),
    "it": (r"\b(?:parol[ae]|termin[ei]|espression[ei])\b", r"\b(?:non|mai|evit\w+|vietat\w+|senza)\b"),
    "nl": (r"\b(?:woord(?:en)?|term(?:en)?|begrip(?:pen)?)\b", r"\b(?:niet|geen|nooit|vermijd\w*|verboden|zonder)\b"),
    "da": (r"\b(?:ord(?:et|ene)?|udtryk(?:ket|kene)?|begreb\w*)\b", r"\b(?:ikke|aldrig|undgå\w*|forbudt\w*|uden)\b"),
    "nb": (r"\b(?:ord(?:et|ene)?|uttrykk(?:et|ene)?|begrep\w*)\b", r"\b(?:ikke|aldri|unngå\w*|forbudt\w*|uten)\b"),
    "sv": (r"\b(?:ord(?:et|en)?|uttryck(?:et|en)?|begrepp\w*)\b", r"\b(?:inte|aldrig|undvik\w*|förbjud\w*|utan)\b"),
    "pl": (r"\b(?:słow[oaem]\w*|słów|wyraz\w*|termin\w*|określe\w*)\b", r"\b(?:nie|nigdy|unika\w*|zakazan\w*|bez)\b"),
    "ru": (r"\b(?:слов\w*|термин\w*|выражени\w*)\b", r"\b(?:не|никогда|избега\w*|запрещ\w*|нельзя|без)\b"),
    "uk": (r"\b(?:слов\w*|слів|термін\w*|вираз\w*)\b", r"\b(?:не|ніколи|уника\w*|заборон\w*|без)\b"),
    "ja": (r"言葉|単語|用語|表現|という語", r"ない|避け|禁止|禁じ|使わず"),
    "zh": (r"词|詞|字眼|用语|用語|说法|說法", r"不|勿|避免|禁止|禁用"),
    "ko": (r"단어|표현|용어|낱말|라는 말", r"않|말 것|마세요|금지|피하|없이"),
}  # fmt: skip
_PATTERNS = {code: tuple(re.compile(said, re.I) for said in pair) for code, pair in _SAID.items()}


def says_no_word(language: str, sentence: str) -> bool:
    """Return whether *sentence* forbids the words that it quotes; False for languages that nobody has taught us."""
    patterns = _PATTERNS.get(language)
    return bool(patterns) and all(pattern.search(sentence) for pattern in patterns or ())
