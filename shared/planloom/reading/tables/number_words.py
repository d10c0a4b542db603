"""Numbers as words, by language: plain data for :mod:`planloom.reading.numbers`."""

_EN = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"

#: Words below a hundred, English; compounds such as twenty-five are put together by the reader.
SMALL = {word: value for value, word in enumerate(_EN.split())} | {
    word: 10 * value for value, word in enumerate(_TENS.split(), 2)
}
#: What multiplies the number before it, in any language that planloom reads; spelling tells them apart.
SCALES = {
    "hundred": 1e2,
    "thousand": 1e3,
    "k": 1e3,
    "tsd": 1e3,
    "tausend": 1e3,
    "tusind": 1e3,
    "tusen": 1e3,
    "mille": 1e3,
    "duizend": 1e3,
    "lakh": 1e5,
    "lakhs": 1e5,
    "million": 1e6,
    "millions": 1e6,
    "m": 1e6,
    "mm": 1e6,
    "mn": 1e6,
    "mln": 1e6,
    "mio": 1e6,
    "mill": 1e6,
    "millionen": 1e6,
    "millioner": 1e6,
    "miljoner": 1e6,
    "miljoen": 1e6,
    "millón": 1e6,
    "millon": 1e6,
    "millones": 1e6,
    "milhão": 1e6,
    "milhões": 1e6,
    "milione": 1e6,
    "milioni": 1e6,
    "crore": 1e7,
    "crores": 1e7,
    "billion": 1e9,
    "billions": 1e9,
    "bn": 1e9,
    "b": 1e9,
    "mrd": 1e9,
    "mia": 1e9,
    "milliard": 1e9,
    "milliards": 1e9,
    "milliarde": 1e9,
    "milliarden": 1e9,
    "milliarder": 1e9,
    "miljarder": 1e9,
    "miljard": 1e9,
    "miliardi": 1e9,
    "billionen": 1e12,
    "billioner": 1e12,
    "billones": 1e12,
    "trillion": 1e12,
    "trillions": 1e12,
    "tn": 1e12,
    "t": 1e12,
}
#: Words up to twelve and the round ones, in other languages; read only in a prompt of that language.
FOREIGN = {
    "de": {
        "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10,
        "elf": 11, "zwölf": 12, "zwanzig": 20, "dreißig": 30, "vierzig": 40, "fünfzig": 50, "hundert": 100,
    },
    "da": {
        "to": 2, "tre": 3, "fire": 4, "fem": 5, "seks": 6, "syv": 7, "otte": 8, "ni": 9, "ti": 10, "elleve": 11,
        "tolv": 12, "tyve": 20, "tredive": 30, "fyrre": 40, "halvtreds": 50, "hundrede": 100,
    },
    "nb": {
        "to": 2, "tre": 3, "fire": 4, "fem": 5, "seks": 6, "sju": 7, "syv": 7, "åtte": 8, "ni": 9, "ti": 10,
        "elleve": 11, "tolv": 12, "tjue": 20, "tretti": 30, "førti": 40, "femti": 50, "hundre": 100,
    },
    "sv": {
        "två": 2, "tre": 3, "fyra": 4, "fem": 5, "sex": 6, "sju": 7, "åtta": 8, "nio": 9, "tio": 10, "elva": 11,
        "tolv": 12, "tjugo": 20, "trettio": 30, "fyrtio": 40, "femtio": 50, "hundra": 100,
    },
    "es": {
        "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10,
        "doce": 12, "quince": 15, "veinte": 20, "treinta": 30, "cuarenta": 40, "cincuenta": 50, "cien": 100,
    },
    "fr": {
        "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8, "neuf": 9, "dix": 10,
        "onze": 11, "douze": 12, "quinze": 15, "vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50, "cent": 100,
    },
    "it": {
        "due": 2, "tre": 3, "quattro": 4, "cinque": 5, "sei": 6, "sette": 7, "otto": 8, "nove": 9, "dieci": 10,
        "dodici": 12, "quindici": 15, "venti": 20, "trenta": 30, "quaranta": 40, "cinquanta": 50, "cento": 100,
    },
    "pt": {
        "dois": 2, "duas": 2, "três": 3, "quatro": 4, "cinco": 5, "seis": 6, "sete": 7, "oito": 8, "nove": 9,
        "dez": 10, "doze": 12, "quinze": 15, "vinte": 20, "trinta": 30, "quarenta": 40, "cinquenta": 50, "cem": 100,
    },
    "nl": {
        "twee": 2, "drie": 3, "vier": 4, "vijf": 5, "zes": 6, "zeven": 7, "acht": 8, "negen": 9, "tien": 10,
        "elf": 11, "twaalf": 12, "twintig": 20, "dertig": 30, "veertig": 40, "vijftig": 50, "honderd": 100,
    },
}  # fmt: skip
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
#: Ordinals in words, English: the sixth month.
ORDINALS = {word: value for value, word in enumerate(_ORDINALS.split(), 1)}
