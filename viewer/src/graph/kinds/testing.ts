/** Testing: what shows that it works. */
import type { KindLook } from "./look.ts";

export const testing: KindLook = {
  kind: "testing",
  title: "Testing",
  path: "M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3M8 15h8",
};
