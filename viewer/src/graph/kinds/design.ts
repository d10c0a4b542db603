/** Design: what is decided about how it will be. */
import type { KindLook } from "./look.ts";

export const design: KindLook = {
  kind: "design",
  title: "Design",
  path: "M4 20l4-1L19 8l-3-3L5 16l-1 4ZM14 7l3 3",
};
