"""Guess the language of a text from its script and its most common words."""

import re
from collections import Counter

#: Words that are frequent in one language and rare in the others of this table.
COMMON = {
    "en": "the and of to is with for that we our be must by from in a it this are or not will as on",
    "de": "der die das und ist mit für von wir ein eine einen zu im den auf nicht sich soll muss werden bis auch dem",
    "da": "og er det en et af til på vi som med for skal ikke der den har fra være bliver vores inden efter hvor jeg",
    "nb": "og er det en et av til på vi som med for skal ikke den har fra være blir vår innen etter hvor jeg",
    "sv": "och är det en ett av till på vi som med för ska inte den har från vara vår inom efter där jag",
    "fi": "ja on ei että se ovat mutta kun tai joka myös ole sekä jos kanssa mukaan vuoden haluamme meidän tulee",
    "es": "el la los las de y en un una para con que por es se del al queremos no su debe nuestro como más",
    "fr": "le la les de et en un une pour avec que par est du des nous dans au aux sur ne pas doit notre ce",
    "it": "il lo la gli di e un una per con che è del della nel vogliamo non si al dei delle deve nostro da",
    "pt": "o a os as de e um uma para com que por é do da em no na queremos não se ao dos das deve nosso",
    "ro": "și în de la cu pentru un o este să din care nu pe sunt până ne vom mai al trebuie sau ale",
    "nl": "de het een en van in is met voor dat wij we op te zijn niet moet worden door aan onze om bij tot",
    "pl": "i w na z do się nie jest to że dla przez od po oraz musi nasz chcemy budżet są lub za",
    "cs": "a v na je se do že pro s z ve by musí být nebo od jako chceme náš které za jsou ale při",
    "hu": "a az és hogy nem egy is meg van kell vagy de csak ki már legyen szeretnénk között lesz ezt",
    "tr": "ve bir bu için ile da de olarak en çok olan daha kadar gibi sonra her yeni istiyoruz bütçe olmalı",
    "id": "dan yang di untuk dengan dari ini pada akan tidak dalam adalah kami harus ke oleh atau dapat kita ingin",
    "vi": "và của là các có cho trong được một với không này người phải chúng tôi những để từ năm",
}
#: A text in one of these scripts needs no counting of words.
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
#: Scripts that several languages share, and the letters that only one of these languages has.
AMONG = {"ja": "\u4e00-\u9fff", "uk": "\u0400-\u04ff"}
_NAMES = """
ar=Arabic cs=Czech da=Danish de=German el=Greek en=English es=Spanish fi=Finnish fr=French he=Hebrew hi=Hindi
hu=Hungarian id=Indonesian it=Italian ja=Japanese ko=Korean nb=Norwegian nl=Dutch pl=Polish pt=Portuguese
ro=Romanian ru=Russian sv=Swedish th=Thai tr=Turkish uk=Ukrainian vi=Vietnamese zh=Chinese
"""
#: What the languages above are called in English.
NAMES = dict(pair.split("=") for pair in _NAMES.split())
#: Letters that count for a language whose words are in the text too.
_LETTERS = {
    "de": "äöüß", "da": "æøå", "nb": "æøå", "sv": "åäö", "fi": "äö", "es": "ñ¿¡", "fr": "çèêàù", "pt": "ãõç",
    "pl": "ąęłśż", "cs": "ěřůčž", "ro": "ășțţş", "hu": "őű", "tr": "ğışİ", "vi": "đạảấầậếềệ",
}  # fmt: skip
#: The number of characters of a text that are looked at.
_SAMPLE = 6000
_WORD = re.compile(r"[^\W\d_]+")
_SETS = {language: frozenset(words.split()) for language, words in COMMON.items()}


def guess_language(text: str) -> str:
    """Return the ISO 639-1 code of the language of *text*; ``en`` where no other is likelier."""
    sample = text[:_SAMPLE]
    letters = sum(map(str.isalpha, sample)) or 1
    for language, block in SCRIPTS:
        hits = len(re.findall(f"[{block}]", sample))
        # kana are found among ideographs, Ukrainian letters among Cyrillic: neither makes up a text, nor does a name
        around = len(re.findall(f"[{AMONG[language]}{block}]", sample)) if language in AMONG else hits
        if hits > letters * (0.02 if language in AMONG else 0.3) and around > letters * 0.3:
            return language
    words = Counter(_WORD.findall(sample.lower()))
    score = {language: sum(words[w] for w in sorted(common)) for language, common in _SETS.items()}
    for language, own in _LETTERS.items():
        score[language] += bool(score[language]) and any(c in own for c in sample.lower())
    best = max(score, key=lambda language: (score[language], language == "en"))
    # A foreign name or two in a short English goal must not decide.
    return best if score[best] > score["en"] + 1 else "en"
