"""Cities by country: large ones and those that plans speak of; plain data."""

from functools import cache

_TABLE = {
    "AE": "Dubai|Abu Dhabi|Sharjah",
    "AF": "Kabul|Kandahar|Herat",
    "AL": "Tirana",
    "AM": "Yerevan",
    "AO": "Luanda",
    "AR": "Buenos Aires|Córdoba|Rosario|Mendoza|La Plata|Bariloche|Ushuaia",
    "AT": "Vienna|Wien|Graz|Linz|Salzburg|Innsbruck|Klagenfurt",
    "AU": "Sydney|Melbourne|Brisbane|Perth|Adelaide|Canberra|Hobart|Darwin|Gold Coast|Newcastle|Cairns|Geelong",
    "AZ": "Baku",
    "BA": "Sarajevo|Mostar|Banja Luka",
    "BD": "Dhaka|Chittagong|Khulna|Sylhet",
    "BE": "Brussels|Bruxelles|Brüssel|Antwerp|Ghent|Bruges|Liège|Leuven|Namur|Charleroi|Mechelen",
    "BF": "Ouagadougou",
    "BG": "Sofia|Plovdiv|Varna|Burgas",
    "BH": "Manama",
    "BJ": "Cotonou|Porto-Novo",
    "BO": "La Paz|Santa Cruz de la Sierra|Cochabamba|Sucre",
    "BR": "São Paulo|Sao Paulo|Rio de Janeiro|Brasília|Brasilia|Salvador|Fortaleza|Belo Horizonte|Manaus|Curitiba|"
    "Recife|Porto Alegre|Florianópolis|Belém",
    "BW": "Gaborone",
    "BY": "Minsk",
    "CA": "Toronto|Montreal|Montréal|Vancouver|Calgary|Edmonton|Ottawa|Winnipeg|Quebec City|Halifax|Saskatoon|Regina|"
    "Kelowna|Whitehorse|Yellowknife|Iqaluit",
    "CD": "Kinshasa|Lubumbashi|Goma",
    "CH": "Zurich|Zürich|Geneva|Genève|Genf|Basel|Bern|Lausanne|Lucerne|Luzern|Lugano|St. Gallen|Winterthur",
    "CI": "Abidjan|Yamoussoukro",
    "CL": "Santiago|Valparaíso|Concepción|Antofagasta|Puerto Montt|Punta Arenas",
    "CM": "Yaoundé|Douala",
    "CN": "Beijing|Shanghai|Shenzhen|Guangzhou|Chengdu|Chongqing|Wuhan|Hangzhou|Nanjing|Xi'an|Tianjin|Suzhou|Harbin|"
    "Qingdao|Dalian|Kunming|Xiamen",
    "CO": "Bogotá|Bogota|Medellín|Medellin|Cali|Cartagena|Barranquilla|Bucaramanga",
    "CR": "San José",
    "CU": "Havana",
    "CY": "Nicosia|Limassol|Larnaca|Paphos",
    "CZ": "Prague|Praha|Brno|Ostrava|Pilsen|Olomouc",
    "DE": "Berlin|Hamburg|Munich|München|Cologne|Köln|Frankfurt|Frankfurt am Main|Stuttgart|Düsseldorf|Dusseldorf|"
    "Leipzig|Dortmund|Essen|Bremen|Dresden|Hanover|Hannover|Nuremberg|Nürnberg|Duisburg|Bochum|Wuppertal|Bielefeld|"
    "Bonn|Münster|Karlsruhe|Mannheim|Augsburg|Wiesbaden|Kiel|Lübeck|Rostock|Freiburg|Erfurt|Mainz|Kassel|Potsdam|"
    "Saarbrücken|Halle|Magdeburg|Chemnitz|Aachen|Heidelberg|Regensburg|Ulm|Jena|Göttingen|Flensburg|Trier",
    "DK": "Copenhagen|København|Kopenhagen|Aarhus|Århus|Odense|Aalborg|Ålborg|Esbjerg|Randers|Kolding|Horsens|Vejle|"
    "Roskilde|Herning|Silkeborg|Helsingør|Hørsholm|Næstved|Fredericia|Viborg|Køge|Holstebro|Slagelse|Hillerød|"
    "Sønderborg|Svendborg|Hjørring|Frederikshavn|Skive|Thisted|Haderslev|Ringsted|Frederiksberg|Gentofte|Rønne",
    "DO": "Santo Domingo|Punta Cana",
    "DZ": "Algiers|Oran|Constantine",
    "EC": "Quito|Guayaquil|Cuenca",
    "EE": "Tallinn|Tartu|Pärnu",
    "EG": "Cairo|Alexandria|Giza|Luxor|Aswan|Port Said",
    "ES": "Madrid|Barcelona|Valencia|Seville|Sevilla|Zaragoza|Málaga|Malaga|Murcia|Palma|Bilbao|Alicante|Córdoba|"
    "Valladolid|Vigo|Gijón|Granada|San Sebastián|Pamplona|Salamanca|Santander|Cádiz|Tarragona|Girona|Oviedo|"
    "A Coruña|Las Palmas|Toledo|Burgos|Almería|Logroño",
    "ET": "Addis Ababa|Dire Dawa|Mekelle",
    "FI": "Helsinki|Espoo|Tampere|Vantaa|Oulu|Turku|Jyväskylä|Lahti|Rovaniemi|Kuopio",
    "FJ": "Suva",
    "FO": "Tórshavn",
    "FR": "Paris|Marseille|Lyon|Toulouse|Nice|Nantes|Strasbourg|Montpellier|Bordeaux|Lille|Rennes|Reims|Le Havre|"
    "Saint-Étienne|Toulon|Grenoble|Dijon|Angers|Nîmes|Brest|Le Mans|Tours|Amiens|Metz|Besançon|Caen|Nancy|Rouen|"
    "Avignon|Cannes|Dunkirk|Annecy|La Rochelle|Cambrai|Valenciennes|Saint-Omer",
    "GB": "London|Birmingham|Manchester|Leeds|Glasgow|Liverpool|Newcastle upon Tyne|Sheffield|Bristol|Edinburgh|"
    "Leicester|Cardiff|Belfast|Nottingham|Southampton|Portsmouth|Aberdeen|Plymouth|Brighton|Oxford|Cambridge|York|"
    "Bath|Norwich|Exeter|Swansea|Dundee|Inverness|Coventry|Hull|Stoke-on-Trent|Wolverhampton|Derby|Reading|"
    "Sunderland|Bradford|Middlesbrough|Milton Keynes|Bournemouth|Derry|Preston|Lancaster|Chester|Gloucester|"
    "Canterbury|Ipswich|Peterborough|Luton|Swindon|Blackpool|Falmouth|Stirling|Perth|Salford|Stockport|Rotherham|"
    "Doncaster|Huddersfield|Wakefield|Bolton|Oldham|Carlisle|Durham|Worcester|Hereford|Shrewsbury|Lincoln|Truro|"
    "Penzance|Whitby|Scarborough|Hastings|Margate|Ullapool|Kirkwall|Lerwick|Stornoway",
    "GE": "Tbilisi|Batumi",
    "GH": "Accra|Kumasi|Tamale",
    "GL": "Nuuk|Ilulissat",
    "GR": "Athens|Thessaloniki|Patras|Heraklion|Piraeus",
    "GT": "Guatemala City",
    "HR": "Zagreb|Split|Rijeka|Dubrovnik|Zadar|Pula",
    "HT": "Port-au-Prince",
    "HU": "Budapest|Debrecen|Szeged|Pécs",
    "ID": "Jakarta|Surabaya|Bandung|Medan|Yogyakarta|Denpasar|Makassar|Semarang|Ubud",
    "IE": "Dublin|Cork|Galway|Limerick|Waterford|Kilkenny|Sligo|Dundalk|Drogheda|Dingle|Tralee|Killarney|Wexford",
    "IL": "Tel Aviv|Jerusalem|Haifa|Beersheba|Eilat",
    "IN": "Mumbai|Delhi|New Delhi|Bangalore|Bengaluru|Hyderabad|Chennai|Kolkata|Pune|Ahmedabad|Jaipur|Surat|Lucknow|"
    "Kochi|Goa|Indore|Bhopal|Nagpur|Varanasi|Chandigarh|Coimbatore|Patna|Guwahati|Visakhapatnam|Mysore|Amritsar",
    "IQ": "Baghdad|Basra|Mosul|Erbil",
    "IR": "Tehran|Isfahan|Shiraz|Mashhad",
    "IS": "Reykjavik|Reykjavík|Akureyri|Keflavík",
    "IT": "Rome|Roma|Milan|Milano|Naples|Napoli|Turin|Torino|Palermo|Genoa|Genova|Bologna|Florence|Firenze|Bari|"
    "Catania|Venice|Venezia|Verona|Padua|Trieste|Siena|Pisa|Lucca|Parma|Modena|Perugia|Cagliari|Bergamo|Brescia|"
    "Ravenna|Rimini|Matera|Lecce|Bolzano|Trento|Como|Arezzo|Livorno|Amalfi|Sorrento|Taormina",
    "JM": "Montego Bay",
    "JO": "Amman|Aqaba",
    "JP": "Tokyo|Osaka|Kyoto|Yokohama|Nagoya|Sapporo|Fukuoka|Kobe|Hiroshima|Sendai|Nagasaki|Nara|Okinawa|Kanazawa",
    "KE": "Nairobi|Mombasa|Kisumu|Nakuru|Eldoret|Lodwar|Garissa|Malindi|Lamu",
    "KG": "Bishkek",
    "KH": "Phnom Penh|Siem Reap",
    "KR": "Seoul|Busan|Incheon|Daegu|Daejeon|Gwangju|Suwon|Ulsan|Jeju",
    "KW": "Kuwait City",
    "KZ": "Almaty|Astana|Shymkent",
    "LA": "Vientiane|Luang Prabang",
    "LB": "Beirut|Tripoli",
    "LK": "Colombo|Kandy|Galle|Jaffna",
    "LR": "Monrovia",
    "LT": "Vilnius|Kaunas|Klaipėda",
    "LU": "Luxembourg City|Esch-sur-Alzette",
    "LV": "Riga|Daugavpils|Liepāja",
    "MA": "Casablanca|Marrakesh|Marrakech|Rabat|Fez|Tangier|Agadir|Essaouira",
    "MD": "Chișinău|Chisinau",
    "ME": "Podgorica|Kotor|Budva",
    "MG": "Antananarivo",
    "MK": "Skopje|Ohrid",
    "ML": "Bamako|Timbuktu",
    "MM": "Yangon|Mandalay",
    "MN": "Ulaanbaatar",
    "MT": "Valletta|Sliema",
    "MU": "Port Louis",
    "MW": "Lilongwe|Blantyre",
    "MX": "Mexico City|Ciudad de México|Guadalajara|Monterrey|Puebla|Tijuana|Cancún|Cancun|Mérida|Oaxaca|Querétaro|"
    "León|Veracruz|Tulum|Playa del Carmen",
    "MY": "Kuala Lumpur|Penang|Johor Bahru|Kuching|Kota Kinabalu|Malacca",
    "MZ": "Maputo|Beira",
    "NA": "Windhoek|Swakopmund|Walvis Bay",
    "NE": "Niamey",
    "NG": "Lagos|Abuja|Kano|Ibadan|Port Harcourt|Benin City|Kaduna|Enugu",
    "NI": "Managua",
    "NL": "Amsterdam|Rotterdam|The Hague|Den Haag|Utrecht|Eindhoven|Groningen|Tilburg|Breda|Nijmegen|Haarlem|Delft|"
    "Leiden|Maastricht|Arnhem|Zwolle|Almere|Enschede",
    "NO": "Oslo|Bergen|Trondheim|Stavanger|Tromsø|Tromso|Drammen|Kristiansand|Bodø|Ålesund|Fredrikstad|Hammerfest|"
    "Longyearbyen|Lillehammer|Narvik",
    "NP": "Kathmandu|Pokhara",
    "NZ": "Auckland|Wellington|Christchurch|Dunedin|Queenstown|Rotorua|Tauranga|Napier|Invercargill",
    "OM": "Muscat|Salalah",
    "PA": "Panama City",
    "PE": "Lima|Cusco|Cuzco|Arequipa|Trujillo|Iquitos|Puno",
    "PG": "Port Moresby|Lae",
    "PH": "Manila|Cebu|Cebu City|Davao|Quezon City|Makati|Baguio|Tacloban",
    "PK": "Karachi|Lahore|Islamabad|Faisalabad|Rawalpindi|Peshawar|Multan|Quetta",
    "PL": "Warsaw|Warszawa|Kraków|Krakow|Wrocław|Wroclaw|Gdańsk|Gdansk|Poznań|Poznan|Łódź|Lodz|Szczecin|Lublin|"
    "Katowice|Białystok|Gdynia|Toruń",
    "PS": "Gaza|Ramallah|Bethlehem",
    "PT": "Lisbon|Lisboa|Lissabon|Porto|Braga|Coimbra|Faro|Funchal|Aveiro|Évora|Setúbal|Sintra|Cascais|Lagos",
    "PY": "Asunción",
    "QA": "Doha",
    "RO": "Bucharest|Cluj-Napoca|Cluj|Timișoara|Iași|Brașov|Sibiu|Constanța",
    "RS": "Belgrade|Novi Sad|Niš",
    "RU": "Moscow|Saint Petersburg|St. Petersburg|Novosibirsk|Yekaterinburg|Kazan|Vladivostok|Sochi|Murmansk",
    "RW": "Kigali",
    "SA": "Riyadh|Jeddah|Mecca|Medina|Dammam|Neom",
    "SD": "Khartoum",
    "SE": "Stockholm|Gothenburg|Göteborg|Malmö|Uppsala|Västerås|Örebro|Linköping|Helsingborg|Jönköping|Norrköping|"
    "Lund|Umeå|Kiruna|Luleå|Gävle|Visby|Östersund|Kalmar|Karlstad",
    "SG": "Singapore",
    "SI": "Ljubljana|Maribor|Bled",
    "SK": "Bratislava|Košice|Žilina",
    "SL": "Freetown",
    "SN": "Dakar|Saint-Louis",
    "SO": "Mogadishu|Hargeisa",
    "SS": "Juba",
    "SV": "San Salvador",
    "SY": "Damascus|Aleppo|Homs",
    "TG": "Lomé",
    "TH": "Bangkok|Chiang Mai|Phuket|Pattaya|Hat Yai",
    "TN": "Tunis|Sfax|Sousse",
    "TR": "Istanbul|Ankara|Izmir|Antalya|Bursa|Adana|Gaziantep|Bodrum|Konya|Trabzon",
    "TW": "Taipei|Kaohsiung|Taichung|Tainan|Hsinchu",
    "TZ": "Dar es Salaam|Dodoma|Arusha|Mwanza|Stone Town|Moshi",
    "UA": "Kyiv|Kiev|Lviv|Odesa|Odessa|Kharkiv|Dnipro|Zaporizhzhia|Mariupol",
    "UG": "Kampala|Entebbe|Gulu|Jinja",
    "US": "New York|New York City|Los Angeles|Chicago|Houston|Phoenix|Philadelphia|San Antonio|San Diego|Dallas|"
    "San Jose|Austin|Jacksonville|Fort Worth|Columbus|Charlotte|San Francisco|Indianapolis|Seattle|Denver|"
    "Washington DC|Washington, D.C.|Washington D.C.|Boston|El Paso|Nashville|Detroit|Oklahoma City|Portland|"
    "Las Vegas|Memphis|Louisville|Baltimore|Milwaukee|Albuquerque|Tucson|Fresno|Sacramento|Kansas City|Mesa|Atlanta|"
    "Omaha|Colorado Springs|Raleigh|Miami|Long Beach|Oakland|Minneapolis|Tulsa|Tampa|New Orleans|Wichita|Cleveland|"
    "Honolulu|Anaheim|Lexington|Anchorage|St. Louis|Pittsburgh|Cincinnati|Saint Paul|St. Paul|Newark|Orlando|"
    "Buffalo|Boise|Salt Lake City|Santa Fe|Savannah|Asheville|Boulder|Eugene|Spokane|Tacoma|Reno|Durham|Madison|"
    "Des Moines|Rochester|Syracuse|Albany|Hartford|Providence|Richmond|Norfolk|Charleston|Chattanooga|Knoxville|"
    "Birmingham|Montgomery|Little Rock|Baton Rouge|Shreveport|Galveston|Corpus Christi|Lubbock|Brooklyn|Manhattan|"
    "Queens|The Bronx|Berkeley|Palo Alto|Santa Cruz|Santa Barbara|Bend|Missoula|Bozeman|Billings|Fargo|Duluth|"
    "Ann Arbor|Grand Rapids|Toledo|Akron|Dayton|Harrisburg|Scranton|Burlington|Manchester|Fairbanks|Juneau|"
    "Flagstaff|Key West|Fort Lauderdale|Tallahassee|Mobile|Jackson|Biloxi",
    "UY": "Montevideo|Punta del Este",
    "UZ": "Tashkent|Samarkand|Bukhara",
    "VE": "Caracas|Maracaibo",
    "VN": "Hanoi|Ho Chi Minh City|Saigon|Da Nang|Hue|Hoi An|Can Tho|Haiphong",
    "YE": "Sanaa|Aden",
    "ZA": "Johannesburg|Cape Town|Durban|Pretoria|Port Elizabeth|Gqeberha|Bloemfontein|Stellenbosch|Soweto|Knysna",
    "ZM": "Lusaka|Livingstone|Ndola|Kitwe",
    "ZW": "Harare|Bulawayo|Mutare|Victoria Falls",
}
_DOUBTFUL = (
    "Nice|Reading|Bath|Mobile|Split|Cork|Essen|Halle|Bergen|Como|Buffalo|Phoenix|Lincoln|Jackson|"
    "Madison|Austin|Charlotte|Florence|Orlando|Durham|Derby|Hull|Chester|Preston|Regina|Victoria|Sucre|"
    "Beira|Lancaster|Richmond|Montgomery|Bend|Mesa|Queens|Darwin|Wellington|Napier|Lund|Tours|Angers|"
    "Cali|Goa|Hue|Lae|Salvador|Santiago|Constantine|Livingstone|Saint-Louis|Faro|Lagos|Galle|Kandy|"
    "Sofia|Alexandria|Victoria Falls|Male|Lecce|Trier|Boulder|Columbus|Houston|Dallas|Denver|Cleveland|"
    "Providence|Burlington|Rochester|Bradford|Stirling|Palma|Vigo|Rosario|León|Medina|Bled|Ulm|Jena|"
    "Moshi|Homs|Surat|Kano|Baden|Nancy|Tripoli|Bar|Dingle|Sligo|Fargo|Eugene|Reno|Galway|Jeju|Nara|"
    "Aden|Juba|Oran|Delft|Breda|Leiden|Turku|Lahti|Toledo|Granada|Burgos|Skive"
)
#: City names that are also everyday words, given names or family names: read only with a preposition or a country.
DOUBTFUL_CITIES = frozenset(_DOUBTFUL.split("|"))


@cache
def cities() -> dict[str, str]:
    """Return the ISO country code of each city by name; of two namesakes the one in the country named first wins.

    The country that the prompt names decides between namesakes: see :mod:`planloom.reading.places`.
    """
    found: dict[str, str] = {}
    for code, names in _TABLE.items():
        for name in names.split("|"):
            found.setdefault(name, code)
    return found | {"Birmingham": "GB", "Manchester": "GB", "Perth": "AU", "Toledo": "ES", "Lagos": "NG"}


@cache
def namesakes() -> dict[str, tuple[str, ...]]:
    """Return the countries of each city name that stands in more than one."""
    found: dict[str, list[str]] = {}
    for code, names in _TABLE.items():
        for name in names.split("|"):
            found.setdefault(name, []).append(code)
    return {name: tuple(codes) for name, codes in found.items() if len(codes) > 1}
