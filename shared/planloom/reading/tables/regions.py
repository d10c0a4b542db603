"""Regions: states, provinces, islands and landscapes that plans are set in; plain data."""

from functools import cache

_TABLE = {
    "US": "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Hawaii|Idaho|Illinois|"
    "Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|"
    "Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York State|North Carolina|North Dakota|Ohio|"
    "Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|"
    "Washington State|West Virginia|Wisconsin|Wyoming|Silicon Valley|New England|Appalachia|Long Island",
    "CA": "Ontario|Quebec|Québec|British Columbia|Alberta|Manitoba|Saskatchewan|Nova Scotia|New Brunswick|"
    "Newfoundland|Prince Edward Island|Yukon|Nunavut|Vancouver Island",
    "DE": "Bavaria|Bayern|Saxony|Sachsen|Hesse|Hessen|Brandenburg|Thuringia|Thüringen|Lower Saxony|Niedersachsen|"
    "Schleswig-Holstein|North Rhine-Westphalia|Nordrhein-Westfalen|Rhineland-Palatinate|Rheinland-Pfalz|Saarland|"
    "Baden-Württemberg|Mecklenburg-Vorpommern|Saxony-Anhalt|Black Forest|Schwarzwald|Ruhr|Allgäu",
    "DK": "Jutland|Jylland|Funen|Fyn|Zealand|Sjælland|Bornholm|Lolland|Falster|Limfjord|Limfjorden|Samsø|Ærø|Langeland",
    "ES": "Catalonia|Cataluña|Andalusia|Andalucía|Galicia|Basque Country|Castile|Aragon|Asturias|Cantabria|"
    "Extremadura|Navarre|Mallorca|Majorca|Menorca|Ibiza|Tenerife|Gran Canaria|Canary Islands|Balearic Islands|"
    "Lanzarote",
    "FR": "Brittany|Bretagne|Normandy|Normandie|Provence|Alsace|Burgundy|Bourgogne|Aquitaine|Occitanie|Corsica|"
    "Dordogne|Île-de-France|Hauts-de-France|Auvergne|Loire Valley|Champagne|Savoie|Réunion|Martinique|Guadeloupe",
    "GB": "Cornwall|Devon|Kent|Sussex|Essex|Surrey|Norfolk|Suffolk|Yorkshire|Lancashire|Cumbria|Northumberland|"
    "Somerset|Dorset|Wiltshire|Hampshire|Oxfordshire|Cambridgeshire|Lincolnshire|Derbyshire|Cotswolds|Lake District|"
    "Scottish Highlands|Highlands|Orkney|Shetland|Outer Hebrides|Hebrides|Skye|Isle of Skye|Isle of Wight|Merseyside|"
    "West Midlands|East Anglia|Greater Manchester|Pembrokeshire|Snowdonia|Fife|Isle of Man|Tyneside|Teesside",
    "IE": "Connemara|Donegal|Kerry|Mayo|Clare|Munster|Leinster|Connacht|Ulster",
    "IT": "Tuscany|Toscana|Umbria|Lombardy|Lombardia|Piedmont|Piemonte|Veneto|Liguria|Sicily|Sicilia|Sardinia|"
    "Sardegna|Apulia|Puglia|Calabria|Campania|Lazio|Abruzzo|Basilicata|Emilia-Romagna|South Tyrol|Südtirol|Trentino|"
    "Friuli|Amalfi Coast|Lake Como|Lake Garda|Chianti|Cinque Terre|Dolomites",
    "PT": "Algarve|Alentejo|Madeira|Azores|Douro Valley|Minho",
    "AT": "Tyrol|Tirol|Styria|Steiermark|Carinthia|Kärnten|Vorarlberg|Burgenland|Lower Austria|Upper Austria",
    "CH": "Valais|Wallis|Appenzell|Ticino|Tessin|Graubünden|Engadin|Bernese Oberland|Vaud",
    "NL": "Friesland|Zeeland|Limburg|Gelderland|Brabant|Flevoland|Drenthe",
    "BE": "Flanders|Wallonia|Ardennes",
    "SE": "Scania|Skåne|Lapland|Gotland|Norrbotten|Småland|Dalarna|Värmland",
    "NO": "Lofoten|Finnmark|Svalbard|Nordland|Vestland|Telemark|Troms",
    "FI": "Åland|Karelia|Ostrobothnia",
    "GR": "Crete|Rhodes|Corfu|Santorini|Mykonos|Peloponnese|Lesbos|Thessaly|Epirus",
    "HR": "Istria|Dalmatia|Slavonia",
    "RO": "Transylvania|Moldavia|Banat",
    "PL": "Silesia|Masuria|Pomerania|Mazovia",
    "AU": "New South Wales|Queensland|Tasmania|Western Australia|South Australia|Northern Territory|Great Barrier Reef",
    "NZ": "North Island|South Island|Otago|Waikato|Hawke's Bay|Northland|Southland",
    "IN": "Maharashtra|Kerala|Tamil Nadu|Karnataka|Gujarat|Rajasthan|Punjab|Uttar Pradesh|Bihar|West Bengal|Odisha|"
    "Assam|Telangana|Andhra Pradesh|Madhya Pradesh|Haryana|Himachal Pradesh|Uttarakhand|Ladakh|Kashmir|Jharkhand",
    "ID": "Bali|Java|Sumatra|Sulawesi|Lombok|Borneo|Kalimantan|Papua",
    "JP": "Hokkaido|Kyushu|Shikoku|Honshu",
    "CN": "Guangdong|Sichuan|Yunnan|Xinjiang|Tibet|Fujian|Zhejiang|Hainan|Inner Mongolia",
    "BR": "Amazonas|Bahia|Minas Gerais|Pará|Pantanal|Mato Grosso",
    "AR": "Patagonia",
    "CL": "Atacama|Easter Island",
    "EC": "Galápagos|Galapagos",
    "MX": "Yucatán|Yucatan|Baja California|Jalisco|Chiapas|Quintana Roo",
    "ZA": "Western Cape|Eastern Cape|KwaZulu-Natal|Gauteng|Limpopo|Mpumalanga|Karoo",
    "KE": "Turkana|Marsabit|Kisii|Kilifi|Rift Valley|Maasai Mara|Kakamega|Kakuma|Wajir|Mandera|Samburu|Laikipia",
    "TZ": "Serengeti|Kilimanjaro|Ngorongoro",
    "NG": "Niger Delta|Borno|Kwara",
    "ET": "Tigray|Oromia|Amhara|Afar",
    "NP": "Everest|Khumbu|Terai",
    "PK": "Sindh|Balochistan|Khyber Pakhtunkhwa",
    "PH": "Luzon|Mindanao|Visayas|Palawan|Leyte",
    "TH": "Isan|Koh Samui",
    "RU": "Siberia|Kamchatka|Chechnya|Tatarstan",
    "TR": "Anatolia|Cappadocia",
    "MY": "Sabah|Sarawak",
    "": "Europe|Africa|Asia|North America|South America|Latin America|Central America|Middle East|Southeast Asia|"
    "East Africa|West Africa|Southern Africa|Sub-Saharan Africa|North Africa|Central Asia|South Asia|East Asia|"
    "Scandinavia|Nordics|Baltics|Balkans|Caribbean|Antarctica|Arctic|Sahel|Amazon basin|Amazon rainforest|Himalayas|"
    "Alps|Andes|Pyrenees|Carpathians|North Sea|Baltic Sea|Mediterranean|Black Sea|Wadden Sea|Oceania|Benelux|Iberia|"
    "Western Europe|Eastern Europe|Northern Europe|Southern Europe|Central Europe|Horn of Africa|Sahara|Lake Victoria",
}
_DOUBTFUL = (
    "Maine|Kent|Clare|Kerry|Mayo|Norfolk|Champagne|Highlands|Ruhr|Java|Papua|Virginia|Montana|Ontario|"
    "Amazonas|Ulster|Everest|Rhodes|Burgundy|Essex|Crete|Piedmont|Madeira|Wallis|Limburg|Lapland|"
    "Arctic|Galicia|Carolina|Moldavia|Delaware|Alps|Castile|Aragon|Suffolk|Devon|Punjab|Afar"
)
#: Region names that are also words or names: read only after a preposition.
DOUBTFUL_REGIONS = frozenset(_DOUBTFUL.split("|"))


@cache
def regions() -> dict[str, str]:
    """Return the ISO country code of each region by name; empty where a region lies in several countries."""
    return {name: code for code, names in _TABLE.items() for name in names.split("|")}


_ARTICLED = (
    "Netherlands|United States|USA|US|UK|United Kingdom|Philippines|Czech Republic|Maldives|Bahamas|"
    "Gambia|UAE|Alps|Highlands|Hebrides|Outer Hebrides|Balkans|Baltics|Nordics|Andes|Himalayas|"
    "Cotswolds|Lake District|Arctic|Caribbean|Mediterranean|Black Forest|North Sea|Baltic Sea|Algarve|"
    "Azores|Dolomites|Middle East|West Midlands|Sahel|Sahara|Bronx|Canary Islands|Balearic Islands|"
    "Faroe Islands|Isle of Wight|Isle of Man|Basque Country|Ardennes|Peloponnese"
)
#: Names that stand with an article: the Netherlands.
ARTICLED = frozenset(_ARTICLED.split("|"))
