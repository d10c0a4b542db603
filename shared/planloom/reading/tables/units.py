"""Units of time, length, area, volume, weight, power and data as prompts write them; plain data."""

from typing import Literal

TimeUnit = Literal["hours", "days", "weeks", "months", "years"]

_TIME: dict[TimeUnit, str] = {
    "hours": "hour hours hr hrs stunde stunden timer hora horas heures",
    "days": "day days tag tage tagen dag dage días dias jours giorni dagen",
    "weeks": "week weeks wk wks woche wochen uge uger semana semanas semaine semaines settimane weken veckor uker",
    "months": "month months mo mos monat monate monaten måned måneder mes meses mois mesi maanden månader",
    "years": "year years yr yrs jahr jahre jahren år año años ans années anni anos jaar",
}
#: Factor and unit of each word for a length of time, lower case.
TIME_UNITS: dict[str, tuple[float, TimeUnit]] = {
    word: (1.0, unit) for unit, spelled in _TIME.items() for word in spelled.split()
} | {
    "fortnight": (2.0, "weeks"),
    "fortnights": (2.0, "weeks"),
    "decade": (10.0, "years"),
    "decades": (10.0, "years"),
    "quarters": (3.0, "months"),
}
#: Units of measure by spelling; the value is how planloom prints them.
MEASURES = {
    "%": "%", "percent": "%", "per cent": "%", "prozent": "%", "procent": "%", "por ciento": "%",
    "percentage points": "percentage points",
    "km": "km", "kilometres": "km", "kilometers": "km", "kilometre": "km", "kilometer": "km", "m": "m", "metres": "m",
    "meters": "m", "metre": "m", "meter": "m", "cm": "cm", "mm": "mm", "miles": "miles", "mile": "miles", "ft": "ft",
    "feet": "ft", "foot": "ft", "nautical miles": "nautical miles", "nm": "nm",
    "m2": "m2", "m²": "m2", "sqm": "m2", "sq m": "m2", "square metres": "m2", "square meters": "m2", "km2": "km2",
    "km²": "km2", "square kilometres": "km2", "square kilometers": "km2", "sq ft": "sq ft", "square feet": "sq ft",
    "square foot": "sq ft",
    "square metre": "m2", "square meter": "m2", "ha": "ha", "hectares": "ha", "hectare": "ha",
    "acres": "acres", "acre": "acres",
    "m3": "m3", "m³": "m3", "m3/s": "m3/s", "m³/s": "m3/s", "cubic metres": "m3", "cubic meters": "m3",
    "litres": "litres", "liters": "litres", "litre": "litres", "liter": "litres", "gallons": "gallons",
    "kg": "kg", "kilos": "kg", "kilograms": "kg", "g": "g", "grams": "g", "t": "t", "tonnes": "t", "tons": "t",
    "tonne": "t", "ton": "t", "kt": "kt", "mt": "Mt",
    "w": "W", "kw": "kW", "mw": "MW", "gw": "GW", "tw": "TW", "kwp": "kWp", "mwp": "MWp", "kwh": "kWh", "mwh": "MWh",
    "gwh": "GWh", "twh": "TWh", "kilowatts": "kW", "megawatts": "MW", "gigawatts": "GW",
    "kb": "kB", "mb": "MB", "gb": "GB", "tb": "TB", "pb": "PB", "mbps": "Mbit/s", "gbps": "Gbit/s",
    "ms": "ms", "milliseconds": "ms", "seconds": "seconds", "second": "seconds", "minutes": "minutes",
    "minute": "minutes", "°c": "°C", "km/h": "km/h", "mph": "mph", "db": "dB", "hz": "Hz", "mhz": "MHz", "ghz": "GHz",
    "v": "V", "kv": "kV", "bar": "bar", "tco2": "tCO2", "tco2e": "tCO2e", "co2e": "CO2e", "fte": "FTE", "ftes": "FTE",
}  # fmt: skip
