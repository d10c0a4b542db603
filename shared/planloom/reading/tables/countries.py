"""Countries: ISO 3166-1 code, names in use, ISO 4217 currency; plain data."""

from functools import cache

#: One country a line: code, currency, names (English first, then its own and other usual ones).
_TABLE = """
AD EUR Andorra
AE AED United Arab Emirates|UAE|Emirates
AF AFN Afghanistan
AG XCD Antigua and Barbuda
AL ALL Albania
AM AMD Armenia
AO AOA Angola
AR ARS Argentina
AT EUR Austria|Österreich
AU AUD Australia
AZ AZN Azerbaijan
BA BAM Bosnia and Herzegovina|Bosnia
BB BBD Barbados
BD BDT Bangladesh
BE EUR Belgium|Belgien|Belgique|België
BF XOF Burkina Faso
BG EUR Bulgaria
BH BHD Bahrain
BI BIF Burundi
BJ XOF Benin
BN BND Brunei
BO BOB Bolivia
BR BRL Brazil|Brasil
BS BSD Bahamas
BT BTN Bhutan
BW BWP Botswana
BY BYN Belarus
BZ BZD Belize
CA CAD Canada
CD CDF Democratic Republic of the Congo|DR Congo|DRC
CG XAF Republic of the Congo
CH CHF Switzerland|Schweiz|Suisse|Svizzera
CI XOF Ivory Coast|Côte d'Ivoire
CL CLP Chile
CM XAF Cameroon
CN CNY China
CO COP Colombia
CR CRC Costa Rica
CU CUP Cuba
CV CVE Cape Verde|Cabo Verde
CY EUR Cyprus
CZ CZK Czech Republic|Czechia
DE EUR Germany|Deutschland|Tyskland|Alemania
DJ DJF Djibouti
DK DKK Denmark|Danmark|Dänemark
DO DOP Dominican Republic
DZ DZD Algeria
EC USD Ecuador
EE EUR Estonia|Eesti
EG EGP Egypt
ER ERN Eritrea
ES EUR Spain|España|Spanien|Espagne
ET ETB Ethiopia
FI EUR Finland|Suomi
FJ FJD Fiji
FO DKK Faroe Islands
FR EUR France|Frankreich|Francia
GA XAF Gabon
GB GBP United Kingdom|UK|U.K.|Great Britain|Britain|England|Scotland|Wales|Northern Ireland
GE GEL Georgia
GH GHS Ghana
GL DKK Greenland
GM GMD Gambia
GN GNF Guinea
GR EUR Greece
GT GTQ Guatemala
GY GYD Guyana
HK HKD Hong Kong
HN HNL Honduras
HR EUR Croatia|Hrvatska
HT HTG Haiti
HU HUF Hungary
ID IDR Indonesia
IE EUR Ireland|Republic of Ireland
IL ILS Israel
IN INR India
IQ IQD Iraq
IR IRR Iran
IS ISK Iceland
IT EUR Italy|Italia|Italien
JM JMD Jamaica
JO JOD Jordan
JP JPY Japan
KE KES Kenya
KG KGS Kyrgyzstan
KH KHR Cambodia
KR KRW South Korea|Republic of Korea|Korea
KW KWD Kuwait
KZ KZT Kazakhstan
LA LAK Laos
LB LBP Lebanon
LI CHF Liechtenstein
LK LKR Sri Lanka
LR LRD Liberia
LS LSL Lesotho
LT EUR Lithuania
LU EUR Luxembourg|Luxemburg
LV EUR Latvia
LY LYD Libya
MA MAD Morocco
MC EUR Monaco
MD MDL Moldova
ME EUR Montenegro
MG MGA Madagascar
MK MKD North Macedonia
ML XOF Mali
MM MMK Myanmar
MN MNT Mongolia
MR MRU Mauritania
MT EUR Malta
MU MUR Mauritius
MV MVR Maldives
MW MWK Malawi
MX MXN Mexico|México
MY MYR Malaysia
MZ MZN Mozambique
NA NAD Namibia
NE XOF Niger
NG NGN Nigeria
NI NIO Nicaragua
NL EUR Netherlands|Holland|Nederland|Niederlande
NO NOK Norway|Norge|Norwegen
NP NPR Nepal
NZ NZD New Zealand
OM OMR Oman
PA USD Panama
PE PEN Peru|Perú
PG PGK Papua New Guinea
PH PHP Philippines
PK PKR Pakistan
PL PLN Poland|Polska|Polen
PR USD Puerto Rico
PS ILS Palestine
PT EUR Portugal
PY PYG Paraguay
QA QAR Qatar
RO RON Romania
RS RSD Serbia
RU RUB Russia|Russian Federation
RW RWF Rwanda
SA SAR Saudi Arabia
SD SDG Sudan
SE SEK Sweden|Sverige|Schweden
SG SGD Singapore
SI EUR Slovenia
SK EUR Slovakia
SL SLE Sierra Leone
SN XOF Senegal
SO SOS Somalia
SS SSP South Sudan
SV USD El Salvador
SY SYP Syria
TD XAF Chad
TG XOF Togo
TH THB Thailand
TJ TJS Tajikistan
TL USD Timor-Leste
TM TMT Turkmenistan
TN TND Tunisia
TR TRY Turkey|Türkiye
TT TTD Trinidad and Tobago
TW TWD Taiwan
TZ TZS Tanzania|Zanzibar
UA UAH Ukraine
UG UGX Uganda
US USD United States|United States of America|USA|U.S.A.|US|U.S.
UY UYU Uruguay
UZ UZS Uzbekistan
VA EUR Vatican City
VE VES Venezuela
VN VND Vietnam|Viet Nam
YE YER Yemen
ZA ZAR South Africa
ZM ZMW Zambia
ZW ZWG Zimbabwe
"""

_SOUTHERN = "AR AU BO BR BW CL FJ LS MG MU MW MZ NA NZ PE PG PY TZ UY ZA ZM ZW"
#: Where seasons are those of the south.
SOUTHERN = frozenset(_SOUTHERN.split())
#: Names of a country that are also a given name, another place or an everyday word: read only after a preposition.
DOUBTFUL_COUNTRIES = frozenset({"Georgia", "Jordan", "Chad", "Niger", "Guinea", "US", "Emirates", "Turkey"})


@cache
def countries() -> dict[str, str]:
    """Return the ISO code of each country by name."""
    return {name: code for code, _, names in _rows() for name in names.split("|")}


@cache
def currency_of() -> dict[str, str]:
    """Return the ISO 4217 currency of each country by its ISO 3166-1 code."""
    return {code: currency for code, currency, _ in _rows()}


def _rows() -> list[list[str]]:
    return [line.split(" ", 2) for line in _TABLE.strip().splitlines()]
