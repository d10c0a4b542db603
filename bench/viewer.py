"""How soon the viewer shows a plan of 300 steps, how smoothly its cards are dragged, and a workflow of 500 nodes is.

    make viewer && python -m bench.viewer [--rounds 5]

Chromium without a window opens the plan on the embedded AWS, signed in, nothing cached. The first paint is the frame
after the first card is in the page, counted from the navigation, and from the moment when the plan had arrived.
While a card is dragged for some seconds, the page counts its frames; a screen of 60 Hz gives 60. The workflow is
dragged as a whole, first as it is opened, then so small that all of it is in sight; beside the frames it prints how
long the main thread of the page works for each, which says more on a busy machine.
"""

import argparse
import statistics
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx2

from planloom.accounts.make_key import make_key
from planloom_cli.embedded import EmbeddedAws, deploy
from planloom_cli.local_service import ports_of
from planloom_cli.service import Address

STEPS, NODES = 300, 500
KINDS = ("discovery", "design", "implementation", "refactor", "testing", "migration", "rollout", "docs", "verification")
FLAGS = ["--no-sandbox", "--disable-gpu"]
MOVES, PATIENCE = 240, 60_000

#: Before the page's own scripts: note when the plan came, when the first card was painted, and every frame of a drag.
WATCH = """
window.frames_ = [];
const fetched = window.fetch;
window.fetch = async (...call) => {
  const answer = await fetched(...call);
  if (/implementation-plans\\/(?!schema)[^/]+$/.test(String(call[0]))) window.arrived_ = performance.now();
  return answer;
};
new MutationObserver((_, watching) => {
  if (!document.querySelector(".step-card")) return;
  watching.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.painted_ = performance.now(); }));
}).observe(document, {childList: true, subtree: true});
window.count_ = () => {
  const frame = (at) => { window.frames_.push(at); if (!window.still_) requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
};
"""

#: The page's own policy lets no script be made of text there, so that this waits by itself.
PAINTED = """() => new Promise((done) => {
  const look = () => window.painted_ ? done([window.painted_, window.arrived_]) : setTimeout(look, 5);
  look();
})"""


def main() -> None:
    """Measure and print medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--browser", default="/usr/bin/chromium")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, EmbeddedAws(Path(folder)) as aws:
        deployment = deploy(aws)
        key = make_key(ports_of(aws, deployment).keys, ports_of(aws, deployment).clock, "bench")
        address = Address(f"{deployment.api_url}/mcp", deployment.api_url, key)
        plan_id = _store(address)
        _measure(address, plan_id, wanted.browser, wanted.rounds)
        _measure_workflow(address, _start_workflow(address), wanted.browser)


def _store(address: Address) -> str:
    headers = {"X-API-Key": address.key}
    url = f"{address.http_url}/v1/implementation-plans"
    answer = httpx2.post(url, json={"plan": _plan()}, headers=headers, timeout=60)
    answer.raise_for_status()
    return str(answer.json()["planId"])


def _measure(address: Address, plan_id: str, path: str, rounds: int) -> None:
    # a tool of tests: only this measurement needs it
    from playwright.sync_api import sync_playwright

    whole, drawing, rates, slowest = [], [], [], []
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=path, args=FLAGS)
        for _ in range(rounds):
            page = browser.new_context(viewport={"width": 1360, "height": 860}).new_page()
            page.set_default_timeout(PATIENCE)
            page.add_init_script(f"sessionStorage.setItem('planloom.key', {address.key!r}); {WATCH}")
            page.goto(f"{address.viewer_url}#/implementation/{plan_id}")
            page.locator(".step-card").first.wait_for()
            painted, arrived = page.evaluate(PAINTED)
            whole.append(painted)
            drawing.append(painted - arrived)
            frames = _drag(page)
            gaps = [later - earlier for earlier, later in pairwise(frames)]
            rates.append(1000 * len(gaps) / (frames[-1] - frames[0]))
            slowest.append(sorted(gaps)[int(len(gaps) * 0.95)])
            page.context.close()
        browser.close()
    print(f"first paint of {STEPS} steps after navigation:   {statistics.median(whole):.0f} ms")
    print(f"first paint of {STEPS} steps after their arrival: {statistics.median(drawing):.0f} ms")
    print(f"dragging: {statistics.median(rates):.1f} frames/s")
    print(f"95 of 100 frames while dragging within:      {statistics.median(slowest):.1f} ms")


def _start_workflow(address: Address) -> str:
    """Start a workflow of NODES nodes and return its id."""
    edges = [(a, b) for b in range(NODES) for a in (b - 7, b - 11 if b % 3 == 0 else -1) if a >= 0]
    draft = {
        "title": f"Move {NODES} modules",
        "nodes": [
            {"id": f"n{n}", "type": "action", "label": f"Move {n}", "owner": {"executorType": "agent", "ref": "dev"}}
            for n in range(NODES)
        ],
        "edges": [{"id": f"{a}-{b}", "source": f"n{a}", "target": f"n{b}"} for a, b in edges],
        "entryNodeIds": [f"n{n}" for n in range(7)],
    }
    url = f"{address.http_url}/v1/workflows/runs"
    answer = httpx2.post(url, json=draft, headers={"X-API-Key": address.key}, timeout=60)
    answer.raise_for_status()
    return str(answer.json()["runId"])


def _measure_workflow(address: Address, run_id: str, path: str) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_context(viewport={"width": 1360, "height": 860}).new_page()
        page.set_default_timeout(PATIENCE)
        page.add_init_script(f"sessionStorage.setItem('planloom.key', {address.key!r}); {WATCH}")
        debugger = page.context.new_cdp_session(page)
        debugger.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(f"{address.viewer_url}#/workflows/{run_id}")
        page.locator(".state-card").first.wait_for()
        for seen in ("as opened", "all in sight"):
            before = _work(debugger)
            frames = _pan(page)
            rate = 1000 * (len(frames) - 1) / (frames[-1] - frames[0])
            worked = 1000 * (_work(debugger) - before) / len(frames)
            print(f"workflow of {NODES} nodes, {seen}: {rate:.1f} frames/s, {worked:.1f} ms of work for each")
            page.get_by_role("button", name="Fit View").click()
            page.wait_for_timeout(1_000)
        browser.close()


def _work(debugger: Any) -> float:
    """Return the seconds for which the page's main thread has worked."""
    found = debugger.send("Performance.getMetrics")["metrics"]
    return float(next(each["value"] for each in found if each["name"] == "TaskDuration"))


