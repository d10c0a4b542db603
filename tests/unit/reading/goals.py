"""Six goals from fields that the three usual ones leave out, written by hand for the readers' tests."""

GLACIER = (
    "Run a two-season field study of meltwater chemistry on the Aletsch glacier in Valais, Switzerland, from June"
    " 2027 to October 2028. The budget is CHF 310,000: CHF 180,000 for two doctoral students, CHF 75,000 for "
    "instruments and the rest for logistics. The University of Bern leads; the Federal Office for the Environment"
    " must grant a sampling permit before 15 May 2027. At least 240 samples must be analysed, and no more than 5%"
    " may be lost. Helicopter flights are only allowed between July and September. Do not use motorised vehicles "
    "on the ice."
)

CLAIMS_MIGRATION = (
    "Our insurance company needs to move its claims system from a mainframe to PostgreSQL within 20 months. We "
    "have a budget of between $4 and $5 million and a team of 9 developers, two testers and one database "
    "administrator. Claims handlers in Sydney and Brisbane work on weekdays, so cutovers may only take place on "
    "weekends. The first release is due on 03/04/2027. Response times must stay under 300 ms and data loss is not"
    " acceptable. We will not rewrite the pricing engine. Banned words: big bang, legacy."
)

WEDDING = (
    "Plan our wedding near Siena in Tuscany on 12 June 2027 for 80 guests. We can spend no more than €30,000 in "
    "total, and flowers should cost at most €1,500. My parents fly in from Toronto. The villa closes at midnight "
    "and has 24 beds. We don't want fireworks or a religious ceremony. Invitations must be sent by 1 February "
    "2027."
)

VACCINES = (
    "Vaccinate 45,000 children under five in three districts of Odisha, India, in 10 months, starting in November"
    " 2026. Funding of INR 6.5 crore has been granted. Outdoor camps stop during the monsoon from June to "
    "September. Each team consists of two nurses and a driver; nurses are paid Rs 900 per day. Coverage must "
    "reach at least 90% and no child may be turned away. The Ministry of Health supplies the vaccine, which must "
    "be kept below 8 °C."
)

PODCAST = (
    "Goal: launch a podcast about rural schools with twelve episodes by the end of 2027. I am a teacher in Galway"
    " with four free hours a week and €2,400 in savings. Each episode should take no more than 10 hours. No "
    "advertising. The first episode airs in March 2027, and I want 1,500 listeners per episode after a year."
)

BIBLIOTHEK = (
    "Wir möchten in Freiburg bis zum 30. September 2028 eine Stadtteilbibliothek mit 60 Leseplätzen eröffnen. Das"
    " Budget beträgt 1,8 Mio. Euro, davon 400.000 € aus Spenden. Der Umbau darf nicht länger als 9 Monate dauern."
    " Die Universität Freiburg berät uns."
)
