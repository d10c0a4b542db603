import { expect, test } from "vitest";
import { criticalPath, widthsOf } from "../src/graph/critical.ts";
import { columnsOf } from "../src/graph/layout.ts";

const box = (id: string, ...after: string[]) => ({ id, after, band: "" });
const DIAMOND = [box("1"), box("2", "1"), box("3", "1"), box("4", "2", "3"), box("5")];

test("without times the critical path is the longest chain, with times the slowest", () => {
  expect(criticalPath([box("1"), box("2", "1"), box("3")])).toEqual(["1", "2"]);
  expect(criticalPath(DIAMOND, new Map([["2", 1], ["3", 2], ["4", 1], ["5", 2.5]]))).toEqual(["1", "3", "4"]);
  expect(criticalPath(DIAMOND, new Map([["5", 9], ["1", 1]]))).toEqual(["5"]);
});

test("steps in a cycle have no critical path, and unknown ones are passed over", () => {
  expect(criticalPath([box("1", "2"), box("2", "1")])).toEqual([]);
  expect(criticalPath([box("1", "gone")])).toEqual(["1"]);
  expect(criticalPath([])).toEqual([]);
});

test("steps that wait for the same ones are counted together", () => {
  expect(widthsOf(columnsOf(DIAMOND))).toEqual([2, 2, 1]);
});
