"""The language of a goal, guessed from its script and its most common words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.planes.strategic.facts.language import COMMON, NAMES, SCRIPTS, guess_language

TEXTS = {
    "ar": "نريد افتتاح مقهى في وسط المدينة قبل نهاية العام",
    "cs": "Chceme do konce března otevřít kavárnu, která se má uživit a být pro všechny",
    "da": "Vi vil åbne en café i Aarhus, og den skal være klar inden sommeren efter planen",
    "de": "Wir wollen bis zum Sommer ein Café eröffnen, und die Miete soll nicht steigen",
    "el": "Θέλουμε να ανοίξουμε ένα καφέ στην πόλη μέχρι το καλοκαίρι",
    "en": "We want to open a café in the town by the summer, and it must not be for profit",
    "es": "Queremos abrir una cafetería en el centro de la ciudad para el verano, y no debe cerrar",
    "fi": "Haluamme avata kahvilan kesällä, ja se on avoin kaikille, mutta ei sunnuntaisin",
    "fr": "Nous voulons ouvrir un café dans le centre de la ville avant la fin des travaux",
    "he": "אנחנו רוצים לפתוח בית קפה במרכז העיר עד סוף השנה",
    "hi": "हम गर्मियों तक शहर में एक कैफ़े खोलना चाहते हैं",
    "hu": "Szeretnénk egy kávézót nyitni a városban, és az nem csak nyáron lesz nyitva",
    "id": "Kami ingin membuka kafe di pusat kota untuk warga dan tidak akan menjual alkohol",
    "it": "Vogliamo aprire un caffè nel centro della città per gli abitanti, e non deve chiudere",
    "ja": "杭州通りに喫茶店を開きたい。予算は少ない。",
    "ko": "여름까지 시내에 카페를 열고 싶습니다",
    "nb": "Vi vil åpne en kafé i vår by, og den skal være klar innen jul, ikke etter",
    "nl": "Wij willen een café openen in het centrum van de stad, en het moet niet te duur worden",
    "pl": "Chcemy otworzyć kawiarnię w centrum miasta i nie jest to łatwe dla nas, bo się spieszymy",
    "pt": "Queremos abrir um café no centro da cidade para os moradores, e não deve fechar",
    "ro": "Vrem să deschidem o cafenea în centrul orașului pentru locuitori și nu este ușor",
    "ru": "Мы хотим открыть кафе в центре города до конца лета",
    "sv": "Vi vill öppna ett kafé i staden, och det ska inte vara för dyrt att äta där",
    "th": "เราต้องการเปิดร้านกาแฟในเมืองภายในฤดูร้อน",
    "tr": "Şehir merkezinde bir kafe açmak için yeni ve daha büyük bir yer istiyoruz",
    "uk": "Ми хочемо відкрити кав'ярню в центрі міста до кінця літа",
    "vi": "Chúng tôi muốn mở một quán cà phê ở trung tâm và không bán rượu cho người trẻ",
    "zh": "我们想在市中心开一家咖啡馆，预算不多。",
}


@pytest.mark.parametrize("language", sorted(NAMES))
def test_each_language_is_recognised(language: str) -> None:
    assert guess_language(TEXTS[language]) == language


def test_every_language_that_can_be_guessed_has_a_name() -> None:
    assert set(NAMES) == set(COMMON) | {language for language, _ in SCRIPTS}


@pytest.mark.parametrize("text", ["", "42", "Café des Fleurs", "Open the Bäckerei Müller in Leipzig by May"])
def test_a_name_or_nothing_is_taken_for_english(text: str) -> None:
    assert guess_language(text) == "en"


@given(st.text())
def test_any_text_has_a_language(text: str) -> None:
    assert guess_language(text) in NAMES
