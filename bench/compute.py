"""How long a plan takes to compute: the levelled schedule, 1,000 runs of its odds, load and findings.

The ideal is a loop that does nothing but add up: it draws nothing, knows no calendar and no people.

python -m bench.compute
"""

import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial

from planloom.planes.strategic.compute.compute import compute
from planloom.planes.strategic.compute.load import loads, without_roles
from planloom.planes.strategic.compute.odds import RUNS, odds
from planloom.planes.strategic.compute.schedule import schedule
from planloom.planes.strategic.compute.time_findings import time_findings
from planloom.planes.strategic.compute.view import PlanView
from planloom.planes.strategic.spine.spine import Spine
from tests.unit.strategic.compute.spines import realistic

#: Deliverables of eight packages each.
SIZES = (10, 38)
ROUNDS = 15


def main() -> None:
    """Measure and print medians and their ratios."""
    for deliverables in SIZES:
        _measure(realistic(deliverables))


def _measure(spine: Spine) -> None:
    dated = schedule(spine)
    chances, loaded = odds(dated), loads(dated)
    before = [tuple(dated.network.before(position)) for position in range(len(dated.lengths))]
    levelled = _median(partial(schedule, spine))
    unlevelled = _median(partial(schedule, spine, level=False))
    load = _median(lambda: (loads(dated), without_roles(dated)))
    found = _median(lambda: list(time_findings(PlanView(dated, chances, loaded))))
    runs = _median(partial(odds, dated), rounds=3)
    alone = _median(partial(compute, spine, runs=1), rounds=3)
    whole = _median(partial(compute, spine), rounds=3)
    plain = _median(lambda: [_plain(dated.lengths, before) for _ in range(RUNS)], rounds=3)
    print(f"{len(spine.packages)} packages, {len(dated.lengths)} with approvals, gates and decisions")
    print(f"  schedule:                     {unlevelled * 1000:6.1f} ms, levelled by role {levelled * 1000:.1f} ms")
    print(f"  load, and without each role:  {load * 1000:6.1f} ms, findings of time {found * 1000:.1f} ms")
    print(f"  {RUNS} runs of the odds:        {runs * 1000:6.1f} ms")
    print(f"  everything, with findings:    {whole * 1000:6.1f} ms, with a single run {alone * 1000:.1f} ms")
    print(f"  {RUNS} sums along the same:     {plain * 1000:6.1f} ms (ratio {runs / plain:.1f})")


def _plain(lengths: Sequence[int], before: Sequence[Sequence[int]]) -> int:
    """Return the end where lengths add up along the dependencies."""
    ends: list[int] = []
    for length, others in zip(lengths, before, strict=True):
        ready = 0
        for at in others:
            if ends[at] > ready:
                ready = ends[at]
        ends.append(ready + length)
    return max(ends)


def _median(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    work()  # calendars learn their days once
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return statistics.median(times)


if __name__ == "__main__":
    main()
