"""Words by which a draft from Markdown knows sections, kinds of steps and actions; in English and French."""

from collections.abc import Mapping
from typing import Literal

Role = Literal[
    "goal", "context", "assumptions", "nonGoals", "compat", "qualityGates", "acceptanceCriteria", "risks", "steps"
]

#: A heading has the role of the first of these that it contains.
ROLES: Mapping[str, Role] = {
    "non-goal": "nonGoals",
    "non goal": "nonGoals",
    "out of scope": "nonGoals",
    "hors périmètre": "nonGoals",
    "acceptance": "acceptanceCriteria",
    "done when": "acceptanceCriteria",
    "definition of done": "acceptanceCriteria",
    "success criteria": "acceptanceCriteria",
    "critères": "acceptanceCriteria",
    "quality gate": "qualityGates",
    "compatib": "compat",
    "constraint": "compat",
    "contraintes": "compat",
    "assumption": "assumptions",
    "hypothèses": "assumptions",
    "risk": "risks",
    "risque": "risks",
    "goal": "goal",
    "objective": "goal",
    "objectif": "goal",
    "summary": "goal",
    "overview": "goal",
    "context": "context",
    "contexte": "context",
    "background": "context",
    "steps": "steps",
    "étapes": "steps",
    "tasks": "steps",
    "tâches": "steps",
    "todo": "steps",
    "phase": "steps",
    "milestone": "steps",
    "implementation": "steps",
    "plan": "steps",
}

#: ``name: value`` in the context or under the title.
CONTEXT: Mapping[str, str] = {
    "repo": "repo",
    "repository": "repo",
    "dépôt": "repo",
    "ref": "ref",
    "branch": "ref",
    "branche": "ref",
    "stack": "stack",
    "languages": "stack",
    "language": "stack",
}

GATES: Mapping[str, str] = {
    "test": "tests_green",
    "lint": "lint_green",
    "build": "build_green",
    "type": "typecheck_green",
    "security": "security_scan_green",
    "sécurité": "security_scan_green",
}

#: A plan is of the type of the first of these words in its title, else a feature.
PLAN_TYPES: Mapping[str, str] = {
    "migrat": "migration",
    "refactor": "refactor",
    "rename": "refactor",
    "fix": "bugfix",
    "bug": "bugfix",
    "security": "security",
    "vulnerab": "security",
    "performance": "performance",
    "speed": "performance",
    "upgrade": "chore",
    "chore": "chore",
}

#: A step is of the kind of the first word of its title that starts with one of these, else of implementation.
KINDS: Mapping[str, str] = {
    "find": "discovery",
    "investigat": "discovery",
    "research": "discovery",
    "analy": "discovery",
    "audit": "discovery",
    "explor": "discovery",
    "inventor": "discovery",
    "design": "design",
    "decid": "design",
    "sketch": "design",
    "specif": "design",
    "test": "testing",
    "cover": "testing",
    "migrat": "migration",
    "backfill": "migration",
    "deploy": "rollout",
    "releas": "rollout",
    "roll": "rollout",
    "ship": "rollout",
    "enable": "rollout",
    "document": "docs",
    "docs": "docs",
    "readme": "docs",
    "changelog": "docs",
    "refactor": "refactor",
    "renam": "refactor",
    "extract": "refactor",
    "verif": "verification",
    "check": "verification",
    "validat": "verification",
    "measur": "verification",
    "benchmark": "verification",
}

DEPENDS = (
    "depends on",
    "depend on",
    "dépend de",
    "blocked by",
    "requires step",
    "needs step",
    "after step",
    "après l'étape",
)
VERIFY = ("verify", "verification", "vérifi", "test", "check", "run")
ROLLBACK = ("rollback", "roll back", "revert")
NOTE = ("note",)
OUTPUT = ("output", "result", "deliverable", "livrable")

#: What a line about a file does to it, by its first word.
FILE_VERBS: Mapping[str, str] = {
    "create": "create_file",
    "add": "create_file",
    "new": "create_file",
    "write": "create_file",
    "créer": "create_file",
    "delete": "delete_file",
    "remove": "delete_file",
    "drop": "delete_file",
    "supprimer": "delete_file",
    "move": "move_file",
    "rename": "move_file",
    "déplacer": "move_file",
    "document": "add_doc",
}
#: What leaves a file as it is.
READ_VERBS = frozenset(
    """analyse analyze audit check compare explore find inspect inventory investigate list look measure read research
    review study trace understand comprendre examiner lire relire trouver""".split()  # noqa: SIM905
)
DEPENDENCY_VERBS: Mapping[str, str] = {
    "install": "add",
    "add": "add",
    "remove": "remove",
    "upgrade": "bump",
    "bump": "bump",
    "update": "bump",
}
COMMANDS = frozenset(
    """bash bun cargo curl docker dotnet go gradle ./gradlew jest just kubectl make mvn mypy node npm npx php pip pnpm
    poetry psql pytest python python3 ruff rspec sh terraform tox tsc uv vitest yarn""".split()  # noqa: SIM905
)
FILE_ENDINGS = frozenset(
    """c cc cfg cpp cs css csv go gradle h html ini java js json jsx kt lock md mjs php proto py rb rs rst scala sh sql
    svg swift tf toml ts tsx txt vue xml yaml yml""".split()  # noqa: SIM905
)
SHELLS = frozenset({"sh", "bash", "shell", "console", "zsh"})
DOC_ENDINGS = (".md", ".rst", ".txt", ".adoc")
