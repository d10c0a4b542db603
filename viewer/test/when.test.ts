import { expect, test } from "vitest";
import { expressionOf, inWords, type Times } from "../src/runs/when.ts";

const TIMES: Times = { often: "daily", time: "08:05", day: "MON", moment: "2027-01-31T09:30", cron: " cron(0/15 * * * ? *) " };

test.each([
  ["daily", "cron(5 8 * * ? *)", "every day at 08:05"],
  ["weekly", "cron(5 8 ? * MON *)", "every Monday at 08:05"],
  ["once", "at(2027-01-31T09:30:00)", "once, on 2027-01-31 at 09:30"],
  ["cron", "cron(0/15 * * * ? *)", "cron(0/15 * * * ? *)"],
] as const)("what is due %s is one expression, and is said in words", (often, expression, words) => {
  expect(expressionOf({ ...TIMES, often })).toBe(expression);
  expect(inWords(expression)).toBe(words);
});

test("a field that is empty makes no expression", () => {
  expect(expressionOf({ ...TIMES, time: "" })).toBe("");
  expect(expressionOf({ ...TIMES, often: "once", moment: "" })).toBe("");
});
