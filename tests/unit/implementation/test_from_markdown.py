"""Drafts from Markdown: what is read, what is reported as unplaced, and that nothing breaks it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planloom.planes.implementation.document.check_plan import check_plan
from planloom.planes.implementation.document.from_markdown import draft_from_markdown

PLAN = """\
# Limit sign-in attempts

After ten failed sign-ins an account is locked for five minutes.
Repo: shop-api
Branch: main

Stack: python, redis

## Out of scope
- Captchas

## Compatibility
- The body keeps its shape

## Quality gates
- All tests pass
- No lint errors

## Assumptions
- Redis is everywhere

## Acceptance criteria
- The eleventh attempt is answered 429

## Risks
- High: Somebody locks a stranger out — the lock is short
- It may be slow

## Steps

1. Find every way to sign in in `app/auth/**/*.py`
2. [x] Count failures per account
   - Create `app/auth/attempts.py` with `AttemptLimit`
   - Verify: `pytest -q tests/unit/auth`
   - Test: `tests/integration/test_attempts.py`
   - Note: Redis 7
3. Refuse sign-ins while locked (depends on step 2)
   - Edit `app/auth/routes.py`: answer 429
   - Rollback: switch the flag off
   - Verify: it works
4. Move `a/b.py` to `a/c.py`. Depends on: 1, 9 and Count failures per account

## Rollout

- [x] Add dependency package `redis@5.0`
- [ ] Tell support — depends on Add dependency package

## Thoughts
Some thought.
"""


def test_a_whole_plan_is_read() -> None:
    plan = draft_from_markdown(PLAN).plan
    assert check_plan(plan).errors == ()
    steps = plan.pop("steps")
    assert plan == {
        "schemaVersion": "1.0.0",
        "planId": None,
        "title": "Limit sign-in attempts",
        "goal": "After ten failed sign-ins an account is locked for five minutes.",
        "planType": "feature",
        "context": {
            "repo": "shop-api",
            "ref": "main",
            "stack": ["python", "redis"],
            "assumptions": ["Redis is everywhere"],
        },
        "constraints": {
            "nonGoals": ["Captchas"],
            "compat": ["The body keeps its shape"],
            "qualityGates": ["tests_green", "lint_green"],
        },
        "acceptanceCriteria": ["The eleventh attempt is answered 429"],
        "risks": [
            {
                "id": "R1",
                "level": "high",
                "title": "Somebody locks a stranger out",
                "mitigation": "the lock is short",
            }
        ],
    }
    assert [(s["id"], s["kind"], s["dependsOn"], s["ui"]["status"], s["ui"]["group"]) for s in steps] == [
        ("S1", "discovery", [], "todo", "Steps"),
        ("S2", "implementation", ["S1"], "done", "Steps"),
        ("S3", "implementation", ["S2"], "todo", "Steps"),
        ("S4", "implementation", ["S1", "S2"], "todo", "Steps"),
        ("S5", "implementation", [], "done", "Rollout"),
        ("S6", "implementation", ["S5"], "todo", "Rollout"),
    ]
    assert steps[1] == {
        "id": "S2",
        "kind": "implementation",
        "title": "Count failures per account",
        "intent": "Create app/auth/attempts.py with AttemptLimit",
        "dependsOn": ["S1"],
        "targets": [
            {"type": "path", "value": "app/auth/attempts.py"},
            {"type": "symbol", "value": "AttemptLimit"},
        ],
        "actions": [
            {
                "type": "create_file",
                "path": "app/auth/attempts.py",
                "instruction": "Create app/auth/attempts.py with AttemptLimit",
            }
        ],
        "verification": [
            {"type": "run_command", "command": "pytest -q tests/unit/auth", "expect": "success"},
            {"type": "add_test", "path": "tests/integration/test_attempts.py", "kind": "integration"},
        ],
        "notes": "Redis 7",
        "ui": {"status": "done", "group": "Steps"},
    }
    assert steps[2]["rollback"] == [{"type": "feature_flag_disable", "note": "switch the flag off"}]
    assert [step["actions"] for step in (steps[0], steps[3], steps[4])] == [
        [{"type": "list_files", "glob": "app/auth/**/*.py"}],
        [{"type": "move_file", "fromPath": "a/b.py", "toPath": "a/c.py"}],
        [{"type": "update_dependencies", "depAction": "add", "package": "redis", "version": "5.0"}],
    ]


def test_what_found_no_place_is_told_with_its_line_and_why() -> None:
    lines = PLAN.splitlines()
    lost = draft_from_markdown(PLAN).unplaced
    assert [(each.text, each.reason) for each in lost] == [
        ("It may be slow", "a risk needs its mitigation: Risk — what is done about it"),
        ("it works", "a verification needs a command or the path of a test, in backticks"),
        ("9", "it is said to wait for this, and no step is called so"),
        ("Tell support", "no action could be read; a search for the title is used instead"),
        ("Thoughts", "no part of a plan is called so"),
        ("Some thought.", "its heading is no part of a plan"),
    ]
    assert all(each.text in lines[each.line - 1] for each in lost)


def test_what_the_text_does_not_say_stays_missing_and_is_named() -> None:
    plan = draft_from_markdown("# Tidy up\n\n1. Delete `old.py`\n").plan
    assert "goal" not in plan
    assert [each.path for each in check_plan(plan).errors] == [
        "/goal",
        "/context/repo",
        "/context/ref",
        "/context/stack",
    ]


def test_headings_may_be_steps_and_groups() -> None:
    text = """\
