import { expect, test } from "vitest";
import { match, paths } from "../src/route.ts";
import { screenOf } from "../src/screens/index.tsx";

function opened(hash: string): unknown {
  const found = screenOf(hash);
  return found && [found.plane.title, found.screen.title, found.params];
}

test("an address leads to the screen that made it, with its parameters", () => {
  expect(opened(paths.strategic("a/b", "files"))).toEqual(["Strategic", "Strategic plan", { planId: "a/b", tab: "files" }]);
  expect(opened(paths.strategic("7f1c"))).toEqual(["Strategic", "Strategic plan", { planId: "7f1c" }]);
  expect(opened(paths.implementation("7f1c"))).toEqual(["Implementation", "Implementation plan", { planId: "7f1c" }]);
  expect(opened("")).toEqual(["Strategic", "Strategic plans", {}]);
  expect(opened("#/plans/")).toEqual(["Strategic", "Strategic plans", {}]);
  expect(opened(paths.strategicNew)).toEqual(["Strategic", "New plan", {}]);
  expect(opened(paths.scheduleList)).toEqual(["Graphs", "Schedules and budgets", {}]);
  expect(opened("#/open/7f1c")).toEqual(["Strategic", "Plan", { planId: "7f1c" }]);
});

test("an address that names nothing opens nothing, and a broken one is taken as it is", () => {
  expect(opened("#/elsewhere")).toBeUndefined();
  expect(opened("#/plans/a/b/c")).toBeUndefined();
  expect(match("plans/:planId", "#/plans/%E0%A4%A")).toEqual({ planId: "%E0%A4%A" });
  expect(match("plans/:planId", "#/plans/")).toBeNull();
});
