/** Migration: what moves data or callers from old to new. */
import type { KindLook } from "./look.ts";

export const migration: KindLook = {
  kind: "migration",
  title: "Migration",
  path: "M4 7h12m-4-4 4 4-4 4M20 17H8m4 4-4-4 4-4",
};
