"""Actions, targets and verifications from the code spans of a line: files, symbols, commands, packages, flags."""

from planloom.planes.implementation.document import markdown_words as words
from planloom.planes.implementation.document.schema import Document


def file_actions(verb: str, paths: list[str], text: str) -> list[Document]:
    """Return what *verb*, the first word of *text*, does to the files at *paths*."""
    kind = words.FILE_VERBS.get(verb, "edit_file")
    plain = [path for path in paths if "*" not in path]
    if kind == "move_file":
        if len(plain) == 2:
            return [{"type": kind, "fromPath": plain[0], "toPath": plain[1]}]
        kind = "edit_file"
    if kind == "edit_file" and verb in ("test", "cover"):
        return []
    wild = [{"type": "list_files", "glob": path} for path in paths if "*" in path]
    if verb in words.READ_VERBS:
        return wild + [{"type": "search", "query": text, "path": path} for path in plain]
    return wild + [_file_action(kind, path, text) for path in plain]


def _file_action(kind: str, path: str, text: str) -> Document:
    if (
        kind in ("create_file", "edit_file")
        and path.endswith(words.DOC_ENDINGS)
        and not path.startswith("requirements")
    ):
        kind = "add_doc"
    action = {"type": kind, "path": path}
    return action if kind == "delete_file" else action | {"instruction": text}


def other_action(verb: str, code: str, text: str) -> list[Document]:
    """Return what *text* does with *code* that is no file: a flag, a package; nothing where it is neither."""
    folded = text.casefold()
    if "flag" in folded:
        return [{"type": "add_feature_flag", "flag": code, "default": False}]
    if verb in words.DEPENDENCY_VERBS and any(word in folded for word in ("dependency", "package", "library")):
        name, _, version = code.replace("==", "@").partition("@") if code[:1] != "@" else (code, "", "")
        action = {"type": "update_dependencies", "depAction": words.DEPENDENCY_VERBS[verb], "package": name}
        return [action | ({"version": version} if version else {})]
    return []


def target_of(code: str) -> Document | None:
    """Return *code* as a target: a link, a path, a glob or a symbol; None where it is none of these."""
    if is_command(code):
        return None
    if "://" in code:
        return {"type": "url", "value": code}
    if is_path(code):
        return {"type": "path_glob" if "*" in code else "path", "value": code}
    bare = code.removesuffix("()").replace("::", ".").replace("#", ".")
    return {"type": "symbol", "value": code} if all(part.isidentifier() for part in bare.split(".")) else None


def is_path(code: str) -> bool:
    """Say whether *code* is the path of a file or a folder."""
    if not code or " " in code or "://" in code or code.endswith(")"):
        return False
    name, dot, ending = code.rpartition(".")
    file = bool(dot) and ending.isalnum() and len(ending) <= 5 and ending.islower() and not name.endswith(".")
    # a.b without a folder is as likely a symbol, unless its ending is one that files have
    known = ending in words.FILE_ENDINGS
    return "/" in code.strip("/") or code.endswith("/") or (file and known)


def is_command(code: str) -> bool:
    """Say whether *code* is typed into a shell."""
    head, _, rest = code.partition(" ")
    return head in words.COMMANDS and bool(rest or head in ("make", "pytest", "tox", "vitest", "jest", "mypy", "tsc"))


def by_command(code: str) -> Document:
    """Return *code*, a command, as a verification."""
    return {"type": "run_command", "command": code.removeprefix("$ "), "expect": "success"}


def by_test(path: str) -> Document:
    """Return the test at *path* as a verification."""
    folded = path.casefold()
    kind = next((kind for kind in ("e2e", "integration", "snapshot") if kind in folded), "unit")
    return {"type": "add_test", "path": path, "kind": kind}
