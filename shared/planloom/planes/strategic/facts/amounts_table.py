"""Marks and words of currencies that Babel's names do not hold; plain data."""

#: Symbols that mean one currency, before or after the amount.
SYMBOLS = {
    "€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW", "₽": "RUB", "₺": "TRY", "₴": "UAH", "₦": "NGN", "₫": "VND",
    "₪": "ILS", "฿": "THB", "₱": "PHP", "₡": "CRC", "₵": "GHS", "₸": "KZT", "₮": "MNT", "₭": "LAK", "₾": "GEL",
    "₼": "AZN", "₲": "PYG", "৳": "BDT", "US$": "USD", "U.S.$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD",
    "CA$": "CAD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "SG$": "SGD", "NT$": "TWD", "R$": "BRL", "MX$": "MXN",
    "MEX$": "MXN", "J$": "JMD", "TT$": "TTD", "RD$": "DOP", "CN¥": "CNY", "JP¥": "JPY", "Ksh": "KES", "KSh": "KES",
    "Kshs": "KES", "TSh": "TZS", "USh": "UGX", "Rp": "IDR", "RM": "MYR", "zł": "PLN", "Kč": "CZK", "Ft": "HUF",
    "лв": "BGN", "SFr.": "CHF", "SFr": "CHF", "Fr.": "CHF", "S/": "PEN", "NIS": "ILS", "R": "ZAR", "LE": "EGP",
    "E£": "EGP", "GH₵": "GHS", "RMB": "CNY", "CFA": "cfa", "FCFA": "cfa", "грн": "UAH", "руб": "RUB", "TL": "TRY",
    "元": "CNY", "円": "JPY", "원": "KRW", "บาท": "THB", "人民币": "CNY", "日元": "JPY", "美元": "USD", "美金": "USD",
    "欧元": "EUR", "歐元": "EUR", "港元": "HKD", "港币": "HKD", "$US": "USD", "$ US": "USD", "$CA": "CAD",
    "$ CA": "CAD", "$ CAN": "CAD", "$ AU": "AUD", "英镑": "GBP", "新台幣": "TWD", "台幣": "TWD", "新加坡元": "SGD",
    "加元": "CAD", "澳元": "AUD", "ドル": "USD", "米ドル": "USD", "ユーロ": "EUR", "ポンド": "GBP", "달러": "USD",
    "유로": "EUR", "엔": "JPY", "위안": "CNY",
}  # fmt: skip
#: Marks and words that several currencies share: first the one meant where neither country nor language decides.
FAMILIES = {
    "$": "USD AUD CAD NZD MXN ARS CLP COP UYU SGD HKD TWD",
    "¥": "JPY CNY",
    "kr": "DKK NOK SEK ISK",
    "fr": "CHF",
    "rs": "INR PKR LKR NPR MUR",
    "dollar": "USD AUD CAD NZD SGD HKD TWD BBD BSD FJD JMD TTD BZD GYD LRD NAD BND XCD",
    "pound": "GBP EGP LBP SDG SSP SYP",
    "crown": "CZK DKK NOK SEK ISK",
    "krone": "DKK NOK",
    "krona": "SEK ISK",
    "rupee": "INR PKR LKR NPR MUR",
    "cfa": "XOF XAF",
    "franc": "CHF XOF XAF RWF BIF DJF GNF CDF",
    "shilling": "KES TZS UGX SOS",
    "peso": "MXN ARS CLP COP PHP UYU DOP CUP",
    "dinar": "KWD BHD TND DZD IQD JOD RSD LYD",
    "dirham": "AED MAD",
    "riyal": "SAR QAR YER OMR",
    "ruble": "RUB BYN",
    "lira": "TRY",
}
#: What a shared mark means in a language that one such country speaks; a dollar sign in Spanish may be any of several.
BY_LANGUAGE = {
    "da": "DKK", "nb": "NOK", "sv": "SEK", "cs": "CZK", "ja": "JPY", "zh": "CNY", "hi": "INR", "tr": "TRY", "ru": "RUB",
}  # fmt: skip
#: Words after an amount by currency or family, patterns of whole words: the endings are those of many languages.
WORDS = {
    "EUR": r"euros?|eur|avro|eura|eurot|euroa|eurów|евро|євро|ευρώ|يورو|أورو|אירו|यूरो|ยูโร",
    "dollar": r"(?:us[ -]|u\.s\. |american )?dollars?|bucks|dólar(?:es)?|dollar[oi]|dolar(?:y|i|ů|ów|em|ech)?|dollaria?"
    r"|dolár[oů]?|доллар\w{0,3}|долар\w{0,3}|δολάρι\w|دولارات?|دولارا?|דולר(?:ים)?|डॉलर|ดอลลาร์|đô la",
    "pound": r"pounds?(?: sterling)?(?! of\b)|quid|sterling|livres sterling|libras(?: esterlinas)?|sterline|جنيه",
    "SEK": r"(?:svenska )?kronor",
    "NOK": r"norske kroner|norwegian kroner?",
    "DKK": r"danske kroner|danish kroner?",
    "crown": r"crowns?|couronnes?|coronas?|corone|coroas?|kronen|koron[ay]?|korun[ay]?|крон[аы]?|kruunua?",
    "krone": r"kroner|krone",
    "rupee": r"rupees?|roupies?|rupias|रुपये|रुपए|रुपया",
    "franc": r"francs?|franchi|francos|франк\w{0,3}",
    "CHF": r"franken|fränkli",
    "shilling": r"shillings?",
    "peso": r"pesos",
    "dinar": r"dinars?|dinares|دينار",
    "dirham": r"dirhams?|درهما?",
    "riyal": r"riyals?|rials?|ريال",
    "ruble": r"rou?bles?|rublos|rubel|rubli|рубл\w{1,3}|руб",
    "lira": r"(?:turkish )?liras?|liras? turcas?|lirası|лир",
    "JPY": r"yens?|иен\w?|ين",
    "CNY": r"yuans?|renminbi|юан\w{1,3}|يوان",
    "KRW": r"wons?",
    "ZAR": r"rands?",
    "PLN": r"zlotys?|złot(?:y|e|ych)|złotówek",
    "HUF": r"forints?|forintot",
    "UAH": r"hryvnias?|hryvnya|гривень|гривн\w|грн",
    "BRL": r"reais",
    "NGN": r"naira",
    "THB": r"baht|บาท",
    "MYR": r"ringgit",
    "IDR": r"rupiah",
    "VND": r"đồng|dongs?",
    "GHS": r"cedis?",
    "BDT": r"taka",
    "ETB": r"birr",
    "ILS": r"shekels?|שקל(?:ים)?|ש\"ח",
    "RON": r"lei",
    "PEN": r"soles|nuevos soles",
    "BGN": r"лева",
    "KZT": r"tenge|тенге",
}
#: Codes that are also written in small letters; sek and cad are other words too.
IN_SMALL = "eur|usd|gbp|chf|dkk|pln|czk|jpy|aud|nzd|hkd|sgd|inr|brl|mxn|zar"
#: Marks that are also words, makes or labels (COP 26, PEN 5, 3 won medals): read only with a large or scaled amount.
RISKY = frozenset(
    {
        "ALL", "AMD", "AOA", "ANG", "BAM", "BOB", "COP", "CUP", "GEL", "LAK", "MAD", "MOP", "PEN", "RON", "SOS", "TOP",
        "TRY", "ERN", "RM", "NIS", "TL", "R", "LE", "Ft", "won", "lei", "rand", "rands", "crown", "crowns",
        "sterling", "corone",
        "rubel", "dong", "taka",
    }
)  # fmt: skip
