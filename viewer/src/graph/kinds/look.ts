/** How a kind of steps is shown: a name, a drawing, and the colour --kind-<kind> of tokens.css. */
import type { Kind } from "../../plan/document.ts";

export interface KindLook {
  kind: Kind;
  title: string;
  /** A line drawing in a square of 24 units. */
  path: string;
}
