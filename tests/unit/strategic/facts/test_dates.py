"""Dates in the forms that people of many countries write, and what they mean when nothing more is said."""

from datetime import date
from itertools import pairwise

import pytest
from babel.dates import format_date
from hypothesis import given
from hypothesis import strategies as st

from planloom.planes.strategic.facts.dates import DateReading, find_dates
from planloom.planes.strategic.facts.language import NAMES

TODAY = date(2026, 11, 20)
#: Language, a text with one date, the date as written, first and last day.
CASES = [
    ("en", "by 1 May 2027, run", "1 May 2027", "2027-05-01", "2027-05-01"),
    ("en", "It opens on 1 October 2027. Then", "1 October 2027", "2027-10-01", "2027-10-01"),
    ("en", "from March 2027.", "March 2027", "2027-03-01", "2027-03-31"),
    ("en", "on 2027-05-01", "2027-05-01", "2027-05-01", "2027-05-01"),
    ("en", "13/04/2027", "13/04/2027", "2027-04-13", "2027-04-13"),
    ("en", "04/13/2027", "04/13/2027", "2027-04-13", "2027-04-13"),
    ("en", "04/04/2027", "04/04/2027", "2027-04-04", "2027-04-04"),
    ("en", "on 03.04.2027", "03.04.2027", "2027-04-03", "2027-04-03"),
    ("en", "May 1, 2027", "May 1, 2027", "2027-05-01", "2027-05-01"),
    ("en", "1st of May 2027", "1st of May 2027", "2027-05-01", "2027-05-01"),
    ("en", "15 Sept. 2027", "15 Sept. 2027", "2027-09-15", "2027-09-15"),
    ("en", "4-6 June 2027", "4-6 June 2027", "2027-06-04", "2027-06-06"),
    ("en", "March 12-15, 2028", "March 12-15, 2028", "2028-03-12", "2028-03-15"),
    ("en", "in Q3 2027", "Q3 2027", "2027-07-01", "2027-09-30"),
    ("en", "2027 Q3", "2027 Q3", "2027-07-01", "2027-09-30"),
    ("en", "third quarter of 2027", "third quarter of 2027", "2027-07-01", "2027-09-30"),
    ("en", "end of Q3 2027", "end of Q3 2027", "2027-09-30", "2027-09-30"),
    ("en", "H1 2027", "H1 2027", "2027-01-01", "2027-06-30"),
    ("en", "second half of 2027", "second half of 2027", "2027-07-01", "2027-12-31"),
    ("en", "spring 2027", "spring 2027", "2027-03-01", "2027-05-31"),
    ("en", "winter 2027", "winter 2027", "2027-12-01", "2028-02-29"),
    ("en", "by 2030.", "2030", "2030-01-01", "2030-12-31"),
    ("en", "in 2027-2028,", "2027-2028", "2027-01-01", "2028-12-31"),
    ("en", "the end of May 2027", "the end of May 2027", "2027-05-31", "2027-05-31"),
    ("en", "mid-March 2028", "mid-March 2028", "2028-03-11", "2028-03-21"),
    ("en", "early 2028", "early 2028", "2028-01-01", "2028-03-31"),
    ("en", "late 2027", "late 2027", "2027-10-01", "2027-12-31"),
    ("en", "end of 2028", "end of 2028", "2028-12-31", "2028-12-31"),
    ("en", "07/2028", "07/2028", "2028-07-01", "2028-07-31"),
    ("de", "am 12.08.2028", "12.08.2028", "2028-08-12", "2028-08-12"),
    ("de", "bis Ende März 2028", "Ende März 2028", "2028-03-31", "2028-03-31"),
    ("de", "12. 8. 2028", "12. 8. 2028", "2028-08-12", "2028-08-12"),
    ("de", "1. bis 15. März 2028", "1. bis 15. März 2028", "2028-03-01", "2028-03-15"),
    ("de", "im Frühjahr 2028", "Frühjahr 2028", "2028-03-01", "2028-05-31"),
    ("de", "3. Quartal 2028", "3. Quartal 2028", "2028-07-01", "2028-09-30"),
    ("de", "erstes Halbjahr 2028", "erstes Halbjahr 2028", "2028-01-01", "2028-06-30"),
    ("de", "Ende des Jahres 2028", "Ende des Jahres 2028", "2028-12-31", "2028-12-31"),
    ("fr", "fin mars 2028", "fin mars 2028", "2028-03-31", "2028-03-31"),
    ("fr", "le 1er septembre 2027", "1er septembre 2027", "2027-09-01", "2027-09-01"),
    ("fr", "au T3 2028", "T3 2028", "2028-07-01", "2028-09-30"),
    ("fr", "premier semestre 2028", "premier semestre 2028", "2028-01-01", "2028-06-30"),
    ("fr", "du 3 au 12 juillet 2028", "3 au 12 juillet 2028", "2028-07-03", "2028-07-12"),
    ("es", "1 de mayo de 2027", "1 de mayo de 2027", "2027-05-01", "2027-05-01"),
    ("es", "a finales de marzo de 2028", "a finales de marzo de 2028", "2028-03-31", "2028-03-31"),
    ("pt", "segundo semestre de 2028", "segundo semestre de 2028", "2028-07-01", "2028-12-31"),
    ("it", "entro fine marzo 2028", "fine marzo 2028", "2028-03-31", "2028-03-31"),
    ("it", "entro il 2028.", "2028", "2028-01-01", "2028-12-31"),
    ("nl", "derde kwartaal 2028", "derde kwartaal 2028", "2028-07-01", "2028-09-30"),
    ("sv", "våren 2028", "våren 2028", "2028-03-01", "2028-05-31"),
    ("da", "udgangen af marts 2028", "udgangen af marts 2028", "2028-03-31", "2028-03-31"),
    ("nb", "innen utgangen av mars 2028", "utgangen av mars 2028", "2028-03-31", "2028-03-31"),
    ("fi", "maaliskuun 2028 loppuun", "maaliskuun 2028 loppuun", "2028-03-31", "2028-03-31"),
    ("fi", "toukokuussa 2028", "toukokuussa 2028", "2028-05-01", "2028-05-31"),
    ("pl", "do końca marca 2028", "końca marca 2028", "2028-03-31", "2028-03-31"),
    ("pl", "III kwartał 2028", "III kwartał 2028", "2028-07-01", "2028-09-30"),
    ("cs", "v květnu 2028", "květnu 2028", "2028-05-01", "2028-05-31"),
    ("cs", "v červenci 2028", "červenci 2028", "2028-07-01", "2028-07-31"),
    ("hu", "2028. május végéig", "2028. május végéig", "2028-05-31", "2028-05-31"),
    ("ro", "sfârșitul lunii martie 2028", "sfârșitul lunii martie 2028", "2028-03-31", "2028-03-31"),
    ("tr", "2028 yılı sonuna kadar", "2028 yılı sonuna", "2028-12-31", "2028-12-31"),
    ("id", "akhir Maret 2028", "akhir Maret 2028", "2028-03-31", "2028-03-31"),
    ("vi", "tháng 5 năm 2028", "tháng 5 năm 2028", "2028-05-01", "2028-05-31"),
    ("ru", "до конца марта 2028 года", "конца марта 2028", "2028-03-31", "2028-03-31"),
    ("ru", "в мае 2028 года", "мае 2028", "2028-05-01", "2028-05-31"),
    ("uk", "навесні 2028", "навесні 2028", "2028-03-01", "2028-05-31"),
    ("el", "τέλος Μαρτίου 2028", "τέλος Μαρτίου 2028", "2028-03-31", "2028-03-31"),
    ("ja", "2028年5月末まで", "2028年5月末", "2028-05-31", "2028-05-31"),
    ("ja", "令和10年5月3日", "令和10年5月3日", "2028-05-03", "2028-05-03"),
    ("zh", "2028年第三季度", "2028年第三季度", "2028-07-01", "2028-09-30"),
    ("ko", "2028년 말까지", "2028년 말", "2028-12-31", "2028-12-31"),
    ("ar", "نهاية مارس ٢٠٢٨", "نهاية مارس ٢٠٢٨", "2028-03-31", "2028-03-31"),
    ("he", "סוף מרץ 2028", "סוף מרץ 2028", "2028-03-31", "2028-03-31"),
    ("hi", "मार्च 2028 के अंत", "मार्च 2028 के अंत", "2028-03-31", "2028-03-31"),
    ("th", "พฤษภาคม พ.ศ. 2571", "พฤษภาคม พ.ศ. 2571", "2028-05-01", "2028-05-31"),
]


