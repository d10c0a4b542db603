"""Roles of money: the budget of the whole, and what only looks like it."""

from datetime import date

import pytest

from planloom.reading.facts import read_facts

#: Prompt, then each amount with its role and noun; None where either reading will do.
CASES: list[tuple[str, list[tuple[str, str | None, str | None]]]] = [
    (
        (
            "We open a café. The budget is €240,000, of which €90,000 comes from savings and €150,000 "
            "from a bank loan that must be approved."
        ),
        [("€240,000", "total", ""), ("€90,000", "funding", "savings"), ("€150,000", "funding", "bank loan")],
    ),
    (
        "Open a shop. Rent must not exceed €3,200 a month.",
        [("€3,200", "cap", "rent")],
    ),
    (
        "Decisions above €5,000 need both partners' signatures.",
        [("€5,000", "other", "decisions")],
    ),
    (
        "The council has approved DKK 186 million, including a reserve of 12%.",
        [("DKK 186 million", "total", "")],
    ),
    (
        "A steering group meets; changes above DKK 2 million go to the council.",
        [("DKK 2 million", "other", "changes")],
    ),
    (
        ("The team is small; funding is a grant of USD 420,000 over 18 months from March 2027."),
        [("USD 420,000", "total", "grant")],
    ),
    (
        ("Restore a mill with a total budget of 10.5 million DKK, in two steps (3.0 million DKK for phase one)."),
        [("10.5 million DKK", "total", ""), ("3.0 million DKK", "part", "phase")],
    ),
    (
        "Open a bike shop. Budget 300k EUR. Time frame: a year.",
        [("300k EUR", "total", "")],
    ),
    (
        ("The campaign shall reach 2 million farmers with a total budget of 80 million USD."),
        [("80 million USD", "total", "")],
    ),
    (
        "Move our servers, with an annual hosting budget of EUR 400,000.",
        [("EUR 400,000", "other", None)],
    ),
    (
        "Seed budget is 4 million USD, from the founders plus a fund.",
        [("4 million USD", "total", None)],
    ),
    (
        "Hold the games, with total event costs €20–40 million.",
        [("€20–40 million", "total", "")],
    ),
    (
        ("Budget is €2.4 million over 3 years: €1.1M in year one, of which €300K for machines."),
        [("€2.4 million", "total", ""), ("€1.1M", None, None), ("€300K", "part", "machines")],
    ),
    (
        (
            "Budget is USD 6 billion: USD 3 billion from each partner. Spend USD 2 billion for tunnels; "
            "USD 1 billion for stations."
        ),
        [
            ("USD 6 billion", "total", ""),
            ("USD 3 billion", "funding", None),
            ("USD 2 billion", "part", "tunnels"),
            ("USD 1 billion", "part", "stations"),
        ],
    ),
    (
        ("Open a shop. The marketing budget is €20,000 and the total budget €300,000."),
        [("€20,000", "part", "marketing"), ("€300,000", "total", "")],
    ),
    (
        "Plan our wedding for at most €30,000.",
        [("€30,000", "total", None)],
    ),
    (
        "Renovate the kitchen for under $50,000 by June 2027.",
        [("$50,000", "total", None)],
    ),
    (
        "The total cost must not exceed £1.2m.",
        [("£1.2m", "total", None)],
    ),
    (
        ("Tickets sell at €15 each and we expect revenue of €400,000 in the first year."),
        [("€15", "price", "tickets"), ("€400,000", "revenue", None)],
    ),
    (
        "Nurses are paid €28 per hour.",
        [("€28", "salary", None)],
    ),
    (
        "Each trainer gets a salary of CHF 90,000.",
        [("CHF 90,000", "salary", None)],
    ),
    (
        "We have $50,000 and want to start a food truck in Austin, Texas.",
        [("$50,000", "total", "")],
    ),
    (
        "We need to raise £2 million from donors.",
        [("£2 million", "funding", "donors")],
    ),
    (
        "A €2 million project to restore the mill.",
        [("€2 million", "total", "")],
    ),
    (
        "Set aside €15,000 for marketing and €5,000 for legal fees.",
        [("€15,000", "part", "marketing"), ("€5,000", "part", "legal fees")],
    ),
    (
        "Open a shop. The oven costs €12,000.",
        [("€12,000", "price", "oven")],
    ),
    (
        "Open a shop. The budget for training is €40,000.",
        [("€40,000", "part", "training")],
    ),
    (
        "The budget for the project is €40,000.",
        [("€40,000", "total", None)],
    ),
    (
        "Each participant pays €80 per night.",
        [("€80", "price", None)],
    ),
    (
        "Our budget is between 2 and 3 million euros.",
        [("2 and 3 million euros", "total", "")],
    ),
    (
        "We can invest at most €2 and €3 million later.",
        [("€2 and €3 million", None, None)],
    ),
    (
        "The contingency is €25,000.",
        [("€25,000", "part", "contingency")],
    ),
    (
        "Ein Budget von 250.000 € steht bereit.",
        [("250.000 €", "total", "")],
    ),
    (
        "Das Gesamtbudget beträgt 3,5 Mio. Euro.",
        [("3,5 Mio. Euro", "total", "")],
    ),
    (
        "Budgettet er på 2,5 mio. kr.",
        [("2,5 mio. kr.", "total", "")],
    ),
    (
        "El presupuesto es de 180.000 euros.",
        [("180.000 euros", "total", "")],
    ),
    (
        "Monthly revenue should reach €25,000 within a year.",
        [("€25,000", "revenue", None)],
    ),
    (
        "Total investment: EUR 12 million, half from the EU.",
        [("EUR 12 million", "total", None)],
    ),
    (
        "Purchases above €20K require board approval.",
        [("€20K", "other", "purchases")],
    ),
    (
        "The first three contracts are worth $1.5 million.",
        [("$1.5 million", "price", None)],
    ),
    (
        "Our venture fund gave us a seed round of $3m.",
        [("$3m", "funding", None)],
    ),
    (
        "Spend no more than £400 on decorations.",
        [("£400", "cap", None)],
    ),
    (
        "Entry is free; the venue costs £2,000 a night.",
        [("£2,000", "price", "venue")],
    ),
    (
        "The fine for late delivery is €1,000 a day.",
        [("€1,000", "price", None)],
    ),
    (
        ("Plan our wedding. We can spend no more than €30,000 in total, and flowers should cost at most €1,500."),
        [("€30,000", "total", None), ("€1,500", "cap", "flowers")],
    ),
    (
        "Launch a 4-year, $9 billion initiative in Chile to chart the deep sea.",
        [("$9 billion", "total", None)],
    ),
    (
        "Establish a 1 million DKK pilot mussel farm in Limfjorden.",
        [("1 million DKK", "total", None)],
    ),
    (
        ("Budget: $50 million for initial setup and an annual operating budget of $15 million."),
        [("$50 million", "total", None), ("$15 million", "other", None)],
    ),
]


@pytest.mark.parametrize(("prompt", "wanted"), CASES)
def test_each_amount_gets_the_role_that_the_words_around_it_give(
    prompt: str, wanted: list[tuple[str, str | None, str | None]]
) -> None:
    money = read_facts(prompt, date(2026, 11, 20)).money

    assert [m.text for m in money] == [text for text, _, _ in wanted]
    assert [m.role for m, (_, role, _) in zip(money, wanted, strict=True) if role] == [r for _, r, _ in wanted if r]
    nouns = [m.noun for m, (_, _, noun) in zip(money, wanted, strict=True) if noun is not None]
    assert nouns == [noun for _, _, noun in wanted if noun is not None]


def test_one_amount_at_most_is_the_total() -> None:
    prompt = "Build a pier. The budget is €2 million. The budget of the first phase is €500,000; we have €90,000."

    assert [m.text for m in read_facts(prompt, date(2026, 11, 20)).money if m.role == "total"] == ["€2 million"]


def test_plain_dollars_follow_the_country_of_the_prompt_and_say_so() -> None:
    (money,) = read_facts("Open a café in Melbourne, Australia. The budget is $90,000.", date(2026, 11, 20)).money

    assert (money.currency, money.assumed, money.role) == ("AUD", True, "total")
