import { expect, test } from "vitest";
import type { GoalPart } from "../src/api/facts.ts";
import { classesOf, countKinds, fitted, partAt, unreadWords, wordsOf } from "../src/goal/parts.ts";

const plain = (text: string): GoalPart => ({ text, kinds: [], labels: [] });
const money: GoalPart = { text: "EUR 90,000", kinds: ["money"], labels: ["total: EUR 90,000"] };
const date: GoalPart = { text: "1 May 2027", kinds: ["date"], labels: ["deadline: 1 May 2027"] };
const READ = [plain("A café for "), money, plain(" by "), date, plain(".")];

test("what was understood stays in place while text is typed before, between and after it", () => {
  expect(fitted(READ, "A café for EUR 90,000 by 1 May 2027.")).toEqual(READ);
  expect(fitted(READ, "A small café for EUR 90,000 by 1 May 2027.")).toEqual([plain("A small café for "), money, plain(" by "), date, plain(".")]);
  expect(fitted(READ, "A café for EUR 90,000 or so by 1 May 2027.")).toEqual([plain("A café for "), money, plain(" or so by "), date, plain(".")]);
  expect(fitted(READ, "A café for EUR 90,000 by 1 May 2027. No plastic.")).toEqual([...READ, plain(" No plastic.")]);
});

test("a passage that is changed is no longer marked, and its neighbours still are", () => {
  expect(fitted(READ, "A café for EUR 95,000 by 1 May 2027.")).toEqual([plain("A café for "), plain("EUR 95,000"), plain(" by "), date, plain(".")]);
  expect(fitted(READ, "")).toEqual([]);
  expect(fitted([], "A café")).toEqual([plain("A café")]);
  expect(fitted(READ, "Another goal")).toEqual([plain("Another goal")]);
});

test("whatever is typed, the parts joined are the text", () => {
  const before = READ.map((part) => part.text).join("");
  for (let at = 0; at <= before.length; at++)
    for (const text of [before.slice(0, at) + before.slice(at + 3), `${before.slice(0, at)}aaa${before.slice(at)}`])
      expect(fitted(READ, text).map((part) => part.text).join("")).toBe(text);
});

test("a place in the text finds its part", () => {
  expect(partAt(READ, 10)).toEqual(READ[0]);
  expect(partAt(READ, 11)).toBe(money);
  expect(partAt(READ, 999)).toBe(READ[4]);
  expect(partAt([], 0)).toBeUndefined();
});

test("the legend counts the kinds that are there, in one order, and hides what is switched off", () => {
  const both: GoalPart = { ...money, kinds: ["money", "demand"] };
  expect(countKinds([date, both, money])).toEqual([
    ["money", 2],
    ["date", 1],
    ["demand", 1],
  ]);
  expect(classesOf(both, new Set())).toBe("k-money k-demand");
  expect(classesOf(both, new Set(["money"]))).toBe("k-demand");
  expect(classesOf(money, new Set(["money"]))).toBe("");
});

test("words are counted in any script", () => {
  expect(wordsOf("A café, for EUR 90,000!")).toBe(5);
  expect(wordsOf("  ")).toBe(0);
  expect(wordsOf("我们想在里斯本开一家面包店")).toBeGreaterThan(3);
});

test("what was not understood is shown with the words around it", () => {
  const unread: GoalPart = { text: "three", kinds: ["unread"], labels: ["not understood"] };

  expect(unreadWords([plain("End it after "), unread, plain(".")])).toEqual([["End it after ", "three", "."]]);
  expect(unreadWords([plain("We want a lease of at least seven years that ends after "), unread, plain(" more years in which nothing changes.")])).toEqual([
    ["… seven years that ends after ", "three", " more years in which nothing …"],
  ]);
  expect(unreadWords(READ)).toEqual([]);
});
