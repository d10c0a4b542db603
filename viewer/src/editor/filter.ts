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
  const text = JSON.stringify([step.id, step.title, step.intent, step.targets, step.ui.group]).toLowerCase();
  return filter.words.toLowerCase().trim().split(/\s+/).every((word) => text.includes(word));
}
