"""Words for what people do in a project, singular; plain data for :mod:`planloom.reading.roles`."""

_FUNCTIONS = """
manager director engineer nurse designer developer officer coordinator co-ordinator baker chef cook teacher accountant
lawyer solicitor architect analyst scientist researcher technician assistant worker driver electrician plumber
carpenter builder consultant adviser advisor editor writer producer operator trainer curator librarian pharmacist
doctor physician midwife psychologist biologist ecologist surveyor mechanic captain gardener cleaner waiter barista
clerk secretary treasurer chairperson partner founder co-founder owner volunteer apprentice intern postdoc inspector
specialist expert planner buyer translator moderator instructor counsellor counselor therapist surgeon veterinarian
vet statistician foreman supervisor administrator auditor programmer tester facilitator photographer journalist
illustrator conductor caretaker archaeologist geologist agronomist farmer paramedic social_worker lifeguard
security_guard bookkeeper salesperson representative chair mayor steward technologist machinist welder joiner mason
roofer notary broker buyer bartender receptionist dispatcher courier fundraiser strategist copywriter marketer
animator composer actor dancer musician cinematographer dramaturg choreographer stage_manager scrum_master
product_owner trustee
"""
#: Functions of one person, lower case, singular.
FUNCTIONS = frozenset(word.replace("_", " ") for word in _FUNCTIONS.split())
#: Groups of people that govern or carry out: "a steering group of five".
GROUPS = (
    "steering group", "steering committee", "advisory board", "advisory group", "working group", "project team",
    "core team", "committee", "board", "panel", "jury", "council", "crew", "team", "task force", "taskforce",
)  # fmt: skip
