"""Rules give an amount, a date, persons or a ban a role only where words beside it say so."""

from datetime import date

import pytest

from planloom.planes.strategic.facts.fact import Facts
from planloom.planes.strategic.facts.rules import read_facts

TODAY = date(2026, 11, 22)


#: Where a goal is too short for its language to show, one of these comes before it.
LEADS = {
    "de": "Wir wollen das mit den Leuten im Dorf machen. ",
    "es": "Queremos hacer una escuela para los niños del pueblo. ",
    "it": "Vogliamo fare una scuola per i bambini del paese. ",
    "nl": "Wij willen dat met de mensen van het dorp doen. ",
    "pl": "Chcemy to zrobić w naszej wsi i nie jest to łatwe dla nas. ",
    "tr": "Bir okul için bu iş ve daha çok şey istiyoruz. ",
    "uk": "Ми хочемо збудувати це в нашому селі для дітей і дорослих. ",
}


def read(goal: str) -> Facts:
    language, mark, text = goal.partition(":")
    return read_facts(LEADS[language] + text if mark and language in LEADS else goal, TODAY)


def total(goal: str) -> tuple[float, float, str] | None:
    return next(((m.low, m.high, m.currency) for m in read(goal).money if m.role == "total"), None)


def dated(goal: str, role: str) -> tuple[date, date] | None:
    return next(((d.earliest, d.latest) for d in read(goal).days if d.role == role), None)


@pytest.mark.parametrize(
    ("goal", "expected"),
    [
        ("We want to open a library in Leeds. The total budget is £450,000.", (450_000, 450_000, "GBP")),
        ("Our budget of EUR 2.5 million covers everything.", (2_500_000, 2_500_000, "EUR")),
        ("We have €80,000 in all for the new kitchen.", (80_000, 80_000, "EUR")),
        ("Everything together may cost no more than €90,000 in total.", (90_000, 90_000, "EUR")),
        ("Wir wollen ein Bad bauen. Das Gesamtbudget beträgt 120.000 Euro.", (120_000, 120_000, "EUR")),
        ("Nous ouvrons une librairie avec un budget de 85 000 euros.", (85_000, 85_000, "EUR")),
        ("Queremos un taller. El presupuesto total es de 40.000 euros.", (40_000, 40_000, "EUR")),
        ("Vogliamo aprire un forno. Il budget totale è di 75.000 euro.", (75_000, 75_000, "EUR")),
        ("Queremos abrir uma oficina. O orçamento total é de R$ 300 mil.", (300_000, 300_000, "BRL")),
        ("We willen een tuin aanleggen. Het totale budget is € 25.000.", (25_000, 25_000, "EUR")),
        ("Vi vill bygga en brygga. Total budget är 450 000 kronor.", (450_000, 450_000, "SEK")),
        ("Chcemy otworzyć sklep. Budżet wynosi 200 000 zł.", (200_000, 200_000, "PLN")),
        ("Bir okul yapmak istiyoruz. Toplam bütçe 5 milyon TL.", (5_000_000, 5_000_000, "TRY")),
        ("The council gives €40,000 and the parish adds €25,000.", (65_000, 65_000, "EUR")),
        ("Die Stadt gibt 30.000 Euro und der Verein zahlt 12.000 Euro.", (42_000, 42_000, "EUR")),
    ],
)
def test_a_total_is_read_where_its_words_are(goal: str, expected: tuple[float, float, str]) -> None:
    assert total(goal) == expected


@pytest.mark.parametrize(
    "goal",
    [
        "Last year the festival cost €80,000 in all.",
        "Their budget was €2 million, ours is not known yet.",
        "The bakery lost €30,000 in total.",
        "Tickets cost €40 in total per person.",
        "The marketing budget is €15,000.",
        "The municipality's own budget of €3 million is for roads.",
        "Our rent is €1,200 a month and the annual budget is €60,000.",
        "We have a budget of €20,000 for the roof and a budget of €35,000 for the walls.",
        "There is no budget of €50,000 any more.",
        "The bank offered us a loan of €90,000 in all.",
        "We expect revenue of €500,000 in total.",
        "In 2021 the budget was €75,000.",
        "Total prize money is €10,000.",
        "The budget deficit is €4 million.",
        "The whole building is worth €900,000.",
        "Der alte Laden machte insgesamt 28.000 Euro Verlust.",
        "Das Marketingbudget beträgt 5.000 Euro.",
        "Le chiffre d'affaires total est de 300 000 euros.",
        "Las ventas fueron de 40.000 euros en total.",
        "Il debito complessivo è di 50.000 euro.",
        "The council may give €40,000 and the parish hopes to add €25,000.",
        "The town gives €40,000, the rest is still missing; the state gives €10,000.",
        "Total cost of the old bridge was $3 million.",
        "Without the grant, a budget of €50,000 would be possible.",
        "Fines of €5,000 in all were paid by the former owner.",
    ],
)
def test_no_other_amount_is_a_total(goal: str) -> None:
    assert total(goal) is None


