/** Which steps a reader wants to see. */
import type { Step } from "../plan/document.ts";

export interface Filter {
  status: string;
  kind: string;
  words: string;
}

export const NO_FILTER: Filter = { status: "", kind: "", words: "" };

export function fits(step: Step, filter: Filter): boolean {
  if (filter.status && step.ui.status !== filter.status) return false;
  if (filter.kind && step.kind !== filter.kind) return false;
  if (!filter.words.trim()) return true;
  const text = textsOf(step).join("\n").toLowerCase();
  return filter.words.toLowerCase().trim().split(/\s+/).every((word) => text.includes(word));
}

/** Return all that a step says: targets, actions and verification as well; the names of fields are none of it. */
function textsOf(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(textsOf);
  return [String(value ?? "")];
}
