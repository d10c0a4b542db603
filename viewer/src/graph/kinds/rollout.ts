/** Rollout: what brings it to its users. */
import type { KindLook } from "./look.ts";

export const rollout: KindLook = {
  kind: "rollout",
  title: "Rollout",
  path: "M12 15V4m-5 5 5-5 5 5M5 20h14",
};
