"""Memory of a process and all below it, shared pages counted once (Linux: proportional set size)."""

from pathlib import Path


def proportional_megabytes(root: int) -> dict[str, float]:
    """Return megabytes of *root* and of its descendants, by Lambda function with the number of its processes."""
    children: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        fields = _read(status).rpartition(")")[2].split()
        if fields:
            children.setdefault(int(fields[1]), []).append(int(status.parent.name))
    sizes: dict[str, list[float]] = {}
    todo = list(children.get(root, []))
    while todo:
        process = todo.pop()
        sizes.setdefault(_function(process), []).append(_megabytes(process))
        todo += children.get(process, [])
    return {"embedded AWS": _megabytes(root)} | {
        f"{name} ({len(found)})": sum(found) for name, found in sorted(sizes.items(), key=lambda each: -sum(each[1]))
    }


def _function(process: int) -> str:
    """Return the name of the Lambda function whose worker *process* is."""
    for entry in _read(Path(f"/proc/{process}/environ")).split("\0"):
        if entry.startswith("AWS_LAMBDA_FUNCTION_NAME="):
            return entry.partition("=")[2].removeprefix("PlanloomStack-")[:30]
    return "other"


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
