/** The goal cut into parts with what was understood of each: kept in place while the text around them changes. */
import type { GoalPart } from "../api/facts.ts";

/** The kinds of what is understood, in the order in which one hides another, and their names. */
export const KINDS = {
  money: "money",
  date: "dates and times",
  people: "people and bodies",
  ban: "bans",
  place: "places",
  quantity: "quantities",
  demand: "demands",
  unread: "not understood",
} as const;

export type Kind = keyof typeof KINDS;

/** Fewer words than these say too little to be read. */
export const FEWEST_WORDS = 20;

const WORDS = new Intl.Segmenter(undefined, { granularity: "word" });

/** Return how many words *text* has, in any language. */
export function wordsOf(text: string): number {
  let count = 0;
  for (const { isWordLike } of WORDS.segment(text)) if (isWordLike) count++;
  return count;
}

/**
 * Return *parts*, which were made of an earlier text, for *text*: what is before and after the change keeps what was
 * understood of it, the rest waits to be read.
 */
export function fitted(parts: readonly GoalPart[], text: string): GoalPart[] {
  const before = parts.map((part) => part.text).join("");
  if (before === text) return [...parts];
  const shorter = Math.min(before.length, text.length);
  let head = 0;
  while (head < shorter && before[head] === text[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
  const kept = { first: [] as GoalPart[], last: [] as GoalPart[] };
  let at = 0;
  for (const part of parts) {
    const end = at + part.text.length;
    if (end <= head) kept.first.push(part);
    else if (at >= before.length - tail) kept.last.push(part);
    at = end;
  }
  const length = (those: GoalPart[]) => those.reduce((sum, part) => sum + part.text.length, 0);
  const changed = text.slice(length(kept.first), text.length - length(kept.last));
  return [...kept.first, ...(changed ? [{ text: changed, kinds: [], labels: [] }] : []), ...kept.last];
}

/** Return the part that holds the character at *offset*; at the end of the text the last one. */
export function partAt(parts: readonly GoalPart[], offset: number): GoalPart | undefined {
  let end = 0;
  return parts.find((part) => (end += part.text.length) > offset) ?? parts.at(-1);
}

/** Return how many parts each kind marks. */
export function countKinds(parts: readonly GoalPart[]): [kind: Kind, count: number][] {
  const all = Object.keys(KINDS) as Kind[];
  return all.map((kind): [Kind, number] => [kind, parts.filter((part) => part.kinds.includes(kind)).length]).filter(([, count]) => count > 0);
}

/** Return the classes by which a part is drawn; none where all of its kinds are hidden. */
export function classesOf(part: GoalPart, hidden: ReadonlySet<string>): string {
  return part.kinds.filter((kind) => !hidden.has(kind)).map((kind) => `k-${kind}`).join(" ");
}

/** Characters of the goal that are shown on either side of words that were not understood. */
const AROUND = 32;

/** Return the words that no fact holds, each between the text before and after it in the goal. */
export function unreadWords(parts: readonly GoalPart[]): [before: string, words: string, after: string][] {
  const goal = parts.map((part) => part.text).join("");
  const found: [string, string, string][] = [];
  let at = 0;
  for (const { text, kinds } of parts) {
    const [first, end] = [at, (at += text.length)];
    if (!kinds.includes("unread")) continue;
    const before = goal.slice(Math.max(0, first - AROUND), first).replace(first > AROUND ? /^\S*\s/ : /^/, first > AROUND ? "… " : "");
    const after = goal.slice(end, end + AROUND).replace(end + AROUND < goal.length ? /\s\S*$/ : /$/, end + AROUND < goal.length ? " …" : "");
    found.push([before, text, after]);
  }
  return found;
}
