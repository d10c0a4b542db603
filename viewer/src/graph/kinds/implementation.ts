/** Implementation: what is built. */
import type { KindLook } from "./look.ts";

export const implementation: KindLook = {
  kind: "implementation",
  title: "Implementation",
  path: "M8 7l-5 5 5 5m8-10 5 5-5 5M14 4l-4 16",
};
