/** What of a drawing is in sight: where the view begins, and how far it has to move to show something. */
import type { Viewport } from "@xyflow/react";
import type { Position } from "../plan/document.ts";
import { CARD } from "./layout.ts";

interface Placed {
  position: Position;
}

/** A plan that could not be read if all of it were in the window is looked at from its beginning. */
const READABLE = 0.5;
const BEGINNING = 0.75;
/** Between what is moved into sight and the edge of the window (pixels). */
const AIR = 32;

/**
 * Return the viewport that shows the first card: the topmost of the leftmost column; undefined if all of the drawing fits.
 * *cards* are those of *nodes* that are no bands.
 */
export function beginningOf(
  nodes: readonly Placed[],
  roomX: number,
  roomY: number,
  cards: readonly Placed[] = nodes,
): Viewport | undefined {
  const [xs, ys] = [nodes.map((node) => node.position.x), nodes.map((node) => node.position.y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) + CARD.width - left, Math.max(...ys) + CARD.height - top];
  if (roomX / width >= READABLE && roomY / height >= READABLE) return undefined;
  const column = Math.min(...cards.map((card) => card.position.x));
  const first = Math.min(...cards.filter((card) => card.position.x === column).map((card) => card.position.y));
  // a card in the middle of the drawing, as the root of a tree, has others above it
  const y = Math.min(AIR - top * BEGINNING, roomY / 3 - first * BEGINNING);
  return { x: AIR - left * BEGINNING, y, zoom: BEGINNING };
}

/** Return the shift that moves an interval of *size* at *start* to between 0 and *space*, with a margin. */
export function shiftInto(start: number, size: number, space: number): number {
  if (start < 0) return AIR - start;
  return start + size > space ? space - AIR - start - size : 0;
}
