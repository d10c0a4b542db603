import { expect, test } from "vitest";
import { fits, NO_FILTER } from "../src/editor/filter.ts";
import { storedLayout } from "../src/plan/document.ts";
import { addStep, connect, deleteSteps, forgetLayout, moveStep, storeLayout } from "../src/plan/edits.ts";
import { plan, small, step } from "./sample.ts";

test("a new step follows the one it was added to, with the next free id", () => {
  const [grown, id] = addStep(small, "testing", "S2");

  expect(id).toBe("S5");
  expect(grown.steps.map((each) => each.id)).toEqual(["S1", "S2", "S5", "S3", "S4"]);
  expect(grown.steps[2]?.dependsOn).toEqual(["S2"]);
});

test("who waited for a deleted step waits no longer, and its place is given up", () => {
  const placed = storeLayout(small, new Map([["S1", { x: 1, y: 2 }], ["S2", { x: 3.4, y: 4.6 }]]));
  const left = deleteSteps(placed, new Set(["S1"]));

  expect(left.steps.map((each) => [each.id, each.dependsOn])).toEqual([["S2", []], ["S3", ["S2"]], ["S4", []]]);
  expect([...storedLayout(left)]).toEqual([["S2", { x: 3, y: 5 }]]);
});

test("a dependency that would close a circle is not made", () => {
  expect(connect(small, "S1", "S3")).toBe(small);
  expect(connect(small, "S3", "S3")).toBe(small);
  expect(connect(small, "S3", "S2")).toBe(small);
  expect(connect(small, "S3", "S4").steps[2]?.dependsOn).toEqual(["S2", "S4"]);
});

test("a step moves by one place and stays at the ends", () => {
  expect(moveStep(small, "S3", -1).steps.map((each) => each.id)).toEqual(["S1", "S3", "S2", "S4"]);
  expect(moveStep(small, "S1", -1)).toBe(small);
});

test("forgetting the layout leaves other metadata alone, and no empty shell", () => {
  const both = storeLayout(plan([step("S1")], { metadata: { ticket: 7 } }), new Map([["S1", { x: 0, y: 0 }]]));

  expect(forgetLayout(both).metadata).toEqual({ ticket: 7 });
  expect("metadata" in forgetLayout(storeLayout(small, new Map()))).toBe(false);
});

test("a misshapen layout is passed over", () => {
  const odd = plan([step("S1")], { metadata: { layout: { nodes: [null, 4, { id: "S1", x: "no" }, { id: "S1", x: 1, y: 2 }] } } });

  expect([...storedLayout(odd)]).toEqual([["S1", { x: 1, y: 2 }]]);
});

test("among steps that are shown alone, a step moves past the next of these", () => {
  expect(moveStep(small, "S1", 1, ["S1", "S3"]).steps.map((each) => each.id)).toEqual(["S2", "S3", "S1", "S4"]);
  expect(moveStep(small, "S3", -1, ["S1", "S3"]).steps.map((each) => each.id)).toEqual(["S3", "S1", "S2", "S4"]);
  expect(moveStep(small, "S3", 1, ["S1", "S3"])).toBe(small);
});

test("words are looked for in all that a step says, and not in the names of its fields", () => {
  const found = (words: string) => fits(step("S1", [], { notes: "Ask the tax team" }), { ...NO_FILTER, words });

  expect(["src/a.ts", "make test", "TAX team", "run_command"].map(found)).toEqual([true, true, true, true]);
  expect(["dependsOn", "lawyers"].map(found)).toEqual([false, false]);
});
