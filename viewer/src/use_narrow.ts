/** Whether the window is as narrow as a phone. */
import { useSyncExternalStore } from "react";

const NARROW = window.matchMedia("(max-width: 760px)");

export function isNarrow(): boolean {
  return NARROW.matches;
}

export function useNarrow(): boolean {
  return useSyncExternalStore(listen, isNarrow);
}

function listen(changed: () => void): () => void {
  NARROW.addEventListener("change", changed);
  return () => NARROW.removeEventListener("change", changed);
}
