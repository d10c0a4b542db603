import { expect, test } from "vitest";
import { CARD, columnsOf, layOut } from "../src/graph/layout.ts";

const box = (id: string, after: string[] = [], band = "one") => ({ id, after, band });

test("a box stands after the last that it waits for", () => {
  const columns = columnsOf([box("c", ["a", "b"]), box("b", ["a"]), box("a"), box("d", ["nobody"])]);

  expect(Object.fromEntries(columns)).toEqual({ a: 0, b: 1, c: 2, d: 0 });
});

test("a circle does not stop the layout", () => {
  const positions = layOut([box("a", ["c"]), box("b", ["a"]), box("c", ["b"])]);

  expect([...positions.values()].every((at) => Number.isFinite(at.x) && Number.isFinite(at.y))).toBe(true);
});

test("no two boxes overlap, and bands lie below one another", () => {
  const boxes = Array.from({ length: 300 }, (_, index) =>
    box(`S${index}`, index > 6 ? [`S${index - 7}`, `S${index - 3}`] : [], `band ${index % 5}`),
  );
  const positions = layOut(boxes);
  const taken = new Set([...positions.values()].map((at) => `${at.x} ${at.y}`));
  const bottom = (band: string) => Math.max(...boxes.filter((each) => each.band === band).map((each) => positions.get(each.id)?.y ?? 0));
  const top = (band: string) => Math.min(...boxes.filter((each) => each.band === band).map((each) => positions.get(each.id)?.y ?? 0));

  expect(taken.size).toBe(300);
  expect(top("band 1")).toBeGreaterThan(bottom("band 0") + CARD.height);
});

test("a chain of ten thousand is laid out without running out of stack", () => {
  const chain = Array.from({ length: 10_000 }, (_, index) => box(`S${index}`, index ? [`S${index - 1}`] : [])).reverse();

  expect(columnsOf(chain).get("S9999")).toBe(9999);
});
