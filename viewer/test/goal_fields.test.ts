import { expect, test } from "vitest";
import type { FactsGiven, ShownFacts } from "../src/api/facts.ts";
import { asRead, corrected, dayInWords, FIELDS, hasCorrections, linesOf } from "../src/goal/fields.ts";

const FACTS: ShownFacts = {
  language: "en",
  title: "Café",
  kind: "opening of a café",
  table: "business_opening",
  total: { low: 2_000_000, high: 3_000_000, currency: "EUR", quote: "€2 to €3 million", assumed: false },
  deadline: { earliest: "2027-03-04", latest: "2027-04-03", quote: "03/04/2027", what: "", ambiguous: true },
  start: null,
  people: [
    { count: 1, who: "head baker", part: "works", quote: "the head baker" },
    { count: 2, who: "owners", part: "decides", quote: "two owners" },
  ],
  bans: [{ what: "plastic", kind: "word", quote: "never say plastic" }],
  places: [{ name: "Lisbon", kind: "city", quote: "Lisbon" }],
  days: [],
  values: [],
  contradictions: [],
  questions: [],
  unverified: [],
  unread: [],
  read_by: "rules",
};

const texts = (field: Parameters<typeof linesOf>[0], given: FactsGiven = {}) => linesOf(field, FACTS, given).map((line) => line.text);

test("facts are shown in words, with both readings of a day that has two", () => {
  expect(texts("total")).toEqual(["EUR 2,000,000 to 3,000,000"]);
  expect(texts("deadline")).toEqual(["4 March 2027 or 3 April 2027"]);
  expect(texts("start")).toEqual([]);
  expect(texts("people")).toEqual(["head baker", "2 × owners"]);
  expect(texts("bans")).toEqual(["the word “plastic”"]);
  expect(linesOf("deadline", FACTS, {})[0]?.unsure).toBe("It can be read in two ways: choose one.");
});

test("a correction of one fact is that fact; a removed one says that there is none", () => {
  const total = { low: 250_000, high: 250_000, currency: "EUR" };
  const given = corrected({}, "total", linesOf("total", FACTS, {}), 0, total);

  expect(given).toEqual({ total });
  expect(texts("total", given)).toEqual(["EUR 250,000"]);
  expect(corrected({}, "deadline", linesOf("deadline", FACTS, {}), 0, undefined)).toEqual({ deadline: null });
  expect(texts("deadline", { deadline: null })).toEqual([]);
});

test("a correction of one in a list sends the whole list", () => {
  const lines = linesOf("people", FACTS, {});

  expect(corrected({}, "people", lines, 1, { count: 3, who: "owners" })).toEqual({
    people: [
      { count: 1, who: "head baker" },
      { count: 3, who: "owners" },
    ],
  });
  expect(corrected({}, "people", lines, 0, undefined)).toEqual({ people: [{ count: 2, who: "owners" }] });
  expect(corrected({}, "people", lines, 2, { count: 4, who: "nurses" }).people).toHaveLength(3);
  expect(corrected({}, "places", linesOf("places", FACTS, {}), 0, undefined)).toEqual({ places: [] });
});

test("a correction is taken back by itself", () => {
  const given: FactsGiven = { total: null, kind: "a bakery" };

  expect(asRead(given, "total")).toEqual({ kind: "a bakery" });
  expect([hasCorrections(given), hasCorrections({}), hasCorrections({ total: null })]).toEqual([true, false, true]);
  expect(texts("kind", given)).toEqual(["a bakery"]);
});

test("what is typed is checked before it is taken", () => {
  expect(FIELDS.total.read({ low: "240000", currency: "eur" })).toEqual({ value: { low: 240_000, high: 240_000, currency: "EUR" } });
  expect(FIELDS.total.read({ low: "5", high: "3", currency: "EUR" })).toEqual({ wrong: "The end of the range is below its start." });
  expect(FIELDS.total.read({ low: "5", currency: "€" })).toEqual({ wrong: "The currency is a code of three letters, such as EUR." });
  expect(FIELDS.deadline.read({ earliest: "2027-05-01" })).toEqual({ value: { earliest: "2027-05-01", latest: "2027-05-01" } });
  expect(FIELDS.start.read({ earliest: "2027-05-01", latest: "2027-04-01" })).toEqual({ wrong: "The last day is before the first." });
  expect(FIELDS.people.read({ count: "0", who: "x" })).toEqual({ wrong: "How many must be a whole number from 1." });
  expect(FIELDS.bans.read({ what: "plastic" })).toEqual({ value: { what: "plastic", kind: "approach" } });
});

test("every line of a list can be sent back as it was read", () => {
  for (const field of ["people", "bans", "places"] as const)
    for (const line of linesOf(field, FACTS, {})) expect(FIELDS[field].read(line.values).wrong).toBeUndefined();
});

test("a day that is none is shown as it was written", () => {
  expect([dayInWords("2027-05-01"), dayInWords("soon")]).toEqual(["1 May 2027", "soon"]);
});
