/** Docs: what is written for people. */
import type { KindLook } from "./look.ts";

export const docs: KindLook = {
  kind: "docs",
  title: "Docs",
  path: "M6 3h9l4 4v14H6zM14 3v5h5M9 13h7m-7 4h7",
};
