"""Three plans in the form that their authors chose, each with the tables that were made of it."""

from datetime import date

from planloom.planes.strategic.spine import rows as r
from planloom.planes.strategic.spine.spine import Spine

HEATING = """# Warm without oil: the parish hall of Ashwell by 15 October 2028

The hall gets a ground source heat pump before the heating season 2028/29. It costs GBP 186,400 with contingency, of
which GBP 110,000 comes from the county's rural energy grant (to verify: county council), GBP 50,000 from the parish
reserve and GBP 26,400 from a loan of the diocese. Doing nothing costs GBP 11,800 of oil a year. A second oil boiler
would cost GBP 31,000 and is no answer to the grant's conditions.

## The coldest Saturday

| Hour | What happens | People | Heat needed (kW) |
|---|---|---|---|
| 07:00 | Pump has charged the buffer tank overnight | 0 | 14 |
| 10:00 | Toddler group and food bank at the same time | 90 | 31 |
| 14:00 | Wedding party arrives, doors open for twenty minutes | 140 | 44 |
| 19:00 | Dance, the hall heats itself | 140 | 18 |

The pump gives 38 kW; the buffer of 1,500 litres covers the missing 6 kW for two hours.

## Options

| Option | Cost of the whole | Running cost a year | Why not |
|---|---|---|---|
| Ground source, 8 boreholes | 186,400 | 4,900 | recommended |
| Air source on the north wall | 121,000 | 7,300 | noise at the vicarage |
| New oil boiler | 31,000 | 11,800 | no grant, price of oil |

## What is done

| Task | Who | Working days | Waits for | Done when |
|---|---|---|---|---|
| Heat loss survey room by room | Surveyor | 4 (3 to 6) | nothing | report with kW per room |
| Trial borehole behind the hall | Driller | 5 (3 to 10) | survey | thermal test above 2.1 W/mK |
| Detailed design and drawings | Engineer | 25 (20 to 35) | trial borehole | drawings signed |
| Faculty application to the diocese | Churchwarden | 10 | design | receipt of the registry |
| Tender to four installers | Clerk | 20 (15 to 30) | faculty | three comparable bids |
| Drilling of the other seven boreholes | Driller | 15 (10 to 25) | contract | pressure test passed |
| Plant room, pump and buffer tank | Installer | 20 (15 to 30) | drilling | pump runs for 72 hours |
| Larger radiators in hall and kitchen | Installer | 12 (10 to 18) | plant room | 19 degrees at minus 3 outside |
| Training of the two caretakers | Installer | 1 | radiators | both restart the plant alone |

The hall is closed for the radiators from 3 to 20 July 2028; the dance club moves to the school for GBP 40 an evening.

## Money

| What | Quantity | Rate (GBP) | Amount (GBP) | Paid |
|---|---|---|---|---|
| Survey and design | 1 | 13,600 | 13,600 | when drawings are signed |
| Boreholes, 100 m each | 8 | 6,900 | 55,200 | after the pressure test |
| Heat pump and buffer tank | 1 | 48,000 | 48,000 | 40% with the order |
| Radiators and pipework | 22 | 1,300 | 28,600 | on completion |
| Electrical supply to the plant room | 1 | 9,000 | 9,000 | with the order |
| Archaeologist on site | 6 | 500 | 3,000 | monthly |
| Building works | | | 157,400 | |
| Contingency | | | 29,000 | not spent without the council |
| **All** | | | **186,400** | |

| Quarter | Paid | Received | Left |
|---|---|---|---|
| Q1 2028 | 13,600 | 50,000 | 36,400 |
| Q2 2028 | 74,400 | 55,000 | 17,000 |
| Q3 2028 | 69,400 | 81,400 | 29,000 |

By the end of June GBP 88,000 is paid (13,600 + 74,400). Each evening of hire brings GBP 60, and 180 evenings a year
GBP 10,800. If the trial borehole finds less than 1.8 W/mK we need two more holes at GBP 6,900, that is GBP 13,800.

## What can go wrong

| Risk | Odds | Cost | What we do |
|---|---|---|---|
| Graves below the car park are found while drilling | 1 in 6 | 9,000 | holes move to the meadow |
| The faculty is refused or delayed past April | 1 in 5 | 0 | drilling waits until September |
| Ground conducts worse than assumed | 1 in 4 | 13,800 | two more boreholes |
| Single bid far above the estimate | 1 in 5 | 15,000 | air source option is tendered |
"""

