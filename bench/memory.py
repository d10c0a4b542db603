"""Memory of a process and all below it, shared pages counted once (Linux: proportional set size)."""

from pathlib import Path


def proportional_megabytes(root: int) -> dict[str, float]:
    """Return megabytes by kind of process for *root* and its descendants: the emulator, and its workers."""
    children: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        fields = _read(status).rpartition(")")[2].split()
        if fields:
            children.setdefault(int(fields[1]), []).append(int(status.parent.name))
    workers, todo = [], list(children.get(root, []))
    while todo:
        process = todo.pop()
        workers.append(process)
        todo += children.get(process, [])
    return {"embedded AWS": _megabytes(root), f"{len(workers)} workers": sum(map(_megabytes, workers))}


def _megabytes(process: int) -> float:
    for line in _read(Path(f"/proc/{process}/smaps_rollup")).splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1000
    return 0.0


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
