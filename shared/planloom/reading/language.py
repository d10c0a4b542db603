"""Guess the language of a prompt from its script and its most common words."""

import re
from collections import Counter

#: Words that are frequent in one language and rare in the others of this table.
COMMON = {
    "en": "the and of to is with for that we our be must by from in a it this are or not will as on",
    "de": "der die das und ist mit für von wir ein eine einen zu im den auf nicht sich soll muss werden bis auch dem",
    "da": "og er det en et af til på vi som med for skal ikke der den har fra være bliver vores inden efter hvor jeg",
    "nb": "og er det en et av til på vi som med for skal ikke den har fra være blir vår innen etter hvor jeg",
    "sv": "och är det en ett av till på vi som med för ska inte den har från vara vår inom efter där jag",
    "es": "el la los las de y en un una para con que por es se del al queremos no su debe nuestro como más",
    "fr": "le la les de et en un une pour avec que par est du des nous dans au aux sur ne pas doit notre ce",
    "it": "il lo la gli di e un una per con che è del della nel vogliamo non si al dei delle deve nostro da",
    "pt": "o a os as de e um uma para com que por é do da em no na queremos não se ao dos das deve nosso",
    "nl": "de het een en van in is met voor dat wij we op te zijn niet moet worden door aan onze om bij tot",
    "pl": "i w na z do się nie jest to że dla przez od po oraz musi nasz chcemy budżet",
}
#: A prompt in one of these scripts needs no counting of words.
SCRIPTS = (
    ("ja", "\u3040-\u30ff"),
    ("ko", "\uac00-\ud7af"),
    ("zh", "\u4e00-\u9fff"),
    ("uk", "іїєґІЇЄҐ"),
    ("ru", "\u0400-\u04ff"),
    ("el", "\u0370-\u03ff"),
    ("he", "\u0590-\u05ff"),
    ("ar", "\u0600-\u06ff"),
    ("hi", "\u0900-\u097f"),
    ("th", "\u0e00-\u0e7f"),
)
#: Scripts that a language shares with others, and is told from them by letters of its own.
AMONG = {"ja": "\u4e00-\u9fff", "uk": "\u0400-\u04ff"}
#: What the languages above are called in English.
NAMES = {
    "ar": "Arabic",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "he": "Hebrew",
    "hi": "Hindi",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "nb": "Norwegian",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "sv": "Swedish",
    "th": "Thai",
    "uk": "Ukrainian",
    "zh": "Chinese",
}
#: Letters that speak for a language whose words are there too.
LETTERS = {"de": "äöüß", "da": "æøå", "nb": "æøå", "sv": "åäö", "es": "ñ¿¡", "fr": "çèêàù", "pt": "ãõç", "pl": "ąęłśż"}
#: As much of a prompt as is looked at.
_SAMPLE = 6000
_WORD = re.compile(r"[^\W\d_]+")
_SETS = {language: frozenset(words.split()) for language, words in COMMON.items()}


def guess_language(text: str) -> str:
    """Return the ISO 639-1 code of the language of *text*; ``en`` where nothing speaks for another."""
    sample = text[:_SAMPLE]
    letters = sum(map(str.isalpha, sample)) or 1
    for language, block in SCRIPTS:
        hits = len(re.findall(f"[{block}]", sample))
        # kana stand among ideographs, Ukrainian letters among Cyrillic: neither makes up a text, nor does a name in it
        around = len(re.findall(f"[{AMONG[language]}{block}]", sample)) if language in AMONG else hits
        if hits > letters * (0.02 if language in AMONG else 0.3) and around > letters * 0.3:
            return language
    words = Counter(_WORD.findall(sample.lower()))
    score = {language: sum(words[w] for w in sorted(common)) for language, common in _SETS.items()}
    for language, letters_of in LETTERS.items():
        score[language] += bool(score[language]) and any(c in letters_of for c in sample.lower())
    best = max(score, key=lambda language: (score[language], language == "en"))
    # A foreign name or two in a short English prompt must not decide.
    return best if score[best] > score["en"] + 1 else "en"