HEATING_SPINE = Spine(
    frame=r.Frame(
        title="Heat pump for the parish hall of Ashwell",
        objective="The hall is heated without oil by 15 October 2028",
        currency="GBP",
        start=date(2027, 11, 1),
        end=date(2028, 10, 15),
        budget=190_000,
    ),
    decisions=(
        r.Decision(
            id="D1",
            question="Which source of heat?",
            options=[
                r.Option(key="A", title="Ground source", cost=186_400),
                r.Option(key="B", title="Air source", cost=121_000),
                r.Option(key="C", title="New oil boiler", cost=31_000),
            ],
        ),
    ),
    packages=tuple(
        r.Package(id=f"P{n}", title=title, low=low, likely=likely, high=high)
        for n, (title, low, likely, high) in enumerate(
            (
                ("Survey the heat loss of each room", 3, 4, 6),
                ("Drill a trial borehole", 3, 5, 10),
                ("Draw the detailed design", 20, 25, 35),
                ("Apply to the diocese for the faculty", 8, 10, 15),
                ("Tender to four installers", 15, 20, 30),
                ("Drill the other seven boreholes", 10, 15, 25),
                ("Install pump and buffer tank in the plant room", 15, 20, 30),
                ("Fit larger radiators", 10, 12, 18),
                ("Train the caretakers", 1, 1, 2),
            ),
            1,
        )
    ),
    lines=tuple(
        r.Line(id=f"L{n}", title=title, quantity=quantity, rate=rate, kind=kind)
        for n, (title, quantity, rate, kind) in enumerate(
            (
                ("Survey and design", 1, 13_600, "one_off"),
                ("Boreholes", 8, 6_900, "one_off"),
                ("Heat pump and buffer tank", 1, 48_000, "one_off"),
                ("Radiators and pipework", 22, 1_300, "one_off"),
                ("Electrical supply", 1, 9_000, "one_off"),
                ("Archaeologist", 6, 500, "staff"),
                ("Contingency", 1, 29_000, "contingency"),
            ),
            1,
        )
    ),
    sources=(
        r.Source(id="F1", title="Rural energy grant of the county", amount=110_000),
        r.Source(id="F2", title="Parish reserve", amount=50_000),
        r.Source(id="F3", title="Loan of the diocese", amount=26_400),
    ),
    upkeep=(r.Upkeep(id="U1", title="Electricity of the pump", low=4_500, likely=4_900, high=6_000),),
    risks=(
        r.Risk(id="K1", cause="Old churchyard", event="Graves are found below the car park", odds=0.17, cost=9_000),
        r.Risk(id="K2", cause="Objections", event="The faculty is refused or late", odds=0.2),
        r.Risk(id="K3", cause="Clay", event="The ground conducts worse than assumed", odds=0.25, cost=13_800),
        r.Risk(id="K4", cause="Full order books", event="A single bid far above the estimate", odds=0.2, cost=15_000),
    ),
)

