"""Plans, and what is to be said of each: every rule broken once, every branch of the schema taken at least once.

Expectations are written out by hand; nothing here is read from the schema.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.corpus.base import Document, patched

#: Where each type of action is in the base, and which fields it cannot do without.
ACTIONS = {
    "search": ("/steps/0/actions/0", ("query",)),
    "list_files": ("/steps/0/actions/1", ("glob",)),
    "move_file": ("/steps/1/actions/0", ("fromPath", "toPath")),
    "rename_symbol": ("/steps/1/actions/1", ("path", "from", "to")),
    "edit_file": ("/steps/1/actions/2", ("path", "instruction")),
    "delete_file": ("/steps/1/actions/3", ("path",)),
    "move_symbol": ("/steps/2/actions/0", ("fromPath", "toPath", "symbol")),
    "extract_component": ("/steps/2/actions/1", ("fromPath", "toPath", "symbol")),
    "create_file": ("/steps/2/actions/2", ("path",)),
    "update_dependencies": ("/steps/3/actions/0", ("depAction", "package")),
    "add_feature_flag": ("/steps/3/actions/1", ("flag", "default")),
    "add_doc": ("/steps/4/actions/0", ("path",)),
}
VERIFICATIONS = {
    "run_command": ("/steps/0/verification/0", ("command", "expect")),
    "add_test": ("/steps/4/verification/0", ("path", "kind")),
}


@dataclass(frozen=True)
class Case:
    """A plan, whether it fits the schema, and ``CODE path`` of each error and warning, sorted."""

    name: str
    plan: Document
    fits_schema: bool
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def misfit(name: str, *changes: tuple[Any, ...], errors: list[str]) -> Case:
    """A plan that breaks the schema."""
    return Case(name, patched(*changes), False, tuple(sorted(errors)))


def fit(name: str, *changes: tuple[Any, ...], errors: Any = (), warnings: Any = ()) -> Case:
    """A plan that fits the schema; it may break a rule."""
    return Case(name, patched(*changes), True, tuple(sorted(errors)), tuple(sorted(warnings)))


VALID = [
    fit("the base"),
    fit("no planId", ("/planId",)),
    fit("a planId", ("/planId", "p")),
    fit("a title of 140 characters", ("/title", "é" * 140)),
    fit("a goal of 4000 characters", ("/goal", "g" * 4000)),
    fit("no risks, no metadata", ("/risks",), ("/metadata",)),
    fit("all quality gates", ("/constraints/qualityGates", ["lint_green", "build_green", "typecheck_green"])),
    fit("no targets, outputs and rollback", ("/steps/0/targets",), ("/steps/0/outputs",), ("/steps/1/rollback",)),
    fit("whole numbers with a point", ("/steps/0/targets/0/lines", [1.0, 80.0])),
    fit("a large step number", ("/steps/4/id", "S000123456789")),
    fit("a negative order", ("/steps/4/ui/orderHint", -1e10)),
    fit("a step that expects a failure", ("/steps/0/verification/0/expect", "failure")),
    fit("script in texts", ("/title", "<script>alert(1)</script>"), ("/steps/0/notes", "</script><img onerror=x>")),
]

TOP = ("schemaVersion", "title", "goal", "planType", "context", "constraints", "steps")
STEP = ("kind", "title", "intent", "dependsOn", "actions", "verification", "ui")

MISSING = [
    *(misfit(f"no {name}", (f"/{name}",), errors=[f"MISSING_FIELD /{name}"]) for name in TOP),
    *(
        misfit(f"step without {name}", (f"/steps/4/{name}",), errors=[f"MISSING_FIELD /steps/4/{name}"])
        for name in ("id", *STEP)
    ),
    *(
        misfit(f"context without {name}", (f"/context/{name}",), errors=[f"MISSING_FIELD /context/{name}"])
        for name in ("repo", "ref", "stack")
    ),
    *(
        misfit(f"constraints without {name}", (f"/constraints/{name}",), errors=[f"MISSING_FIELD /constraints/{name}"])
        for name in ("nonGoals", "compat", "qualityGates")
    ),
    *(
        misfit(f"risk without {name}", (f"/risks/0/{name}",), errors=[f"MISSING_FIELD /risks/0/{name}"])
        for name in ("id", "level", "title", "mitigation")
    ),
    *(
        misfit(f"without {path}", (path,), errors=[f"MISSING_FIELD {path}"])
        for path in (
            "/steps/4/ui/status",
            "/steps/4/ui/group",
            "/steps/0/targets/0/type",
            "/steps/0/targets/0/value",
            "/steps/0/outputs/0/type",
            "/steps/0/outputs/0/value",
            "/steps/1/rollback/0/type",
            "/steps/1/actions/0/type",
            "/steps/4/verification/0/type",
        )
    ),
    *(
        misfit(f"{kind} without {name}", (f"{path}/{name}",), errors=[f"MISSING_ACTION_FIELD {path}/{name}"])
        for kind, (path, names) in ACTIONS.items()
        for name in names
    ),
    *(
        misfit(f"{kind} without {name}", (f"{path}/{name}",), errors=[f"MISSING_VERIFICATION_FIELD {path}/{name}"])
        for kind, (path, names) in VERIFICATIONS.items()
        for name in names
    ),
    misfit(
        "an action with nothing but its type",
        ("/steps/1/actions/1", {"type": "rename_symbol"}),
        errors=[f"MISSING_ACTION_FIELD /steps/1/actions/1/{name}" for name in ("path", "from", "to")],
    ),
]

UNKNOWN = [
    misfit(f"unknown field {path}", (path, 1), errors=[f"UNKNOWN_FIELD {path}"])
    for path in (
        "/layout",
        "/context/branch",
        "/constraints/budget",
        "/risks/0/owner",
        "/steps/0/status",
        "/steps/0/targets/0/line",
        "/steps/0/actions/0/querry",
        "/steps/0/verification/0/timeout",
        "/steps/0/outputs/0/size",
        "/steps/1/rollback/0/flag",
        "/steps/0/ui/color",
    )
]

NOT_ALLOWED = [
    misfit(f"{path} is {value}", (path, value), errors=[f"NOT_ALLOWED {path}"])
    for path, value in (
        ("/planType", "Feature"),
        ("/constraints/qualityGates/0", "tests_pass"),
        ("/risks/0/level", "extreme"),
        ("/steps/0/kind", "implement"),
        ("/steps/0/targets/0/type", "file"),
        ("/steps/0/actions/0/type", "run_command"),
        ("/steps/3/actions/0/depAction", "upgrade"),
        ("/steps/0/verification/0/type", "manual"),
        ("/steps/0/verification/0/expect", "ok"),
        ("/steps/4/verification/0/kind", "manual"),
        ("/steps/0/outputs/0/type", "file"),
        ("/steps/1/rollback/0/type", "restore_backup"),
        ("/steps/0/ui/status", "in_progress"),
    )
]

BAD_FORMAT = [
    misfit(f"{path} is {value!r}", (path, value), errors=[f"BAD_FORMAT {path}"])
    for path, value in (
        ("/risks/0/id", "1"),
        ("/risks/0/id", "R1\n"),
        ("/steps/4/id", "s5"),
        ("/steps/4/id", "S"),
        ("/steps/4/id", "S5\n"),
        ("/steps/4/id", "S٥"),
    )
] + [
    misfit(
        "a dependency that is no id",
        ("/steps/4/dependsOn/0", "four"),
        errors=["BAD_FORMAT /steps/4/dependsOn/0", "UNKNOWN_DEPENDENCY /steps/4/dependsOn/0"],
    ),
    *(
        misfit(f"schemaVersion {value!r}", ("/schemaVersion", value), errors=[f"{code} /schemaVersion"])
        for value, code in (
            ("2.0.0", "UNSUPPORTED_SCHEMA_VERSION"),
            ("1.0.0\n", "UNSUPPORTED_SCHEMA_VERSION"),
            ("1x0x0", "UNSUPPORTED_SCHEMA_VERSION"),
            ("", "UNSUPPORTED_SCHEMA_VERSION"),
            (1, "WRONG_TYPE"),
        )
    ),
]

BOUNDS = [
    misfit(f"{code} {path}", (path, value), errors=[f"{code} {path}"])
    for code, path, value in (
        ("TOO_SHORT", "/planId", ""),
        ("TOO_SHORT", "/title", "ab"),
        ("TOO_LONG", "/title", "t" * 141),
        ("TOO_SHORT", "/goal", ""),
        ("TOO_LONG", "/goal", "g" * 4001),
        ("TOO_SHORT", "/context/repo", ""),
        ("TOO_SHORT", "/context/ref", ""),
        ("TOO_FEW_ITEMS", "/context/stack", []),
        ("TOO_SHORT", "/risks/0/title", "ab"),
        ("TOO_SHORT", "/risks/0/mitigation", "ab"),
        ("TOO_FEW_ITEMS", "/steps", []),
        ("TOO_SHORT", "/steps/0/title", "ab"),
        ("TOO_LONG", "/steps/0/title", "t" * 141),
        ("TOO_SHORT", "/steps/0/intent", "ab"),
        ("TOO_LONG", "/steps/0/intent", "i" * 4001),
        ("TOO_FEW_ITEMS", "/steps/0/actions", []),
        ("TOO_SHORT", "/steps/0/targets/0/value", ""),
        ("TOO_FEW_ITEMS", "/steps/0/targets/0/lines", [1]),
        ("TOO_MANY_ITEMS", "/steps/0/targets/0/lines", [1, 2, 3]),
        ("TOO_SHORT", "/steps/0/ui/group", ""),
        ("DUPLICATE_ITEM", "/steps/4/dependsOn", ["S4", "S4"]),
    )
] + [
    misfit("two characters of four bytes", ("/title", "🧵🧶"), errors=["TOO_SHORT /title"]),
    misfit("line 0", ("/steps/0/targets/0/lines/0", 0), errors=["OUT_OF_RANGE /steps/0/targets/0/lines/0"]),
    misfit("a limit of 0", ("/steps/0/actions/0/limit", 0), errors=["OUT_OF_RANGE /steps/0/actions/0/limit"]),
    misfit("a limit of 201", ("/steps/0/actions/0/limit", 201), errors=["OUT_OF_RANGE /steps/0/actions/0/limit"]),
]

TYPES = [
    misfit(f"{path} is {value!r}", (path, value), errors=[f"WRONG_TYPE {path}"])
    for path, value in (
        ("/planId", 5),
        ("/title", None),
        ("/context", []),
        ("/context/stack/0", 3),
        ("/context/assumptions", "none"),
        ("/constraints/nonGoals", {}),
        ("/acceptanceCriteria", "It works"),
        ("/acceptanceCriteria/0", 1),
        ("/risks", {}),
        ("/risks/0", "R1"),
        ("/steps", {"S1": {}}),
        ("/steps/4", "S5"),
        ("/steps/4/dependsOn", "S4"),
        ("/steps/0/targets/0/lines/0", 1.5),
        ("/steps/0/actions/0", "search"),
        ("/steps/0/actions/0/limit", True),
        ("/steps/0/actions/0/query", 5),
        ("/steps/3/actions/1/default", "false"),
        ("/steps/0/notes", 5),
        ("/steps/0/ui", None),
        ("/steps/0/ui/orderHint", "1"),
        ("/metadata", []),
    )
]

RULES = [
    fit("an id twice", ("/steps/4/id", "S1"), errors=["DUPLICATE_STEP_ID /steps/4/id"]),
    fit("waits for nobody", ("/steps/4/dependsOn/0", "S9"), errors=["UNKNOWN_DEPENDENCY /steps/4/dependsOn/0"]),
    fit("waits for itself", ("/steps/4/dependsOn/-", "S5"), errors=["SELF_DEPENDENCY /steps/4/dependsOn/1"]),
    fit(
        "a circle of two",
        ("/steps/3/dependsOn/-", "S5"),
        errors=["DEPENDENCY_CYCLE /steps/3/dependsOn/2"],
    ),
    fit(
        "a circle of three, and a step behind it",
        ("/steps/1/dependsOn/0", "S4"),
        ("/steps/2/dependsOn/0", "S2"),
        ("/steps/3/dependsOn", ["S3"]),
        errors=["DEPENDENCY_CYCLE /steps/1/dependsOn/0"],
        warnings=["ORPHAN_STEP /steps/0", "UNREACHABLE_STEP /steps/4"],
    ),
    fit(
        "two circles",
        ("/steps/0/dependsOn/-", "S2"),
        ("/steps/3/dependsOn/-", "S5"),
        errors=["DEPENDENCY_CYCLE /steps/0/dependsOn/0", "DEPENDENCY_CYCLE /steps/3/dependsOn/2"],
        warnings=["UNREACHABLE_STEP /steps/2"],
    ),
    fit(
        "a step behind one that waits for nobody",
        ("/steps/3/dependsOn/-", "S9"),
        errors=["UNKNOWN_DEPENDENCY /steps/3/dependsOn/2"],
        warnings=["UNREACHABLE_STEP /steps/4"],
    ),
    misfit(
        "a broken schema does not hide a circle",
        ("/title", ""),
        ("/steps/3/dependsOn/-", "S5"),
        errors=["TOO_SHORT /title", "DEPENDENCY_CYCLE /steps/3/dependsOn/2"],
    ),
]

WARNINGS = [
    fit("no acceptance criteria", ("/acceptanceCriteria",), warnings=["NO_ACCEPTANCE_CRITERIA /acceptanceCriteria"]),
    fit("blank criteria", ("/acceptanceCriteria", [" "]), warnings=["NO_ACCEPTANCE_CRITERIA /acceptanceCriteria"]),
    fit("a step alone", ("/steps/4/dependsOn", []), warnings=["ORPHAN_STEP /steps/4"]),
    fit("nothing verifies", ("/steps/1/verification", []), warnings=["NO_VERIFICATION /steps/1/verification"]),
    fit("discovery needs no verification", ("/steps/0/verification", [])),
    fit(
        "done too early",
        ("/steps/1/ui/status", "done"),
        warnings=["DONE_BEFORE_DEPENDENCY /steps/1/ui/status"],
    ),
    fit("done in order", ("/steps/0/ui/status", "done"), ("/steps/1/ui/status", "done")),
    fit(
        "a risk id twice",
        ("/risks/-", {"id": "R1", "level": "high", "title": "Another", "mitigation": "None known"}),
        warnings=["DUPLICATE_RISK_ID /risks/1/id"],
    ),
    fit(
        "a field of another action",
        ("/steps/0/actions/0/flag", "f"),
        warnings=["UNUSED_FIELD /steps/0/actions/0/flag"],
    ),
    fit(
        "a field of another verification",
        ("/steps/0/verification/0/path", "tests/a.py"),
        warnings=["UNUSED_FIELD /steps/0/verification/0/path"],
    ),
    fit("an empty payload", ("/steps/0/actions/0/query", " "), warnings=["EMPTY_FIELD /steps/0/actions/0/query"]),
    fit(
        "an empty command",
        ("/steps/0/verification/0/command", ""),
        warnings=["EMPTY_FIELD /steps/0/verification/0/command"],
    ),
    fit(
        "lines backwards",
        ("/steps/0/targets/0/lines", [9, 3]),
        warnings=["REVERSED_LINES /steps/0/targets/0/lines"],
    ),
    *(
        fit(f"outside: {value}", (path, value), warnings=[f"OUTSIDE_REPOSITORY {path}"])
        for path, value in (
            ("/steps/0/targets/0/value", "/etc/passwd"),
            ("/steps/0/targets/1/value", "../other/**"),
            ("/steps/4/actions/0/path", "C:\\docs\\invoice.md"),
            ("/steps/1/actions/0/toPath", "~/invoice.py"),
            ("/steps/0/actions/1/glob", "src/../../*"),
            ("/steps/4/verification/0/path", "file:///tests/test_names.py"),
        )
    ),
    fit("up and down again stays inside", ("/steps/4/actions/0/path", "docs/../docs/invoice.md")),
    fit("targets that are no paths may be anything", ("/steps/0/targets/3/value", "/absolute")),
    fit(
        "two parallel steps write one file",
        ("/steps/2/actions/2/path", "./src//app.py"),
        warnings=["PARALLEL_EDIT /steps/2/actions/2/path"],
    ),
    fit("two steps in a row write one file", ("/steps/4/actions/0/path", "src/app.py")),
]

CASES = [*VALID, *MISSING, *UNKNOWN, *NOT_ALLOWED, *BAD_FORMAT, *BOUNDS, *TYPES, *RULES, *WARNINGS]


def names() -> Iterator[str]:
    """Yield the names, for test ids."""
    return (case.name for case in CASES)
