/** Verification: what proves that the goal is reached. */
import type { KindLook } from "./look.ts";

export const verification: KindLook = {
  kind: "verification",
  title: "Verification",
  path: "M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6l8-3Zm-4 9 3 3 5-6",
};