SHOP = """# Der Dorfladen im Bahnhof Niedermittlau

Zum 1. September 2027 öffnet im leeren Empfangsgebäude ein Laden von 140 m² mit Bäckertheke. Die Genossenschaft bringt
94.000 € von 376 Mitgliedern zu je 250 € ein, das Regionalbudget 60.000 € (zu prüfen: Amt für ländlichen Raum), ein
Darlehen der Raiffeisenbank 45.000 €. Der Laden trägt sich ab 41.000 € Umsatz im Monat; der Supermarkt in Hasselroth
nimmt 310.000 € im Monat ein.

## Der schwerste Tag: Samstag vor Pfingsten

- 6:00 Uhr: Brot und 2 Rollwagen Gemüse, ein Mensch an der Rampe
- 8:30 bis 10:30 Uhr: 95 Kunden in der Stunde, zwei Kassen zu je 55
- 13:00 Uhr: Schluss, die Kasse stimmt auf 5 € genau

## Wer zustimmen muss

| Zustimmung | Wer | Unterlagen bis | Entscheidung | Sonst |
|---|---|---|---|---|
| Nutzungsänderung des Empfangsgebäudes | Bauamt des Kreises | 15. Januar 2027 | zehn Wochen | Verkauf aus dem Wagen |
| Mietvertrag mit der Bahn | DB InfraGO, Frankfurt | 1. Dezember 2026 | Ende Februar | anderer Ort |
| Bescheid zum Regionalbudget | Amt für ländlichen Raum | 15. März 2027 | 30. April | Regale gebraucht |
| Denkmalrechtliche Genehmigung der Fenster | Untere Denkmalbehörde | 15. Januar 2027 | acht Wochen | Fenster bleiben |

## Wochen bis zur Öffnung

Woche 1: Vorstand ruft die Bahn an, Architektin misst auf. Woche 2: Anmeldung der Genossenschaft beim Verband. Woche 5:
Bürgerabend mit Zeichnungsscheinen, 150 Stühle. Woche 11: Mietvertrag unterschrieben, sonst Stopp.

| Aufgabe | Verantwortlich | Dauer | Danach |
|---|---|---|---|
| Aufmaß und Grundriss | Architektin | 8 Arbeitstage | Bauantrag |
| Bauantrag einreichen | Architektin | 12 Arbeitstage | Genehmigung |
| Mitglieder werben bis 300 | Werbegruppe | 60 Arbeitstage | Gründung |
| Kühlmöbel ausschreiben und bestellen | Vorstand | 15 Arbeitstage | Lieferung |
| Elektrik und Kühlleitungen | Elektriker | 20 Arbeitstage | Einbau |
| Boden, Wände und Theke | Helfer am Samstag | 9 Samstage | Einräumen |
| Marktleiterin und drei Minijobs einstellen | Vorstand | 40 Arbeitstage | Schulung |
| Probeverkauf mit 40 Mitgliedern | Marktleiterin | 2 Tage | Öffnung |

## Geld

| Posten | Menge | Satz in € | Betrag in € |
|---|---|---|---|
| Kühlmöbel, gebraucht | 6 Stück | 5.200 | 31.200 |
| Elektrik und Kühlleitungen | pauschal | 38.000 | 38.000 |
| Theke, Regale, Kassen | pauschal | 41.500 | 41.500 |
| Erstausstattung mit Ware | pauschal | 36.000 | 36.000 |
| Marktleiterin vor der Öffnung | 2 Monate | 3.900 | 7.800 |
| Planung und Gebühren | pauschal | 14.500 | 14.500 |
| Unvorhergesehenes | 15 % | | 25.350 |
| Zwischensumme | | | 194.350 |

| Monat | Umsatz | Rohertrag | Kosten |
|---|---|---|---|
| September 2027 | 29.000 | 7.250 | 11.900 |
| Oktober 2027 | 33.000 | 8.250 | 11.900 |
| November 2027 | 38.000 | 9.500 | 11.900 |

Mit 25 % Rohertrag bringt ein Umsatz von 41.000 € im Monat 10.250 €. Der Vorstand darf bis 2.500 € allein ausgeben.
"""

SHOP_SPINE = Spine(
    frame=r.Frame(
        title="Dorfladen im Bahnhof Niedermittlau",
        objective="Ein Laden von 140 m² öffnet am 1. September 2027",
        concept="95 Kunden in der Stunde an zwei Kassen zu je 55.",
        currency="EUR",
        start=date(2026, 11, 23),
        end=date(2027, 9, 1),
        budget=200_000,
    ),
    approvals=tuple(
        r.Approval(id=f"A{n}", title=title, likely=likely)
        for n, (title, likely) in enumerate(
            (
                ("Nutzungsänderung", 70),
                ("Mietvertrag der Bahn", 90),
                ("Bescheid Regionalbudget", 46),
                ("Denkmalrechtliche Genehmigung", 56),
            ),
            1,
        )
    ),
    packages=tuple(
        r.Package(id=f"P{n}", title=title, low=likely, likely=likely, high=2 * likely)
        for n, (title, likely) in enumerate(
            (
                ("Empfangsgebäude aufmessen und Grundriss zeichnen", 8),
                ("Bauantrag zeichnen und einreichen", 12),
                ("300 Mitglieder werben", 60),
                ("Kühlmöbel ausschreiben, bestellen", 15),
                ("Elektrik und Kühlleitungen einbauen", 20),
                ("Boden, Wände, Theke bauen", 9),
                ("Marktleiterin und Minijobs einstellen", 40),
                ("Probeverkauf", 2),
                ("Die Bahn anrufen", 1),
                ("Genossenschaft beim Verband anmelden", 1),
                ("Bürgerabend mit Zeichnungsscheinen", 1),
            ),
            1,
        )
    ),
    lines=tuple(
        r.Line(id=f"L{n}", title=title, quantity=quantity, rate=rate)
        for n, (title, quantity, rate) in enumerate(
            (
                ("Kühlmöbel", 6, 5_200),
                ("Elektrik, Kühlleitungen", 1, 38_000),
                ("Theke, Regale und Kassen", 1, 41_500),
                ("Ware zur Erstausstattung", 1, 36_000),
                ("Marktleiterin bis zur Öffnung", 2, 3_900),
                ("Planung, Gebühren", 1, 14_500),
                ("Unvorhergesehenes", 1, 25_350),
            ),
            1,
        )
    ),
    sources=(
        r.Source(id="F1", title="Geschäftsanteile", amount=94_000),
        r.Source(id="F2", title="Regionalbudget", amount=60_000),
        r.Source(id="F3", title="Darlehen der Raiffeisenbank", amount=45_000),
    ),
    streams=(r.Stream(id="O1", title="Umsatz", unit="Monat", volume=12, price=41_000, unit_cost=30_750),),
)

