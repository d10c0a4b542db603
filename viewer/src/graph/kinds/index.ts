/** The registry of step kinds, in the order in which plans usually go through them. */
import type { Kind } from "../../plan/document.ts";
import { design } from "./design.ts";
import { discovery } from "./discovery.ts";
import { docs } from "./docs.ts";
import { implementation } from "./implementation.ts";
import type { KindLook } from "./look.ts";
import { migration } from "./migration.ts";
import { refactor } from "./refactor.ts";
import { rollout } from "./rollout.ts";
import { testing } from "./testing.ts";
import { verification } from "./verification.ts";

export const KIND_LOOKS: Record<Kind, KindLook> = {
  discovery,
  design,
  implementation,
  refactor,
  testing,
  migration,
  rollout,
  docs,
  verification,
};

/** Return the look of *kind*; a kind that the registry does not know is drawn as documentation is. */
export function lookOf(kind: string): KindLook {
  return Object.hasOwn(KIND_LOOKS, kind) ? KIND_LOOKS[kind as Kind] : KIND_LOOKS.docs;
}
