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

/** Return the viewport that shows the top left corner of the drawing; undefined if all of it fits. */
export function beginningOf(nodes: readonly Placed[], roomX: number, roomY: number): Viewport | undefined {
  const [xs, ys] = [nodes.map((node) => node.position.x), nodes.map((node) => node.position.y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) + CARD.width - left, Math.max(...ys) + CARD.height - top];
  if (roomX / width >= READABLE && roomY / height >= READABLE) return undefined;
  return { x: AIR - left * BEGINNING, y: AIR - top * BEGINNING, zoom: BEGINNING };
}

/** Return the shift that moves an interval of *size* at *start* to between 0 and *space*, with a margin. */
export function shiftInto(start: number, size: number, space: number): number {
  if (start < 0) return AIR - start;
  return start + size > space ? space - AIR - start - size : 0;
}
