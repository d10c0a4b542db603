import { expect, test, vi } from "vitest";
import { joined, type Page, readAgain } from "../src/pages.ts";

interface Line {
  id: string;
  live?: boolean;
}

const followed = { id: (line: Line) => line.id, live: (line: Line) => line.live ?? false };

/** A service that hands out *ids* two at a time; an id with a star is live. */
function service(ids: string) {
  const all = ids.split(" ").map(line);
  return vi.fn(async (before: string | null): Promise<Page<Line>> => {
    const from = before === null ? 0 : all.findIndex(({ id }) => id === before) + 1;
    const items = all.slice(from, from + 2);
    return { items, next: from + 2 < all.length ? (items.at(-1)?.id ?? null) : null };
  });
}

function line(word: string): Line {
  return { id: word.replace("*", ""), live: word.endsWith("*") };
}

async function lookedAt(known: string, next: string | null, now: string) {
  const load = service(now);
  const was = { items: known.split(" ").filter(Boolean).map(line), next };
  const found = joined(was, await readAgain(load, was.items, followed), followed.id);
  const items = found.items.map(({ id, live }) => (live ? `${id}*` : id)).join(" ");
  return { items, next: found.next, asked: load.mock.calls.map(([before]) => before) };
}

test("what is new stands in front, and pages that were loaded stay", async () => {
  expect(await lookedAt("d c b a", "a", "e d c b a z y")).toEqual({ items: "e d c b a", next: "a", asked: [null] });
});

test("it is read as far as something is live, and what has ended is seen there", async () => {
  expect(await lookedAt("f e d c* b a", "a", "f e d c b a z")).toEqual({ items: "f e d c b a", next: "a", asked: [null, "e"] });
});

test("what was deleted goes, on the last page too", async () => {
  expect(await lookedAt("d c b a", null, "d b a")).toEqual({ items: "d b a", next: null, asked: [null] });
  expect(await lookedAt("d c b a", null, "d c")).toEqual({ items: "d c", next: null, asked: [null] });
});

test("where nothing of what is read is known, the list begins anew, so that it has no gap", async () => {
  expect(await lookedAt("b a", null, "f e d c b a")).toEqual({ items: "f e", next: "e", asked: [null] });
});

test("the first page of a list that was empty or could not be had is taken as it is", async () => {
  expect(await lookedAt("", null, "c b a")).toEqual({ items: "c b", next: "b", asked: [null] });
});
