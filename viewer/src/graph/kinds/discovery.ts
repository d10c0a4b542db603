/** Discovery: what must be found out before the rest can be decided. */
import type { KindLook } from "./look.ts";

export const discovery: KindLook = {
  kind: "discovery",
  title: "Discovery",
  path: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 4 4",
};
