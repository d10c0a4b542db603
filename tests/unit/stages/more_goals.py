"""Goals that strain a plan: no budget, stated parts, a gap, salaries, a private wish, another language's money."""

NO_BUDGET = (
    "Our parish of Lindholm wants a weekly repair café run by volunteers, where neighbours bring broken household "
    "goods. We have a hall on Saturdays and twelve volunteers. It should open in September 2027 and repair at least "
    "30 items a month. Nobody is paid, and nothing may be sold."
)

PARTS = (
    "Renovate the 1930s swimming hall in Trondheim so that it can reopen by 1 October 2029. The budget is NOK 310 "
    "million, of which NOK 40 million is for the roof and NOK 25 million is for accessibility. The hall holds 900 "
    "swimmers a day. Energy use must fall by at least 45%. The city council decides on every contract above NOK 10 "
    "million."
)

GAP = (
    "We will stage a three-day open-air jazz festival for 6,000 visitors in Ghent from 9 to 11 July 2027. The budget "
    "is €480,000; the city gives a grant of €120,000 and sponsors give €150,000. The sound must stop at 11 pm. We do "
    "not want plastic cups. It is a success if at least 85% of tickets are sold and no more than five noise "
    "complaints are filed."
)

MARATHON = (
    "I am 52 and want to run the Berlin marathon on 26 September 2027 in under 4 hours without injury, training four "
    "times a week beside a full-time job. I can spend €1,800 on shoes, a coach and the trip."
)

TRIAL = (
    "A team at the university hospital of Tampere will run a randomised trial of a home exercise programme for 240 "
    "patients after hip surgery. Funding is €1.2 million over 36 months from January 2028. The ethics committee must "
    "approve the protocol before recruitment. We will hire two research nurses and a statistician. At least 80% of "
    "patients must be followed up at 12 months."
)

PRODUCT = (
    "Develop a stackable rain barrel of recycled polymer for balconies and bring it to market in Austria by spring "
    "2028 for between €350,000 and €420,000. Unit cost must not exceed €11. Two engineers and a mould maker work on "
    "it. Sell 8,000 units in the first year."
)

MORE = {
    "repair café": NO_BUDGET,
    "swimming hall": PARTS,
    "festival": GAP,
    "marathon": MARATHON,
    "trial": TRIAL,
    "rain barrel": PRODUCT,
}
