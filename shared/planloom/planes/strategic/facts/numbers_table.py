"""Number words of the languages that planloom reads, as far as they are small; plain data."""

from typing import NamedTuple


class Words(NamedTuple):
    """The number words of a language, variants set apart by ``/``, ``-`` for none.

    ``ones`` from one, ``tens`` from twenty; ``more`` names other values, ``scales`` what multiplies, ``link`` what
    joins the parts; ``joined``: they are also written as one word.
    """

    ones: str
    tens: str
    more: str
    scales: str
    link: str = ""
    joined: str = ""


#: Each language's fields, set apart by ``|``.
_WORDS = {
    "en": """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen | twenty thirty forty/fourty fifty sixty seventy eighty ninety | 0=zero 0.5=half |
    12=dozen 100=hundred 1e3=thousand 1e6=million/millions 1e9=billion/billions 1e12=trillion/trillions
    1e5=lakh/lakhs/lac 1e7=crore/crores | and""",
    "de": """eins/ein zwei/zwo/zweien/zweier drei/dreien/dreier vier/vieren fünf/fünfen sechs/sechsen sieben
    acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn |
    zwanzig dreißig/dreissig vierzig fünfzig sechzig siebzig achtzig neunzig |
    0.5=einhalb/halbe 1.5=anderthalb/eineinhalb | 100=hundert 1e3=tausend 1e6=million/millionen
    1e9=milliarde/milliarden 1e12=billion/billionen 12=dutzend | und | joined""",
    "nl": """één/een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien
    zeventien achttien negentien | twintig dertig veertig vijftig zestig zeventig tachtig negentig | 0.5=half/halve
    1.5=anderhalf/anderhalve | 100=honderd 1e3=duizend 1e6=miljoen 1e9=miljard 1e12=biljoen 12=dozijn | en/ën |
    joined""",
    "da": """- to tre fire fem seks syv otte ni ti elleve tolv tretten fjorten femten seksten sytten atten nitten
    | tyve tredive fyrre halvtreds tres halvfjerds firs halvfems | 0.5=halv/halvt 1.5=halvanden | 100=hundrede/hundred
    1e3=tusind/tusinde 1e6=million/millioner 1e9=milliard/milliarder 1e12=billion/billioner | og | joined""",
    "nb": """- to tre fire fem seks sju/syv åtte ni ti elleve/elve tolv tretten fjorten femten seksten sytten
    atten nitten | tjue/tyve tretti/tredve førti femti seksti sytti åtti nitti | 0.5=halv/halvt 1.5=halvannen |
    100=hundre 1e3=tusen 1e6=million/millioner 1e9=milliard/milliarder 1e12=billion/billioner | og | joined""",
    "sv": """- två/tva tre fyra fem sex sju åtta nio tio elva tolv tretton fjorton femton sexton sjutton arton
    nitton | tjugo trettio fyrtio femtio sextio sjuttio åttio nittio | 0.5=halv/halvt | 100=hundra 1e3=tusen
    1e6=miljon/miljoner 1e9=miljard/miljarder 1e12=biljon/biljoner | och | joined""",
    "fi": """yksi/yhden kaksi/kahden/kahdessa kolme/kolmen neljä/neljän viisi/viiden kuusi/kuuden seitsemän
    kahdeksan yhdeksän kymmenen | | 0.5=puoli/puolen 1.5=puolitoista | 10=kymmentä 100=sata/sataa/sadan
    1e3=tuhat/tuhatta/tuhannen 1e6=miljoona/miljoonaa/miljoonan 1e9=miljardi/miljardia/miljardin | | joined""",
    "es": """uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis
    diecisiete dieciocho diecinueve | veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa |
    0.5=medio/media 21=veintiuno/veintiún 22=veintidós 23=veintitrés 24=veinticuatro 25=veinticinco 26=veintiséis
    27=veintisiete 28=veintiocho 29=veintinueve 100=cien/ciento 200=doscientos/doscientas 300=trescientos/trescientas
    400=cuatrocientos/cuatrocientas 500=quinientos/quinientas 600=seiscientos/seiscientas 700=setecientos/setecientas
    800=ochocientos/ochocientas 900=novecientos/novecientas | 1e3=mil 1e6=millón/millon/millones 1e12=billón/billones
    12=docena/docenas | y""",
    "pt": """- dois/duas três quatro cinco seis sete oito nove dez onze doze treze catorze/quatorze quinze
    dezasseis/dezesseis dezassete/dezessete dezoito dezanove/dezenove | vinte trinta quarenta cinquenta sessenta
    setenta oitenta noventa | 0.5=meio/meia 100=cem/cento 200=duzentos/duzentas 300=trezentos/trezentas
    400=quatrocentos/quatrocentas 500=quinhentos/quinhentas 600=seiscentos/seiscentas 700=setecentos/setecentas
    800=oitocentos/oitocentas 900=novecentos/novecentas | 1e3=mil 1e6=milhão/milhões/milhao/milhoes 1e9=bilhão/bilhões
    1e12=trilhão/trilhões/bilião/biliões 12=dúzia/dúzias | e""",
    "fr": """- deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept
    dix-huit dix-neuf | vingt/vingts trente quarante cinquante soixante septante quatre-vingt/quatre-vingts/huitante
    nonante | 0.5=demi/demie | 100=cent/cents 1e3=mille 1e6=million/millions 1e9=milliard/milliards
    1e12=billion/billions 12=douzaine/douzaines | et""",
    "it": """uno due tre/tré quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici
    sedici diciassette diciotto diciannove | venti/vent trenta/trent quaranta/quarant cinquanta/cinquant
    sessanta/sessant settanta/settant ottanta/ottant novanta/novant | 0.5=mezzo/mezza | 100=cento 1e3=mille/mila
    1e6=milione/milioni 1e9=miliardo/miliardi 12=dozzina/dozzine | e | joined""",
    "ro": """- doi/două trei patru cinci șase/şase șapte/şapte opt nouă zece | douăzeci treizeci patruzeci
    cincizeci șaizeci șaptezeci optzeci nouăzeci | | 100=sută/sute 1e3=mie/mii 1e6=milion/milioane
    1e9=miliard/miliarde | și/de""",
    "pl": """jeden/jedna dwa/dwie/dwóch/dwaj trzy/trzech cztery/czterech pięć/pięciu sześć/sześciu siedem/siedmiu
    osiem/ośmiu dziewięć/dziewięciu dziesięć/dziesięciu jedenaście dwanaście/dwunastu trzynaście czternaście
    piętnaście/piętnastu szesnaście siedemnaście osiemnaście/osiemnastu dziewiętnaście | dwadzieścia/dwudziestu
    trzydzieści/trzydziestu czterdzieści pięćdziesiąt sześćdziesiąt siedemdziesiąt osiemdziesiąt dziewięćdziesiąt |
    0.5=pół 1.5=półtora 100=sto/stu 200=dwieście/dwustu 300=trzysta/trzystu 400=czterysta 500=pięćset 600=sześćset
    700=siedemset 800=osiemset 900=dziewięćset | 1e3=tysiąc/tysiące/tysięcy 1e6=milion/miliony/milionów
    1e9=miliard/miliardy/miliardów""",
    "cs": """jeden/jedna dva/dvě/dvou tři/tří čtyři/čtyř pět/pěti šest/šesti sedm/sedmi osm/osmi devět/devíti
    deset/deseti jedenáct dvanáct/dvanácti třináct čtrnáct patnáct šestnáct sedmnáct osmnáct/osmnácti devatenáct |
    dvacet/dvaceti třicet/třiceti čtyřicet padesát šedesát sedmdesát osmdesát devadesát | 0.5=půl 1.5=půldruhého |
    100=sto/stě/sta/set 1e3=tisíc/tisíce 1e6=milion/miliony/milionů/milión/milióny/miliónů
    1e9=miliarda/miliardy/miliard""",
    "hu": """- kettő/két három négy öt hat hét nyolc kilenc tíz/tizen | húsz/huszon harminc negyven ötven hatvan
    hetven nyolcvan kilencven | 0.5=fél 1.5=másfél | 100=száz 1e3=ezer 1e6=millió 1e9=milliárd | | joined""",
    "tr": """- iki üç dört beş altı yedi sekiz dokuz on | yirmi otuz kırk elli altmış yetmiş seksen doksan |
    0.5=yarım 1.5=birbuçuk | 100=yüz 1e3=bin 1e6=milyon 1e9=milyar 1e12=trilyon""",
    "id": """satu dua tiga empat lima enam tujuh delapan sembilan sepuluh sebelas | | 0.5=setengah 100=seratus
    1000=seribu | 10=puluh 100=ratus 1e3=ribu 1e6=juta/jt 1e9=miliar/milyar 1e12=triliun""",
    "vi": """- hai ba bốn năm/lăm sáu bảy tám chín mười | | | 10=mươi 100=trăm 1e3=nghìn/ngàn 1e6=triệu
    1e9=tỷ/tỉ""",
    "ru": """один/одна/одного два/две/двух три/трёх/трех четыре/четырёх/четырех пять/пяти шесть/шести семь/семи
    восемь/восьми девять/девяти десять/десяти одиннадцать двенадцать/двенадцати тринадцать четырнадцать
    пятнадцать/пятнадцати шестнадцать семнадцать восемнадцать/восемнадцати девятнадцать | двадцать/двадцати
    тридцать/тридцати сорок/сорока пятьдесят/пятидесяти шестьдесят семьдесят восемьдесят девяносто | 0.5=пол
    1.5=полтора/полутора/полторы 100=сто/ста 200=двести/двухсот 300=триста/трёхсот 400=четыреста 500=пятьсот/пятисот
    600=шестьсот 700=семьсот 800=восемьсот 900=девятьсот | 1e3=тысяча/тысячи/тысяч/тысячу/тыс
    1e6=миллион/миллиона/миллионов/млн 1e9=миллиард/миллиарда/миллиардов/млрд
    1e12=триллион/триллиона/триллионов/трлн""",
    "uk": """один/одна два/дві/двох три/трьох чотири/чотирьох п'ять/п'яти шість/шести сім/семи вісім/восьми
    дев'ять десять/десяти одинадцять дванадцять/дванадцяти тринадцять чотирнадцять п'ятнадцять шістнадцять сімнадцять
    вісімнадцять дев'ятнадцять | двадцять/двадцяти тридцять/тридцяти сорок п'ятдесят шістдесят сімдесят вісімдесят
    дев'яносто | 0.5=пів 1.5=півтора 100=сто/ста 200=двісті 300=триста 400=чотириста 500=п'ятсот 600=шістсот
    700=сімсот 800=вісімсот 900=дев'ятсот | 1e3=тисяча/тисячі/тисяч/тис 1e6=мільйон/мільйони/мільйона/мільйонів/млн
    1e9=мільярд/мільярди/мільярда/мільярдів/млрд""",
    "el": """- δύο/δυο τρεις/τρία/τριών τέσσερις/τέσσερα/τεσσάρων πέντε έξι επτά/εφτά οκτώ/οχτώ εννέα/εννιά δέκα
    έντεκα δώδεκα | είκοσι τριάντα σαράντα πενήντα εξήντα εβδομήντα ογδόντα ενενήντα | 0.5=μισό 1.5=ενάμισι
    100=εκατό/εκατόν 200=διακόσια/διακόσιες 300=τριακόσια 400=τετρακόσια 500=πεντακόσια 600=εξακόσια 700=επτακόσια
    800=οκτακόσια 900=εννιακόσια | 1e3=χίλια/χίλιες/χιλιάδες/χιλ 1e6=εκατομμύριο/εκατομμύρια/εκατ
    1e9=δισεκατομμύριο/δισεκατομμύρια/δισ""",
    "ar": """- اثنان/اثنين ثلاثة/ثلاث أربعة/أربع خمسة/خمس ستة/ست سبعة/سبع ثمانية/ثماني تسعة/تسع عشرة/عشر |
    عشرون/عشرين ثلاثون/ثلاثين أربعون/أربعين خمسون/خمسين ستون/ستين سبعون/سبعين ثمانون/ثمانين تسعون/تسعين | 0.5=نصف
    200=مئتان/مئتي/مائتي | 100=مئة/مائة 1e3=ألف/آلاف/الف/ألفا 1e6=مليون/ملايين/مليونا 1e9=مليار/مليارات | و""",
    "he": """- שני/שתי/שניים/שתיים שלושה/שלוש ארבעה/ארבע חמישה/חמש שישה/שש שבעה/שבע שמונה תשעה/תשע עשרה/עשר |
    עשרים שלושים ארבעים חמישים שישים שבעים שמונים תשעים | 0.5=חצי | 100=מאה/מאות 1e3=אלף/אלפים 1e6=מיליון/מיליוני
    1e9=מיליארד/מיליארדי""",
    "hi": """- दो तीन चार पाँच/पांच छह/छः सात आठ नौ दस ग्यारह बारह | बीस तीस चालीस पचास साठ सत्तर अस्सी नब्बे |
    0.5=आधा 1.5=डेढ़ 2.5=ढाई | 100=सौ 1e3=हज़ार/हजार 1e5=लाख 1e7=करोड़/करोड 1e9=अरब""",
    "th": """- สอง สาม สี่ ห้า หก เจ็ด แปด เก้า สิบ | | | 100=ร้อย 1e3=พัน 1e4=หมื่น 1e5=แสน 1e6=ล้าน""",
}
WORDS = {language: Words(*map(str.strip, line.split("|"))) for language, line in _WORDS.items()}
#: Words that are articles: one only within a longer number.
ARTICLES = frozenset({"ein", "een", "uno", "один", "одна", "одного", "jeden", "jedna", "yhden"})
#: Before a scale word: a million, une douzaine.
ARTICLE = r"an?|one|eine?|een|één|une?|uno|una|um|uma|en|ett|et|jeden|один|одна|bir|egy|ένα|μία"
#: What every language may write after digits; ``.`` follows some.
SHORT_SCALES = {
    1e3: "k tsd tys tis тыс тис",
    1e5: "lakh lakhs",
    1e6: "mio mill mln mn млн millones million millions",
    1e7: "crore crores cr",
    1e9: "bn mrd mia mld mds mlrd md млрд billion",
    1e12: "tn bln трлн",
}
#: Where a short form has another value in one language.
OWN_SCALES: dict[str, dict[str, float]] = {
    "cs": {"mil": 1e6},
    "ro": {"mil": 1e6},
    "nb": {"mrd": 1e9},
    "tr": {"mn": 1e6, "mr": 1e9},
    "fi": {"milj": 1e6},
    "sv": {"milj": 1e6, "mdr": 1e9},
    "nl": {"mln": 1e6, "mld": 1e9, "bln": 1e12},
    "de": {"billion": 1e12},
    "fr": {"billion": 1e12},
    "da": {"billion": 1e12},
}
#: A half after the number, or after its scale word: 2 and a half million, un million et demi.
HALF = (
    r"[ -]and[ -]a[ -]half|[ -]et[ -]demie?|[ -]y[ -]medi[oa]|[ -]e[ -]mezz[oa]|[ -]e[ -]mei[oa]|[ -]с[ -]половиной"
    r"|[ -]och[ -]en[ -]halv|[ -]og[ -]en[ -]halv|[ -](?:en|een)[ -]een[ -]half|[ -]a[ -]půl|[ -]buçuk|[ -]i[ -]pół| ?½"
)
#: Between the whole part and the decimals of a number in words: three point nine, drei Komma neun.
POINT = "point|komma|comma|virgule|vírgula|virgola|coma|virgulă|przecinek|čárka|virgül|koma|запятая|кома|κόμμα"
#: Between the ends of a range, and where "between" opens it, also "and".
TO = (
    r"to|up to|through|or|bis(?: zu)?|oder|à|ou|a|al|hasta|o|até|fino a|tot|of|till|til|upp till|eller|do|až|nebo|lub"
    r"|až do|до|или|або|чи|έως|ως|ila|veya|sampai|hingga|đến|până la|și până la|إلى|עד|से|ถึง"
)
AND = r"and|und|et|y|e|en|och|og|ja|i|a|и|та|і|και|ve|ile|dan|và|și|és|و|और|ו"
BETWEEN = (
    r"between|zwischen|entre|tra|fra|tussen|mellan|mellem|mellom|pomiędzy|między|mezi|între|между|між|μεταξύ|antara|giữa"
    r"|بين|בין"
)
#: Languages that write 1,5 for one and a half; of the countries where Spanish is spoken, these do not.
_COMMA = "de nl da nb sv fi es pt fr it ro pl cs hu tr id vi ru uk el"
COMMA_DECIMAL = frozenset(_COMMA.split())
POINT_COUNTRIES = frozenset({"MX", "US", "GT", "HN", "NI", "PA", "PR", "DO", "SV", "CH", "LI"})