def only(text: str, language: str, country: str | None = None) -> DateReading:
    (found,) = find_dates(text, language, TODAY, country)
    return found


@pytest.mark.parametrize(("language", "text", "said", "earliest", "latest"), CASES)
def test_a_date_is_read(language: str, text: str, said: str, earliest: str, latest: str) -> None:
    found = only(text, language)

    assert (text[found.start : found.end], str(found.earliest), str(found.latest)) == (said, earliest, latest)
    assert (found.ambiguous, found.yearless) == (False, False)


@pytest.mark.parametrize(
    ("language", "country", "text", "days"),
    [
        ("en", None, "03/04/2027", "2027-03-04 or 2027-04-03"),
        ("en", None, "05/06/27", "2027-05-06 or 2027-06-05"),
        ("en", "CA", "03/04/2027", "2027-03-04 or 2027-04-03"),
        ("en", "US", "03/04/2027", "2027-03-04"),
        ("en", "GB", "03/04/2027", "2027-04-03"),
        ("it", None, "03/04/2027", "2027-04-03"),
        ("es", "US", "03/04/2027", "2027-03-04 or 2027-04-03"),
        ("en", None, "03/04/2027, 25/06/2027", "2027-04-03, 2027-06-25"),
        ("en", None, "03/04/2027, 06/25/2027", "2027-03-04, 2027-06-25"),
        ("en", "US", "03/04/2027, 25/06/2027", "2027-04-03, 2027-06-25"),
        ("it", None, "dal 03/07/2028 al 12/08/2028", "2028-07-03, 2028-08-12"),
        ("it", None, "dal 03/07 al 12/08/2028", "2028-07-03, 2028-08-12"),
    ],
)
def test_other_dates_language_and_country_decide_which_is_the_day(
    language: str, country: str | None, text: str, days: str
) -> None:
    found = find_dates(text, language, TODAY, country)

    assert ", ".join(f"{d.earliest} or {d.latest}" if d.ambiguous else str(d.earliest) for d in found) == days


