/** Where cards lie that nobody put anywhere: columns by what waits for what, bands by group. */
import type { Position } from "../plan/document.ts";

export interface Box {
  id: string;
  /** What must come before it; ids that are not among the boxes are passed over. */
  after: readonly string[];
  /** The band that it is in; one band where all are the same. */
  band: string;
}

export interface Spacing {
  width: number;
  height: number;
  gapX: number;
  gapY: number;
  bandGap: number;
}

export const CARD: Spacing = { width: 216, height: 112, gapX: 44, gapY: 18, bandGap: 86 };

/** Sweeps over the columns; each brings boxes nearer to what they are connected with. */
const SWEEPS = 4;

/**
 * Arrange boxes from left to right: each is in the column after its last dependency (longest path), in its
 * band. Within a column, boxes are in the order of the middle of their neighbours, so that few lines cross. In a cycle,
 * the edge that closes it is ignored.
 */
export function layOut(boxes: readonly Box[], spacing: Spacing = CARD): Map<string, Position> {
  const columns = columnsOf(boxes);
  const bands = [...new Set(boxes.map((box) => box.band))];
  const positions = new Map<string, Position>();
  let top = 0;
  for (const band of bands) {
    const members = boxes.filter((box) => box.band === band);
    const cells = new Map<number, Box[]>();
    for (const box of members) {
      const column = columns.get(box.id) ?? 0;
      cells.set(column, [...(cells.get(column) ?? []), box]);
    }
    sort(cells);
    const tallest = Math.max(...[...cells.values()].map((cell) => cell.length));
    const pitch = spacing.height + spacing.gapY;
    for (const [column, cell] of cells) {
      const offset = ((tallest - cell.length) * pitch) / 2;
      for (const [row, box] of cell.entries())
        positions.set(box.id, { x: column * (spacing.width + spacing.gapX), y: top + offset + row * pitch });
    }
    top += tallest * pitch - spacing.gapY + spacing.bandGap;
  }
  return positions;
}

/** Return each box's column: 0 for those that wait for nothing, else one more than the last that they wait for. */
export function columnsOf(boxes: readonly Box[]): Map<string, number> {
  const after = new Map(boxes.map((box) => [box.id, box.after]));
  const columns = new Map<string, number>();
  const open = new Set<string>();
  for (const box of boxes) {
    const todo = [box.id];
    while (todo.length > 0) {
      const id = todo[todo.length - 1] as string;
      if (columns.has(id)) {
        todo.pop();
        continue;
      }
      const waits = (after.get(id) ?? []).filter((each) => after.has(each));
      const missing = open.has(id) ? [] : waits.filter((each) => !columns.has(each) && !open.has(each));
      open.add(id);
      if (missing.length > 0) todo.push(...missing);
      else {
        columns.set(id, Math.max(-1, ...waits.map((each) => columns.get(each) ?? -1)) + 1);
        todo.pop();
      }
    }
  }
  return columns;
}

function sort(cells: Map<number, Box[]>): void {
  const order = [...cells.keys()].sort((a, b) => a - b);
  const followers = new Map<string, string[]>();
  for (const cell of cells.values())
    for (const box of cell) for (const id of box.after) followers.set(id, [...(followers.get(id) ?? []), box.id]);
  const row = new Map<string, number>();
  for (const cell of cells.values()) for (const [index, box] of cell.entries()) row.set(box.id, index);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const forth = sweep % 2 === 0;
    for (const column of forth ? order : order.toReversed()) {
      const cell = cells.get(column) ?? [];
      const middle = new Map(
        cell.map((box) => [box.id, middleOf(forth ? box.after : (followers.get(box.id) ?? []), row, row.get(box.id) ?? 0)]),
      );
      cell.sort((a, b) => (middle.get(a.id) ?? 0) - (middle.get(b.id) ?? 0));
      for (const [index, box] of cell.entries()) row.set(box.id, index);
    }
  }
}

function middleOf(ids: readonly string[], row: ReadonlyMap<string, number>, own: number): number {
  const rows = ids.map((id) => row.get(id)).filter((each) => each !== undefined);
  return rows.length > 0 ? rows.reduce((sum, each) => sum + each, 0) / rows.length : own;
}
