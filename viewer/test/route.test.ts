import { expect, test } from "vitest";
import { parseRoute, paths } from "../src/route.ts";

test("an address leads to the screen that made it", () => {
  expect(parseRoute(paths.strategic("a/b", "files"))).toEqual({ screen: "strategic", planId: "a/b", tab: "files" });
  expect(parseRoute(paths.implementation("7f1c"))).toEqual({ screen: "implementation", planId: "7f1c" });
  expect(parseRoute("")).toEqual({ screen: "strategic-list" });
  expect(parseRoute(paths.strategicNew)).toEqual({ screen: "strategic-new" });
  expect(parseRoute("#/open/7f1c")).toEqual({ screen: "open", planId: "7f1c" });
});

test("an address that names nothing, or is broken, opens nothing", () => {
  expect(parseRoute("#/elsewhere")).toEqual({ screen: "unknown" });
  expect(parseRoute("#/plans/%E0%A4%A")).toEqual({ screen: "strategic", planId: "%E0%A4%A", tab: "progress" });
});
