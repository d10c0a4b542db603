/** The longest chain of steps that wait for each other: what decides how long a run takes. */
import type { Box } from "./layout.ts";

/** Return the ids of the chain with the greatest sum of *seconds*, or of steps where no time is known; [] in a cycle. */
export function criticalPath(boxes: readonly Box[], seconds: ReadonlyMap<string, number> = new Map()): string[] {
  const known = new Set(boxes.map((box) => box.id));
  const after = new Map(boxes.map((box) => [box.id, box.after.filter((each) => known.has(each))]));
  const weight = (id: string) => (seconds.size > 0 ? (seconds.get(id) ?? 0) : 1);
  const best = new Map<string, { length: number; before?: string }>();
  const open = new Map([...after].map(([id, needs]) => [id, needs.length]));
  const next = new Map<string, string[]>();
  for (const [id, needs] of after) for (const need of needs) next.set(need, [...(next.get(need) ?? []), id]);
  const ready = [...open].flatMap(([id, count]) => (count === 0 ? [id] : []));
  for (const id of ready) {
    const before = (after.get(id) ?? []).toSorted((a, b) => (best.get(b)?.length ?? 0) - (best.get(a)?.length ?? 0))[0];
    best.set(id, { length: weight(id) + (before === undefined ? 0 : (best.get(before)?.length ?? 0)), before });
    for (const each of next.get(id) ?? []) {
      open.set(each, (open.get(each) ?? 1) - 1);
      if (open.get(each) === 0) ready.push(each);
    }
  }
  if (ready.length < boxes.length) return [];
  const path: string[] = [];
  let id = [...best].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
  while (id !== undefined) {
    path.unshift(id);
    id = best.get(id)?.before;
  }
  return path;
}

/** Return which steps can be active at the same time, in order. */
export function widthsOf(columns: ReadonlyMap<string, number>): number[] {
  const widths: number[] = [];
  for (const column of columns.values()) widths[column] = (widths[column] ?? 0) + 1;
  return widths;
}
