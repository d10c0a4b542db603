"""The guess of a prompt's language."""

import pytest

from planloom.reading.language import guess_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Construct a bridge", "en"),
        ("Plan a dinner in La Rochelle", "en"),
        ("Wir wollen in Berlin ein Café eröffnen.", "de"),
        ("Vi vil åbne en café i Aarhus med 40 pladser.", "da"),
        ("Vi vill öppna ett kafé i Lund som är öppet hela året.", "sv"),
        ("Queremos abrir una cafetería en Lisboa con 40 plazas.", "es"),
        ("Nous voulons ouvrir une boulangerie dans le centre.", "fr"),
        ("Vogliamo aprire una panetteria nel centro di Roma.", "it"),
        ("We willen een café in Utrecht openen met een tuin.", "nl"),
        ("Построить мост через реку", "ru"),
        ("新しい図書館を建てる", "ja"),
        ("建造一座桥", "zh"),
        ("Open a ラーメン shop in Osaka by May 2027 with 20 seats", "en"),
        ("Translate the works of Леся Українка into English by May 2028", "en"),
        ("Wir eröffnen in Berlin ein Lokal für ラーメン und suchen ein Haus.", "de"),
        ("Побудувати міст через річку", "uk"),
        ("Queremos abrir uma padaria em Lisboa e não mudar a fachada.", "pt"),
        ("", "en"),
        ("🎉 42 %", "en"),
    ],
)
def test_the_language_is_guessed_from_script_and_common_words(text: str, language: str) -> None:
    assert guess_language(text) == language
