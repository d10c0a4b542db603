"""Numbers in figures and in words, with their scale, as ranges, in many languages."""

from itertools import pairwise

import pytest
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st

from planloom.planes.strategic.facts.language import NAMES
from planloom.planes.strategic.facts.numbers import find_numbers

#: Language, text, and each number in it: as written, its value or its two ends.
CASES = [
    ("en", "1,250.5 kg", {"1,250.5": 1250.5}),
    ("en", "45k users", {"45k": 45e3}),
    ("en", "1,50,000 people, 3 lakh more, 2 crore in all", {"1,50,000": 150e3, "3 lakh": 3e5, "2 crore": 2e7}),
    ("en", "2 to 3 million", {"2 to 3 million": (2e6, 3e6)}),
    ("en", "500 to 1 million", {"500 to 1 million": (500, 1e6)}),
    ("en", "2–3 sites", {"2–3": (2, 3)}),
    ("en", "between 2 and 3 sites, 2 and 3", {"2 and 3": (2, 3), "2": 2, "3": 3}),
    ("en", "two or three sites", {"two or three": (2, 3)}),
    ("en", "5% to 10% of it", {"5% to 10": (5, 10)}),
    ("en", "two hundred and fifty thousand", {"two hundred and fifty thousand": 250e3}),
    ("en", "half a million", {"half a million": 5e5}),
    ("en", "two and a half million", {"two and a half million": 2.5e6}),
    ("en", "twenty-five of five six", {"twenty-five": 25, "five": 5, "six": 6}),
    ("en", "a dozen of a few million", {"a dozen": 12}),
    ("en", "2½ rooms", {"2½": 2.5}),
    ("en", "3 100-bed wards", {"3": 3, "100": 100}),
    ("en", "240 000 homes", {"240 000": 240e3}),
    ("en", "12,345,678 and 1.250", {"12,345,678": 12345678, "1.250": 1.25}),
    ("en", "CHF 1'250'000", {"1'250'000": 1.25e6}),
    ("en", "1.234,50 and 1.250", {"1.234,50": 1234.5, "1.250": 1250}),
    ("en", "5G, 3D, the 1st, COVID-19, B2B, 14:30, v1.2.3, Q3, #5", {}),
    ("de", "zweihundertfünfzigtausend", {"zweihundertfünfzigtausend": 250e3}),
    ("de", "einundzwanzig", {"einundzwanzig": 21}),
    ("de", "anderthalb Millionen, eine halbe Million", {"anderthalb Millionen": 1.5e6, "eine halbe Million": 5e5}),
    ("de", "zwei bis drei", {"zwei bis drei": (2, 3)}),
    ("de", "auf zweien, zu vieren", {"zweien": 2, "vieren": 4}),
    ("en", "three point nine million, at this point five", {"three point nine million": 3.9e6, "five": 5}),
    ("en", "two point two five, six", {"two point two five": 2.25, "six": 6}),
    ("de", "drei Komma fünf Millionen", {"drei Komma fünf Millionen": 3.5e6}),
    ("de", "zwölf Komma fünfundzwanzig", {"zwölf Komma fünfundzwanzig": 12.25}),
    ("en", "all thousand-odd kilometres, several hundred seats", {"thousand": 1e3}),
    ("de", "12 Tsd. Leute, 3,5 Mio. Gäste", {"12 Tsd.": 12e3, "3,5 Mio.": 3.5e6}),
    ("de", "1.250 Leute, eine Katze", {"1.250": 1250}),
    ("fr", "deux cent cinquante mille", {"deux cent cinquante mille": 250e3}),
    ("fr", "quatre-vingt-dix ou soixante-quinze", {"quatre-vingt-dix": 90, "soixante-quinze": 75}),
    ("fr", "un million et demi", {"un million et demi": 1.5e6}),
    ("fr", "180 000 et 2 à 3 millions", {"180 000": 180e3, "2 à 3 millions": (2e6, 3e6)}),
    ("es", "2 mil millones y 45 mil", {"2 mil millones": 2e9, "45 mil": 45e3}),
    ("es", "treinta y cinco, cinco y seis", {"treinta y cinco": 35, "cinco": 5, "seis": 6}),
    ("es", "un millón y medio", {"un millón y medio": 1.5e6}),
    ("pt", "duas mil, vinte e cinco", {"duas mil": 2000, "vinte e cinco": 25}),
    ("it", "duecentocinquanta, ventuno, 45 mila", {"duecentocinquanta": 250, "ventuno": 21, "45 mila": 45e3}),
    ("nl", "tweeëntwintig, een half miljoen", {"tweeëntwintig": 22, "een half miljoen": 5e5}),
    ("da", "femogtyve, halvanden million", {"femogtyve": 25, "halvanden million": 1.5e6}),
    ("nb", "tjuefem, 1,5 millioner", {"tjuefem": 25, "1,5 millioner": 1.5e6}),
    ("sv", "tjugofem, två miljoner", {"tjugofem": 25, "två miljoner": 2e6}),
    ("fi", "kaksisataaviisikymmentä", {"kaksisataaviisikymmentä": 250}),
    ("pl", "dwieście tysięcy, 45 tys. osób", {"dwieście tysięcy": 200e3, "45 tys.": 45e3}),
    ("cs", "dvacet pět, 3 mil. lidí", {"dvacet pět": 25, "3 mil.": 3e6}),
    ("hu", "huszonöt, 5 millió", {"huszonöt": 25, "5 millió": 5e6}),
    ("ro", "2 milioane", {"2 milioane": 2e6}),
    ("tr", "iki yüz elli bin, 2,5 milyon", {"iki yüz elli bin": 250e3, "2,5 milyon": 2.5e6}),
    ("id", "dua puluh lima, 45 juta", {"dua puluh lima": 25, "45 juta": 45e6}),
    ("vi", "hai mươi lăm, 3 triệu", {"hai mươi lăm": 25, "3 triệu": 3e6}),
    ("ru", "от 2 до 3 млн, двести пятьдесят тысяч", {"2 до 3 млн": (2e6, 3e6), "двести пятьдесят тысяч": 250e3}),
    ("uk", "п'ятсот, 3 млн", {"п'ятсот": 500, "3 млн": 3e6}),
    ("el", "2,5 εκατομμύρια", {"2,5 εκατομμύρια": 2.5e6}),
    ("ar", "٢٫٥ مليون", {"٢٫٥ مليون": 2.5e6}),
    ("ar", "خمسة وعشرون", {"خمسة وعشرون": 25}),
    ("hi", "दो लाख, ५००", {"दो लाख": 2e5, "५००": 500}),
    ("ja", "1億2000万と三百人、3〜5人、千葉", {"1億2000万": 1.2e8, "三百": 300, "3〜5": (3, 5)}),
    ("zh", "三个月，2400万", {"三": 3, "2400万": 2.4e7}),
    ("ko", "1억 2천만, 24만", {"1억 2천만": 1.2e8, "24만": 240e3}),
    ("th", "5 ล้าน", {"5 ล้าน": 5e6}),
]


