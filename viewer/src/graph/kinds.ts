/** The kinds of steps, in the order in which plans usually go through them; their colours are --kind-<kind> of tokens.css. */
import type { Kind } from "../plan/document.ts";

export interface KindLook {
  kind: Kind;
  title: string;
  /** A line drawing in a square of 24 units. */
  path: string;
}

export const KIND_LOOKS: Record<Kind, KindLook> = {
  // what must be found out before the rest can be decided
  discovery: { kind: "discovery", title: "Discovery", path: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 4 4" },
  // what is decided about how it will be
  design: { kind: "design", title: "Design", path: "M4 20l4-1L19 8l-3-3L5 16l-1 4ZM14 7l3 3" },
  // what is built
  implementation: { kind: "implementation", title: "Implementation", path: "M8 7l-5 5 5 5m8-10 5 5-5 5M14 4l-4 16" },
  // what is built anew and works as before
  refactor: { kind: "refactor", title: "Refactor", path: "M4 9a8 8 0 0 1 14-3l2 2m0-4v4h-4M20 15a8 8 0 0 1-14 3l-2-2m0 4v-4h4" },
  // what shows that it works
  testing: { kind: "testing", title: "Testing", path: "M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M8 15h8" },
  // what moves data or callers from old to new
  migration: { kind: "migration", title: "Migration", path: "M4 7h12m-4-4 4 4-4 4M20 17H8m4 4-4-4 4-4" },
  // what brings it to its users
  rollout: { kind: "rollout", title: "Rollout", path: "M12 15V4m-5 5 5-5 5 5M5 20h14" },
  // what is written for people
  docs: { kind: "docs", title: "Docs", path: "M6 3h9l4 4v14H6zM14 3v5h5M9 13h7m-7 4h7" },
  // what proves that the goal is reached
  verification: { kind: "verification", title: "Verification", path: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6l8-3Zm-4 9 3 3 5-6" },
};

/** Return the look of *kind*; a kind that the table does not have is drawn as documentation is. */
export function lookOf(kind: string): KindLook {
  return Object.hasOwn(KIND_LOOKS, kind) ? KIND_LOOKS[kind as Kind] : KIND_LOOKS.docs;
}
