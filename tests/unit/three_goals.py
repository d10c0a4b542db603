"""Three goals of very different kinds, from which tests draft work breakdowns and schedules."""

CAFE = (
    "We want to open a 48-seat bakery café in the Alfama quarter of Lisbon by 1 May 2027, run by two "
    "partners who have baked professionally for nine years. The budget is €240,000, of which €90,000 "
    "comes from savings and €150,000 from a bank loan that must be approved before the lease is signed. "
    "Rent must not exceed €3,200 a month. The building is listed, so the façade cannot be changed, and "
    "the neighbourhood association has asked that no deliveries take place before 7 am. We will hire one "
    "head baker, two bakers and four front-of-house staff, all on permanent contracts; we do not want "
    "franchise agreements or single-use plastic. Bread is baked on site with a deck oven that needs a "
    "three-phase connection and an extraction duct approved by the city. Success means 180 paying "
    "customers a day by the end of the sixth month, a gross margin of at least 62%, and break-even within "
    "14 months. August is closed for holidays. Do not use the words 'artisanal' or 'curated'. Decisions "
    "above €5,000 need both partners' signatures; a monthly meeting with our accountant reviews cash."
)

FLOOD_WALL = (
    "The municipality of Aalborg will protect the Nørresundby waterfront against a 100-year storm surge "
    "by building 1.4 km of flood wall with three pedestrian gates and a pumping station rated at 2.5 "
    "m3/s. Construction may only disturb the shore between April and September because of bird nesting "
    "rules on the inner fjord, and no pile driving is allowed at night. The council has approved DKK 186 "
    "million, including a reserve of 12%, and the national coastal authority must issue the coastal "
    "protection permit before tendering. The work should start in January 2027 and the wall must be "
    "closed by 30 September 2029. A steering group of five (city engineer, finance, the port, the "
    "residents' association and the utility) meets every six weeks; changes above DKK 2 million go to the "
    "council. Residents must keep access to the promenade at all times except for three closures of at "
    "most two weeks. We do not accept a design that raises the wall more than 1.1 m above the promenade. "
    "At least 20% of the labour hours should go to apprentices. The wall is a success if the surge model "
    "shows no overtopping at +2.1 m, insurance premiums in the district stop rising, and residents rate "
    "the promenade at least as good as before."
)

NURSE_APP = (
    "Build and launch a mobile app that lets community nurses in rural Kenya record home visits offline "
    "and sync when they reach coverage. The team is four engineers in Nairobi, a product manager and a "
    "part-time designer; funding is a grant of USD 420,000 over 18 months from March 2027. The app must "
    "work on Android phones with 2 GB of memory, keep patient data encrypted on the device, and comply "
    "with the Data Protection Act; data may not leave the country. Pilot with 60 nurses in Turkana and "
    "Marsabit counties by November 2027, then 900 nurses in eight counties. We will not build our own map "
    "tiles and will not use any vendor that charges per user. The county health departments own the data "
    "and sign off each release. A visit must be recorded in under 90 seconds, sync must survive two weeks "
    "without a network, and fewer than 1% of records may need manual repair. Weekly demos, a monthly "
    "steering call with the funder, and a clinical safety officer who can stop a release."
)
