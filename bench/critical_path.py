"""How long the critical path of 300 tasks takes, against a plain topological sort of the same tasks.

python -m bench.critical_path
"""

import statistics
import time
from collections.abc import Callable
from datetime import date
from graphlib import TopologicalSorter

from planloom.domain.calendars import WorkCalendar
from planloom.domain.critical_path import Network
from planloom.domain.tasks import Task, Wait

TASKS = 300
ROUNDS = 30


def main() -> None:
    """Measure and print medians and their ratio."""
    start = date(2026, 11, 2)
    week = WorkCalendar(start)
    waits = {n: sorted({n // 2, n - 7, n - 30} & set(range(n))) for n in range(TASKS)}
    tasks = [Task(f"t{n}", 3 + n % 17, week, tuple(Wait(f"t{m}") for m in waits[n])) for n in range(TASKS)]
    solve = _median(lambda: Network(tasks, start).solve())
    order = _median(lambda: list(TopologicalSorter(waits).static_order()))
    print(f"critical path of {TASKS} tasks, {sum(map(len, waits.values()))} dependencies: {solve * 1000:.2f} ms")
    print(f"topological sort of the same, nothing else:       {order * 1000:.2f} ms (ratio {solve / order:.1f})")


def _median(work: Callable[[], object]) -> float:
    work()  # the calendar learns its days once
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


if __name__ == "__main__":
    main()
