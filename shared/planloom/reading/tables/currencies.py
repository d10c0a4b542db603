"""Currencies: how they are written before and after an amount; plain data."""

from planloom.reading.tables.countries import currency_of

#: Symbols and abbreviations that mean one currency, before or after the amount.
SYMBOLS = {
    "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₴": "UAH", "₦": "NGN",
    "₫": "VND", "₪": "ILS", "฿": "THB", "₱": "PHP", "₡": "CRC", "₵": "GHS", "₸": "KZT", "₮": "MNT", "₭": "LAK",
    "₾": "GEL", "₼": "AZN", "US$": "USD", "U.S.$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD",
    "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "SG$": "SGD", "NT$": "TWD", "R$": "BRL", "MX$": "MXN", "CN¥": "CNY",
    "JP¥": "JPY", "Ksh": "KES", "KSh": "KES", "Kshs": "KES", "TSh": "TZS", "USh": "UGX", "Rp": "IDR", "RM": "MYR",
    "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "лв": "BGN", "SFr": "CHF", "SFr.": "CHF", "Fr.": "CHF", "NIS": "ILS",
    "RMB": "CNY", "CFA": "XOF", "FCFA": "XOF", "грн": "UAH", "руб": "RUB", "元": "CNY", "円": "JPY", "원": "KRW",
}  # fmt: skip
#: Marks shared by several currencies, and the one meant where no country of the prompt says otherwise.
SHARED = {"$": "USD", "kr": "DKK", "kr.": "DKK", "Rs": "INR", "Rs.": "INR", "Fr": "CHF"}
_DOLLAR_CODES = "USD AUD CAD NZD SGD HKD TWD BBD BSD FJD JMD TTD BZD GYD LRD NAD BND XCD"
_DOLLARS = frozenset(_DOLLAR_CODES.split())
#: The currencies a shared mark or word can mean.
FAMILIES = {
    # A bare $ is a local dollar where nobody would write US$; elsewhere most mean the American.
    "$": frozenset({"USD", "AUD", "CAD", "NZD"}),
    "kr": frozenset({"DKK", "NOK", "SEK", "ISK"}),
    "kr.": frozenset({"DKK", "NOK", "SEK", "ISK"}),
    "Rs": frozenset({"INR", "PKR", "LKR", "NPR", "MUR"}),
    "Rs.": frozenset({"INR", "PKR", "LKR", "NPR", "MUR"}),
    "Fr": frozenset({"CHF"}),
    "dollar": _DOLLARS,
    "pound": frozenset({"GBP", "EGP", "LBP", "SDG", "SSP", "SYP"}),
    "krone": frozenset({"DKK", "NOK"}),
    "krona": frozenset({"SEK", "ISK"}),
    "rupee": frozenset({"INR", "PKR", "LKR", "NPR", "MUR"}),
    "franc": frozenset({"CHF", "XOF", "XAF", "RWF", "BIF", "DJF", "GNF", "CDF"}),
    "shilling": frozenset({"KES", "TZS", "UGX", "SOS"}),
    "peso": frozenset({"MXN", "ARS", "CLP", "COP", "PHP", "UYU", "DOP", "CUP"}),
    "dinar": frozenset({"KWD", "BHD", "TND", "DZD", "IQD", "JOD", "RSD", "LYD"}),
    "dirham": frozenset({"AED", "MAD"}),
    "riyal": frozenset({"SAR", "QAR", "YER"}),
    "lira": frozenset({"TRY"}),
}  # fmt: skip
#: Currency words after an amount: (the currency, or a family and what it means by default).
WORDS = {
    "euro": "EUR", "euros": "EUR", "pounds sterling": "GBP", "sterling": "GBP", "us dollars": "USD",
    "u.s. dollars": "USD", "american dollars": "USD", "australian dollars": "AUD", "canadian dollars": "CAD",
    "new zealand dollars": "NZD", "singapore dollars": "SGD", "hong kong dollars": "HKD", "danish kroner": "DKK",
    "norwegian kroner": "NOK", "swedish kronor": "SEK", "danske kroner": "DKK", "norske kroner": "NOK",
    "svenska kronor": "SEK", "yen": "JPY", "yuan": "CNY", "renminbi": "CNY", "swiss francs": "CHF",
    "franken": "CHF", "rand": "ZAR", "zloty": "PLN", "złotych": "PLN", "złoty": "PLN", "reais": "BRL", "won": "KRW",
    "naira": "NGN", "baht": "THB", "ringgit": "MYR", "forint": "HUF", "hryvnia": "UAH", "rubles": "RUB",
    "roubles": "RUB", "cedis": "GHS", "taka": "BDT", "birr": "ETB", "indian rupees": "INR",
    "pakistani rupees": "PKR", "kenyan shillings": "KES", "ugandan shillings": "UGX", "tanzanian shillings": "TZS",
    "mexican pesos": "MXN", "philippine pesos": "PHP", "argentine pesos": "ARS", "colombian pesos": "COP",
    "chilean pesos": "CLP", "czech crowns": "CZK", "shekels": "ILS", "turkish lira": "TRY", "lei": "RON",
}  # fmt: skip
#: Currency words that several countries share: family and default.
SHARED_WORDS = {
    "dollars": ("dollar", "USD"), "dollar": ("dollar", "USD"), "bucks": ("dollar", "USD"), "pounds": ("pound", "GBP"),
    "quid": ("pound", "GBP"), "kroner": ("krone", "DKK"), "kronor": ("krona", "SEK"), "dólares": ("dollar", "USD"),
    "rupees": ("rupee", "INR"), "francs": ("franc", "CHF"), "shillings": ("shilling", "KES"), "pesos": ("peso", "MXN"),
    "dinars": ("dinar", "KWD"), "dirhams": ("dirham", "AED"), "riyals": ("riyal", "SAR"),     "lira": ("lira", "TRY"),
}  # fmt: skip
_RISKY = "ALL AMD AOA BAM COP CUP GEL LAK MAD MOP PEN RON SOS TOP TRY ERN won lei rand RM NIS"
#: Marks that are also words, makes or labels (COP 26, PEN 5, 3 won medals): read only with a large or scaled amount.
RISKY_MARKS = frozenset(_RISKY.split())
#: Every ISO 4217 code that may stand beside an amount.
CODES = frozenset(currency_of().values())