def _pan(page: Any) -> list[float]:
    """Drag the whole graph to and fro; return the times of the frames meanwhile, in milliseconds."""
    page.evaluate("(window.frames_ = [], window.still_ = false, window.count_())")
    page.mouse.move(700, 750)
    page.mouse.down()
    for move in range(MOVES):
        page.mouse.move(700 - 3 * (move % 120), 750 - 2 * (move % 90))
    page.mouse.up()
    return [float(at) for at in page.evaluate("(window.still_ = true, window.frames_)")]


def _drag(page: Any) -> list[float]:
    """Drag a card to and fro; return the times of the frames meanwhile, in milliseconds."""
    box = page.locator(".step-card").nth(3).bounding_box()
    x, y = box["x"] + 60, box["y"] + 14
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y + 20, steps=4)
    page.evaluate("window.count_()")
    for move in range(MOVES):
        page.mouse.move(x + 40 + 2 * (move % 60), y + 40 + move % 45)
    frames = page.evaluate("(window.still_ = true, window.frames_)")
    page.mouse.up()
    return [float(at) for at in frames]


def _plan() -> dict[str, Any]:
    steps = [_step(number) for number in range(1, STEPS + 1)]
    return {
        "schemaVersion": "1.0.0",
        "title": f"Move {STEPS} modules",
        "goal": "All of them, in an order that never breaks the build.",
        "planType": "refactor",
        "context": {"repo": "example/modules", "ref": "main", "stack": ["python"]},
        "constraints": {"nonGoals": [], "compat": [], "qualityGates": ["tests_green"]},
        "steps": steps,
    }


def _step(number: int) -> dict[str, Any]:
    path = f"src/module_{number}.py"
    return {
        "id": f"S{number}",
        "kind": KINDS[number % len(KINDS)],
        "title": f"Move module {number} to the new storage",
        "intent": f"Module {number} keeps nothing in the old storage.",
        "dependsOn": [f"S{each}" for each in (number - 7, number - 11 if number % 3 == 0 else 0) if each > 0],
        "targets": [{"type": "path", "value": path}],
        "actions": [{"type": "edit_file", "path": path, "instruction": "read and write the new storage"}],
        "verification": [{"type": "run_command", "command": f"pytest tests/test_{number}.py", "expect": "success"}],
        "ui": {"status": "todo", "group": f"Area {number % 6 + 1}"},
    }


if __name__ == "__main__":
    main()
