"""Plain data for the readers: countries, cities, regions, currencies, months, number words."""
