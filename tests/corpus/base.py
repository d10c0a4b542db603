"""A valid plan without warnings that has every type of action, verification, target, output and rollback."""

import copy
from typing import Any

Document = dict[str, Any]


def _step(number: int, after: list[str], actions: list[Document], **more: Any) -> Document:
    return {
        "id": f"S{number}",
        "kind": "implementation",
        "title": f"Step {number} of the work",
        "intent": f"What step {number} is for",
        "dependsOn": after,
        "actions": actions,
        "verification": [{"type": "run_command", "command": "make test", "expect": "success"}],
        "ui": {"status": "todo", "group": "work"},
        **more,
    }


_BASE: Document = {
    "schemaVersion": "1.0.0",
    "planId": None,
    "title": "Rename the invoice module",
    "goal": "The module has its new name everywhere, and nothing imports the old one.",
    "planType": "refactor",
    "context": {"repo": "billing", "ref": "main", "stack": ["python"], "assumptions": ["No plugin imports it"]},
    "constraints": {"nonGoals": ["New features"], "compat": ["The API stays"], "qualityGates": ["tests_green"]},
    "acceptanceCriteria": ["A search for the old name finds nothing"],
    "risks": [{"id": "R1", "level": "low", "title": "A plugin breaks", "mitigation": "Announce it a week before"}],
    "steps": [
        _step(
            1,
            [],
            [
                {"type": "search", "query": "invoice_old", "glob": "**/*.py", "limit": 200},
                {"type": "list_files", "glob": "src/invoice_old/*"},
            ],
            kind="discovery",
            targets=[
                {"type": "path", "value": "src/invoice_old/model.py", "lines": [1, 80]},
                {"type": "path_glob", "value": "src/**/*.py"},
                {"type": "symbol", "value": "invoice_old.Model"},
                {"type": "url", "value": "https://docs.example.com/invoice"},
            ],
            outputs=[
                {"type": "note", "value": "Who imports it"},
                {"type": "artifact", "value": "List of files", "kind": "list", "ref": "build/files.txt"},
            ],
        ),
        _step(
            2,
            ["S1"],
            [
                {"type": "move_file", "fromPath": "src/invoice_old/model.py", "toPath": "src/invoice/model.py"},
                {"type": "rename_symbol", "path": "src/invoice/model.py", "from": "OldModel", "to": "Model"},
                {"type": "edit_file", "path": "src/app.py", "instruction": "Import the new name"},
                {"type": "delete_file", "path": "src/invoice_old/__init__.py"},
            ],
            kind="refactor",
            rollback=[{"type": "revert_commit_strategy", "note": "One commit"}],
        ),
        _step(
            3,
            ["S1"],
            [
                {"type": "move_symbol", "fromPath": "src/tax.py", "toPath": "src/tax/rates.py", "symbol": "RATES"},
                {"type": "extract_component", "fromPath": "src/pdf.py", "toPath": "src/pdf/page.py", "symbol": "Page"},
                {"type": "create_file", "path": "src/invoice_shim.py", "content": "from invoice import *"},
            ],
        ),
        _step(
            4,
            ["S2", "S3"],
            [
                {"type": "update_dependencies", "depAction": "bump", "package": "invoice-types", "version": "2.0.0"},
                {"type": "add_feature_flag", "flag": "invoice.new-name", "default": False},
            ],
            rollback=[{"type": "feature_flag_disable"}],
        ),
        _step(
            5,
            ["S4"],
            [{"type": "add_doc", "path": "docs/invoice.md"}],
            verification=[{"type": "add_test", "path": "tests/test_names.py", "kind": "unit"}],
            notes="Ask the writers",
            ui={"status": "todo", "group": "docs", "lane": "writing", "orderHint": 1.5},
        ),
    ],
    "metadata": {"layout": {"nodes": [{"id": "S1", "x": 0, "y": 12.5}]}, "anything": [None, True]},
}


def base() -> Document:
    """Return a copy of it."""
    return copy.deepcopy(_BASE)


def patched(*changes: tuple[Any, ...]) -> Document:
    """Return the base with *changes*: ``(pointer, value)`` sets or adds, ``(pointer,)`` removes; ``-`` appends."""
    plan = base()
    for pointer, *value in changes:
        *way, last = [int(part) if part.isdigit() else part for part in pointer.split("/")[1:]]
        place: Any = plan
        for part in way:
            place = place[part]
        if last == "-":
            place.append(*value)
        elif value:
            place[last] = value[0]
        else:
            del place[last]
    return plan