@pytest.mark.parametrize(
    ("goal", "day"),
    [
        ("We want to open the shop by 1 May 2027.", date(2027, 5, 1)),
        ("The deadline is 30 June 2028.", date(2028, 6, 30)),
        ("Everything must be finished no later than 15 March 2028.", date(2028, 3, 15)),
        ("Der Umbau muss bis spätestens 30. September 2027 abgeschlossen sein.", date(2027, 9, 30)),
        ("Les travaux doivent être terminés au plus tard le 15 mars 2028.", date(2028, 3, 15)),
        ("La escuela tiene que estar lista antes del 1 de septiembre de 2027.", date(2027, 9, 1)),
        ("Il museo deve essere pronto entro il 31 maggio 2028.", date(2028, 5, 31)),
        ("A creche tem que estar pronta até 31 de janeiro de 2028.", date(2028, 1, 31)),
        ("Het systeem moet uiterlijk 1 oktober 2027 klaar zijn.", date(2027, 10, 1)),
        ("Biblioteket ska vara klart senast den 1 juni 2028.", date(2028, 6, 1)),
        ("System musi być gotowy najpóźniej do 30 września 2027.", date(2027, 9, 30)),
        ("tr:Okul en geç 13 Eylül 2027 tarihinde açılmalı.", date(2027, 9, 13)),
        ("Міст має бути відкритий не пізніше 1 вересня 2027 року.", date(2027, 9, 1)),
        ("We get married on 5 June 2027 in Cork.", date(2027, 6, 5)),
    ],
)
def test_a_deadline_is_read_where_its_words_are(goal: str, day: date) -> None:
    assert dated(goal, "deadline") == (day, day)


@pytest.mark.parametrize(
    "goal",
    [
        "We cannot open before 1 May 2027.",
        "The hall opens on 3 May 2027 at the earliest.",
        "Frühestens am 1. März 2027 können wir eröffnen.",
        "The lease expires on 31 December 2027.",
        "The old system was finished by 1 May 2020.",
        "The grant must be spent by 31 December 2027.",
        "The pilot must be finished by 1 June 2027.",
        "Applications must be in by 1 February 2027.",
        "No earlier than 1 May 2027 the work may be complete.",
        "The school year starts on 1 September 2027.",
        "The hall must be ready by 1 May 2027 or by 1 September 2028.",
        "No antes del 1 de mayo de 2027 podemos abrir.",
        "Pas avant le 1er mai 2027 pour l'ouverture.",
        "The permit must be ready by 1 May 2027.",
        "The contract with the supplier ends on 30 June 2028.",
    ],
)
def test_no_other_date_is_a_deadline(goal: str) -> None:
    assert dated(goal, "deadline") is None


@pytest.mark.parametrize(
    ("goal", "day"),
    [
        ("Work starts on 4 January 2027.", date(2027, 1, 4)),
        ("We begin on 1 March 2027 and open a year later.", date(2027, 3, 1)),
        ("de:Wir beginnen am 1. Februar 2027.", date(2027, 2, 1)),
        ("Les travaux démarrent le 4 janvier 2027.", date(2027, 1, 4)),
        ("Las obras empiezan el 18 de enero de 2027.", date(2027, 1, 18)),
        ("it:I lavori iniziano il 7 gennaio 2027.", date(2027, 1, 7)),
        ("As obras começam em 1 de fevereiro de 2027.", date(2027, 2, 1)),
        ("Vi börjar den 11 januari 2027.", date(2027, 1, 11)),
        ("tr:İnşaat 15 Şubat 2027'de başlayacak.", date(2027, 2, 15)),
    ],
)
def test_a_start_is_read_where_its_words_are(goal: str, day: date) -> None:
    assert dated(goal, "start") == (day, day)


@pytest.mark.parametrize(
    "goal",
    [
        "Work cannot start before 1 March 2027.",
        "School starts on 1 September 2027.",
        "The season begins on 15 June 2027.",
        "The project started on 1 March 2024.",
        "de:Wir beginnen frühestens am 1. Februar 2027.",
        "The lease starts on 1 April 2027.",
    ],
)
def test_no_other_date_is_a_start(goal: str) -> None:
    assert dated(goal, "start") is None