@pytest.mark.parametrize(("language", "text", "expected"), CASES)
def test_numbers_are_read(language: str, text: str, expected: dict[str, float | tuple[float, float]]) -> None:
    found = {text[n.start : n.end]: n.low if n.low == n.high else (n.low, n.high) for n in find_numbers(text, language)}

    assert found == expected


def test_one_separator_that_may_be_either_has_a_second_reading() -> None:
    (english,) = find_numbers("1.250 sacks", "en")
    (german,) = find_numbers("1,250 Sack", "de")

    assert (english.high, english.also) == (1.25, 1250)
    assert (german.high, german.also) == (1.25, 1250)


def test_a_country_says_what_a_comma_is_where_the_language_does_not() -> None:
    assert [n.high for n in find_numbers("1,250 personas", "es", "MX")] == [1250]
    assert [n.high for n in find_numbers("1,250 kilos", "es", "ES")] == [1.25]


def test_a_percentage_and_a_number_in_words_are_known_as_such() -> None:
    (share,) = find_numbers("12 % of it", "en")
    (words,) = find_numbers("twelve of them", "en")

    assert (share.percent, share.spelled) == (True, False)
    assert (words.percent, words.spelled) == (False, True)


@given(
    st.sampled_from(sorted(NAMES)),
    st.one_of(st.integers(0, 10**11), st.decimals(0, 10**6, places=2).map(float)),
)
def test_what_babel_prints_is_read_again(language: str, value: float) -> None:
    printed = format_decimal(value, locale=language, format=None if isinstance(value, int) else "#,##0.00")

    assert [(n.start, n.end, n.low, n.high) for n in find_numbers(printed, language)] == [
        (0, len(printed), value, value)
    ]


@given(st.sampled_from(sorted(NAMES)), st.text(st.sampled_from("12 000.,'½%kmM-toandzwei million et万千.\nſİıKς")))
def test_numbers_are_in_order_and_their_bounds_too(language: str, text: str) -> None:
    found = find_numbers(text, language)

    assert all(0 <= n.start < n.end <= len(text) and n.low <= n.high for n in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
