import { expect, test } from "vitest";
import type { RunEvent, RunStep } from "../src/api/graphs.ts";
import { valueOf } from "../src/parts/json_text.tsx";
import { criticalOf, runningSteps } from "../src/runs/steps.ts";
import { barsOf } from "../src/runs/timeline.tsx";

const step = (id: string, state: string, more: Partial<RunStep> = {}): RunStep => ({ step: id, title: "", tool: "add", state, ...more }) as RunStep;
const started = (id: string, at: string): RunEvent => ({ cursor: 1, name: "step_started", at, step: id, data: {} });
const ENDED = { ended_at: "2026-11-23T10:00:05Z", seconds: 2 };

test("a step of a run has its state, time and calls, and the order of the graph", () => {
  const steps = [step("1", "completed", { ...ENDED, calls: 3 }), step("2", "waiting"), step("3", "pending")];
  const drawn = runningSteps(steps, [{ index: "2", tool: "add", depends_on: ["1"] }]);
  expect(drawn).toEqual([
    { id: "1", title: "", by: "add", state: "completed", note: "2.0 s, 3 calls", after: [] },
    { id: "2", title: "", by: "add", state: "needs-approval", note: "", after: ["1"] },
    { id: "3", title: "", by: "add", state: "pending", note: "", after: [] },
  ]);
  expect([...criticalOf(drawn, steps)]).toEqual(["1"]);
});

test("the timeline has what ended, what is under way until now, and nothing that has not begun", () => {
  const now = Date.parse("2026-11-23T10:00:09Z");
  const steps = [step("2", "running"), step("1", "completed", ENDED), step("3", "pending")];
  const bars = barsOf(steps, [started("2", "2026-11-23T10:00:06Z")], now);
  expect(bars.map((bar) => [bar.step.step, now - bar.start, now - bar.end])).toEqual([
    ["1", 6000, 4000],
    ["2", 3000, 0],
  ]);
});

test("what is typed is read as JSON, else as text", () => {
  expect([valueOf("3"), valueOf('{"a": [1]}'), valueOf("north")]).toEqual([3, { a: [1] }, "north"]);
});
