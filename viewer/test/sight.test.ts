import { expect, test } from "vitest";
import { beginningOf, shiftInto } from "../src/graph/sight.ts";

const at = (x: number, y: number) => ({ position: { x, y } });

test("a drawing that can be read as a whole is shown as a whole, any other from its first card", () => {
  expect(beginningOf([at(0, 0), at(1500, 300)], 1300, 800)).toBeUndefined();
  expect(beginningOf([at(-40, -80), at(9000, 300)], 1300, 800)).toEqual({ x: 62, y: 92, zoom: 0.75 });
  expect(beginningOf([at(0, 0), at(0, 9000)], 1300, 800)).toEqual({ x: 32, y: 32, zoom: 0.75 });
  expect(beginningOf([at(0, 9000), at(260, 0), at(260, 18000)], 1300, 900)).toEqual({ x: 32, y: 300 - 6750, zoom: 0.75 });
  const [band, root, leaf] = [at(-40, -80), at(0, 9000), at(260, 0)];
  expect(beginningOf([band, root, leaf], 1300, 900, [root, leaf])).toEqual({ x: 62, y: 300 - 6750, zoom: 0.75 });
});

test("what lies outside moves in, with some air, and what is in sight stays", () => {
  expect([shiftInto(-50, 200, 1000), shiftInto(400, 200, 1000), shiftInto(900, 200, 1000)]).toEqual([82, 0, -132]);
});
