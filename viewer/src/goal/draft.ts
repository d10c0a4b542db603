/** The goal that is being written, kept for as long as this browser tab lives: a reload loses nothing. */
import type { Detail, FactsGiven, ModelProfile } from "../api/facts.ts";

const NAME = "planloom.draft";

export interface Draft {
  goal: string;
  profile: ModelProfile;
  given: FactsGiven;
  detail: Detail;
}

export const EMPTY: Draft = { goal: "", profile: "baseline", given: {}, detail: "standard" };

export function storedDraft(): Draft {
  try {
    return { ...EMPTY, ...(JSON.parse(sessionStorage.getItem(NAME) ?? "{}") as Partial<Draft>) };
  } catch {
    return EMPTY;
  }
}

/** Keep *draft*; one without a goal is nothing to keep. */
export function storeDraft(draft: Draft): void {
  if (draft.goal.trim()) sessionStorage.setItem(NAME, JSON.stringify(draft));
  else forgetDraft();
}

export function forgetDraft(): void {
  sessionStorage.removeItem(NAME);
}

/** Return an id that no other request has. The page may come over plain HTTP, where randomUUID is not offered. */
export function requestId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