STREET = """# Elm Street, closed for a day: Saturday 19 June 2027

Three of us do this, with $4,800 from the block association and the raffle. 220 people between noon and eight, one
truck, no fire pit. Last year's party on Oak Street cost $9,500 and ended with a tow.

**This week.** Rosa: write to the city's special events office, form SE-2, fee $175. Dan: hold the date with the
bouncy castle ($450, free to cancel until 1 May). Min: list who needs their car that day.

**March.** Insurance certificate, signatures of two thirds of the households (41 of 61).

**Week before.** Signs at both ends 72 hours ahead, order ice, borrow the six tables of the school.

| What we pay | How many | Each | Sum |
|---|---|---|---|
| Permit | 1 | $175 | $175 |
| Liability insurance for one day | 1 | $390 | $390 |
| Barricades | 8 | $45 | $360 |
| Bouncy castle | 1 | $450 | $450 |
| Two portable toilets | 2 | $210 | $420 |
| Band, three hours | 1 | $900 | $900 |
| Grill meat and buns | 220 | $6.50 | $1,430 |
| Kept for rain | | | $675 |
| Total | | | $4,800 |

The raffle is 400 tickets at $5, which is $2,000; the association gives $2,800. If it rains at 8 a.m. (more than 70% in
the forecast) Min calls the school: its gym costs $350, out of what is kept for rain.

| Hour | Where | Who |
|---|---|---|
| 9 | barricades up, last cars out | Dan and four |
| 12 | grill on, castle inflated | Rosa |
| 15 | band on the steps of no. 14 | Min |
| 20 | street swept, barricades down | all |
"""

STREET_SPINE = Spine(
    frame=r.Frame(
        title="Elm Street party",
        objective="A street party on 19 June 2027",
        currency="USD",
        start=date(2026, 11, 23),
        budget=4_800,
    ),
    packages=tuple(
        r.Package(id=f"P{n}", title=title)
        for n, title in enumerate(
            (
                "Apply to the special events office",
                "Hold the date of the bouncy castle",
                "List who needs a car",
                "Get the insurance certificate",
                "Collect signatures of 41 households",
                "Put up signs 72 hours ahead",
                "Order ice",
                "Borrow tables of the school",
                "Hold the street party",
            ),
            1,
        )
    ),
    lines=tuple(
        r.Line(id=f"L{n}", title=title, quantity=quantity, rate=rate)
        for n, (title, quantity, rate) in enumerate(
            (
                ("Permit SE-2", 1, 175),
                ("Insurance", 1, 390),
                ("Barricades", 8, 45),
                ("Bouncy castle", 1, 450),
                ("Portable toilets", 2, 210),
                ("Band", 1, 900),
                ("Meat and buns", 220, 6.5),
                ("Kept for rain", 1, 675),
            ),
            1,
        )
    ),
    sources=(
        r.Source(id="F1", title="Raffle", amount=2_000),
        r.Source(id="F2", title="Block association", amount=2_800),
    ),
)
