"""Months, weekdays, seasons and feasts, in ten languages; plain data."""

_MONTHS = """
january february march april may june july august september october november december
jan feb mar apr may jun jul aug sep oct nov dec
januar februar märz april mai juni juli august september oktober november dezember
januar februar marts april maj juni juli august september oktober november december
januari februari mars april maj juni juli augusti september oktober november december
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro
januari februari maart april mei juni juli augustus september oktober november december
"""
#: Month number by name, lower case.
MONTHS = {name: number for line in _MONTHS.split("\n") for number, name in enumerate(line.split(), 1)} | {
    "sept": 9, "jänner": 1, "setiembre": 9,
}  # fmt: skip
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday"
#: Weekday number by English name, Monday 0.
WEEKDAYS = {name: number for number, name in enumerate(_WEEKDAYS.split())}
#: First and last month of a season in the north; winter runs into the next year.
SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 2)}
#: The same season in the south, in months of the same year.
OPPOSITE = {"spring": "autumn", "summer": "winter", "autumn": "spring", "fall": "spring", "winter": "summer"}
#: Feasts with a fixed day: month, day.
FEASTS = {"christmas": (12, 25), "christmas eve": (12, 24), "new year's eve": (12, 31), "new year": (1, 1),
          "halloween": (10, 31), "valentine's day": (2, 14), "midsummer": (6, 24)}  # fmt: skip
