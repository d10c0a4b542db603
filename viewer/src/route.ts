/** Where the reader is: kept behind the # of the address, since the page may have any path. */
import { useSyncExternalStore } from "react";

export type Route =
  | { screen: "strategic-list" }
  | { screen: "strategic-new" }
  | { screen: "implementation-list" }
  | { screen: "strategic"; planId: string; tab: string }
  | { screen: "implementation"; planId: string }
  | { screen: "open"; planId: string }
  | { screen: "unknown" };

/** Read an address such as `#/plans/7f1c` or `#/implementation/7f1c`. */
export function parseRoute(hash: string): Route {
  const [family = "", planId, tab] = hash.replace(/^#\/?/, "").split("/").map(decode);
  if (family === "plans" && planId === "new") return { screen: "strategic-new" };
  if (family === "" || family === "plans")
    return planId ? { screen: "strategic", planId, tab: tab || "progress" } : { screen: "strategic-list" };
  if (family === "implementation") return planId ? { screen: "implementation", planId } : { screen: "implementation-list" };
  if (family === "open" && planId) return { screen: "open", planId };
  return { screen: "unknown" };
}

export const paths = {
  strategicList: "#/plans",
  strategicNew: "#/plans/new",
  implementationList: "#/implementation",
  strategic: (planId: string, tab?: string) => `#/plans/${encodeURIComponent(planId)}${tab ? `/${tab}` : ""}`,
  implementation: (planId: string) => `#/implementation/${encodeURIComponent(planId)}`,
};

export function go(path: string): void {
  window.location.hash = path;
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(listen, () => window.location.hash);
  return parseRoute(hash);
}

/** What asks before a screen with unsaved work is left, and the address of that screen. */
let held: { ask: (goOn: () => void) => void; hash: string } | null = null;

/** Have *ask* decide whether this screen is left; it is given the function that continues. Call what this returns to let go. */
export function holdScreen(ask: (goOn: () => void) => void): () => void {
  held = { ask, hash: window.location.hash };
  return () => {
    held = null;
  };
}

/** Do *act*, which ends the screen, once nothing holds it any more. */
export function leaveScreen(act: () => void): void {
  if (held) held.ask(act);
  else act();
}

function listen(changed: () => void): () => void {
  const moved = () => {
    const { hash } = window.location;
    if (!held || hash === held.hash) return changed();
    // back to where we were, without a word to anybody, until it is decided
    window.history.pushState(null, "", held.hash);
    held.ask(() => {
      held = null;
      go(hash);
    });
  };
  window.addEventListener("hashchange", moved);
  return () => window.removeEventListener("hashchange", moved);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
