/** Refactor: what is built anew and works as before. */
import type { KindLook } from "./look.ts";

export const refactor: KindLook = {
  kind: "refactor",
  title: "Refactor",
  path: "M4 9a8 8 0 0 1 14-3l2 2m0-4v4h-4M20 15a8 8 0 0 1-14 3l-2-2m0 4v-4h4",
};
