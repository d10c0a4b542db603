"""What each type of action and verification carries: fields that it uses, and files that it writes."""

from collections.abc import Iterator, Mapping

from planloom.planes.implementation.document.schema import Document

#: Fields beside ``type`` that mean something for that type; the schema says which of them it must have.
ACTION_FIELDS: Mapping[str, frozenset[str]] = {
    "search": frozenset({"query", "glob", "path", "limit"}),
    "list_files": frozenset({"glob", "path", "limit"}),
    "create_file": frozenset({"path", "template", "content", "instruction"}),
    "edit_file": frozenset({"path", "instruction", "content", "symbol"}),
    "delete_file": frozenset({"path", "instruction"}),
    "move_file": frozenset({"fromPath", "toPath", "instruction"}),
    "rename_symbol": frozenset({"path", "from", "to", "symbol", "instruction"}),
    "move_symbol": frozenset({"fromPath", "toPath", "symbol", "instruction"}),
    "extract_component": frozenset({"fromPath", "toPath", "symbol", "template", "instruction"}),
    "update_dependencies": frozenset({"depAction", "package", "version", "path", "instruction"}),
    "add_doc": frozenset({"path", "template", "content", "instruction"}),
    "add_feature_flag": frozenset({"flag", "default", "path", "instruction"}),
}
VERIFICATION_FIELDS: Mapping[str, frozenset[str]] = {
    "run_command": frozenset({"command", "expect"}),
    "add_test": frozenset({"path", "kind"}),
}

_WRITTEN: Mapping[str, tuple[str, ...]] = {
    "create_file": ("path",),
    "edit_file": ("path",),
    "delete_file": ("path",),
    "move_file": ("fromPath", "toPath"),
    "rename_symbol": ("path",),
    "move_symbol": ("fromPath", "toPath"),
    "extract_component": ("fromPath", "toPath"),
    "add_doc": ("path",),
    "add_feature_flag": ("path",),
    "update_dependencies": ("path",),
}


def writes(action: Document) -> Iterator[tuple[str, str]]:
    """Yield field and path of each file that *action* writes."""
    for field in _WRITTEN.get(action["type"], ()):
        if action.get(field):
            yield field, same_path(action[field])


def same_path(path: str) -> str:
    """Return one spelling for the paths that mean the same file: ``./src//a.py`` is ``src/a.py``."""
    parts: list[str] = []
    for part in path.replace("\\", "/").split("/"):
        if part == ".." and parts and parts[-1] != "..":
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


def leaves_repository(path: str) -> bool:
    """Say whether *path* points out of the repository: absolute, of a home folder, of a drive, or by ``..``."""
    drive = path[1:2] == ":" and path[:1].isalpha()
    if drive or path.startswith(("/", "\\", "~")) or "://" in path:
        return True
    return ".." in path and same_path(path).startswith("..")