# Split the table

## Phase 1: Prepare
### Step 1: Create the table
Edit `db/schema.sql`.
```sh
make test
```
### Step 2: Write both
Depends on step 1
## Phase 2: Switch
1. Read the new one in `src/store.py`
"""
    steps = draft_from_markdown(text).plan["steps"]
    assert [(step["title"], step["dependsOn"], step["ui"]["group"]) for step in steps] == [
        ("Create the table", [], "Phase 1: Prepare"),
        ("Write both", ["S1"], "Phase 1: Prepare"),
        ("Read the new one in src/store.py", ["S2"], "Phase 2: Switch"),
    ]
    assert steps[0]["verification"] == [{"type": "run_command", "command": "make test", "expect": "success"}]


def test_checkboxes_without_numbers_may_be_done_in_any_order() -> None:
    steps = draft_from_markdown("# T\n\n## Tasks\n\n- [ ] Edit `a.py`\n- [ ] Edit `b.py`\n").plan["steps"]
    assert [step["dependsOn"] for step in steps] == [[], []]


def test_french_headings_are_read() -> None:
    text = "# Plan\n\n## Objectif\nAller plus vite.\n\n## Étapes\n1. Créer `src/cache.py`\n2. Dépend de l'étape 1\n"
    plan = draft_from_markdown(text).plan
    assert plan["goal"] == "Aller plus vite."
    assert [step["actions"][0]["type"] for step in plan["steps"]] == ["create_file", "search"]


@pytest.mark.parametrize(
    ("code", "target"),
    [
        ("src/app.py", {"type": "path", "value": "src/app.py"}),
        ("README.md", {"type": "path", "value": "README.md"}),
        ("src/**/*.ts", {"type": "path_glob", "value": "src/**/*.ts"}),
        ("https://example.com/a", {"type": "url", "value": "https://example.com/a"}),
        ("Store.save()", {"type": "symbol", "value": "Store.save()"}),
        ("crate::store::save", {"type": "symbol", "value": "crate::store::save"}),
    ],
)
def test_code_spans_are_targets(code: str, target: dict[str, str]) -> None:
    (step,) = draft_from_markdown(f"# T\n\n1. Change `{code}`\n").plan["steps"]
    assert step["targets"] == [target]


@pytest.mark.parametrize(
    ("line", "actions"),
    [
        ("Read `src/app.py`", [{"type": "search", "query": "Read src/app.py", "path": "src/app.py"}]),
        ("Lire `a/b.py`", [{"type": "search", "query": "Lire a/b.py", "path": "a/b.py"}]),
        ("Read `src/**`", [{"type": "list_files", "glob": "src/**"}]),
        ("Rewrite `a.py`", [{"type": "edit_file", "path": "a.py", "instruction": "Rewrite a.py"}]),
    ],
)
def test_a_file_that_is_read_is_not_said_to_be_edited(line: str, actions: list[dict[str, str]]) -> None:
    (step,) = draft_from_markdown(f"# T\n\n1. {line}\n").plan["steps"]
    assert step["actions"] == actions


@pytest.mark.parametrize("code", ["a == b", "-1", "{}"])
def test_code_that_is_neither_file_nor_symbol_is_no_target(code: str) -> None:
    (step,) = draft_from_markdown(f"# T\n\n1. Change `{code}`\n").plan["steps"]
    assert "targets" not in step


MARKS = st.sampled_from(
    [
        *("# ", "## ", "### Step 2: ", "1. ", "- [ ] ", "- [x] ", "- ", "   - ", "> "),
        *("```sh\n", "```\n", "| a | b |\n|---|---|\n", "\n", "\n\n", "## Steps\n", "## Risks\n", "## Goal\n"),
        *("depends on ", "Verify: ", "Risk: ", "`a/b.py` ", "`npm test` "),
    ]
)


@given(st.lists(MARKS | st.text(max_size=8), max_size=30).map("".join))
def test_no_text_breaks_the_reader_and_steps_always_fit_the_schema(text: str) -> None:
    draft = draft_from_markdown(text)
    broken = [each.path for each in check_plan(draft.plan).errors if each.path.startswith("/steps/")]
    # a text may say that steps wait in a circle
    assert [path for path in broken if "/dependsOn/" not in path] == []