@pytest.mark.parametrize(
    ("language", "text", "days"),
    [
        ("en", "between 1 March and 30 June 2029", "2029-03-01, 2029-06-30"),
        ("en", "from 1 November to 28 February 2029", "2028-11-01, 2029-02-28"),
        ("en", "from 3 July 2028 to 12 August", "2028-07-03, 2028-08-12"),
        ("en", "March-June 2027", "2027-03-01, 2027-06-01"),
        ("en", "Nov-Feb 2028", "2027-11-01, 2028-02-01"),
        ("fr", "entre mars et juin 2028", "2028-03-01, 2028-06-01"),
        ("ru", "с 3 июля по 12 августа 2028", "2028-07-03, 2028-08-12"),
        ("ja", "2028年5月から8月", "2028-05-01, 2028-08-01"),
    ],
)
def test_the_ends_of_a_period_share_its_year(language: str, text: str, days: str) -> None:
    found = find_dates(text, language, TODAY)

    assert ", ".join(str(d.earliest) for d in found) == days
    assert not any(d.yearless for d in found)


@pytest.mark.parametrize(
    ("language", "text", "earliest"),
    [
        ("en", "24 December", "2026-12-24"),
        ("en", "June 12", "2027-06-12"),
        ("en", "by May.", "2027-05-01"),
        ("de", "am 1. Mai", "2027-05-01"),
        ("de", "am 12.08. ist", "2027-08-12"),
        ("ja", "5月3日", "2027-05-03"),
    ],
)
def test_a_date_without_a_year_is_the_next_one_and_marked(language: str, text: str, earliest: str) -> None:
    found = only(text, language)

    assert (str(found.earliest), found.yearless) == (earliest, True)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "in 2028 people"),
        ("en", "from 2000 to 3000 euros"),
        ("en", "2000 people may 12 times march"),
        ("en", "31/02/2028"),
        ("en", "version 1.2.3 of 10.0.0.1"),
        ("en", "24/7 with 3.5 rooms"),
        ("de", "von 2000 bis 3000 Euro"),
        ("de", "3.500 Euro"),
    ],
)
def test_what_is_no_date_is_not_read_as_one(language: str, text: str) -> None:
    assert find_dates(text, language, TODAY) == ()


def test_the_full_stop_of_a_sentence_is_no_part_of_a_date() -> None:
    text = "Work begins on 1 October. It ends soon."
    found = only(text, "en")

    assert text[found.start : found.end] == "1 October"


def test_seasons_are_those_of_the_half_of_the_globe() -> None:
    north, south = only("spring 2028", "en", "US"), only("spring 2028", "en", "AU")

    assert (north.earliest, south.earliest) == (date(2028, 3, 1), date(2028, 9, 1))


def test_a_bare_year_is_marked_as_weak() -> None:
    assert (only("by 2030.", "en").weak, only("end of 2030", "en").weak) == (True, False)


_DAYS = st.dates(date(2000, 1, 1), date(2099, 12, 31))


@given(st.sampled_from(sorted(NAMES)), _DAYS, st.sampled_from(["full", "long", "medium"]))
def test_what_babel_prints_is_read_again(language: str, day: date, form: str) -> None:
    found = only(format_date(day, form, locale=language), language)

    assert (found.earliest, found.latest, found.ambiguous, found.yearless) == (day, day, False, False)


@given(st.sampled_from(sorted(set(NAMES) - {"en", "ko"})), st.dates(date(2001, 1, 1), date(2068, 12, 31)))
def test_the_short_form_of_a_language_is_read_in_its_own_order(language: str, day: date) -> None:
    found = only(format_date(day, "short", locale=language), language)

    assert (found.earliest, found.latest, found.ambiguous) == (day, day, False)


@given(st.sampled_from(sorted(NAMES)), st.text(st.sampled_from("12 0/.-Maymarsendof2028QHde,年月日\nſİıKς")))
def test_dates_are_in_order_and_their_bounds_too(language: str, text: str) -> None:
    found = find_dates(text, language, TODAY)

    assert all(0 <= d.start < d.end <= len(text) and d.earliest <= d.latest for d in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