@pytest.mark.parametrize(
    ("goal", "people"),
    [
        ("Two nurses and 14 volunteers run it.", [(2, "Two nurses"), (14, "14 volunteers")]),
        ("A team of five software developers builds it.", [(5, "five software developers")]),
        (
            "Drei Lehrerinnen und zwölf Ehrenamtliche helfen mit.",
            [(3, "Drei Lehrerinnen"), (12, "zwölf Ehrenamtliche")],
        ),
        ("Cinq bénévoles et deux infirmières s'en occupent.", [(5, "Cinq bénévoles"), (2, "deux infirmières")]),
        ("es:Trabajan cuatro maestras y 20 voluntarios.", [(4, "cuatro maestras"), (20, "20 voluntarios")]),
        ("it:Lavorano sei operai e due cuochi.", [(6, "sei operai"), (2, "due cuochi")]),
        ("nl:Er werken zeven vrijwilligers.", [(7, "zeven vrijwilligers")]),
        ("pl:Pracuje 8 pracowników i 3 kucharzy.", [(8, "8 pracowników"), (3, "3 kucharzy")]),
        ("tr:Otuz beş işçi çalışacak.", [(35, "Otuz beş işçi")]),
    ],
)
def test_persons_are_read_where_they_are_counted(goal: str, people: list[tuple[int, str]]) -> None:
    assert [(r.count, r.text) for r in read(goal).roles] == people


@pytest.mark.parametrize(
    "goal",
    [
        "It serves 300 households.",
        "The hall has 120 seats.",
        "It has 5,000 visitors per year.",
        "We own 40 goats and three boats.",
        "A staff room of 30 m2 is planned.",
        "No more than 25 people fit in.",
        "Each nurse sees ten patients a day.",
        "Eine Lehrerin wohnt nebenan.",
        "It takes two months of staff time.",
        "The 4th volunteer left.",
    ],
)
def test_nothing_else_is_counted_as_persons(goal: str) -> None:
    assert read(goal).roles == ()


@pytest.mark.parametrize(
    ("goal", "bans"),
    [
        ("No plastic, and no loudspeakers after ten.", ["No plastic", "no loudspeakers after ten"]),
        ("We want a fair without sponsors. Cars must not enter the square.", ["Cars must not enter the square"]),
        ("We do not want franchise agreements.", ["We do not want franchise agreements"]),
        ("No loan and nobody may sleep on the site.", ["No loan", "nobody may sleep on the site"]),
        ("Never sell the data of our members.", ["Never sell the data of our members"]),
        ("de:Keine Kredite, und niemand arbeitet am Sonntag.", ["Keine Kredite", "niemand arbeitet am Sonntag"]),
        ("Pas de béton, et pas de parking.", ["Pas de béton", "pas de parking"]),
        ("es:Sin plásticos y sin patrocinadores.", ["Sin plásticos", "sin patrocinadores"]),
        ("Niente plastica e nessun rumore di notte.", ["Niente plastica", "nessun rumore di notte"]),
        ("Sem dívidas e nada de contratos longos.", ["Sem dívidas", "nada de contratos longos"]),
        ("nl:Geen drones en geen vuurwerk.", ["Geen drones", "geen vuurwerk"]),
        ("Inga lån och inga konsulter.", ["Inga lån", "inga konsulter"]),
        ("pl:Bez reklam i bez plastiku.", ["Bez reklam", "bez plastiku"]),
        ("uk:Без реклами та без пластику.", ["Без реклами", "без пластику"]),
        ("tr:Bina yıkılmayacak.", ["Bina yıkılmayacak"]),
    ],
)
def test_a_ban_is_read_with_its_words(goal: str, bans: list[str]) -> None:
    assert [b.text for b in read(goal).bans] == bans


@pytest.mark.parametrize(
    "goal",
    [
        "There is no lift in the building.",
        "Costs may rise by no more than 3 %.",
        "No later than May we open the doors.",
        "It has no roof and no doctor comes here any more.",
        "I have no idea what it costs.",
        "We are not against tourists.",
        "Nobody was hurt and nothing is broken.",
        "No doubt it will rain.",
        "The island has been without a ferry since 2019.",
        "We want to help families without a car.",
        "The bus does not stop here.",
        "They have never seen the sea.",
        "No fewer than 40 members must agree.",
        "It is not that people don't want it.",
        "Es gibt keinen Arzt im Dorf.",
        "Il n'y a pas de médecin au village.",
        "No hay médico en el pueblo.",
        "Non c'è un medico in paese.",
        "Mehr als 3 % dürfen die Kosten nicht steigen.",
        "If nobody comes we close.",
        "She said that nobody should worry.",
    ],
)
def test_nothing_else_is_a_ban(goal: str) -> None:
    assert [b.text for b in read(goal).bans] == []


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        ("Do not use the words 'robust' or 'synergy'.", ["robust", "synergy"]),
        ('Avoid "game changer" in all texts.', ["game changer"]),
        ("Das Wort „Leuchtturm“ wollen wir nicht lesen.", ["Leuchtturm"]),
        ("N'employez pas le mot « durable ».", ["durable"]),
        ("No escriban la palabra «sinergia».", ["sinergia"]),
        ('nl:Het woord "vernatting" vermijden we.', ["vernatting"]),
        ('The shop is called "Blue Door".', []),
        ('Please use the word "neighbour".', []),
    ],
)
def test_words_that_must_not_be_printed_are_read(goal: str, words: list[str]) -> None:
    assert [b.what for b in read(goal).bans if b.kind == "word"] == words
