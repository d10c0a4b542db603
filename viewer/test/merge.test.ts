import { expect, test } from "vitest";
import { editStep, moveStep } from "../src/plan/edits.ts";
import { changesOf, differences, meet, merge, same } from "../src/plan/merge.ts";
import { plan, small, step } from "./sample.ts";

test("changes to different parts are made one without a question", () => {
  const mine = editStep(small, "S2", { title: "Mine" });
  const theirs = { ...editStep(small, "S3", { title: "Theirs" }), goal: "Another goal" };
  const meeting = meet(small, mine, theirs);

  expect(meeting.conflicts).toEqual([]);
  const merged = merge(theirs, meeting, new Map());
  expect(merged.goal).toBe("Another goal");
  expect(merged.steps.map((each) => each.title)).toEqual(["Step S1", "Mine", "Theirs", "Step S4"]);
});

test.each([["mine", "Mine"], ["theirs", "Theirs"]] as const)("where both changed a step, %s stays as chosen", (side, title) => {
  const mine = editStep(small, "S2", { title: "Mine" });
  const theirs = editStep(small, "S2", { title: "Theirs" });
  const meeting = meet(small, mine, theirs);

  expect(meeting.conflicts).toEqual(["/steps/S2"]);
  expect(merge(theirs, meeting, new Map([["/steps/S2", side]])).steps[1]?.title).toBe(title);
});

test("the same change on both sides is no conflict", () => {
  const mine = editStep(small, "S2", { title: "Same" });
  const theirs = editStep(small, "S2", { title: "Same" });

  expect(meet(small, mine, theirs).conflicts).toEqual([]);
});

test("nothing waits for a step that the other side deleted", () => {
  const mine = editStep(small, "S3", { dependsOn: ["S2", "S4"] });
  const theirs = { ...small, steps: small.steps.filter((each) => each.id !== "S4") };

  expect(merge(theirs, meet(small, mine, theirs), new Map()).steps.at(-1)?.dependsOn).toEqual(["S2"]);
});

test("a step added, one deleted and a new order are told apart", () => {
  const grown = plan([...small.steps, step("S5")]);

  expect(changesOf(small, grown).map((change) => change.path)).toEqual(["/steps/S5"]);
  expect(changesOf(grown, small).map((change) => [change.path, change.after])).toEqual([["/steps/S5", undefined]]);
  expect(changesOf(small, moveStep(small, "S1", 1)).map((change) => change.path)).toEqual(["/order"]);
  expect(merge(small, meet(small, moveStep(small, "S1", 1), small), new Map()).steps[0]?.id).toBe("S2");
});

test("values are compared by content", () => {
  expect(same({ a: 1, b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: 1 })).toBe(true);
  expect(same({ a: undefined }, {})).toBe(true);
  expect(same([1, 2], [2, 1])).toBe(false);
  expect(differences({ a: 1, b: 2 }, { a: 1, b: 3, c: 4 })).toEqual([
    { name: "b", before: 2, after: 3 },
    { name: "c", before: undefined, after: 4 },
  ]);
});

test("two who each add a step keep both, and what waited for mine still does", () => {
  const mine = plan([...small.steps, step("S5", ["S4"], { title: "Mine" }), step("S6", ["S5"])]);
  const theirs = plan([...small.steps, step("S5", [], { title: "Theirs" })]);
  const meeting = meet(small, mine, theirs);

  expect(meeting.conflicts).toEqual([]);
  const merged = merge(theirs, meeting, new Map());
  expect(merged.steps.slice(4).map((each) => [each.id, each.title, each.dependsOn])).toEqual([
    ["S5", "Theirs", []],
    ["S7", "Mine", ["S4"]],
    ["S6", "Step S6", ["S7"]],
  ]);
});
