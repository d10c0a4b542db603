/** Where the reader is: kept behind the # of the address, since any path may stand before the page. */
import { useSyncExternalStore } from "react";

export type Route =
  | { screen: "strategic-list" }
  | { screen: "implementation-list" }
  | { screen: "strategic"; planId: string; tab: string }
  | { screen: "implementation"; planId: string }
  | { screen: "open"; planId: string }
  | { screen: "unknown" };

/** Read an address such as `#/plans/7f1c` or `#/implementation/7f1c`. */
export function parseRoute(hash: string): Route {
  const [family = "", planId, tab] = hash.replace(/^#\/?/, "").split("/").map(decode);
  if (family === "" || family === "plans")
    return planId ? { screen: "strategic", planId, tab: tab || "progress" } : { screen: "strategic-list" };
  if (family === "implementation") return planId ? { screen: "implementation", planId } : { screen: "implementation-list" };
  if (family === "open" && planId) return { screen: "open", planId };
  return { screen: "unknown" };
}

export const paths = {
  strategicList: "#/plans",
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

function listen(changed: () => void): () => void {
  window.addEventListener("hashchange", changed);
  return () => window.removeEventListener("hashchange", changed);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
